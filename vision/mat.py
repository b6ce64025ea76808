"""The croupier mat, version 1, as the reader knows it: what is where, in millimetres from the mat's middle.

x points right and y down on the page, z up from it towards the camera.
"""

from types import MappingProxyType

import numpy as np

from vision.reading import Floats

MARKER_SIDE_MM = 24.0
MARKER_CENTERS_MM = MappingProxyType(
    {0: (-120.0, -85.0), 1: (120.0, -85.0), 2: (120.0, 85.0), 3: (-120.0, 85.0), 4: (-120.0, 0.0), 5: (120.0, 0.0)}
)
"""Middle of each ArUco marker (DICT_4X4_50) by its id."""

ROLL_AREA_MM = (-104.0, -93.0, 104.0, 68.0)
"""The grey rectangle in which dice are read: left, top, right, bottom."""

FLOOR_SRGB = 150
"""The roll area's grey, the same in all three channels."""

PATCH_MM = 14.0
PATCH_Y_MM = 84.0
PATCHES_SRGB = MappingProxyType(
    {
        "white": (255, 255, 255),
        "light": (200, 200, 200),
        "grey": (150, 150, 150),
        "dark": (70, 70, 70),
        "black": (0, 0, 0),
        "red": (200, 30, 40),
        "blue": (30, 70, 180),
        "green": (30, 140, 60),
        "gold": (235, 190, 40),
        "purple": (110, 50, 140),
    }
)
"""The colour patches from left to right: red, green, blue as printed."""

_PATCH_STEP_MM = 18.0


def patch_centers() -> Floats:
    """The middles of the ten patches: shape (10, 2), mm.

    >>> patch_centers()[0].tolist(), patch_centers()[-1].tolist()
    ([-81.0, 84.0], [81.0, 84.0])
    """
    columns = np.arange(len(PATCHES_SRGB)) - (len(PATCHES_SRGB) - 1) / 2
    return np.stack([_PATCH_STEP_MM * columns, np.full(len(columns), PATCH_Y_MM)], axis=1)


def marker_corners(marker: int) -> Floats:
    """The corners of a marker's black square in ArUco's order (top left, then clockwise): shape (4, 2), mm.

    >>> marker_corners(5)[0].tolist()
    [108.0, -12.0]
    """
    half = MARKER_SIDE_MM / 2
    return np.array(MARKER_CENTERS_MM[marker]) + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
