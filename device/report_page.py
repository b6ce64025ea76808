"""A replay's report as one HTML file: every die that was read wrong or left unread, with its pictures and its truth.

The page needs nothing but itself: pictures and styles are in it, and it runs no script.
"""

import html
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from device.recording import JsonObject, Recording
from device.replay import Outcome, kinds_in, profile_of
from device.scoring import Judged
from device.trained import trained_reader
from vision.annotate import annotate
from vision.reading import Pixels, ReadDie, Reading
from vision.trace import Stage, Trace

MOST_PICTURES = 60
"""With their stages; a page of 20 MB still opens on a phone."""

_WIDEST_PX = 900
_CROP_SIDES = 1.6
_CROP_PX = 280
_STAGE_PX = 560
_QUALITY = 80
_NEAR_SIDES = 1.0

_STYLE = """
* { box-sizing: border-box }
:root { color-scheme: light dark; --line: #8886; --wrong: #c22; --left: #a60 }
@media (prefers-color-scheme: dark) { :root { --wrong: #f77; --left: #fb5 } }
body { font: 16px/1.45 system-ui, sans-serif; margin: 0 auto; padding: 1rem; max-width: 70rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2.5rem; overflow-wrap: anywhere }
h3 { font-size: 1rem; overflow-wrap: anywhere; margin-bottom: .3rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .3rem .5rem .3rem 0 }
td { border-top: 1px solid var(--line) } td:first-child { overflow-wrap: anywhere } td.n, th.n { text-align: right }
section { border-top: 1px solid var(--line); margin-top: 1.5rem }
.dice { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 1rem; margin: .8rem 0 }
figure { margin: 0 } img { max-width: 100%; height: auto; display: block; border-radius: 4px }
figcaption { margin-top: .3rem }
.wrong b:first-child { color: var(--wrong) } .left b:first-child { color: var(--left) }
summary { cursor: pointer; padding: .7rem 0; min-height: 1.4rem }
.stages { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: 1rem }
"""


@dataclass(frozen=True, slots=True)
class Played:
    """A recording and what came of it."""

    recording: Recording
    outcome: Outcome


def report_page(played: Sequence[Played]) -> str:
    """The whole page as text. Raises ``RecordingError`` where a picture cannot be read any more."""
    return "".join(_page(played))


def _page(played: Sequence[Played]) -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Replay of recordings</title>'
    yield f"<style>{_STYLE}</style></head><body><h1>Replay of recordings</h1>"
    yield '<table><tr><th>Recording<th class="n">right<th class="n">wrong<th class="n">unread<th>Game</tr>'
    for each in played:
        score = each.outcome.score
        yield f'<tr><td>{_text(each.recording.name)}<td class="n">{score.right}<td class="n">{score.wrong}'
        yield f'<td class="n">{score.left}<td>{_game(each.outcome)}</tr>'
    yield "</table>"
    room = MOST_PICTURES
    for each in played:
        bad = [image for image, judged in each.outcome.judged.items() if not all(die.is_right for die in judged)]
        if not bad and not each.outcome.amiss:
            continue
        source = f" ({each.recording.source})" if each.recording.source else ""
        yield f"<h2>{_text(each.recording.name + source)}</h2>"
        if each.outcome.amiss:
            yield f"<ul>{''.join(f'<li>{_text(line)}' for line in each.outcome.amiss)}</ul>"
        for image in bad[:room]:
            yield from _picture(each, image)
        if len(bad) > room:
            yield f"<p>{len(bad) - room} more pictures are not shown.</p>"
        room = max(0, room - len(bad))
    yield "</body></html>\n"


def _game(outcome: Outcome) -> str:
    if outcome.amiss is None:
        return "pictures"
    return "not as expected" if outcome.amiss else "as expected"


def _picture(played: Played, image: str) -> Iterator[str]:
    """A picture's dice that were read wrong or not at all, and the stages of reading it once more."""
    recording = played.recording
    frame = next(frame for frame in recording.frames if frame.image == image)
    judged = played.outcome.judged[image]
    pixels = recording.pixels(frame)
    reader = trained_reader(profile_of(recording))
    reading, trace = reader.read_with_trace(pixels, kinds_in(recording, frame))
    yield f"<section><h3>{_text(image)}</h3><div class=dice>"
    for die in judged:
        if not die.is_right:
            yield from _die(die, pixels, reading)
    yield "</div><details open><summary>The whole picture</summary>"
    yield _image(annotate(pixels, reading), _WIDEST_PX, f"{image}, as it is read", _QUALITY)
    yield "</details><details><summary>Stages</summary>"
    yield from _stages(trace)
    yield f"</details><details><summary>Truth</summary><table>{''.join(_truth(judged))}</table></details></section>"


def _die(judged: Judged, pixels: Pixels, reading: Reading) -> Iterator[str]:
    center = _center(judged)
    verdict = "left" if judged.die is None else "wrong"
    yield f'<figure class="{verdict}">'
    if center is not None:
        yield _image(_crop(pixels, center, _side_px(reading.dice)), _CROP_PX, "the die", 90)
    read = "left unread" if judged.die is None else f"read as {_words(judged.die.to_json())}"
    if judged.die is None and (reason := _reason(reading, center)):
        read += f" ({reason})"
    truth = _words(judged.label) if judged.label is not None else "no die"
    yield f"<figcaption><b>{_text(read)}</b><br>is <b>{_text(truth)}</b>"
    if judged.label is not None and judged.label.get("readable") is False:
        yield ", and cannot be read"
    yield "</figcaption></figure>"


def _stages(trace: Trace) -> Iterator[str]:
    yield "<div class=stages>"
    for stage in trace.stages[1:]:
        yield f"<figure>{_image(_drawable(stage), _STAGE_PX, stage.name, _QUALITY)}"
        yield f"<figcaption><b>{_text(stage.name)}</b>: {_text(stage.note)}</figcaption></figure>"
    yield "</div>" if len(trace.stages) > 1 else "</div><p>Without a mat or a profile there are none to show.</p>"


def _truth(judged: Iterable[Judged]) -> Iterator[str]:
    yield "<tr><th>is<th>read as</tr>"
    for each in judged:
        label = _words(each.label) if each.label is not None else "no die"
        die = _words(each.die.to_json()) if each.die is not None else "–"
        yield f"<tr><td>{_text(label)}<td>{_text(die)}</tr>"


def _center(judged: Judged) -> tuple[float, float] | None:
    if judged.die is not None:
        return judged.die.center_px
    center = (judged.label or {}).get("center_px")
    return (float(center[0]), float(center[1])) if center else None


def _reason(reading: Reading, center: tuple[float, float] | None) -> str:
    if center is None or not reading.unread:
        return ""
    nearest = min(reading.unread, key=lambda thing: float(np.hypot(*np.subtract(thing.center_px, center))))
    distance = float(np.hypot(*np.subtract(nearest.center_px, center)))
    return nearest.reason if distance <= _NEAR_SIDES * _side_px(reading.dice) else ""


def _side_px(dice: Sequence[ReadDie]) -> float:
    """About how large a die is in this picture, px; a sixteenth of most pictures where none was read."""
    sides = [float(np.hypot(*np.subtract(die.outline_px[0], die.outline_px[1]))) for die in dice if die.outline_px]
    return max(24.0, float(np.median(sides))) if sides else 60.0


def _crop(pixels: Pixels, center: tuple[float, float], side_px: float) -> Pixels:
    """The surroundings of a die, in ``_CROP_PX`` squared."""
    half = max(8, round(_CROP_SIDES * side_px))
    u, v = round(center[0]), round(center[1])
    framed = cv2.copyMakeBorder(pixels, half, half, half, half, cv2.BORDER_CONSTANT, value=(128, 128, 128))
    height, width = pixels.shape[:2]
    u, v = min(max(u, 0), width - 1), min(max(v, 0), height - 1)
    cut = framed[v : v + 2 * half + 1, u : u + 2 * half + 1]
    return np.asarray(cv2.resize(cut, (_CROP_PX, _CROP_PX), interpolation=cv2.INTER_CUBIC), np.uint8)


def _drawable(stage: Stage) -> Pixels:
    picture = np.ascontiguousarray(stage.picture)
    return picture if picture.ndim == 3 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)


def _image(pixels: Pixels, widest_px: int, told: str, quality: int) -> str:
    height, width = pixels.shape[:2]
    if width > widest_px:
        height, width = max(1, round(height * widest_px / width)), widest_px
        pixels = np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    _, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    coded = b64encode(data.tobytes()).decode("ascii")
    return f'<img src="data:image/jpeg;base64,{coded}" width="{width}" height="{height}" alt="{_text(told)}">'


def _words(die: JsonObject) -> str:
    """A die in words; of a chance cube the body is the face.

    >>> _words({"kind": "rig-die", "body": "black", "face": "red +"})
    'black rig die, red +'
    """
    body, kind = die.get("body"), str(die.get("kind"))
    kind = kind.replace("-", " ")
    return f"{body} {kind}, {die.get('face')}" if body and body != die.get("face") else f"{kind}, {die.get('face')}"


def _text(text: str) -> str:
    return html.escape(" ".join(text.split()))
