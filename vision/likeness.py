"""How alike two upper faces are, where nobody knows what they show: the cosine between them as vectors of pixels.

Outlines are a little off, so a taught face is also seen slightly turned and scaled, and the shown one shifted by a
few pixels, all of which are compared at once. Where a lamp is mirrored in either of the two nothing is compared: it
stays in its place while the die turns. A part of the face's own colour is kept beside what is drawn on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.glare import Glare
from vision.patches import FACE_SIDE_PX, PATCH_SIDE_PX, Patch, within_face

_EDGE_PX = {4: 5, 5: 8}  # of the middle 32 px, by corners: rounded edges and what lies behind them are left out
_BLUR_PX = 0.8
# Of 432 faces of drawn sets under a lamp that they mirror, 146 were read before the first wrong one by differences of
# pixels, 168 by cosines, 259 where glare is left out, 355 as it is now.
_SHIFT_PX = 3
_TURNS_DEG, _SCALES = (-6.0, -3.0, 0.0, 3.0, 6.0), (0.93, 1.0, 1.07)
_GROUND = 0.45  # how far the colour of the whole face counts beside what is drawn on it
_EVEN = 0.15  # sRGB; faces darker than that are not brightened any further
_NOISE = 0.02  # sRGB, of one pixel of a face that was evened out
_DRAWN_NOISE = 0.03
_LEAST_COMPARED = 0.4  # of a face; where a lamp hides more than the rest, nothing is told


@dataclass(frozen=True)
class Views:
    """Faces as they are compared, ``pictures`` of them with as many views each: ``values`` (n, 3 d) less a part of
    their mean and 0 where a lamp is mirrored, ``squares`` and ``weights`` (n, d), all float32."""

    values: npt.NDArray[np.float32]
    squares: npt.NDArray[np.float32]
    weights: npt.NDArray[np.float32]
    pictures: int


def taught_views(pictures: Sequence[Patch], corners: int, glare: Glare) -> Views:
    """Pictures of faces that were taught, each slightly turned and scaled in every way."""
    edge = _EDGE_PX[corners]
    seen = [_evened(view, edge, glare) for patch in pictures for view in _warped(patch)]
    return _views([values for values, _ in seen], [weights for _, weights in seen], len(pictures))


def shown_views(turned: Sequence[Patch], corners: int, glare: Glare) -> Views:
    """One face in each of its turns, at every shift."""
    side, shifts = FACE_SIDE_PX - 2 * _EDGE_PX[corners], range(2 * _SHIFT_PX + 1)
    seen = [_evened(patch, _EDGE_PX[corners] - _SHIFT_PX, glare) for patch in turned]
    parts = [(..., slice(y, y + side), slice(x, x + side)) for y in shifts for x in shifts]
    values = [one.transpose(2, 0, 1)[part].transpose(1, 2, 0) for one, _ in seen for part in parts]
    return _views(values, [one[part] for _, one in seen for part in parts], len(turned))


def compare(shown: Views, taught: Views) -> tuple[npt.NDArray[np.float32], float]:
    """How alike the shown face is to each taught picture at its best turn: shape (pictures,), 1 for the same.

    And how alike that is which is drawn on it and on the nearest picture, their own colours left out: 1 for the same,
    about 0 for faces that have nothing in common, or where one of them is blank.
    """
    compared = shown.weights @ taught.weights.T
    noise = 3 * _NOISE**2 * (compared + 1)
    squares = (shown.squares @ taught.weights.T + noise) * (shown.weights @ taught.squares.T + noise)
    cosines = (shown.values @ taught.values.T) / np.sqrt(squares)
    cosines = np.where(compared >= _LEAST_COMPARED * shown.weights.shape[1], cosines, np.float32(0))
    one, other = np.unravel_index(int(cosines.argmax()), cosines.shape)
    drawn = _drawn_alike(
        shown.values[one].reshape(-1, 3),
        taught.values[other].reshape(-1, 3),
        (shown.weights[one] * taught.weights[other])[:, None],
    )
    return np.asarray(cosines.max(axis=0).reshape(taught.pictures, -1).max(axis=1), np.float32), drawn


def _drawn_alike(one: Patch, other: Patch, weights: Patch) -> float:
    total = max(float(weights.sum()), 1.0)
    first, second = ((face - (face * weights).sum(axis=0) / total) * weights for face in (one, other))
    off = float(((first - second) ** 2).sum())
    return 1.0 - off / float((first * first).sum() + (second * second).sum() + 3 * _DRAWN_NOISE**2 * total)


def _views(values: list[Patch], weights: list[Patch], pictures: int) -> Views:
    stacked = np.stack(values)
    squares = (stacked * stacked).sum(axis=3).reshape(len(stacked), -1)
    return Views(stacked.reshape(len(stacked), -1), squares, np.stack(weights).reshape(len(stacked), -1), pictures)


def _warped(patch: Patch) -> list[Patch]:
    middle, size = (PATCH_SIDE_PX / 2 - 0.5, PATCH_SIDE_PX / 2 - 0.5), (PATCH_SIDE_PX, PATCH_SIDE_PX)
    turns = [cv2.getRotationMatrix2D(middle, turn, scale) for turn in _TURNS_DEG for scale in _SCALES]
    return [
        np.asarray(cv2.warpAffine(patch, turn, size, borderMode=cv2.BORDER_REPLICATE), np.float32) for turn in turns
    ]


def _evened(patch: Patch, edge_px: int, glare: Glare) -> tuple[Patch, Patch]:
    """The face less its edge, its brightness evened out, its own colour toned down; and the weight of each pixel."""
    inner = within_face(edge_px)
    weights = glare.left(patch)[inner, inner]
    face = np.asarray(cv2.GaussianBlur(patch, (0, 0), _BLUR_PX), np.float32)[inner, inner]
    mean = (face * weights[..., None]).sum(axis=(0, 1)) / max(float(weights.sum()), 1.0)
    gain = np.float32(0.5 / max(float(mean.mean()), _EVEN))
    return (face * gain - mean * gain * np.float32(1 - _GROUND)) * weights[..., None], weights
