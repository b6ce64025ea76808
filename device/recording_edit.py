"""Recordings cut, merged and thinned. A game stays one as long as nothing of it is lost."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, groupby
from pathlib import Path

from device.recording import RecordingError
from device.recording_parts import FrameLine, Parts

_GAP_S = 1.0
"""Between two recordings that are put one after the other."""

_GAME_KEYS = ("game", "players", "options")


def cut(parts: Parts, first: int, last: int | None) -> Parts:
    """Only the frames ``first`` to ``last`` (None: to the end), by the numbers in their names.

    The game stays with them where every throw and every decision is among them; otherwise they are a set of pictures.
    Raises ``RecordingError`` where none are left.
    """
    kept = tuple(line for line in parts.frames if first <= line.number and (last is None or line.number <= last))
    if not kept:
        raise RecordingError(f"no frame from {first} to {'the end' if last is None else last}")
    lost = [line for line in parts.frames if line not in kept]
    is_whole = not any(line.entry.get("dice") for line in lost)
    if last is not None:
        is_whole = is_whole and all(int(action["after"]) <= last for action in parts.actions)
    shown = replace(parts, frames=_from_zero(kept))
    return shown if is_whole else pictures_alone(shown)


def merge(many: Sequence[Parts]) -> Parts:
    """The frames of several recordings one after the other, numbered anew: a set of pictures.

    Raises ``RecordingError`` where some were photographed and others rendered, or for one with a tray of its own.
    """
    for key in ("source", "licence"):
        values = {parts.about.get(key) for parts in many}
        if len(values) > 1:
            told = " and ".join(sorted(map(repr, values)))
            raise RecordingError(f"recordings with different {key} are not mixed: {told}")
    if any(parts.beside for parts in many):
        raise RecordingError("a recording with an empty.jpg or profile.json of its own is not mixed with others")
    frames: list[FrameLine] = []
    begin = 0.0
    for parts in many:
        zero = parts.frames[0].t
        for line in parts.frames:
            name = f"frames/{len(frames) + 1:06d}{Path(line.entry['image']).suffix}"
            frames.append(_changed(line, image=name, t=round(begin + line.t - zero, 3)))
        begin = frames[-1].t + _GAP_S
    kinds = [parts.about.get("kinds") for parts in many]
    known = sorted({kind for each in kinds for kind in each or ()}) if all(kinds) else None
    names = [str(parts.about["name"]) for parts in many]
    origins = dict.fromkeys(str(parts.about["origin"]) for parts in many if parts.about.get("origin"))
    about = {**many[0].about, "name": " + ".join(names), "kinds": known, "origin": "; ".join(origins) or None}
    cameras = [parts.about.get("camera") for parts in many]
    about["camera"] = cameras[0] if all(camera == cameras[0] for camera in cameras) else None
    return pictures_alone(Parts(about, tuple(frames)))


def thin(parts: Parts, every: int) -> Parts:
    """Of frames that say the same (moving, at rest, or the same dice) every one in ``every``; always the first."""
    runs = groupby(parts.frames, key=lambda line: (line.entry.get("rest"), line.entry.get("dice")))
    return replace(parts, frames=tuple(chain.from_iterable(list(run)[::every] for _, run in runs)))


def pictures_alone(parts: Parts) -> Parts:
    """The same frames without the game that they are of."""
    about = {key: value for key, value in parts.about.items() if key not in _GAME_KEYS}
    return replace(parts, about=about, actions=(), expected=None)


def _from_zero(frames: tuple[FrameLine, ...]) -> tuple[FrameLine, ...]:
    return tuple(_changed(line, t=round(line.t - frames[0].t, 3)) for line in frames)


def _changed(line: FrameLine, **changes: object) -> FrameLine:
    return replace(line, entry={**line.entry, **changes})
