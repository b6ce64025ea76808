"""How large a picture says that it is, before anything of it is decoded: a few bytes can stand for gigabytes."""

import struct

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8"
_NO_FRAMES = (0xC4, 0xC8, 0xCC)  # of the markers C0 to CF, those that begin no frame (ITU-T T.81, table B.1)


def states_size(data: bytes) -> bool:
    """Whether it is of a format whose size is looked up here: PNG or JPEG."""
    return data.startswith((_PNG, _JPEG))


def size_in_header(data: bytes) -> tuple[int, int] | None:
    """Width and height (px) as a PNG or JPEG states them; None for other formats, and where it states none.

    >>> size_in_header(bytes.fromhex("ffd8 ffff c0 0011 08 0010 0020 03 ffd9"))
    (32, 16)
    """
    if data.startswith(_PNG) and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if not data.startswith(_JPEG):
        return None
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # markers may be padded
            at += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in _NO_FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    return None
