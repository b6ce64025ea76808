"""Telling dice from flat prints (patches, markers, drawings): what stands up shows a side or throws a shadow."""

from typing import NamedTuple

import cv2
import numpy as np

from vision.reading import Floats, Pixels, Point

_SIDE_PX = 64
_NEAR = (1.14, 1.30)  # half sides of the face: where sides, rounded edges and contact shadows are seen
_FAR = (1.42, 1.58)  # the floor beside it
_REACH = 1.7
_STEPS = 12


class Around(NamedTuple):
    """How much the floor around a face differs from itself (``restless``, CIE Lab), and by how much more than that
    what is close beside the face differs from it (``standing``): about 0 for a print, more for what has sides or a
    shadow."""

    standing: float
    restless: float


def look_around(pixels: Pixels, outline_px: tuple[Point, ...]) -> Around:
    """What is seen around a face with four corners; of its four sides the second most different one counts."""
    around = _surroundings(pixels, outline_px)
    lab = np.asarray(cv2.cvtColor(around.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float64)
    near = np.stack([_band(lab, side, _NEAR) for side in range(4)])
    far = np.stack([_band(lab, side, _FAR) for side in range(4)])
    floor = np.median(far.reshape(-1, 3), axis=0)
    off = np.linalg.norm(np.median(near, axis=1) - floor, axis=1)
    restless = float(np.median(np.linalg.norm(np.median(far, axis=1) - floor, axis=1)))
    return Around(float(np.sort(off)[-2]) - restless, restless)


def _surroundings(pixels: Pixels, outline_px: tuple[Point, ...]) -> Pixels:
    half = _SIDE_PX / 2
    corner = half / _REACH
    target = np.array([(-corner, -corner), (corner, -corner), (corner, corner), (-corner, corner)], np.float32)
    to = cv2.getPerspectiveTransform(np.asarray(outline_px, np.float32), target + np.float32(half - 0.5))
    size = (_SIDE_PX, _SIDE_PX)
    return np.asarray(cv2.warpPerspective(pixels, to, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _band(lab: Floats, side: int, between: tuple[float, float]) -> Floats:
    """Samples beside one side of the face, shape (n, 3)."""
    turned = np.rot90(lab, side)
    unit = _SIDE_PX / 2 / _REACH
    rows = (_SIDE_PX / 2 - np.linspace(between[1], between[0], 4) * unit).astype(int)
    columns = (_SIDE_PX / 2 + np.linspace(-0.75, 0.75, _STEPS) * unit).astype(int)
    return np.asarray(turned[rows[:, None], columns[None]].reshape(-1, 3), np.float64)
