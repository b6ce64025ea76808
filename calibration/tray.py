"""The pose above a tray of one's own: from the mat laid into it once, from cut-out markers, or from known dice."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.camera import Camera
from vision.detector import Detector
from vision.find_mat import as_grey
from vision.floor import to_linear
from vision.mat_layout import MARKER_SIDE_MM
from vision.profile import ASSUMED_DIE_MM, ASSUMED_FOCAL_WIDTHS, assumed_camera
from vision.reading import Floats, Pixels

ASSUMED_HEIGHT_MM = 350.0
"""Between the 25 and 45 cm at which cameras hang; the reader adapts it to the first dice that it sees."""

_STEPS = 25
_MOST_ERROR_MM = 1.2  # of corners of a square on the tray's floor; a bent or leaning marker is off by more
_SURE_FACE = 0.55


def bare_camera(size_px: tuple[int, int], lens: Camera | None, height_mm: float) -> Camera:
    """A camera looking straight down with that lens (None: a usual one)."""
    camera = assumed_camera(size_px, height_mm)
    return camera if lens is None else replace(camera, matrix=lens.matrix, distortion=lens.distortion)


def find_cut_markers(frame: Pixels) -> dict[int, Floats]:
    """Every marker of the mat's kind in a picture, wherever it lies: corners by id, shape (4, 2), px."""
    grey = as_grey(frame)
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(grey)
    if ids is None:
        return {}
    return {
        int(marker): np.asarray(square.reshape(4, 2), np.float64)
        for square, marker in zip(corners, np.ravel(ids), strict=True)
        if int(marker) < 6
    }


def pose_from_markers(
    markers: Sequence[Floats], size_px: tuple[int, int], lens: Camera | None = None, side_mm: float = MARKER_SIDE_MM
) -> Camera | None:
    """The camera above the floor on which these markers (4, 2) lie flat, each a square of ``side_mm``.

    Least squares over two tilts and the height (Gauss-Newton, slopes by differences): seen back onto the floor every
    marker must be that square. None where they are no such squares.
    """
    if not markers:
        return None
    sides_px = [np.linalg.norm(square - np.roll(square, 1, axis=0), axis=1).mean() for square in markers]
    focal = float(lens.matrix[0, 0]) if lens is not None else ASSUMED_FOCAL_WIDTHS * size_px[0]
    state = np.array([0.0, 0.0, focal * side_mm / float(np.mean(sides_px))])
    base = bare_camera(size_px, lens, float(state[2]))
    steps = np.array([1e-4, 1e-4, 0.05])
    # One marker says little of the tilt: a camera that looks down is believed unless the squares speak against it.
    prior = np.diag([side_mm * 0.5, side_mm * 0.5, 0.0])
    for _ in range(_STEPS):
        off = _unsquare(base, state, markers, side_mm)
        slopes = np.stack(
            [(_unsquare(base, state + np.eye(3)[i] * steps[i], markers, side_mm) - off) / steps[i] for i in range(3)],
            1,
        )
        residual = np.concatenate([off, prior @ state])
        whole = np.concatenate([slopes, prior])
        change = np.linalg.lstsq(whole, -residual, rcond=None)[0]
        state = state + np.clip(change, [-0.1, -0.1, -50.0], [0.1, 0.1, 50.0])
        if np.abs(change).max() < 1e-5:
            break
    error_mm = float(np.sqrt((_unsquare(base, state, markers, side_mm) ** 2).mean() * 2))
    if not np.isfinite(error_mm) or error_mm > _MOST_ERROR_MM or state[2] <= 0:
        return None
    return replace(_tilted(base, state), error_px=error_mm * focal / float(state[2]))


def pose_from_dice(
    frames: Sequence[Pixels], detector: Detector, die_mm: float = ASSUMED_DIE_MM, lens: Camera | None = None
) -> Camera | None:
    """The camera straight above a tray, as high as cubes of ``die_mm`` say; None where none is seen for sure."""
    sides = []
    for frame in frames:
        for face in detector.find(frame, number_dice=False):
            if face.what == "cube" and face.score >= _SURE_FACE:
                corners = np.array(face.outline_px)
                sides.append(float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()))
    if not sides:
        return None
    height, width = frames[0].shape[:2]
    camera = bare_camera((width, height), lens, ASSUMED_HEIGHT_MM)
    # The upper face is nearer by a die: f die / (h - die) = side.
    up = die_mm + float(camera.matrix[0, 0]) * die_mm / float(np.median(sides))
    return replace(camera, translation=np.array([0.0, 0.0, up]))


def white_of_markers(frame: Pixels, markers: Sequence[Floats]) -> tuple[float, float, float] | None:
    """The linear light (blue, green, red) of the markers' white paper: the median over them."""
    seen = []
    for square in markers:
        middle = square.mean(axis=0)
        area = np.zeros(frame.shape[:2], np.uint8)
        cv2.fillConvexPoly(area, np.rint(middle + (square - middle) * 1.1).astype(np.int32), 1)
        light = to_linear(frame)[area > 0]
        if len(light) >= 50:
            bright = light[light.sum(axis=1) >= np.percentile(light.sum(axis=1), 80)]
            seen.append(np.median(bright, axis=0))
    if not seen:
        return None
    blue, green, red = (float(v) for v in np.median(seen, axis=0))
    return blue, green, red


def _tilted(base: Camera, state: Floats) -> Camera:
    return replace(
        base,
        rotation=np.array([state[0], state[1], 0.0]),
        translation=np.array([0.0, 0.0, max(float(state[2]), 1.0)]),
    )


def _unsquare(base: Camera, state: Floats, markers: Sequence[Floats], side_mm: float) -> Floats:
    """How far the corners of each marker, seen back onto the floor, are from the nearest true square (mm, flat)."""
    camera = _tilted(base, state)
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64) * side_mm / 2
    off = []
    for corners in markers:
        ground = camera.ground(corners)
        ground = ground - ground.mean(axis=0)
        # The best turn of the square (Procrustes in the plane).
        real, imaginary = (ground * square).sum(), (ground[:, 1] * square[:, 0] - ground[:, 0] * square[:, 1]).sum()
        turn = np.arctan2(imaginary, real)
        turned = square @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        off.append((ground - turned).ravel())
    return np.concatenate(off)
