"""Stage 7: what stands out and belongs to no die: named, so that nothing on the mat is passed over in silence."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.fit_solids import Fit
from vision.floor import view_mm, view_px
from vision.mat_layout import ROLL_AREA
from vision.reading import Unread
from vision.stand_out import Blob

_BELONGS_MM = 2.5  # what lies this near a fitted die belongs to it: blur, tinted light on the floor
_LEAST_MM2 = 35.0
_LARGEST_DIE_MM2 = 750.0


def name_leftovers(
    camera: Camera, blobs: Sequence[Blob], fits: Sequence[Fit], shape: tuple[int, ...]
) -> list[Unread]:
    """What of the blobs no fitted die explains; ``shape`` is that of the view."""
    explained = np.zeros(shape, np.uint8)
    for fit in fits:
        cv2.fillConvexPoly(explained, np.rint(_silhouette(camera, fit)).astype(np.int32), 255)
    things = []
    for blob in blobs:
        left = blob.pixels[explained[blob.pixels[:, 1], blob.pixels[:, 0]] == 0]
        area = blob.area_mm2 * len(left) / len(blob.pixels)
        if area < _LEAST_MM2:
            continue
        middle = view_mm(left.mean(axis=0)[None].astype(np.float64))
        reason = "not-a-die" if area > _LARGEST_DIE_MM2 else "unsure"
        if not ROLL_AREA.contains((float(middle[0, 0]), float(middle[0, 1]))):
            reason = "outside"
        u, v = camera.project(middle)[0]
        things.append(Unread(reason, (float(u), float(v))))
    return things


def _silhouette(camera: Camera, fit: Fit) -> npt.NDArray[np.float32]:
    """The die's outline in the view and a little around it: a convex polygon."""
    outlines = fit.shape.outlines(camera, fit.row)
    corners = np.concatenate([outlines.top[0], outlines.rim_start[0], outlines.rim_end[0]])
    away = corners - corners.mean(axis=0)
    wide = corners + away * (_BELONGS_MM / np.linalg.norm(away, axis=1, keepdims=True))
    return np.asarray(cv2.convexHull(view_px(wide).astype(np.float32)).reshape(-1, 2), np.float32)
