"""The shapes of dice as seen from above on the mat: where the edges of a standing die appear."""

from dataclasses import dataclass

import numpy as np

from vision.camera import Camera
from vision.reading import Floats

CUBE_SIZES_MM = (11.0, 20.0)
"""What the sides of cubes measure; games are sold with 12 to 19 mm."""


@dataclass(frozen=True)
class Outlines:
    """The edges of n upright cubes in the mat's plane, as this camera projects them, in millimetres.

    ``top`` (n, 4, 2) holds the upper faces, clockwise as seen in the picture; ``base`` (n, 4, 2) the faces they stand
    on, corner for corner.
    """

    top: Floats
    base: Floats


_SQUARE = 0.5 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)


def cube_outlines(camera: Camera, cubes: Floats) -> Outlines:
    """The outlines of cubes given as rows of x, y (middle of the base, mm), turn (radians) and size (mm)."""
    x, y, turn, size = (cubes[:, i] for i in range(4))
    cosine, sine = np.cos(turn)[:, None], np.sin(turn)[:, None]
    across = size[:, None] * (cosine * _SQUARE[:, 0] - sine * _SQUARE[:, 1])
    down = size[:, None] * (sine * _SQUARE[:, 0] + cosine * _SQUARE[:, 1])
    base = np.stack([x[:, None] + across, y[:, None] + down], axis=-1)
    growth = camera.height_mm / (camera.height_mm - size)
    top = camera.foot_mm + (base - camera.foot_mm) * growth[:, None, None]
    return Outlines(top, base)
