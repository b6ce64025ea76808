"""Whether a fitted die stands upright: what stands out beside its silhouette should not be there.

A die that leans shows more of one side than a standing one at that place would, and a die in a pile shows the one
below it. Both leave something of their blob outside the silhouette that the camera's pose allows.
"""

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.fit_solids import Fit
from vision.floor import VIEW_PX_PER_MM, Linear, view_px
from vision.reading import Floats
from vision.solids import as_points
from vision.stand_out import Blob, Evidence

Outline = npt.NDArray[np.int32]

_BLUR_MM = 0.9
_REACH_MM = 5.0
_BEYOND_DOUBT = 0.88  # cubes fitted to twelve-sided dice scored 0.82 at most (31, measured)
_LEAST_REST = 0.35
_CHROMA = 0.5  # as in vision.stand_out; shadows under warm lamps reach 0.45, glare and its rims 0.4
_BLACK = 0.13


def find_excess(camera: Camera, evidence: Evidence, fits: Sequence[Fit]) -> list[float]:
    """For each die, how much stands out close beside it that belongs to no die: millimetres of width along a side."""
    free = evidence.mask.copy()
    own, around = silhouettes(camera, fits, (_BLUR_MM, _REACH_MM))
    for outline in own:
        cv2.fillConvexPoly(free, outline, 0)
    beside = [np.empty((0, 2))]
    for near in around:
        low = np.maximum(near.min(axis=0), 0)
        high = np.minimum(near.max(axis=0) + 1, (free.shape[1], free.shape[0]))
        window = np.zeros((max(high[1] - low[1], 1), max(high[0] - low[0], 1)), np.uint8)
        cv2.fillConvexPoly(window, near - low.astype(np.int32), 255)
        part = (slice(low[1], high[1]), slice(low[0], high[0]))
        inside = free[part] & window[: free[part].shape[0], : free[part].shape[1]]
        beside.append(_where(inside) + low)
    matter = _is_matter(evidence.relative(np.concatenate(beside)))
    ends = np.cumsum([len(places) for places in beside])
    counts = [np.count_nonzero(matter[start:end]) for start, end in pairwise(ends)]
    return [count / VIEW_PX_PER_MM**2 / fit.size for count, fit in zip(counts, fits, strict=True)]


def unexplained(
    camera: Camera, evidence: Evidence, fits: Sequence[Fit], beyond_doubt: float = _BEYOND_DOUBT
) -> list[Blob]:
    """The blobs that are not, or not wholly, dice whose fits score as much as what is ``beyond_doubt``."""
    rest = evidence.mask.copy()
    for outline in silhouettes(camera, [fit for fit in fits if fit.score >= beyond_doubt], (_BLUR_MM,))[0]:
        cv2.fillConvexPoly(rest, outline, 0)
    return [
        blob
        for blob in evidence.blobs
        if np.count_nonzero(rest[blob.pixels[:, 1], blob.pixels[:, 0]]) > _LEAST_REST * len(blob.pixels)
    ]


def _where(mask: npt.NDArray[np.uint8]) -> Floats:
    """The pixels of a mask: column and row, shape (n, 2)."""
    return np.argwhere(mask)[:, ::-1].astype(np.float64)


def _is_matter(relative: Linear) -> npt.NDArray[np.bool_]:
    """Which samples (n, 3) cannot be light or shadow on the floor: strongly coloured or very black ones."""
    brightest, darkest = relative.max(axis=-1, initial=0), relative.min(axis=-1, initial=np.inf)
    return np.asarray((brightest - darkest > _CHROMA * (brightest + 0.25)) | (brightest < _BLACK))


def silhouette(camera: Camera, fit: Fit, margin_mm: float) -> Outline:
    """The die's outline in the view, drawn outwards by a margin: a convex polygon (n, 2), px."""
    return silhouettes(camera, [fit], [margin_mm])[0][0]


def silhouettes(camera: Camera, fits: Sequence[Fit], margins_mm: Sequence[float]) -> list[list[Outline]]:
    """For each margin the outlines of all dice in the view, drawn outwards by it: convex polygons (n, 2), px."""
    drawn: list[list[Outline]] = [[np.empty((0, 2), np.int32)] * len(fits) for _ in margins_mm]
    for shape in {fit.shape for fit in fits}:
        own = [i for i, fit in enumerate(fits) if fit.shape == shape]
        outlines = shape.outlines(
            camera, np.array([(fit.x, fit.y, fit.turn, fit.size) for fit in fits if fit.shape == shape])
        )
        corners = np.concatenate([outlines.top, outlines.rim_start, outlines.rim_end], axis=1)
        away = corners - corners.mean(axis=1, keepdims=True)
        away /= np.abs(away)
        for margin, polygons in zip(margins_mm, drawn, strict=True):
            # A corner moved by sqrt(2) margins moves its sides by one.
            wide = view_px(as_points(corners + away * (np.sqrt(2) * margin))).astype(np.float32)
            for i, points in zip(own, wide, strict=True):
                # Whole pixels first: a convex polygon whose corners are rounded after may have a dent.
                polygons[i] = cv2.convexHull(np.rint(points).astype(np.int32))[:, 0]
    return drawn
