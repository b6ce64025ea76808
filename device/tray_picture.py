"""The picture of the tray that goes with a reading: what was read drawn on it, and small enough to send."""

import cv2

from vision.annotate import annotate
from vision.reading import Pixels, Reading

MOST_BYTES = 20_000

_WIDTHS_PX = (640, 480, 320, 160)
_QUALITIES = (80, 65, 50, 35)
"""Tried in this order until the picture fits: a sharp small picture tells less than a rougher large one."""


def tray_picture(pixels: Pixels, reading: Reading) -> bytes | None:
    """A JPEG of at most 20,000 bytes of a frame (uint8, (height, width, 3), BGR), or None if none gets so small."""
    return small_jpeg(annotate(pixels, reading, brief=True), MOST_BYTES)


def small_jpeg(drawn: Pixels, most_bytes: int) -> bytes | None:
    """The widest and best JPEG of a picture (uint8, (height, width, 3), BGR) that has no more bytes, or None."""
    for width in _WIDTHS_PX:
        if width > drawn.shape[1] and width != _WIDTHS_PX[-1]:
            continue
        height = max(1, round(drawn.shape[0] * width / drawn.shape[1]))
        small = cv2.resize(drawn, (width, height), interpolation=cv2.INTER_AREA)
        for quality in _QUALITIES:
            done, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])
            if done and len(data) <= most_bytes:
                return data.tobytes()
    return None
