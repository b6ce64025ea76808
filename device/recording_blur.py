"""People in a recording's pictures made unrecognizable: everything outside the mat, or outside the tray."""

from pathlib import Path

import cv2
import numpy as np

from device.decode import Undecodable, decode_picture
from device.recording import RecordingError
from vision.find_mat import as_grey, find_mat
from vision.mat_layout import MARKER_CENTERS_MM, marker_area
from vision.reading import Pixels

_MARGIN_MM = 8.0
"""Of white paper that stays around the markers: they are not found without it."""

_BLOCK_SHARE = 1 / 16
"""A block's side as part of the picture's shorter side: a face that fills the picture is left 16 blocks high at the
most, too few to know anybody by."""

_QUALITY = 95
"""JPEG: the dice are to look as they did."""


class Blurring:
    """Blurs the pictures of one recording, given one after the other, around the mat.

    Faces are not looked for: a search misses some. What is not the mat is blurred, whatever it shows. A hand or a
    head above the mat stays, so look through the pictures afterwards. Where the mat is hidden it is taken to lie
    where it was seen last.
    """

    def __init__(self) -> None:
        self._corners: np.ndarray | None = None

    def __call__(self, path: Path) -> bytes:
        """The blurred picture of a file, in the format that it had. Raises ``RecordingError``."""
        try:
            picture = decode_picture(path)
        except Undecodable as error:
            raise RecordingError(f"{path}: {error}") from error
        mat = find_mat(as_grey(picture))
        if mat is not None:
            self._corners = mat.camera.project(_paper_corners_mm())
        if self._corners is None:
            raise RecordingError(f"{path}: no mat is seen in it, so nothing says what may stay sharp; cut it off")
        quality = [cv2.IMWRITE_JPEG_QUALITY, _QUALITY] if path.suffix.lower() in (".jpg", ".jpeg") else []
        done, data = cv2.imencode(path.suffix, blurred_outside(picture, self._corners), quality)
        if not done:
            raise RecordingError(f"{path}: cannot be written as {path.suffix}")
        return data.tobytes()


def blurred_outside(picture: Pixels, corners_px: np.ndarray) -> Pixels:
    """The picture (uint8, (height, width, 3)) in blocks outside the convex hull of points of shape (n, 2), px."""
    height, width = picture.shape[:2]
    block = max(1, round(min(height, width) * _BLOCK_SHARE))
    rows, columns = max(1, height // block), max(1, width // block)
    coarse = cv2.resize(picture, (columns, rows), interpolation=cv2.INTER_AREA)
    blocks = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_NEAREST)
    kept = np.zeros((height, width), np.uint8)
    hull = cv2.convexHull(np.rint(corners_px).astype(np.int32).reshape(-1, 1, 2))
    cv2.fillConvexPoly(kept, hull, 255)
    return np.where(kept[..., np.newaxis] > 0, picture, blocks).astype(np.uint8)


def _paper_corners_mm() -> np.ndarray:
    """Outermost corners of the markers with the paper around them, mm: shape (4, 2)."""
    corners = np.array([corner for marker in MARKER_CENTERS_MM for corner in marker_area(marker).corners_mm])
    low, high = corners.min(axis=0) - _MARGIN_MM, corners.max(axis=0) + _MARGIN_MM
    return np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
