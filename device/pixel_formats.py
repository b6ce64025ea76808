"""From a camera's buffer, in the layout that it really delivers, to pictures.

Names and byte orders are libcamera's, whose "RGB888" lies in memory as blue, green, red.
"""

import cv2
import numpy as np
import numpy.typing as npt

from device.camera import Grey
from vision.reading import Pixels

Buffer = npt.NDArray[np.uint8]
"""The bytes of one picture: uint8, one-dimensional. Bytes after the picture's own are left out."""

_PLANAR = {
    "YUV420": cv2.COLOR_YUV2BGR_I420,
    "YVU420": cv2.COLOR_YUV2BGR_YV12,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
}
_PACKED_YUV = {"YUYV": cv2.COLOR_YUV2BGR_YUYV, "UYVY": cv2.COLOR_YUV2BGR_UYVY, "YVYU": cv2.COLOR_YUV2BGR_YVYU}

KNOWN = ("RGB888", "BGR888", "XRGB8888", "XBGR8888", *_PLANAR, *_PACKED_YUV, "MJPEG")


class UnknownFormat(ValueError):
    """The camera delivers a layout that is not understood here."""


def picture(buffer: Buffer, layout: str, size: tuple[int, int], stride: int) -> Pixels:
    """The picture, uint8 (height, width, 3), BGR. ``size`` is (width, height) px, ``stride`` the bytes of a row.

    Raises ``UnknownFormat``, and ``ValueError`` for a buffer that is too short.

    >>> picture(np.array([1, 2, 3, 4, 5, 6, 0, 0], np.uint8), "RGB888", (2, 1), 8).tolist()
    [[[1, 2, 3], [4, 5, 6]]]
    >>> picture(np.array([1, 2, 3], np.uint8), "BGR888", (1, 1), 3).tolist()
    [[[3, 2, 1]]]
    """
    width, height = size
    if layout in _PLANAR:
        return cv2.cvtColor(_planar(buffer, layout, size, stride), _PLANAR[layout]).astype(np.uint8, copy=False)
    if layout in _PACKED_YUV:
        packed = np.ascontiguousarray(_rows(buffer, height, stride)[:, : 2 * width]).reshape(height, width, 2)
        return cv2.cvtColor(packed, _PACKED_YUV[layout]).astype(np.uint8, copy=False)
    if layout == "MJPEG":
        decoded = cv2.imdecode(buffer, cv2.IMREAD_COLOR)
        if decoded is None:
            raise ValueError("the camera's JPEG cannot be read")
        return decoded.astype(np.uint8, copy=False)
    channels = {"RGB888": 3, "BGR888": 3, "XRGB8888": 4, "XBGR8888": 4}.get(layout)
    if channels is None:
        raise UnknownFormat(f"the camera delivers {layout}, which is none of {', '.join(KNOWN)}")
    pixels = _rows(buffer, height, stride)[:, : channels * width].reshape(height, width, channels)[:, :, :3]
    return np.ascontiguousarray(pixels if layout in ("RGB888", "XRGB8888") else pixels[:, :, ::-1])


def brightness(buffer: Buffer, layout: str, size: tuple[int, int], stride: int) -> Grey:
    """The picture in grey, uint8 (height, width): of the planar layouts their first plane, without any arithmetic.

    >>> brightness(np.arange(12, dtype=np.uint8), "NV12", (2, 2), 4).tolist()
    [[0, 1], [4, 5]]
    """
    width, height = size
    if layout in _PLANAR:
        return np.ascontiguousarray(_rows(buffer, height, stride)[:, :width])
    return cv2.cvtColor(picture(buffer, layout, size, stride), cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)


def _rows(buffer: Buffer, height: int, stride: int) -> Buffer:
    if len(buffer) < height * stride:
        raise ValueError(f"the camera delivered {len(buffer)} bytes, not {height} rows of {stride}")
    return buffer[: height * stride].reshape(height, stride)


def _planar(buffer: Buffer, layout: str, size: tuple[int, int], stride: int) -> Buffer:
    """The planes below one another, as OpenCV takes them, without what pads the rows."""
    width, height = size
    if layout in ("NV12", "NV21"):
        return np.ascontiguousarray(_rows(buffer, height * 3 // 2, stride)[:, :width])
    if stride == width:
        return _rows(buffer, height * 3 // 2, stride)
    # The two colour planes have rows of half the length, and half the padding.
    grey = _rows(buffer, height, stride)[:, :width]
    colours = _rows(buffer[height * stride :], height, stride // 2)[:, : width // 2]
    return np.concatenate([grey, colours.reshape(height // 2, width)])
