"""The lens, measured on a few pictures of the mat."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.tray import find_cut_markers
from vision.camera import Camera
from vision.find_mat import marker_corners
from vision.reading import Floats, Pixels

FEWEST_PICTURES = 3
_FEWEST_MARKERS = 3
_LEAST_MOVED = 0.04  # picture widths between the corners in two pictures, so that both tell something of the lens


@dataclass(frozen=True)
class Lens:
    """``matrix`` (3, 3) and ``distortion`` (5) as in ``vision.camera``; ``error_px`` is the reprojection error."""

    matrix: Floats
    distortion: Floats
    error_px: float

    def on(self, camera: Camera) -> Camera:
        """That camera with this lens."""
        return Camera(self.matrix, self.distortion, camera.rotation, camera.translation, camera.error_px)


def measure_lens(frames: Sequence[Pixels]) -> Lens | None:
    """The lens that fits the mat in all pictures best (Zhang's method, two terms of radial distortion).

    None where fewer than three pictures show three markers or more. The pictures must differ in the mat's place.
    """
    seen = [found for found in map(find_cut_markers, frames) if len(found) >= _FEWEST_MARKERS]
    if len(seen) < FEWEST_PICTURES:
        return None
    size = (frames[0].shape[1], frames[0].shape[0])
    guess = np.array([[0.8 * size[0], 0, (size[0] - 1) / 2], [0, 0.8 * size[0], (size[1] - 1) / 2], [0, 0, 1]])
    on_mat = [_mat_corners(found) for found in seen]
    in_picture = [np.concatenate([found[m] for m in sorted(found)]).astype(np.float32) for found in seen]
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST
    error, matrix, distortion, _, _ = cv2.calibrateCamera(
        on_mat, in_picture, size, guess, np.zeros(5), flags=flags | cv2.CALIB_FIX_K3
    )
    return Lens(np.asarray(matrix, np.float64), np.asarray(distortion, np.float64).ravel()[:5], float(error))


def error_of(lens: Lens | Camera, frames: Sequence[Pixels]) -> float | None:
    """The reprojection error (px, root mean square) of a lens on pictures of the mat, each with its own best pose."""
    squares: list[float] = []
    for found in map(find_cut_markers, frames):
        if len(found) < _FEWEST_MARKERS:
            continue
        space = _mat_corners(found).astype(np.float64)
        pixels = np.concatenate([found[m] for m in sorted(found)])
        ok, turn, shift = cv2.solvePnP(space, pixels, lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_IPPE)
        if not ok:
            continue
        turn, shift = cv2.solvePnPRefineLM(space, pixels, lens.matrix, lens.distortion, turn, shift)
        again, _ = cv2.projectPoints(space, turn, shift, lens.matrix, lens.distortion)
        squares += list(((again.reshape(-1, 2) - pixels) ** 2).sum(axis=1))
    return float(np.sqrt(np.mean(squares))) if squares else None


def shows_mat(frame: Pixels) -> bool:
    """Whether enough of the mat's markers are seen for the picture to tell something of the lens."""
    return len(find_cut_markers(frame)) >= _FEWEST_MARKERS


def shows_same(frame: Pixels, before: Pixels) -> bool:
    """Whether the mat lies in both pictures alike, so that the second one tells nothing new."""
    new, old = find_cut_markers(frame), find_cut_markers(before)
    moved = [np.linalg.norm(new[marker] - old[marker], axis=1).max() for marker in new.keys() & old.keys()]
    return bool(moved) and float(np.median(moved)) < _LEAST_MOVED * frame.shape[1]


def _mat_corners(found: dict[int, Floats]) -> Floats:
    corners = np.concatenate([marker_corners(marker) for marker in sorted(found)])
    return np.column_stack([corners, np.zeros(len(corners))]).astype(np.float32)
