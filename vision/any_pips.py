"""Counting the pips of an upper face by their blobs: the second way of reading a pip die, which knows no network."""

from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from vision.order import medians, percentile
from vision.reading import Floats, Pixels, Point

_SIDE_PX = 72
_CHANNELS = 4  # blue, green, red, and their mean
_PLACES = (-0.5, 0.0, 0.5)  # of pips, in half sides; makers vary by 0.1
_OFF_PLACE = 0.24
_SPREAD = (0.3, 0.75)  # of pips of a 2 to 6 from the middle, in half sides, along each axis
_ROW, _ASIDE_OF_ROW = (0.25, 0.5), 0.15
"""Of two pips side by side, half their distance and how far they lie aside: five photographed ones have 0.38 to 0.45
and 0.08 at most."""
_PIP_AREA = (0.010, 0.13)  # of the face; that of a lone pip may be larger
_MOST_UNEVEN = 2.2  # largest pip by smallest
_LEAST_CONTRAST = 22.0  # grey levels between pip and body


def count_pips(pixels: Pixels, outline_px: tuple[Point, ...]) -> int | None:
    """How many pips the face with these four corners shows, or None where blobs do not make up a face.

    Every channel is cut at several levels, light pips and dark pips tried alike; the count stands where at least one
    cut shows blobs of one size at a die's places, and no cut shows another number of them.
    """
    if len(outline_px) != 4:
        return None
    face = _rectified(pixels, outline_px)
    planes = [face[..., i] for i in range(3)] + [face.mean(axis=2).astype(np.uint8)]
    votes: dict[int, int] = {}
    for plane in planes[:_CHANNELS]:
        inner = plane[8:-8, 8:-8]
        body = float(medians(inner.ravel()))
        for dark in (True, False):
            for level in _levels(inner, body, dark):
                mask = (plane < level) if dark else (plane > level)
                count = _pips_of(mask.astype(np.uint8))
                if count:
                    votes[count] = votes.get(count, 0) + 1
    ranked = sorted(votes.items(), key=lambda vote: -vote[1])
    if not ranked:
        return None
    if len(ranked) > 1 and any(2 * second >= first for (_, first), (_, second) in pairwise(ranked[:2])):
        return None
    return ranked[0][0]


def _rectified(pixels: Pixels, outline_px: tuple[Point, ...]) -> Pixels:
    target = np.array([(0, 0), (_SIDE_PX, 0), (_SIDE_PX, _SIDE_PX), (0, _SIDE_PX)], np.float32) - 0.5
    to_face = cv2.getPerspectiveTransform(np.asarray(outline_px, np.float32), target)
    return np.asarray(cv2.warpPerspective(pixels, to_face, (_SIDE_PX, _SIDE_PX), flags=cv2.INTER_LINEAR), np.uint8)


def _levels(inner: npt.NDArray[np.uint8], body: float, dark: bool) -> list[float]:
    """Grey levels between body and pips, three of them; none where the face has no contrast."""
    ink = percentile(inner, 1.5 if dark else 98.5)
    if abs(ink - body) < _LEAST_CONTRAST:
        return []
    return [body + share * (ink - body) for share in (0.4, 0.55, 0.7)]


def _pips_of(mask: npt.NDArray[np.uint8]) -> int | None:
    number, _, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=4)
    places: list[Floats] = []
    areas: list[float] = []
    half = _SIDE_PX / 2
    for i in range(1, number):
        left, top, width, height, area = (int(v) for v in stats[i])
        if area < 0.3 * _PIP_AREA[0] * _SIDE_PX**2:
            continue
        at = (np.asarray(middles[i], np.float64) + 0.5 - half) / half
        if np.abs(at).max() > 0.8 or min(left, top) == 0 or max(left + width, top + height) == _SIDE_PX:
            continue  # the rounded edge, or a neighbour
        round_enough = area > 0.6 * width * height and 0.6 < width / height < 1.67
        if not round_enough:
            return None
        places.append(at)
        areas.append(area / _SIDE_PX**2)
    if not places or len(places) > 6 or min(areas) < _PIP_AREA[0]:
        return None
    if max(areas) > (_PIP_AREA[1] if len(areas) > 1 else 2 * _PIP_AREA[1]) or max(areas) > _MOST_UNEVEN * min(areas):
        return None
    return len(places) if _is_a_face(np.array(places)) else None


def _is_a_face(places: Floats) -> bool:
    """Whether blobs lie as the pips of a die do, in any quarter turn (places in half sides from the middle)."""
    count = len(places)
    if np.abs(places.mean(axis=0)).max() > 0.2:
        return False
    if count == 2 and _in_a_row(places):
        return True
    away = np.abs(places).max(axis=1)
    central = away < _OFF_PLACE
    if central.sum() != count % 2:
        return False
    if count == 1:
        return True
    corners = places[~central]
    outside = ((np.abs(corners) > _SPREAD[0]) & (np.abs(corners) < _SPREAD[1])).all(axis=1)
    if count < 6:
        return bool(outside.all()) and _opposite(corners)
    beside = ~outside
    if beside.sum() != 2:
        return False
    between = np.abs(corners[beside])
    return bool((between.min(axis=1) < _OFF_PLACE).all()) and _opposite(corners)


def _in_a_row(places: Floats) -> bool:
    """Whether two pips lie side by side along an edge, as on dice from China, and not across."""
    half = float(np.linalg.norm(places[0] - places[1])) / 2
    aside = np.abs(places).max(axis=0).min()
    return bool(_ROW[0] < half < _ROW[1] and aside < _ASIDE_OF_ROW)


def _opposite(places: Floats) -> bool:
    """Whether each place has another one across the middle."""
    return all(np.linalg.norm(places + place, axis=1).min() < 2 * _OFF_PLACE for place in places)
