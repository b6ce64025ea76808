"""Whether a frame still is of the tray that was calibrated: what has changed, by name."""

import math
from collections.abc import Sequence
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.find_mat import Grey, Mat, as_grey, marker_corners
from vision.mat_layout import ROLL_AREA
from vision.reading import Floats, Pixels
from vision.sharpness import is_smeared, is_unsharp

MOST_MOVED_MM = 1.0
"""Beyond it a pose is taken anew, or, where there is nothing to take it from, nothing is read."""

_WIDTH_PX = 400
_LEAST_GAIN = 0.01
"""By which the floor must agree better where a camera moved. Of 300 drawn frames on felt, wood, cloth, carpet and
plain paper whose camera was tipped by 0.3 to 5 degrees or pushed by 2 to 20 mm 282 do; of 1,270 whose camera was not,
some dark, blurred or under a hand, none gains more than 0.001."""
_RIM_PX = 6  # of the small picture: its border is not seen as what lies inside
_LIGHT_FACTOR = 1.5
_COLOR_FACTOR = 1.15
"""By which one channel changes more than another where the lamps' colour does. Of 40 trays drawn at 4500 K all differ
by more at 2500 K, 39 at 3000 K; with as much light as before or twice as much none differs by more than 1.07."""


class Finding(StrEnum):
    """What changed since the calibration."""

    MAT_MOVED = "mat-moved"
    CAMERA_MOVED = "camera-moved"
    LIGHT_CHANGED = "light-changed"
    LENS_DIRTY = "lens-dirty"


def moved_mm(before: Camera, now: Camera) -> float:
    """How far the roll area's corners moved in the picture between two poses, in millimetres of the mat (most)."""
    corners = np.array(ROLL_AREA.corners_mm)
    return float(np.linalg.norm(now.ground(before.project(corners)) - corners, axis=1).max())


def tray_findings(empty: Pixels, frame: Pixels, px_per_mm: float) -> tuple[Finding, ...]:
    """What changed between the picture of the empty tray and a frame of the same size.

    The shift is told by phase correlation of the edges (Kuglin and Hines, 1975); dice move few of them.
    """
    scale = _WIDTH_PX / empty.shape[1]
    then, now = (_small(picture, scale) for picture in (empty, frame))
    found = []
    one, other = _edges(then), _edges(now)
    shift, _ = cv2.phaseCorrelate(one, other, _window(then.shape))
    far = float(np.hypot(shift[0], shift[1])) / scale > MOST_MOVED_MM * px_per_mm
    if far and _is_better_moved(one, other, shift):
        found.append(Finding.CAMERA_MOVED)
    change = float(np.median((now + 4.0) / (then + 4.0)))
    if not 1 / _LIGHT_FACTOR < change < _LIGHT_FACTOR or _change_of_color(empty, frame, scale) > _COLOR_FACTOR:
        found.append(Finding.LIGHT_CHANGED)
    if is_smeared(np.asarray(then, np.float64), np.asarray(now, np.float64)):
        found.append(Finding.LENS_DIRTY)
    return tuple(found)


def mat_findings(grey: Grey, mat: Mat) -> tuple[Finding, ...]:
    """What is seen of the lens in a grey frame of the mat: its markers are as sharp as printed, or it is dirty."""
    corners = np.concatenate([marker_corners(marker) for marker in mat.markers])
    markers = list(mat.camera.project(corners).reshape(-1, 4, 2))
    return (Finding.LENS_DIRTY,) if is_unsharp(grey, markers) else ()


def _is_better_moved(then: Floats, now: Floats, shift: Sequence[float]) -> bool:
    """Whether the floor agrees better once the frame is shifted back, where both pictures show it."""
    moved = _shifted_back(now, shift)
    shown = tuple(
        slice(max(math.ceil(-by), 0) + _RIM_PX, length - max(math.ceil(by), 0) - _RIM_PX)
        for by, length in zip(reversed(shift), now.shape, strict=True)
    )
    return _alike(moved[shown], then[shown]) >= _alike(now[shown], then[shown]) + _LEAST_GAIN


def _shifted_back(picture: Floats, shift: Sequence[float]) -> Floats:
    """A picture moved by parts of a pixel (x, y) in its frequencies, round its border.

    What interpolates smooths, and of two noisy pictures the smoothed one agrees better: along its grain wood gained
    up to 0.07 by nothing else.
    """
    across = np.fft.rfftfreq(picture.shape[1])[None] * shift[0]
    down = np.fft.fftfreq(picture.shape[0])[:, None] * shift[1]
    turned = np.fft.rfft2(picture) * np.exp(2j * np.pi * (across + down))
    return np.asarray(np.fft.irfft2(turned, s=picture.shape), np.float64)


def _alike(one: Floats, other: Floats) -> float:
    """The correlation of two parts, 0 where one is empty or plain."""
    both = float(np.sqrt((one * one).sum() * (other * other).sum()))
    return float((one * other).sum()) / both if both > 0 else 0.0


def _change_of_color(then: Pixels, now: Pixels, scale: float) -> float:
    """By how many times the channel that has changed most has done so more than the one that has least."""
    before, after = (
        cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32)
        for picture in (then, now)
    )
    channels = np.median((after + 4.0) / (before + 4.0), axis=(0, 1))
    return float(channels.max() / channels.min())


def _small(picture: Pixels, scale: float) -> npt.NDArray[np.float32]:
    small = cv2.resize(as_grey(picture), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def _edges(grey: npt.NDArray[np.float32]) -> Floats:
    """The picture less what is smooth in it, evened out so that lamps and dice do not outweigh the floor."""
    fine = grey - cv2.GaussianBlur(grey, (0, 0), 4.0)
    return np.asarray(np.clip(fine, -4, 4), np.float64)


def _window(shape: tuple[int, ...]) -> Floats:
    return np.asarray(cv2.createHanningWindow((shape[1], shape[0]), cv2.CV_64F), np.float64)
