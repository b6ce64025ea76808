"""Pictures of the pipeline's intermediate results, drawn only when somebody asks for a trace."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.camera import Camera
from vision.find_mat import Mat
from vision.fit_cubes import CubeFit
from vision.floor import view_px
from vision.mat import MARKER_CENTERS_MM, ROLL_AREA_MM, marker_corners
from vision.reading import Floats, Pixels
from vision.solids import cube_outlines
from vision.stand_out import Blob, Evidence
from vision.trace import Stage

_GREEN, _YELLOW, _RED = (80, 220, 80), (60, 230, 250), (60, 60, 240)


def draw_mat(frame: Pixels, mat: Mat | None) -> Stage:
    """The markers that were seen, the roll area, and the point below the camera."""
    picture = frame.copy()
    if mat is None:
        return Stage("mat", "not found", picture)
    for marker in MARKER_CENTERS_MM:
        color = _GREEN if marker in mat.markers else _RED
        _polygon(picture, mat.camera.project(marker_corners(marker)), color)
    left, top, right, bottom = ROLL_AREA_MM
    area = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)
    _polygon(picture, mat.camera.project(area), _YELLOW)
    u, v = mat.camera.project(mat.camera.foot_mm[None])[0]
    cv2.drawMarker(picture, (round(u), round(v)), _YELLOW, cv2.MARKER_CROSS, 20, 2)
    camera = mat.camera
    note = f"{len(mat.markers)} markers, off by {camera.error_px:.2f} px, camera {camera.height_mm:.0f} mm up"
    return Stage("mat", note, picture)


def draw_relative(evidence: Evidence) -> Stage:
    """The mat from above with its light taken out: the floor is even grey, whatever the lamps did."""
    picture = np.clip(np.sqrt(evidence.relative) * 140, 0, 255).astype(np.uint8)
    return Stage("light", "seen from above, light taken out", picture)


def draw_evidence(evidence: Evidence, blobs: Sequence[Blob]) -> Stage:
    """What stands out, each connected thing boxed."""
    picture = cv2.cvtColor(evidence.mask, cv2.COLOR_GRAY2BGR)
    for blob in blobs:
        low, high = blob.pixels.min(axis=0), blob.pixels.max(axis=0)
        cv2.rectangle(picture, low.tolist(), high.tolist(), _GREEN, 1)
    return Stage("stands out", f"{len(blobs)} things", np.asarray(picture, np.uint8))


def draw_cubes(camera: Camera, evidence: Evidence, fits: Sequence[CubeFit]) -> Stage:
    """The fitted cubes: upper face yellow, the face they stand on green, with their scores."""
    picture = draw_relative(evidence).picture
    for fit in fits:
        outlines = cube_outlines(camera, fit.row)
        _polygon(picture, view_px(outlines.base[0]), _GREEN)
        _polygon(picture, view_px(outlines.top[0]), _YELLOW)
        u, v = view_px(outlines.top[0]).min(axis=0)
        text = f"{fit.score:.2f} {fit.size:.0f} mm"
        cv2.putText(picture, text, (round(u), round(v) - 2), cv2.FONT_HERSHEY_SIMPLEX, 0.35, _YELLOW, 1, cv2.LINE_AA)
    return Stage("cubes", f"{len(fits)} fitted", picture)


def _polygon(picture: Pixels, corners: Floats, color: tuple[int, int, int]) -> None:
    points = np.rint(corners).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(picture, [points], True, color, 1, cv2.LINE_AA)
