"""Colours and small drawings on the faces of dice.

Colours are linear reflectance in OpenCV's order blue, green, red (0 black, 1 white paper); they are named by their
sRGB triple, as the mat's patches are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
Mask = NDArray[Any]
"""Float32 (96, 96), 0 to 1."""
Numbers = Sequence[float] | Sequence[Sequence[float]] | NDArray[Any]
"""What numpy makes an array of."""

FACE_PX = 96
"""Side of a face's drawing; the largest die in a picture shows a face 85 px wide."""

_OVERSAMPLING = 2


def linear(rgb: Numbers) -> Floats:
    """Linear reflectance (B, G, R) of an sRGB colour (R, G, B, 0 to 255; IEC 61966-2-1).

    >>> linear((255, 255, 255)).tolist()
    [1.0, 1.0, 1.0]
    """
    value = np.clip(np.asarray(rgb, float)[::-1], 0, 255) / 255
    return np.asarray(np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4))


def near(rgb: Numbers, rng: np.random.Generator, spread: float = 12.0) -> Floats:
    """A colour that a maker might call the same: lightness and tint vary, linear BGR."""
    value = np.asarray(rgb, float) * rng.uniform(0.88, 1.1) + rng.normal(0, spread, 3)
    return linear(value.clip(3, 252))


@dataclass(frozen=True)
class Art:
    """What is on one face: ``albedo`` float32 (96, 96, 3) linear BGR, ``relief`` float32 (96, 96), -1 deep, 0
    flat."""

    albedo: NDArray[Any]
    relief: NDArray[Any]


class Brush:
    """Draws masks in a face's own coordinates: -1 to 1 both ways, x right, y down.

    Each method gives a float32 mask (96, 96) from 0 to 1 with soft edges.
    """

    def __init__(self, side_px: int = FACE_PX) -> None:
        self._side = side_px

    def _scaled(self, points: Floats) -> NDArray[np.int32]:
        large = self._side * _OVERSAMPLING
        return np.round(((np.asarray(points, float) + 1) / 2 * large - 0.5) * 16).astype(np.int32)

    def _shrunk(self, mask: NDArray[np.uint8]) -> NDArray[Any]:
        small = cv2.resize(mask, (self._side, self._side), interpolation=cv2.INTER_AREA)
        return (small / 255).astype(np.float32)

    def blank(self) -> NDArray[np.uint8]:
        large = self._side * _OVERSAMPLING
        return np.zeros((large, large), np.uint8)

    def polygons(self, outlines: Sequence[Floats]) -> NDArray[Any]:
        """Filled polygons, each (N, 2); where two overlap is outside (even-odd)."""
        mask = self.blank()
        cv2.fillPoly(mask, [self._scaled(o) for o in outlines], 255, cv2.LINE_AA, 4)
        return self._shrunk(mask)

    def union(self, outlines: Sequence[Floats]) -> NDArray[Any]:
        """Filled polygons together."""
        mask = self.blank()
        for outline in outlines:
            cv2.fillPoly(mask, [self._scaled(outline)], 255, cv2.LINE_AA, 4)
        return self._shrunk(mask)

    def discs(self, centres: Floats, radius: float) -> NDArray[Any]:
        """Filled discs."""
        mask = self.blank()
        for centre in self._scaled(np.reshape(centres, (-1, 2))):
            size = round(radius * self._side * _OVERSAMPLING / 2 * 16)
            cv2.circle(mask, (int(centre[0]), int(centre[1])), size, 255, -1, cv2.LINE_AA, 4)
        return self._shrunk(mask)

    def strokes(self, paths: Sequence[Floats], width: float | Sequence[float]) -> NDArray[Any]:
        """Lines of a pen ``width`` wide along paths, each (N, 2)."""
        mask = self.blank()
        widths = [width] * len(paths) if isinstance(width, int | float) else width
        for path, w in zip(paths, widths, strict=True):
            thickness = max(1, round(w * self._side * _OVERSAMPLING / 2))
            cv2.polylines(mask, [self._scaled(path)], False, 255, thickness, cv2.LINE_AA, 4)
        return self._shrunk(mask)


def rounded_square(half: float, rounding: float) -> Floats:
    """A square from -half to half with corners rounded by ``rounding`` (0 to half): (N, 2)."""
    turn = np.linspace(0, np.pi / 2, 6)
    arc = np.c_[np.cos(turn), np.sin(turn)] * rounding + (half - rounding)
    quarter = np.array([[0, -1], [1, 0]], float)
    parts = [arc]
    for _ in range(3):
        parts.append(parts[-1] @ quarter.T)
    return np.concatenate(parts)


def placed(points: Numbers, shift: Numbers = (0, 0), turn_deg: float = 0.0, scale: float = 1.0) -> Floats:
    """Points scaled, turned (clockwise as seen) and shifted."""
    a = np.deg2rad(turn_deg)
    rotation = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return np.asarray(np.asarray(points, float) * scale @ rotation.T + np.asarray(shift, float))


def plain(color: Floats) -> Art:
    """A face of one colour."""
    return Art(np.full((FACE_PX, FACE_PX, 3), color, np.float32), np.zeros((FACE_PX, FACE_PX), np.float32))


def coat(art: Art, mask: NDArray[Any], color: Floats, depth: float = 0.0) -> Art:
    """``art`` with ``color`` where ``mask`` says so, sunk by ``depth``."""
    layer = mask[..., None]
    albedo = art.albedo * (1 - layer) + np.asarray(color, np.float32) * layer
    return Art(albedo.astype(np.float32), art.relief * (1 - mask) - depth * mask)


def clouds(rng: np.random.Generator) -> Mask:
    """Patches of a second colour with soft borders, as in marbled plastic."""
    cells = int(rng.integers(3, 8))
    rough = cv2.resize(
        rng.random((cells, cells), dtype=np.float32), (FACE_PX, FACE_PX), interpolation=cv2.INTER_CUBIC
    )
    return np.asarray(np.clip((rough - 0.5) * rng.uniform(2, 5) + 0.5, 0, 1), np.float32)


def wear(mask: NDArray[Any], rng: np.random.Generator, amount: float) -> NDArray[Any]:
    """Paint with bits rubbed off: ``amount`` 0 (new) to 1 (mostly gone)."""
    if amount <= 0:
        return mask
    coarse = rng.random((rng.integers(6, 20),) * 2, dtype=np.float32)
    cloud = cv2.resize(coarse, (FACE_PX, FACE_PX), interpolation=cv2.INTER_CUBIC)
    kept = np.clip((cloud - amount * 0.75) * 4 + 0.5, 0.25 * (1 - amount), 1)
    return np.asarray(mask * kept, np.float32)
