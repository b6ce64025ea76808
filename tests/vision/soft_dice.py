"""Drawn dice with soft edges, seen aslant: between the upper face and the side below it there is hardly an edge.

And such with a sharp one, that show both faces plainly.
"""

import math
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Pixels

_FINER = 4  # than the picture, while it is drawn
_SIZE = (480, 640)
_SIDE_SHADE, _SHADOW_SHADE = 0.8, 0.6
_ROUNDED, _RADIUS = 0.18, 0.09  # of the die's width: corners, pips
_SOFT, _SHARP = 0.05, 0.002  # and the edge between both faces
_PIPS = {
    1: ((0.0, 0.0),),
    3: tuple((u, u) for u in (-0.25, 0.0, 0.25)),
    4: tuple((u, v) for u in (-0.25, 0.25) for v in (-0.25, 0.25)),
    6: tuple((u, v) for u in (-0.25, 0.25) for v in (-0.27, 0.0, 0.27)),
}

Color = tuple[int, int, int]


class Colors(NamedTuple):
    """Of the floor, the upper face and the pips, BGR."""

    floor: Color
    upper: Color
    pip: Color


RED, IVORY = (
    Colors((180, 180, 170), (30, 20, 150), (235, 230, 230)),
    Colors((60, 50, 45), (190, 200, 210), (20, 20, 20)),
)


def soft_four(wide_px: float, lean_deg: float, side: int) -> Pixels:
    """A red die that shows four pips upwards and ``side`` (4 or 6) below, uint8 BGR (480, 640, 3).

    The camera leans by ``lean_deg`` and is far away.
    """
    return _drawn(wide_px, lean_deg, (4, side), RED, _SOFT)


def sharp_three(wide_px: float, lean_deg: float, side: int, colors: Colors) -> Pixels:
    """The same, with three pips upwards, ``side`` (1 or 6) below and a sharp edge between both."""
    return _drawn(wide_px, lean_deg, (3, side), colors, _SHARP)


def _drawn(wide_px: float, lean_deg: float, faces: tuple[int, int], colors: Colors, soft: float) -> Pixels:
    rng = np.random.default_rng(1)
    fine = np.full((_SIZE[0] * _FINER, _SIZE[1] * _FINER, 3), colors.floor, np.uint8)
    wide = wide_px * _FINER
    up, down = wide * math.cos(math.radians(lean_deg)), wide * math.sin(math.radians(lean_deg))
    left, top = (fine.shape[1] - wide) / 2, (fine.shape[0] - up - down) / 2
    shadow = _shaded(colors.floor, _SHADOW_SHADE)
    _rounded(fine, left - wide / 8, top + 0.6 * up, wide * 1.4, 0.5 * up + down, wide, shadow)
    fine = np.asarray(cv2.GaussianBlur(fine, (0, 0), 4 * _FINER), np.uint8)
    _rounded(fine, left, top, wide, up + down, wide, _shaded(colors.upper, _SIDE_SHADE))
    _rounded(fine, left, top, wide, up, wide, colors.upper)
    between = fine[int(top + 0.7 * up) : int(top + up + 0.4 * down)]
    between[:] = cv2.GaussianBlur(between, (0, 0), soft * wide)
    for pips, begins, high in zip(faces, (top, top + up), (up, down), strict=True):
        for u, v in _PIPS[pips]:
            middle = (round(left + wide * (0.5 + u)), round(begins + high * (0.5 + v)))
            axes = (round(_RADIUS * wide), round(_RADIUS * high))
            cv2.ellipse(fine, middle, axes, 0, 0, 360, colors.pip, -1, cv2.LINE_AA)
    frame = cv2.GaussianBlur(cv2.resize(fine, _SIZE[::-1], interpolation=cv2.INTER_AREA), (0, 0), 0.8)
    return np.asarray(np.clip(frame + rng.normal(0, 2, frame.shape), 0, 255), np.uint8)


def _shaded(color: Color, shade: float) -> Color:
    blue, green, red = (round(channel * shade) for channel in color)
    return blue, green, red


def _rounded(
    on: NDArray[np.uint8],
    left: float,
    top: float,
    wide: float,
    high: float,
    die_wide: float,
    color: Color,
) -> None:
    """A rectangle with the corners of a die so wide."""
    radius = round(_ROUNDED * die_wide)
    x0, y0, x1, y1 = (round(at) for at in (left, top, left + wide, top + high))
    cv2.rectangle(on, (x0 + radius, y0), (x1 - radius, y1), color, -1)
    cv2.rectangle(on, (x0, y0 + radius), (x1, y1 - radius), color, -1)
    for x in (x0 + radius, x1 - radius):
        for y in (y0 + radius, y1 - radius):
            cv2.circle(on, (x, y), radius, color, -1, cv2.LINE_AA)
