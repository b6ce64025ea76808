"""A JPEG file's size and whether it is whole, from its markers alone (ITU-T T.81, annex B)."""

import struct

_START = b"\xff\xd8"
_END = b"\xff\xd9"
_FRAME_HEADERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers SOF0 to SOF15, which hold the size; C4, C8 and CC in their midst are other things."""


class JpegFault(ValueError):
    """A JPEG that is not whole; the message says how."""


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels; None for a file that is no JPEG (a PNG, say).

    Raises ``JpegFault`` for an empty file and for a JPEG that ends early.

    >>> jpeg_size(b"PNG?") is None
    True
    >>> jpeg_size(bytes.fromhex("ffd8 ffc0 0011 08 0010 0020 03"))
    Traceback (most recent call last):
    ...
    device.jpeg_file.JpegFault: this picture ends early
    """
    if not data:
        raise JpegFault("this picture is empty")
    if not data.startswith(_START):
        return None
    if not data.rstrip(b"\x00\r\n").endswith(_END):
        raise JpegFault("this picture ends early")
    at = len(_START)
    while at + 9 <= len(data) and data[at] == 0xFF:
        if data[at + 1] in _FRAME_HEADERS:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        at += 2 + struct.unpack_from(">H", data, at + 2)[0]
    raise JpegFault("this picture has no JPEG frame header")
