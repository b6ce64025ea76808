"""Stage 1: find the mat by its markers, or check that it still lies where it lay."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera, fit_camera
from vision.mat_layout import MARKER_CELLS, MARKER_CENTERS_MM, marker_area
from vision.reading import Floats, Pixels

Grey = npt.NDArray[np.uint8]

FEWEST_MARKERS = 2

_SEARCH_WIDTH_PX = 700  # markers of 24 mm are then 25 px or more wherever a whole mat fills half the picture
_SEARCH_WINDOWS_PX = (17,)  # adaptive threshold; one window found as many markers in 88 pictures as two
_CAREFUL_WINDOWS_PX = (9, 25)
_MOST_ERROR_SHARE = 0.02  # of a marker's side; a sheet with the same markers elsewhere is off by whole markers
# Of a marker's contrast, over a cell: 99 of 100 have less, of 100 with a square of 10 to 16 mm on them one.
_MOST_UNLIKE = 0.34
_MOST_SHIFT_PX = 0.45  # beyond this a kept pose moves a die's outline visibly


@dataclass(frozen=True)
class Mat:
    """The mat as found: the camera above it, and which markers were seen (ids)."""

    camera: Camera
    markers: tuple[int, ...]


def find_mat(grey: Grey) -> Mat | None:
    """Look for the markers in the whole picture (uint8, (height, width)); None where fewer than two are the mat's."""
    scale = max(1.0, grey.shape[1] / _SEARCH_WIDTH_PX)
    found = _fit(_markers(grey, scale, _SEARCH_WINDOWS_PX), grey)
    if found is None:
        found = _fit(_markers(grey, max(1.0, scale / 2), _CAREFUL_WINDOWS_PX), grey)
    return found


def is_where_it_was(mat: Mat, grey: Grey) -> bool:
    """Whether a mat found before still lies there: at least two markers are where they were, none elsewhere.

    Reads the bits of the markers at the places where they should be, and how far their edges have moved.
    """
    seen = 0
    for marker, corners in _all_corners(mat.camera, 1 + 2 / MARKER_CELLS):
        shift = _shift_px(corners, marker, grey)
        if shift is None:
            continue
        if shift > _MOST_SHIFT_PX:
            return False
        seen += 1
    return seen >= FEWEST_MARKERS


def uncovered_markers(frame: Pixels, camera: Camera) -> list[int]:
    """Those of the mat's markers on which nothing lies, not even in part, in a picture (uint8 BGR)."""
    return [marker for marker, corners in _all_corners(camera) if _is_uncovered(frame, corners, marker)]


def _is_uncovered(frame: Pixels, corners: Floats, marker: int) -> bool:
    expected = _contrast(marker)
    side = len(expected)
    target = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - np.float32(0.5)
    seen = cv2.warpPerspective(frame, cv2.getPerspectiveTransform(corners.astype(np.float32), target), (side, side))
    grey = as_grey(np.asarray(seen, np.uint8))
    off = grey - np.float32(cv2.mean(grey)[0])
    contrast = float(np.vdot(off, expected) / np.vdot(expected, expected))
    unlike = cv2.blur(cv2.absdiff(off, np.float32(contrast) * expected), (7, 7))
    return contrast > 0 and float(unlike.max()) < _MOST_UNLIKE * contrast


@lru_cache(maxsize=len(MARKER_CENTERS_MM))
def _contrast(marker: int) -> npt.NDArray[np.float32]:
    """A marker's square as print and lens blur it, about its mean, white one more than black; six pixels a cell."""
    square = cv2.GaussianBlur(_pattern(marker)[6:-6, 6:-6].astype(np.float32) / 255, (0, 0), 1.5)
    return np.asarray(square - square.mean(), np.float32)


def _markers(grey: Grey, scale: float, windows_px: tuple[int, ...]) -> dict[int, Floats]:
    """Corners of the mat's markers by id, refined in the full picture: shape (4, 2), px."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshWinSizeMax = windows_px[0], windows_px[-1]
    settings.adaptiveThreshWinSizeStep = max(windows_px[-1] - windows_px[0], 1)
    small = grey
    if scale > 1:
        size = (round(grey.shape[1] / scale), round(grey.shape[0] / scale))
        small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(small)
    found: dict[int, Floats] = {}
    if ids is None:
        return found
    steps = np.array([grey.shape[1] / small.shape[1], grey.shape[0] / small.shape[0]])
    for square, marker in zip(corners, np.ravel(ids), strict=True):
        if int(marker) not in MARKER_CENTERS_MM:
            continue
        if int(marker) in found:  # two of one kind: no telling which is the mat's
            return {}
        rough = (square.reshape(4, 2) + 0.5) * steps - 0.5
        found[int(marker)] = _refined(grey, rough, scale)
    return found


def _refined(grey: Grey, corners: Floats, scale: float) -> Floats:
    side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).min())
    window = int(np.clip(side / 12, 2, 2 + 2 * scale))
    inside = (corners > window + 1).all() and (corners < np.array(grey.shape[::-1]) - window - 2).all()
    if not inside:
        return np.asarray(corners, np.float64)
    points = corners.astype(np.float32).reshape(-1, 1, 2)
    cv2.cornerSubPix(
        grey, points, (window, window), (-1, -1), (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 20, 0.02)
    )
    return np.asarray(points.reshape(4, 2), np.float64)


def _fit(found: dict[int, Floats], grey: Grey) -> Mat | None:
    """The camera of the markers found; one marker that contradicts the others is left out."""
    size_px = (grey.shape[1], grey.shape[0])
    markers = sorted(found)
    if len(markers) < FEWEST_MARKERS:
        return None
    camera = _camera(found, markers, size_px)
    if camera is not None:
        return Mat(camera, tuple(markers))
    if len(markers) < 4:
        return None
    for odd in markers:
        others = [marker for marker in markers if marker != odd]
        camera = _camera(found, others, size_px)
        if camera is not None:
            return Mat(camera, tuple(others))
    return None


def _camera(found: dict[int, Floats], markers: list[int], size_px: tuple[int, int]) -> Camera | None:
    corners_mm = np.concatenate([marker_corners(marker) for marker in markers])
    outward = np.concatenate([np.sign(marker_corners(marker) - MARKER_CENTERS_MM[marker]) for marker in markers])
    corners_px = np.concatenate([found[marker] for marker in markers])
    camera = fit_camera(corners_mm, outward, corners_px, size_px)
    if camera is None:
        return None
    sides = [np.linalg.norm(found[m] - np.roll(found[m], 1, axis=0), axis=1).mean() for m in markers]
    return camera if camera.error_px <= _MOST_ERROR_SHARE * float(np.mean(sides)) else None


def _all_corners(camera: Camera, times: float = 1.0) -> Iterator[tuple[int, Floats]]:
    """Each marker and where its corners appear (4, 2), px; those of a square so many ``times`` as large about it."""
    middles = np.array(list(MARKER_CENTERS_MM.values()))[:, None]
    squares = np.array([marker_corners(marker) for marker in MARKER_CENTERS_MM])
    seen = camera.project(middles + (squares - middles) * times)
    return zip(MARKER_CENTERS_MM, seen.reshape(-1, 4, 2), strict=True)


def _shift_px(corners: Floats, marker: int, grey: Grey) -> float | None:
    """How far a marker has moved from where the corners of its pattern should be; None where it is not seen there."""
    expected = _pattern(marker)
    side = expected.shape[0]
    if (corners < 1).any() or (corners > np.array(grey.shape[::-1]) - 2).any():
        return None
    target = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - np.float32(0.5)
    flat = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    seen = cv2.warpPerspective(grey, flat, (side, side), flags=cv2.INTER_LINEAR)
    match = cv2.matchTemplate(seen, expected[3:-3, 3:-3], cv2.TM_CCOEFF_NORMED)
    _, best, _, (column, row) = cv2.minMaxLoc(match)
    if best < 0.7:
        return None
    step_px = float(np.linalg.norm(corners[1] - corners[0])) / side
    moved: float = float(np.hypot(_peak(match[row], column) - 3, _peak(match[:, column], row) - 3))
    shift: float = moved * step_px
    return shift


def _peak(line: npt.NDArray[Any], at: int) -> float:
    """The top of the parabola through a peak and its neighbours."""
    if at == 0 or at == len(line) - 1:
        return float(at)
    left, top, right = (float(value) for value in line[at - 1 : at + 2])
    bend = left - 2 * top + right
    return at + (0.5 * (left - right) / bend if bend < 0 else 0.0)


@lru_cache(maxsize=len(MARKER_CENTERS_MM))
def _pattern(marker: int) -> Grey:
    """The marker with a cell of white around it, six pixels a cell."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    square = cv2.aruco.generateImageMarker(dictionary, marker, 6 * MARKER_CELLS)
    return np.asarray(cv2.copyMakeBorder(square, 6, 6, 6, 6, cv2.BORDER_CONSTANT, value=255), np.uint8)


def marker_corners(marker: int) -> Floats:
    """The corners of a marker's black square, top left first, clockwise: shape (4, 2), mm."""
    return np.array(marker_area(marker).corners_mm, np.float64)


def as_grey(frame: Pixels) -> Grey:
    """The picture's brightness, uint8, (height, width)."""
    return np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
