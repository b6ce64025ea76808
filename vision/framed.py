"""Whether a plain red face has a blue border all round: a red sticker on blue always does, a red cube hardly ever.

A rule beside the networks that tell red faces apart (``vision.reds``): in a blurred picture of a sticker that mirrors
a lamp the border is a thin dark violet line, and all of them take it for a cube's edges.
"""

import functools

import cv2
import numpy as np
import numpy.typing as npt

from vision.patches import WIDE_FACE_PX, WIDE_PATCH_PX, Patch, nearly_linear

_FACE = (WIDE_PATCH_PX - WIDE_FACE_PX) // 2
_BORDER = slice(_FACE - 1, _FACE + 6)  # rows from a side: a pixel outside, and as wide as borders are
_ALONG = slice(20, 44)  # of a side, less its rounded ends
_INSIDE = slice(18, 46)  # of the face, less its border
# Of 26,000 drawn red faces 93 % of those on blue are seen so, 4 % of cubes (which have such edges), 2 % of others.
_LEAST_BLUER = 0.03  # than the middle, on all four sides: blue less green, of the light that white paper throws back
_MOST_UNEVEN = 0.015  # of brightness, once sheen is taken out: glyphs on cubes leave more, 96 % of stickers less


def is_framed_in_blue(patch: Patch) -> bool:
    """Whether a patch as ``vision.patches.rectify_with_sides`` cuts it, float32 (64, 64, 3) BGR, shows such a face.

    >>> face = np.full((64, 64, 3), 0.5, np.float32)
    >>> face[12:52, 12:52] = (0.6, 0.2, 0.1)
    >>> face[15:49, 15:49] = (0.1, 0.1, 0.8)
    >>> is_framed_in_blue(face), is_framed_in_blue(np.roll(face, 9, 0))
    (True, False)
    """
    linear = nearly_linear(patch)
    bluer = linear[..., 0] - linear[..., 1]
    middle = float(bluer[_ALONG, _ALONG].mean())
    sides = [np.rot90(bluer, turn)[_BORDER, _ALONG].mean(axis=1).max() for turn in range(4)]
    return float(min(sides)) - middle >= _LEAST_BLUER and _unevenness(patch) < _MOST_UNEVEN


def _unevenness(patch: Patch) -> float:
    """How much the brightness inside the face (0 to 1) differs from a smooth change, as sheen is."""
    bright = np.asarray(cv2.blur(patch[_INSIDE, _INSIDE].mean(axis=-1), (3, 3)))[1:-1, 1:-1]
    return float((_not_smooth(len(bright)) @ bright.ravel()).std())


@functools.cache
def _not_smooth(side: int) -> npt.NDArray[np.float32]:
    """What takes the best quadratic surface out of side x side values: (side ** 2, side ** 2)."""
    y, x = (axis.ravel() / side - 0.5 for axis in np.mgrid[:side, :side])
    smooth = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    return np.asarray(np.eye(side * side) - smooth @ np.linalg.pinv(smooth), np.float32)
