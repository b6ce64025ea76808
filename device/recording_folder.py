"""Reads a recording's folder. Everything is checked when it is opened, and every fault is told in one line.

``recording.toml`` names the game and the camera, ``frames.jsonl`` the pictures and their labels, ``actions.jsonl``
the players' decisions, ``expected.json`` the public state at the end. A folder with ``frames.jsonl`` alone is a set
of single pictures.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeGuard

from device.decode import LARGEST_FILE_BYTES, Undecodable, stated_size
from device.recording import Decision, JsonObject, RecordedFrame, Recording, RecordingError, check_size

DEFAULT_FPS = 20.0
"""Frames a second where ``recording.toml`` names none: the pace at which the appliance's camera runs."""

SOURCES = ("photographed", "rendered")

LARGEST_TEXT_BYTES = 64 * 1024 * 1024
"""Of one file of text: ten hours of frames at 20 a second take half of it."""

LONGEST_S = 1e6
"""Eleven days: what is later than that is no time of a recording."""

_LONGEST_NAME_BYTES = 200
_MOST_DIGITS = 9


def load_recording(folder: Path) -> Recording:
    """Open the recording in ``folder`` and check every part of it.

    Raises ``RecordingError``: a missing folder, file or picture; TOML or JSON that cannot be read, with its line;
    a picture that ends early or has another size than the rest.
    """
    if not folder.is_dir():
        raise RecordingError(f"{folder}: no such recording (a recording is a folder with frames.jsonl in it)")
    about = read_toml(folder / "recording.toml")
    frames = _read_frames(folder)
    size = _camera_size(folder, about)
    game = _text(folder, about, "game")
    if game is not None:
        size = _check_pictures(folder, frames, size)
    source = _text(folder, about, "source")
    if source is not None and source not in SOURCES:
        raise RecordingError(f'{folder / "recording.toml"}: source is "photographed" or "rendered", not {source!r}')
    return Recording(
        folder=folder,
        name=_text(folder, about, "name") or folder.name,
        source=source,
        game=game,
        players=_texts(folder, about, "players") or (),
        options=_options(folder, about),
        kinds=_texts(folder, about, "kinds"),
        size=size,
        fps=_fps(folder, about),
        frames=frames,
        decisions=tuple(_read_decisions(folder / "actions.jsonl")),
        expected=_read_expected(folder / "expected.json"),
    )


def read_toml(path: Path) -> Mapping[str, Any]:
    """What stands in ``recording.toml``; nothing where there is none. Raises ``RecordingError``."""
    text = _text_of(path)
    if text is None:
        return {}
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordingError(f"{path}: not readable as TOML: {_reason(error)}") from error


def read_lines(path: Path) -> Iterator[tuple[str, JsonObject]]:
    """Each line of a JSON-lines file that is not blank, with its place for messages; none where there is no file."""
    for number, line in enumerate((_text_of(path) or "").split("\n"), 1):
        if not line.strip():
            continue
        place = f"{path}, line {number}"
        entry = _parsed(place, line)
        if not isinstance(entry, dict):
            raise RecordingError(f"{place}: not a JSON object")
        yield place, entry


def _text_of(path: Path) -> str | None:
    """The text of a file of the recording, None where there is none. Nothing outside of the folder is opened."""
    try:
        if not path.exists():
            return None
        if not path.is_file() or not _is_inside(path.parent, path):
            raise RecordingError(f"{path}: is to be a file of the recording's own")
        if path.stat().st_size > LARGEST_TEXT_BYTES:
            raise RecordingError(f"{path}: larger than {LARGEST_TEXT_BYTES >> 20} MB")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RecordingError(f"{path}: cannot be read ({_reason(error)})") from error


def _is_inside(folder: Path, path: Path) -> bool:
    """Whether ``path`` leads to something in ``folder``, also where it is a link."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def _parsed(place: str, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise RecordingError(f"{place}: not readable as JSON: {error.msg} at character {error.pos + 1}") from error
    except (ValueError, RecursionError) as error:
        raise RecordingError(f"{place}: not readable as JSON: {_reason(error)}") from error


def _read_frames(folder: Path) -> tuple[RecordedFrame, ...]:
    path = folder / "frames.jsonl"
    if not path.is_file():
        raise RecordingError(f"{path}: missing (every recording lists its pictures there)")
    frames: list[RecordedFrame] = []
    for place, entry in read_lines(path):
        frame = _parse_frame(place, entry, len(frames) + 1)
        if not (folder / frame.image).is_file():
            raise RecordingError(f"{folder / frame.image}: missing, though frames.jsonl lists it")
        if not _is_inside(folder, folder / frame.image):
            raise RecordingError(f"{folder / frame.image}: a link that leads out of the recording")
        if frames and frame.t < frames[-1].t:
            raise RecordingError(f"{place}: t goes back from {frames[-1].t} to {frame.t}")
        frames.append(frame)
    if not frames:
        raise RecordingError(f"{path}: lists no pictures")
    if any(after.number <= before.number for before, after in pairwise(frames)):
        return tuple(replace(frame, number=place) for place, frame in enumerate(frames, 1))
    return tuple(frames)


def _parse_frame(place: str, entry: JsonObject, count: int) -> RecordedFrame:
    image, t, rest, dice = (entry.get(key) for key in ("image", "t", "rest", "dice"))
    if not _is_path_inside(image):
        raise RecordingError(f"{place}: image is to be the path of a picture inside the recording")
    if t is None:
        t = 0.0
    if not (_is_number(t) and 0 <= t <= LONGEST_S):
        raise RecordingError(f"{place}: t is to be a number of seconds, 0 to {LONGEST_S:.0f}")
    if rest is not None and not isinstance(rest, bool):
        raise RecordingError(f"{place}: rest is true or false")
    if dice is not None:
        _check_label(place, dice)
    stem = Path(image).stem
    return RecordedFrame(
        number=int(stem) if _is_frame_number(stem) else count,
        image=image,
        t=float(t),
        rest=True if rest is None else rest,
        dice=None if dice is None else tuple(dice),
    )


def _is_path_inside(image: object) -> TypeGuard[str]:
    """Whether it is the path of a file below the folder, in characters that fit into one line.

    >>> [_is_path_inside(name) for name in ("frames/1.jpg", "/etc/passwd", "a/../../b", "a\\nb", "", 3)]
    [True, False, False, False, False, False]
    """
    if not isinstance(image, str) or not image.isprintable() or not 0 < len(image.encode()) <= _LONGEST_NAME_BYTES:
        return False
    return not Path(image).is_absolute() and ".." not in Path(image).parts and Path(image).name != ""


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1e12


def _is_frame_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


def _check_label(place: str, dice: object) -> None:
    if not (isinstance(dice, list) and all(isinstance(die, dict) for die in dice)):
        raise RecordingError(f"{place}: dice is a list of objects, or null")
    for die in dice:
        if not all(isinstance(die.get(key), str) for key in ("kind", "face")):
            raise RecordingError(f"{place}: a die has a kind and a face, both texts")
        if not isinstance(die.get("body"), str | None):
            raise RecordingError(f"{place}: a die's body is a text, or null")
        center = die.get("center_px")
        if center is not None and not (
            isinstance(center, list) and len(center) == 2 and all(map(_is_number, center))
        ):
            raise RecordingError(f"{place}: center_px is to be [u, v] in pixels, or null")


def _read_decisions(path: Path) -> Iterator[Decision]:
    before = 0
    for place, entry in read_lines(path):
        after, action = entry.get("after"), entry.get("action")
        if not (isinstance(after, str) and _is_frame_number(after)):
            raise RecordingError(f'{place}: after is the number of a frame as text, such as "000123"')
        if not isinstance(action, dict):
            raise RecordingError(f"{place}: action is to be a JSON object")
        if int(after) < before:
            raise RecordingError(f"{place}: decisions stand in order, but {after} comes after {before:06d}")
        before = int(after)
        yield Decision(before, action, entry.get("corrects") is True)


def _read_expected(path: Path) -> JsonObject | None:
    text = _text_of(path)
    if text is None:
        return None
    state = _parsed(str(path), text)
    if not isinstance(state, dict):
        raise RecordingError(f"{path}: not a JSON object")
    return state


def _check_pictures(
    folder: Path, frames: tuple[RecordedFrame, ...], size: tuple[int, int] | None
) -> tuple[int, int] | None:
    """Look into every picture's header and at its end, without decoding it; the size that all of them have."""
    for frame in frames:
        path = folder / frame.image
        try:
            if path.stat().st_size > LARGEST_FILE_BYTES:
                raise RecordingError(f"{path}: larger than {LARGEST_FILE_BYTES >> 20} MB")
            found = stated_size(path.read_bytes())
        except (OSError, Undecodable) as error:
            raise RecordingError(f"{path}: {_reason(error)}") from error
        if found is None:
            raise RecordingError(f"{path}: a recording's pictures are JPEG or PNG files")
        check_size(path, found, size)
        size = size or found
    return size


def _camera_size(folder: Path, about: Mapping[str, Any]) -> tuple[int, int] | None:
    size = _table(folder, about, "camera").get("size")
    if size is None:
        return None
    if not (isinstance(size, list) and len(size) == 2 and all(type(side) is int and side > 0 for side in size)):
        raise RecordingError(f"{folder / 'recording.toml'}: camera size is to be [width, height] in pixels")
    return size[0], size[1]


def _fps(folder: Path, about: Mapping[str, Any]) -> float:
    fps = about.get("fps", DEFAULT_FPS)
    if isinstance(fps, bool) or not isinstance(fps, int | float) or not 0 < fps <= 1000:
        raise RecordingError(f"{folder / 'recording.toml'}: fps is to be a number of frames a second, above 0")
    return float(fps)


def _text(folder: Path, about: Mapping[str, Any], key: str) -> str | None:
    value = about.get(key)
    if value is not None and not isinstance(value, str):
        raise RecordingError(f"{folder / 'recording.toml'}: {key} is to be a text")
    return value


def _texts(folder: Path, about: Mapping[str, Any], key: str) -> tuple[str, ...] | None:
    value = about.get(key)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RecordingError(f"{folder / 'recording.toml'}: {key} is to be a list of texts")
    return tuple(value)


def _table(folder: Path, about: Mapping[str, Any], key: str) -> JsonObject:
    value = about.get(key, {})
    if not isinstance(value, dict):
        raise RecordingError(f"{folder / 'recording.toml'}: {key} is to be a table")
    return value


def _options(folder: Path, about: Mapping[str, Any]) -> JsonObject:
    options = _table(folder, about, "options")
    try:
        json.dumps(options, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordingError(f"{folder / 'recording.toml'}: options can only hold what JSON can") from error
    return options


def _reason(error: Exception) -> str:
    """An exception's own words, without a path that the message names already."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return " ".join(((error.strerror or str(error)) if isinstance(error, OSError) else str(error)).split())
