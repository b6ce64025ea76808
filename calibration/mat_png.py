"""The mat as a PNG at any resolution.

A pixel that an edge crosses gets the share of each colour that covers it, so edges lie where they belong to within a
small part of a pixel, whatever the resolution.
"""

import struct
import zlib

import cv2
import numpy as np
import numpy.typing as npt

from calibration.mat import Element, Fill, Paper, Writing, mat_elements

Picture = npt.NDArray[np.uint8]
Share = npt.NDArray[np.float32]

_MM_PER_INCH = 25.4
_STRIP_PX = 256  # rows drawn at a time: 1200 dpi would otherwise take gigabytes for the shares
_TYPE_OVERSAMPLING = 4
_FACE = cv2.FONT_HERSHEY_SIMPLEX
_AFTER_HEADER = 33  # a PNG's signature and its first chunk, IHDR, have fixed lengths: 8 and 25 bytes


def mat_png(paper: Paper, dpi: int) -> bytes:
    """The PNG file, marked as sRGB and with its resolution, so that it prints at its true size."""
    encoded, file = cv2.imencode(".png", mat_picture(paper, dpi))
    if not encoded:
        raise ValueError(f"OpenCV could not encode the mat at {dpi} dpi")
    per_meter = round(dpi / _MM_PER_INCH * 1000)
    marks = _chunk(b"sRGB", b"\x01") + _chunk(b"pHYs", struct.pack(">IIB", per_meter, per_meter, 1))
    plain: bytes = file.tobytes()
    return plain[:_AFTER_HEADER] + marks + plain[_AFTER_HEADER:]


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def mat_picture(paper: Paper, dpi: int) -> Picture:
    """The mat as pixels: uint8, (height, width, 3), BGR. The mat's origin is the middle of the picture.

    >>> from calibration.mat import PAPERS
    >>> mat_picture(PAPERS["a4"], dpi=100).shape
    (827, 1169, 3)
    """
    per_mm = dpi / _MM_PER_INCH
    height_px, width_px = round(paper.height_mm * per_mm), round(paper.width_mm * per_mm)
    picture = np.full((height_px, width_px, 3), 255, np.uint8)
    for element in mat_elements():
        _draw(picture, element, per_mm)
    return picture


def _draw(picture: Picture, element: Element, per_mm: float) -> None:
    if isinstance(element, Fill):
        for top_px in range(0, len(picture), _STRIP_PX):
            _fill(picture, top_px, element, per_mm)
    else:
        _write(picture, element, per_mm)


def _fill(picture: Picture, top_px: int, fill: Fill, per_mm: float) -> None:
    strip = picture[top_px : top_px + _STRIP_PX]
    left = _to_px(min(area.left_mm for area in fill.areas), per_mm, picture.shape[1])
    right = _to_px(max(area.right_mm for area in fill.areas), per_mm, picture.shape[1])
    first, last = int(left), min(int(right) + 1, picture.shape[1])
    share = np.zeros((len(strip), last - first), np.float32)
    for area in fill.areas:
        rows = _covered(area.top_mm, area.bottom_mm, per_mm, picture.shape[0])[top_px : top_px + len(strip)]
        if rows.any():
            columns = _covered(area.left_mm, area.right_mm, per_mm, picture.shape[1])[first:last]
            share += np.outer(rows, columns)
    if share.any():
        _blend(strip[:, first:last], share, np.array(fill.srgb[::-1], np.float32))


def _blend(pixels: Picture, share: Share, bgr: npt.NDArray[np.float32]) -> None:
    covered = np.clip(share, 0, 1)[:, :, np.newaxis]
    pixels[:] = np.rint(pixels * (1 - covered) + bgr * covered).astype(np.uint8)


def _to_px(mm: float, per_mm: float, count_px: int) -> float:
    return mm * per_mm + count_px / 2


def _covered(from_mm: float, to_mm: float, per_mm: float, count_px: int) -> Share:
    """The share of each of a row of pixels that lies between the two places."""
    edges = np.clip(np.arange(count_px + 1), _to_px(from_mm, per_mm, count_px), _to_px(to_mm, per_mm, count_px))
    return np.diff(edges).astype(np.float32)


def _write(picture: Picture, writing: Writing, per_mm: float) -> None:
    left = round(_to_px(writing.middle_mm[0] - writing.width_mm / 2, per_mm, picture.shape[1]))
    top = round(_to_px(writing.middle_mm[1] - writing.height_mm / 2, per_mm, picture.shape[0]))
    width, height = round(writing.width_mm * per_mm), round(writing.height_mm * per_mm * 1.4)  # with descenders
    if width < 1 or height < 1:
        return
    share = _type(writing.text, round(writing.height_mm * per_mm * _TYPE_OVERSAMPLING))
    fitted: Share = cv2.resize(share, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
    _blend(picture[top : top + height, left : left + width], fitted, np.zeros(3, np.float32))


def _type(text: str, height_px: int) -> Share:
    """One line of type: the share of ink in each pixel, ``height_px`` from the top of the digits to the baseline."""
    (_, unit_px), _ = cv2.getTextSize(text, _FACE, 1.0, 1)
    scale, line_px = height_px / unit_px, max(1, round(height_px / 8))
    (width_px, _), _ = cv2.getTextSize(text, _FACE, scale, line_px)
    ink = np.zeros((round(height_px * 1.4), width_px), np.uint8)
    cv2.putText(ink, text, (0, height_px), _FACE, scale, 255, line_px, cv2.LINE_AA)
    return np.divide(ink, 255, dtype=np.float32)
