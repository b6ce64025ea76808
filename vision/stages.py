"""Pictures of the pipeline's intermediate results, drawn only when somebody asks for a trace."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.detector import Found
from vision.find_mat import Mat, marker_corners
from vision.fit_solids import Fit
from vision.floor import view_px
from vision.mat_layout import MARKER_CENTERS_MM, ROLL_AREA
from vision.reading import Floats, Pixels
from vision.solids import as_points
from vision.stand_out import Evidence
from vision.trace import Stage

_SHOWN_PX = 640  # of a picture's longer side, about: so large it is on a sheet
_GREEN, _YELLOW, _RED = (80, 220, 80), (60, 230, 250), (60, 60, 240)


def draw_mat(frame: Pixels, mat: Mat | None) -> Stage:
    """The markers that were seen, the roll area, and the point below the camera."""
    picture = frame.copy()
    if mat is None:
        return Stage("mat", "not found", picture)
    for marker in MARKER_CENTERS_MM:
        color = _GREEN if marker in mat.markers else _RED
        _polygon(picture, mat.camera.project(marker_corners(marker)), color)
    _polygon(picture, mat.camera.project(np.array(ROLL_AREA.corners_mm)), _YELLOW)
    u, v = mat.camera.project(mat.camera.foot_mm[None])[0]
    cv2.drawMarker(picture, (round(u), round(v)), _YELLOW, cv2.MARKER_CROSS, 20, 2)
    camera = mat.camera
    note = f"{len(mat.markers)} markers, off by {camera.error_px:.2f} px, camera {camera.height_mm:.0f} mm up"
    return Stage("mat", note, picture)


def draw_relative(evidence: Evidence) -> Stage:
    """The mat from above with its light taken out: the floor is even grey, whatever the lamps did."""
    height, width = evidence.mask.shape
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).astype(np.float64)
    picture = np.clip(np.sqrt(evidence.relative(grid)) * 140, 0, 255).astype(np.uint8)
    return Stage("light", "seen from above, light taken out", picture)


def draw_evidence(evidence: Evidence) -> Stage:
    """What stands out, each connected thing boxed."""
    picture = cv2.cvtColor(evidence.mask, cv2.COLOR_GRAY2BGR)
    for blob in evidence.blobs:
        low, high = blob.pixels.min(axis=0), blob.pixels.max(axis=0)
        cv2.rectangle(picture, low.tolist(), high.tolist(), _GREEN, 1)
    return Stage("stands out", f"{len(evidence.blobs)} things", np.asarray(picture, np.uint8))


def draw_solids(camera: Camera, evidence: Evidence, fits: Sequence[Fit]) -> Stage:
    """The fitted dice: upper face yellow, silhouette green, with their scores."""
    picture = draw_relative(evidence).picture
    for fit in fits:
        outlines = fit.shape.outlines(camera, fit.row)
        starts, ends, top = (
            view_px(as_points(part[0])) for part in (outlines.rim_start, outlines.rim_end, outlines.top)
        )
        for start, end in zip(starts, ends, strict=True):
            _polygon(picture, np.array([start, end]), _GREEN)
        _polygon(picture, top, _YELLOW)
        u, v = top.min(axis=0)
        text = f"{fit.score:.2f} {fit.size:.0f} mm"
        cv2.putText(picture, text, (round(u), round(v) - 2), cv2.FONT_HERSHEY_SIMPLEX, 0.35, _YELLOW, 1, cv2.LINE_AA)
    return Stage("solids", f"{len(fits)} fitted", picture)


def draw_found(frame: Pixels, faces: Sequence[Found], usual_px: float, *, is_aslant: bool) -> Stage:
    """What the detector takes for upper faces, and how surely; in red what it sees lean or covered."""
    picture = frame.copy()
    scale = max(frame.shape[:2]) / _SHOWN_PX
    thick = max(round(2 * scale), 1)
    for face in faces:
        color = _YELLOW if face.stands else _RED
        corners = np.array(face.outline_px)
        _polygon(picture, corners, color, thick)
        u, v = corners.min(axis=0)
        text, at = f"{face.what} {face.score:.2f}", (round(u), round(v - 4 * scale))
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.6 * scale, color, thick, cv2.LINE_AA)
    note = f"{len(faces)} upper faces, dice {usual_px:.0f} px wide"
    return Stage("found", note + (", from a camera that leans" if is_aslant else ""), picture)


def draw_patches(patches: Sequence[npt.NDArray[np.float32]]) -> Stage:
    """The upper faces as they are read: rectified, in white light."""
    columns = 8
    tiles = [np.asarray(np.rint(patch * 255), np.uint8) for patch in patches] or [np.zeros((48, 48, 3), np.uint8)]
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % columns)
    rows = [np.hstack(tiles[i : i + columns]) for i in range(0, len(tiles), columns)]
    return Stage("faces", f"{len(patches)} upper faces, white balanced", np.asarray(np.vstack(rows), np.uint8))


def _polygon(picture: Pixels, corners: Floats, color: tuple[int, int, int], thick: int = 1) -> None:
    points = np.rint(corners).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(picture, [points], True, color, thick, cv2.LINE_AA)
