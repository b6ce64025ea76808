"""Whether a pip in the middle of a face may be so worn that networks overlook it: a 3 looks like a 2, a 5 like a 4.

Paint that is rubbed off leaves a faint spot of the other pips' colour in the middle, or the rim of a hollow.
"""

import numpy as np

from vision.patches import FACE_SIDE_PX, PATCH_SIDE_PX, Patch
from vision.reading import Floats

WITH_MIDDLE = {"2": "3", "4": "5"}
"""Faces that are told from others by the pip in the middle alone."""

_LEAST_INK = 0.08
"""Of the other pips' contrast. Of 2,303 faces read as a 2 or a 4 (drawn on the mat, half of the dice much worn) 19
are others, 14 of which have as much, and so have 77 that are read rightly; where the network thinks the other face
possible, too (``vision.agreement``), 8 and 14."""

_DIAGONALS: tuple[Floats, Floats] = (np.array([(-1.0, -1), (1, 1)]), np.array([(-1.0, 1), (1, -1)]))
_ROWS_OF_TWO: tuple[Floats, Floats] = (np.array([(-1.0, 0), (1, 0)]), np.array([(0.0, -1), (0, 1)]))
_SPREADS = FACE_SIDE_PX * np.arange(0.17, 0.36, 0.02)  # pips' distance from the middle along an edge, px
_PIP_PX, _AROUND_PX = 2.0, (4.3, 6.0)  # within the smallest pips, and outside the largest
_MIDDLE = np.full(2, PATCH_SIDE_PX / 2)
_ROWS, _COLUMNS = np.mgrid[0:PATCH_SIDE_PX, 0:PATCH_SIDE_PX] + 0.5


def middle_is_inked(patch: Patch, face: str) -> bool:
    """Whether in the middle of a face that seems to show ``face``, "2" or "4", there is some of its pips' colour.

    ``patch`` is as ``vision.patches.rectify`` cuts it.
    """
    ends = _DIAGONALS if face == "4" else (*_DIAGONALS, *_ROWS_OF_TWO)  # two may lie in a row
    seen = [_strongest(patch, each) for each in ends]
    ink = np.mean(seen, axis=0) if face == "4" else max(seen, key=lambda one: float(one @ one))
    return bool(_contrast(patch, _MIDDLE) @ ink >= _LEAST_INK * (ink @ ink) > 0)


def _strongest(patch: Patch, ends: Floats) -> Floats:
    """The contrast of two pips, one at either end, where they show best."""
    seen = [np.mean([_contrast(patch, _MIDDLE + spread * end) for end in ends], axis=0) for spread in _SPREADS]
    return max(seen, key=lambda one: float(one @ one))


def _contrast(patch: Patch, at_px: Floats) -> Floats:
    """The colour of a spot less that around it: shape (3,), BGR."""
    away = np.hypot(_COLUMNS - at_px[0], _ROWS - at_px[1])
    around = patch[(away >= _AROUND_PX[0]) & (away <= _AROUND_PX[1])]
    return np.asarray(patch[away <= _PIP_PX].mean(axis=0) - np.median(around, axis=0), np.float64)
