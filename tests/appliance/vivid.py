"""Runs inside the machine: what share of its pictures the kernel's test camera drops, 0 or 100 per cent.

``python3 vivid.py /dev/video0 100``. The ioctls are V4L2's (linux/videodev2.h): QUERYCTRL finds the control by its
name, S_CTRL sets it.
"""

import fcntl
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

_QUERYCTRL, _S_CTRL = 0xC0445624, 0xC008561C
_NEXT = 0x80000000
_QUERY = "II32siiiiI8x"

NAME = "Percentage of Dropped Buffers"


def main() -> None:
    place, percent = sys.argv[1:]
    with Path(place).open("rb", buffering=0) as camera:
        number = dict(controls(camera.fileno()))[NAME]
        fcntl.ioctl(camera, _S_CTRL, struct.pack("Ii", number, int(percent)))


def controls(camera: int) -> Iterator[tuple[str, int]]:
    """Name and number of each control."""
    number = 0
    while True:
        query = bytearray(struct.pack(_QUERY, number | _NEXT, 0, b"", 0, 0, 0, 0, 0))
        try:
            fcntl.ioctl(camera, _QUERYCTRL, query)
        except OSError:
            return
        number, _, name, *_ = struct.unpack(_QUERY, query)
        yield name.split(b"\0")[0].decode(), number


if __name__ == "__main__":
    main()
