"""The shapes of dice standing on the mat, and where their edges appear from above.

A die is four numbers: x and y of the middle of its base (mm), its turn (radians) and its size (mm, from the face it
stands on to the upper one). Everything is drawn in the mat's plane as this camera projects it: a point at a height is
displaced away from the point below the camera (``Camera.lift``).
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.reading import Floats


@dataclass(frozen=True)
class Outlines:
    """The edges of n dice of one shape in the mat's plane, in millimetres.

    ``top`` (n, k, 2): the corners of the upper face, clockwise as seen in the picture. ``rim_start`` and ``rim_end``
    (n, m, 2): the edges of the silhouette, clockwise. ``rim_own`` (n, m): which of these are no edges of the upper
    face.
    """

    top: Floats
    rim_start: Floats
    rim_end: Floats
    rim_own: npt.NDArray[np.bool_]


class Shape(Protocol):
    """One shape of dice."""

    @property
    def corners(self) -> int:
        """How many corners the upper face has."""
        ...

    @property
    def sizes_mm(self) -> tuple[float, float]:
        """The smallest and the largest die of this shape."""
        ...

    def outlines(self, camera: Camera, dice: Floats) -> Outlines:
        """The outlines of dice (n, 4): x, y, turn, size."""
        ...


def polygon(count: int) -> Floats:
    """The corners of a regular polygon with circumradius 1, clockwise as seen with y down: shape (count, 2).

    >>> polygon(4).round(2).tolist()
    [[-0.71, -0.71], [0.71, -0.71], [0.71, 0.71], [-0.71, 0.71]]
    """
    angle = 2 * np.pi * np.arange(count) / count - np.pi / 2 - np.pi / count
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _layer(camera: Camera, dice: Floats, shape: Floats, radius: float, height: float) -> Floats:
    """Corners of one level of dice: ``radius`` and ``height`` as shares of the size; shape (n, k, 2)."""
    cosine, sine = np.cos(dice[:, 2])[:, None], np.sin(dice[:, 2])[:, None]
    reach = radius * dice[:, 3][:, None]
    x = dice[:, 0][:, None] + reach * (cosine * shape[:, 0] - sine * shape[:, 1])
    y = dice[:, 1][:, None] + reach * (sine * shape[:, 0] + cosine * shape[:, 1])
    growth = camera.height_mm / (camera.height_mm - height * dice[:, 3])[:, None]
    foot = camera.foot_mm
    return np.stack([foot[0] + (x - foot[0]) * growth, foot[1] + (y - foot[1]) * growth], axis=-1)


@dataclass(frozen=True)
class Cube:
    """A cube. ``sizes_mm``: games are sold with cubes of 12 to 19 mm."""

    corners: int = 4
    sizes_mm: tuple[float, float] = (11.0, 21.5)

    def outlines(self, camera: Camera, dice: Floats) -> Outlines:
        """As ``Shape.outlines``; the silhouette takes the base's edge where the camera sees the side above it."""
        square = polygon(4)
        half_diagonal = float(np.sqrt(0.5))
        base = _layer(camera, dice, square, half_diagonal, 0.0)
        top = _layer(camera, dice, square, half_diagonal, 1.0)
        seen = self.sides_seen(camera, base)
        start = np.where(seen[..., None], base, top)
        end = np.where(seen[..., None], np.roll(base, -1, axis=1), np.roll(top, -1, axis=1))
        return Outlines(top, start, end, seen)

    def base(self, camera: Camera, dice: Floats) -> Floats:
        """The corners of the faces that the dice stand on, corner for corner below ``top``: shape (n, 4, 2)."""
        return _layer(camera, dice, polygon(4), float(np.sqrt(0.5)), 0.0)

    def sides_seen(self, camera: Camera, base: Floats) -> npt.NDArray[np.bool_]:
        """Which sides the camera sees, (n, 4): those that face the point below it."""
        along = np.roll(base, -1, axis=1) - base
        toward = camera.foot_mm - base
        # Clockwise with y down: outward is the direction turned by a quarter to the left.
        return np.asarray(along[..., 1] * toward[..., 0] - along[..., 0] * toward[..., 1] > 0)


# Of a regular dodecahedron lying on a face, in shares of its height (Coxeter, Regular Polytopes, table I: edge a,
# inradius 1.1135 a, face circumradius 0.8507 a, next ring of corners 1.3764 a, 0.2629 a off the middle).
_PENTAGON_RADIUS = 0.8507 / 2.2270
_BELT_RADIUS = 1.3764 / 2.2270
_BELT_OFF = 0.2629 / 2.2270


@dataclass(frozen=True)
class Dodecahedron:
    """A regular twelve-sided die; the games' number dice measure 16 to 20 mm from face to face."""

    corners: int = 5
    sizes_mm: tuple[float, float] = (14.5, 21.5)

    def outlines(self, camera: Camera, dice: Floats) -> Outlines:
        """As ``Shape.outlines``; the silhouette is the belt of ten corners (up to 26 degrees off the vertical)."""
        pentagon = polygon(5)
        top = _layer(camera, dice, pentagon, _PENTAGON_RADIUS, 1.0)
        belt = np.empty((len(dice), 10, 2))
        belt[:, 0::2] = _layer(camera, dice, pentagon, _BELT_RADIUS, 0.5 + _BELT_OFF)
        between = np.stack(
            [
                np.cos(np.pi / 5) * pentagon[:, 0] - np.sin(np.pi / 5) * pentagon[:, 1],
                np.sin(np.pi / 5) * pentagon[:, 0] + np.cos(np.pi / 5) * pentagon[:, 1],
            ],
            axis=1,
        )
        belt[:, 1::2] = _layer(camera, dice, between, _BELT_RADIUS, 0.5 - _BELT_OFF)
        return Outlines(top, belt, np.roll(belt, -1, axis=1), np.ones(belt.shape[:2], bool))


def standing_under(camera: Camera, top: Floats) -> Floats:
    """The die whose upper face has these corners in the mat's plane: x, y, turn, size, shape (4,).

    ``top`` (k, 2) in millimetres, clockwise as ``Shape.outlines`` draws it; four corners are a cube's, five a
    twelve-sided die's.

    >>> camera = Camera(np.eye(3), np.zeros(5), np.zeros(3), np.array([0, 0, 300.0]), 0.0)
    >>> standing_under(camera, CUBE.outlines(camera, np.array([[20, -30, 0.3, 16.0]])).top[0]).round(3).tolist()
    [20.0, -30.0, 0.3, 16.0]
    """
    middle = top.mean(axis=0)
    reach = float(np.linalg.norm(top - middle, axis=1).mean())
    seen = reach / (float(np.sqrt(0.5)) if len(top) == 4 else _PENTAGON_RADIUS)
    size = seen * camera.height_mm / (camera.height_mm + seen)  # as large as it seems is the size times its growth
    x, y = camera.foot_mm + (middle - camera.foot_mm) / camera.growth(size)
    across = top[1] - top[0]
    return np.array([x, y, np.arctan2(across[1], across[0]), size], np.float64)


CUBE = Cube()
DODECAHEDRON = Dodecahedron()
