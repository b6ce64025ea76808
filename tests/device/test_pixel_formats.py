"""Every layout that a camera may deliver gives the same picture, padded rows or not."""

import cv2
import numpy as np
import pytest

from device.pixel_formats import KNOWN, Buffer, UnknownFormat, brightness, picture
from vision.reading import Pixels

WIDTH, HEIGHT = 64, 36
SIZE = (WIDTH, HEIGHT)
YUV_ROUNDING = 12
"""Levels: luma has 219 steps and colours are halved; the picture below is smooth enough for that to be all."""


def scene() -> Pixels:
    chance = np.random.default_rng(3)
    small = chance.integers(60, 195, (3, 4, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(small, SIZE, interpolation=cv2.INTER_CUBIC), np.uint8)


def padded(rows: Buffer, stride: int) -> Buffer:
    return np.hstack([rows, np.full((len(rows), stride - rows.shape[1]), 77, np.uint8)]).ravel()


def delivered(pixels: Pixels, layout: str, padding: int) -> tuple[Buffer, int]:
    """The buffer and the stride of a camera that delivers that layout."""
    if layout == "MJPEG":
        return np.asarray(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 100])[1], np.uint8), 0
    if layout in ("RGB888", "BGR888"):
        rows = (pixels if layout == "RGB888" else pixels[:, :, ::-1]).reshape(HEIGHT, -1)
        return padded(rows, rows.shape[1] + padding), rows.shape[1] + padding
    if layout in ("XRGB8888", "XBGR8888"):
        order = pixels if layout == "XRGB8888" else pixels[:, :, ::-1]
        rows = np.dstack([order, np.full(order.shape[:2], 9, np.uint8)]).reshape(HEIGHT, -1)
        return padded(rows, rows.shape[1] + padding), rows.shape[1] + padding
    i420 = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2YUV_I420), np.uint8)
    y = i420[:HEIGHT]
    u, v = i420[HEIGHT:].reshape(2, HEIGHT // 2, WIDTH // 2)
    stride = WIDTH + padding
    if layout in ("YUV420", "YVU420"):
        first, second = (u, v) if layout == "YUV420" else (v, u)
        parts = [padded(y, stride), padded(first, stride // 2), padded(second, stride // 2)]
        return np.concatenate(parts), stride
    if layout in ("NV12", "NV21"):
        pair = (u, v) if layout == "NV12" else (v, u)
        return np.concatenate([padded(y, stride), padded(np.dstack(pair).reshape(HEIGHT // 2, -1), stride)]), stride
    u, v = (np.repeat(plane, 2, axis=0) for plane in (u, v))
    a, b = (u, v) if layout != "YVYU" else (v, u)
    packed = np.empty((HEIGHT, WIDTH // 2, 4), np.uint8)
    luma, chroma = ((0, 2), (1, 3)) if layout != "UYVY" else ((1, 3), (0, 2))
    packed[:, :, luma[0]], packed[:, :, luma[1]] = y[:, ::2], y[:, 1::2]
    packed[:, :, chroma[0]], packed[:, :, chroma[1]] = a, b
    rows = packed.reshape(HEIGHT, -1)
    return padded(rows, rows.shape[1] + padding), rows.shape[1] + padding


@pytest.mark.parametrize("padding", [0, 32])
@pytest.mark.parametrize("layout", KNOWN)
def test_a_layout_becomes_the_picture(layout: str, padding: int) -> None:
    buffer, stride = delivered(scene(), layout, padding)
    seen = picture(
        np.concatenate([buffer, np.zeros(100, np.uint8)]) if layout != "MJPEG" else buffer, layout, SIZE, stride
    )
    assert seen.shape == (HEIGHT, WIDTH, 3)
    difference = np.abs(seen.astype(int) - scene().astype(int))
    if layout.endswith("888"):
        assert not difference.any()
    assert np.percentile(difference, 90) <= YUV_ROUNDING
    grey = brightness(buffer, layout, SIZE, stride)
    assert grey.shape == (HEIGHT, WIDTH)
    assert np.corrcoef(grey.ravel(), cv2.cvtColor(scene(), cv2.COLOR_BGR2GRAY).ravel())[0, 1] > 0.99


def test_an_unknown_layout_and_a_short_buffer_are_refused() -> None:
    with pytest.raises(UnknownFormat, match="SRGGB10"):
        picture(np.zeros(9999, np.uint8), "SRGGB10", SIZE, WIDTH)
    with pytest.raises(ValueError, match="rows of"):
        picture(np.zeros(100, np.uint8), "NV12", SIZE, WIDTH)
