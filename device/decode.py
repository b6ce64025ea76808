"""Picture files as frames: uint8, (height, width, 3), blue, green, red."""

import os
from pathlib import Path

import cv2
import numpy as np

from calibration.picture_header import size_in_header, states_size
from vision.reading import Pixels

LARGEST_FILE_BYTES = 64 * 1024 * 1024
LARGEST_PIXELS = 40_000_000
"""More than any camera of ours gives; decoded at once it would be 120 MB, too much for a small Pi."""


class Undecodable(ValueError):
    """The file is no picture that can be read; the message is one line for the person who named it."""


def decode_picture(path: Path) -> Pixels:
    """The picture in a file, turned as its camera was held (EXIF).

    Grey pictures get three equal channels, 16-bit ones lose their low byte, transparent ones lie on white. Raises
    ``Undecodable`` for anything else: no file, no picture, a truncated one, one of more than 40 million pixels.
    """
    try:
        if not path.is_file():
            raise Undecodable("there is no such file" if not path.exists() else "this is not a file")
        if path.stat().st_size > LARGEST_FILE_BYTES:
            raise Undecodable("the file is larger than 64 MB")
        data = path.read_bytes()
    except OSError as error:
        raise Undecodable(f"the file cannot be opened: {error.strerror}") from None
    return decode_bytes(data)


def decode_bytes(data: bytes) -> Pixels:
    """As ``decode_picture``, from the file's bytes."""
    stated_size(data)
    # An alpha channel is only kept by IMREAD_UNCHANGED, which in turn ignores how the camera was held.
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_ANYCOLOR | cv2.IMREAD_ANYDEPTH)
        whole = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED) if _may_have_alpha(data) else None
    except cv2.error:
        picture = whole = None
    if whole is not None and whole.ndim == 3 and whole.shape[2] == 4:
        picture = whole
    if picture is None or picture.size == 0:
        raise Undecodable("this is not a picture, or a damaged one")
    return _as_frame(np.asarray(picture))


def stated_size(data: bytes) -> tuple[int, int] | None:
    """Width and height as a PNG or JPEG states them (None for other formats); nothing is decoded.

    Raises ``Undecodable`` for a picture that is empty, cut off, or too large.

    >>> stated_size(bytes.fromhex("ffd8 ffc0 0011 08 0010 0020 03 ffd9"))
    (32, 16)
    >>> stated_size(bytes.fromhex("ffd8 ffc0 0011 08 0010 0020 03"))
    Traceback (most recent call last):
    ...
    device.decode.Undecodable: the picture is cut off: its end is missing
    """
    if not data:
        raise Undecodable("the file is empty")
    size = size_in_header(data)
    if size is None and states_size(data):
        raise Undecodable("this is not a picture, or a damaged one")
    if size is not None and size[0] * size[1] == 0:
        raise Undecodable("the picture has no pixels")
    if size is not None and size[0] * size[1] > LARGEST_PIXELS:
        raise Undecodable(
            f"the picture is {size[0]} x {size[1]} px; {LARGEST_PIXELS // 1_000_000} million is the most"
        )
    if _is_truncated(data):
        raise Undecodable("the picture is cut off: its end is missing")
    return size


def _as_frame(picture: np.ndarray) -> Pixels:
    if picture.dtype == np.uint16:
        picture = (picture >> 8).astype(np.uint8)
    elif picture.dtype != np.uint8:
        raise Undecodable(f"pictures of {picture.dtype} values cannot be read: save it as JPEG or PNG")
    if picture.ndim == 2 or picture.shape[2] == 1:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    if picture.shape[2] == 4:
        cover = picture[..., 3:].astype(np.uint16)
        blended = (picture[..., :3] * cover + 255 * (255 - cover) + 127) // 255
        return np.ascontiguousarray(blended.astype(np.uint8))
    return np.ascontiguousarray(picture, np.uint8)


def _is_truncated(data: bytes) -> bool:
    """Whether a PNG or JPEG lacks its end; decoders fill what is missing with grey and say nothing."""
    if data[:2] == b"\xff\xd8":
        return b"\xff\xd9" not in data[-4096:]
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return b"IEND" not in data[-64:]
    return False


def _may_have_alpha(data: bytes) -> bool:
    return data[:2] != b"\xff\xd8"


# OpenCV would print its own complaint about a broken file beside ours.
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
