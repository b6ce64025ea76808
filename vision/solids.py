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
from vision.polygons import reach_of
from vision.reading import Floats

Plane = npt.NDArray[np.complex128]
"""Points of a plane as complex numbers, x + iy: one array operation moves, turns or lifts them all."""


@dataclass(frozen=True)
class Outlines:
    """The edges of n dice of one shape in the mat's plane, in millimetres.

    ``top`` (n, k): the corners of the upper face, clockwise as seen in the picture. ``rim_start`` and ``rim_end``
    (n, m): the edges of the silhouette, clockwise. ``rim_own`` (n, m): which of these are no edges of the upper face.
    """

    top: Plane
    rim_start: Plane
    rim_end: Plane
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

    def tops(self, camera: Camera, dice: Floats) -> Plane:
        """The corners of the upper faces alone, (n, corners), as ``Outlines.top``."""
        ...


def polygon(count: int) -> Floats:
    """The corners of a regular polygon with circumradius 1, clockwise as seen with y down: shape (count, 2).

    >>> polygon(4).round(2).tolist()
    [[-0.71, -0.71], [0.71, -0.71], [0.71, 0.71], [-0.71, 0.71]]
    """
    angle = 2 * np.pi * np.arange(count) / count - np.pi / 2 - np.pi / count
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def as_plane(points: Floats) -> Plane:
    """Points (..., 2) as complex numbers (...)."""
    return np.ascontiguousarray(points, np.float64).view(np.complex128)[..., 0]


def as_points(plane: Plane) -> Floats:
    """Complex numbers (...) as points (..., 2)."""
    return np.ascontiguousarray(plane).view(np.float64).reshape(*plane.shape, 2)


def _layer(dice: Floats, shape: Plane) -> Plane:
    """Corners of one level of dice, as they stand: ``shape`` (k,) in shares of the size; complex, (n, k)."""
    reach = dice[:, 3] * np.exp(1j * dice[:, 2])
    return np.asarray(as_plane(dice[:, :2])[:, None] + reach[:, None] * shape, np.complex128)


def _lifted(camera: Camera, layer: Plane, height_mm: Floats) -> Plane:
    """Where corners (n, k) at the heights (n,) of each die appear in the mat's plane."""
    growth = camera.height_mm / (camera.height_mm - height_mm)
    foot = complex(*camera.foot_mm)
    return np.asarray(foot + (layer - foot) * growth[:, None], np.complex128)


_SQUARE = as_plane(polygon(4)) * np.sqrt(0.5)
NEXT_OF_4 = np.array([1, 2, 3, 0])
"""The corner after each of four."""


@dataclass(frozen=True)
class Cube:
    """A cube. ``sizes_mm``: games are sold with cubes of 12 to 19 mm."""

    corners: int = 4
    sizes_mm: tuple[float, float] = (11.0, 21.5)

    def outlines(self, camera: Camera, dice: Floats) -> Outlines:
        """As ``Shape.outlines``; the silhouette takes the base's edge where the camera sees the side above it."""
        base = _layer(dice, _SQUARE)
        top = _lifted(camera, base, dice[:, 3])
        base_next, top_next = base[:, NEXT_OF_4], top[:, NEXT_OF_4]
        seen = _faces(base, base_next, complex(*camera.foot_mm))
        start, end = np.where(seen, base, top), np.where(seen, base_next, top_next)
        return Outlines(top, start, end, seen)

    def tops(self, camera: Camera, dice: Floats) -> Plane:
        """As ``Shape.tops``."""
        return _lifted(camera, _layer(dice, _SQUARE), dice[:, 3])

    def base(self, camera: Camera, dice: Floats) -> Floats:
        """The corners of the faces that the dice stand on, corner for corner below ``top``: shape (n, 4, 2)."""
        return as_points(_layer(dice, _SQUARE))

    def sides_seen(self, camera: Camera, base: Floats) -> npt.NDArray[np.bool_]:
        """Which sides the camera sees, (n, 4): those that face the point below it."""
        corners = as_plane(base)
        return _faces(corners, corners[:, NEXT_OF_4], complex(*camera.foot_mm))


def _faces(start: Plane, end: Plane, place: complex) -> npt.NDArray[np.bool_]:
    """Which of the edges (n, k), clockwise with y down, show their outer side to a place."""
    # Outward is the direction turned by a quarter to the left.
    return np.asarray(((end - start).conj() * (place - start)).imag < 0)


# Of a regular dodecahedron lying on a face, in shares of its height (Coxeter, Regular Polytopes, table I: edge a,
# inradius 1.1135 a, face circumradius 0.8507 a, next ring of corners 1.3764 a, 0.2629 a off the middle).
_PENTAGON_RADIUS = 0.8507 / 2.2270
_BELT_RADIUS = 1.3764 / 2.2270
_BELT_OFF = 0.2629 / 2.2270
_PENTAGON = as_plane(polygon(5))
_BETWEEN = _PENTAGON * np.exp(1j * np.pi / 5)
_NEXT_OF_10 = (np.arange(10) + 1) % 10


@dataclass(frozen=True)
class Dodecahedron:
    """A regular twelve-sided die; the games' number dice measure 16 to 20 mm from face to face."""

    corners: int = 5
    sizes_mm: tuple[float, float] = (14.5, 21.5)

    def outlines(self, camera: Camera, dice: Floats) -> Outlines:
        """As ``Shape.outlines``; the silhouette is the belt of ten corners (up to 26 degrees off the vertical)."""
        size = dice[:, 3]
        belt = np.empty((len(dice), 10), np.complex128)
        belt[:, 0::2] = _lifted(camera, _layer(dice, _PENTAGON * _BELT_RADIUS), size * (0.5 + _BELT_OFF))
        belt[:, 1::2] = _lifted(camera, _layer(dice, _BETWEEN * _BELT_RADIUS), size * (0.5 - _BELT_OFF))
        return Outlines(self.tops(camera, dice), belt, belt[:, _NEXT_OF_10], np.ones(belt.shape, bool))

    def tops(self, camera: Camera, dice: Floats) -> Plane:
        """As ``Shape.tops``."""
        return _lifted(camera, _layer(dice, _PENTAGON * _PENTAGON_RADIUS), dice[:, 3])


def standing_under(camera: Camera, top: Floats) -> Floats:
    """The die whose upper face has these corners in the mat's plane: x, y, turn, size, shape (4,).

    ``top`` (k, 2) in millimetres, clockwise as ``Shape.outlines`` draws it; four corners are a cube's, five a
    twelve-sided die's.

    >>> camera = Camera(np.eye(3), np.zeros(5), np.zeros(3), np.array([0, 0, 300.0]), 0.0)
    >>> standing_under(camera, as_points(CUBE.tops(camera, np.array([[20, -30, 0.3, 16.0]]))[0])).round(3).tolist()
    [20.0, -30.0, 0.3, 16.0]
    """
    middle = top.mean(axis=0)
    reach = reach_of(top)
    seen = reach / (float(np.sqrt(0.5)) if len(top) == 4 else _PENTAGON_RADIUS)
    size = seen * camera.height_mm / (camera.height_mm + seen)  # as large as it seems is the size times its growth
    x, y = camera.beneath(middle, size)
    across = top[1] - top[0]
    return np.array([x, y, np.arctan2(across[1], across[0]), size], np.float64)


CUBE = Cube()
DODECAHEDRON = Dodecahedron()
