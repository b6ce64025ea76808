"""Whether the lens sees sharply: how wide markers' edges are drawn, and what is left of the floor's own pattern."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.order import medians
from vision.reading import Floats, Pixels

MOST_EDGE_PX = 4.0
"""Over which black may turn to white at a marker's edge; sharp pictures need 1.5 to 2.5 (drawn ones)."""

_STEP_PX = 0.5
_ACROSS = np.arange(-5.0, 5.01, _STEP_PX)  # px from an edge at which it is looked at
_ALONG = np.linspace(0.25, 0.75, 9)

_BLOCK_PX = 20  # of pictures about 400 px wide
_FINE_PX = 1.0
_LEAST_PATTERN = 0.005  # of a block's brightness; a floor as plain as that shows nothing of a lens
_LEFT = 0.6  # of the pattern: a clean lens leaves 0.76 or more, a smear that blurs by 3 px 0.45 (drawn floors)
_SAME_LIGHT = (0.85, 1.18)  # of a block: what lies there or casts its shadow there changes its brightness more
_LEAST_SHARE = 0.05  # of the blocks that show a pattern
_LEAST_BLOCKS = 6


def edge_width_px(grey: Pixels, corners: Floats) -> float:
    """Over how many pixels black turns to white at a marker's outer edges (corners (4, 2)): its sides' median."""
    return float(_edge_widths_px(grey, corners[None])[0])


def _edge_widths_px(grey: Pixels, corners: Floats) -> Floats:
    """The same of several markers (n, 4, 2): shape (n,)."""
    start, end = corners, corners[:, [1, 2, 3, 0]]
    outward = (start + end) / 2 - corners.mean(axis=1, keepdims=True)
    outward /= np.hypot(outward[..., 0], outward[..., 1])[..., None]
    along = start[..., None, :] + (end - start)[..., None, :] * _ALONG[:, None]
    # Shape (marker, side, place along it, step across it, 2).
    at = (along[..., None, :] + outward[..., None, None, :] * _ACROSS[:, None]).astype(np.float32)
    at = at.reshape(-1, len(_ACROSS), 2)
    seen = cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    profiles = seen.astype(np.float64).reshape(-1, 4, len(_ALONG), len(_ACROSS)).mean(axis=2)
    contrast = profiles.max(axis=-1) - profiles.min(axis=-1)
    steepest = np.abs(profiles[..., 1:] - profiles[..., :-1]).max(axis=-1) / _STEP_PX
    return np.asarray(medians(contrast / np.maximum(steepest, 1e-3)), np.float64)


def is_unsharp(grey: Pixels, markers: Sequence[Floats]) -> bool:
    """Whether the edges of any marker that lies wholly in the picture are wider than a clean lens draws them."""
    limit = np.array(grey.shape[1::-1]) - 6
    inside = [corners for corners in markers if (corners > 5).all() and (corners < limit).all()]
    return bool(inside) and bool((_edge_widths_px(grey, np.array(inside)) > MOST_EDGE_PX).any())


def is_smeared(then: Floats, now: Floats) -> bool:
    """Whether a part of a floor has lost its pattern and kept its brightness: two grey pictures about 400 px wide."""
    rows, columns = (side // _BLOCK_PX for side in then.shape)
    (bright, pattern), (bright_now, pattern_now) = (_blocks(picture, rows, columns) for picture in (then, now))
    light = bright_now / bright
    light /= np.median(light)
    told = (pattern > _LEAST_PATTERN) & (light > _SAME_LIGHT[0]) & (light < _SAME_LIGHT[1])
    lost = told & (pattern_now < _LEFT * pattern)
    return int(lost.sum()) >= max(_LEAST_BLOCKS, _LEAST_SHARE * float(told.sum()))


def _blocks(picture: Floats, rows: int, columns: int) -> tuple[Floats, Floats]:
    """How bright each block is, and by which share of that its pixels typically differ from their surroundings."""
    whole = np.asarray(picture[: rows * _BLOCK_PX, : columns * _BLOCK_PX], np.float64)
    fine = np.abs(whole - cv2.GaussianBlur(whole, (0, 0), _FINE_PX))
    shape = (rows, _BLOCK_PX, columns, _BLOCK_PX)
    bright = whole.reshape(shape).mean(axis=(1, 3)) + 4.0
    # The median: a die that lies in a block has edges, but fills little of it.
    typical = np.median(fine.reshape(shape).swapaxes(1, 2).reshape(rows, columns, -1), axis=2)
    return bright, typical / bright
