"""Pictures for people: what was read drawn on the frame, and the pipeline's stages side by side."""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.reading import Pixels, Reading
from vision.trace import Trace

_READ = (90, 220, 70)
_LEFT = (40, 140, 255)
_INK = (20, 20, 20)
_SHEET_TILE_PX = (640, 480)
_SHEET_COLUMNS = 3
_CAPTION_PX = 30
_FEW = 6
_BRIEF_AMONG_FEW = 3.5
_BRIEF_AMONG_MANY = 2.2


class _Box(NamedTuple):
    """A part of the picture, px: its first column and row, and those after its last."""

    left: int
    top: int
    right: int
    bottom: int

    def shared(self, other: "_Box") -> int:
        """How many px lie in both."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0) * max(height, 0)


def annotate(frame: Pixels, reading: Reading, brief: bool = False) -> Pixels:
    """A copy of the frame with every die outlined and named, and a reason beside everything left unread.

    ``brief`` names body and face alone, in letters that can still be read once the picture is as small as a phone.
    """
    picture = frame.copy()
    unit = max(max(frame.shape[:2]) / 1300, 0.4)
    stroke = max(1, round(2 * unit))
    if brief:
        # Among many dice large labels would hide their neighbours.
        unit *= _BRIEF_AMONG_FEW if len(reading.dice) + len(reading.unread) <= _FEW else _BRIEF_AMONG_MANY
    labels: list[tuple[_Box, list[str], tuple[int, int, int]]] = []
    for die in reading.dice:
        corners = np.rint(np.array(die.outline_px)).astype(np.int32)
        cv2.polylines(picture, [corners.reshape(-1, 1, 2)], True, _READ, stroke, cv2.LINE_AA)
        body = f"{die.body} " if die.body and die.body != die.face else ""
        said = [f"{body}{die.face}"] + ([] if brief else [f"{die.kind} {die.confidence:.2f}"])
        labels.append((_Box(*corners.min(axis=0).tolist(), *corners.max(axis=0).tolist()), said, _READ))
    radius = 11 * stroke
    for thing in reading.unread:
        u, v = (round(value) for value in thing.center_px)
        cv2.circle(picture, (u, v), radius, _LEFT, stroke, cv2.LINE_AA)
        labels.append((_Box(u - radius, v - radius, u + radius, v + radius), [thing.reason], _LEFT))
    taken = [around for around, _, _ in labels]
    for around, said, color in labels:
        taken.append(_label(picture, around, taken, said, color, unit))
    return picture


def stage_sheet(trace: Trace) -> Pixels:
    """The stages of one reading as captioned tiles on one picture, in reading order."""
    tiles = [_tile(stage.picture, f"{i}  {stage.name}: {stage.note}") for i, stage in enumerate(trace.stages, 1)]
    while len(tiles) % _SHEET_COLUMNS:
        tiles.append(np.full_like(tiles[0], 30))
    rows = [np.hstack(tiles[i : i + _SHEET_COLUMNS]) for i in range(0, len(tiles), _SHEET_COLUMNS)]
    return np.asarray(np.vstack(rows), np.uint8)


def _tile(picture: Pixels, caption: str) -> Pixels:
    width, height = _SHEET_TILE_PX
    scale = min((width - 8) / picture.shape[1], (height - 8) / picture.shape[0])
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    tile = np.full((height + _CAPTION_PX, width, 3), 30, np.uint8)
    left, top = (width - size[0]) // 2, _CAPTION_PX + (height - size[1]) // 2
    tile[top : top + size[1], left : left + size[0]] = small
    cv2.putText(tile, caption, (8, 21), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (235, 235, 235), 1, cv2.LINE_AA)
    return tile


def _label(
    picture: Pixels,
    around: _Box,
    taken: Sequence[_Box],
    lines: Sequence[str],
    color: tuple[int, int, int],
    unit: float,
) -> _Box:
    """Small text on a box of colour beside what it names, where it hides least of what is ``taken``."""
    scale, line_px, stroke = 0.45 * unit, round(17 * unit), max(1, round(unit))
    widths = [cv2.getTextSize(line, cv2.FONT_HERSHEY_SIMPLEX, scale, stroke)[0][0] for line in lines]
    width, height = max(widths) + 8 + stroke, line_px * len(lines) + 4
    across, down = (around.left + around.right - width) // 2, (around.top + around.bottom - height) // 2
    beside = [(across, around.bottom + 4), (across, around.top - 4 - height)]
    beside += [(around.right + 4, down), (around.left - 4 - width, down)]
    places = [_within(picture, left, top, width, height) for left, top in beside]
    place = min(places, key=lambda box: sum(box.shared(other) for other in taken))
    cv2.rectangle(picture, (place.left, place.top), (place.right, place.bottom), color, -1)
    for i, line in enumerate(lines):
        foot = (place.left + 4, place.top + line_px * (i + 1) - round(4 * unit))
        cv2.putText(picture, line, foot, cv2.FONT_HERSHEY_SIMPLEX, scale, _INK, stroke, cv2.LINE_AA)
    return place


def _within(picture: Pixels, left: int, top: int, width: int, height: int) -> _Box:
    """The box of that size, moved into the picture."""
    left = min(max(left, 0), max(picture.shape[1] - width, 0))
    top = min(max(top, 0), max(picture.shape[0] - height, 0))
    return _Box(left, top, left + width, top + height)
