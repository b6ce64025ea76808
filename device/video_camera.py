"""A video file or a USB camera, through OpenCV."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

import cv2
import numpy as np

from device.camera import CameraEnded, CameraError, Frame

_FPS_IF_UNKNOWN = 20.0
"""For files that do not say how fast they are."""


class VideoCamera:
    """The frames of a video file, at their own pace.

    ``captured_at`` counts from the file's first frame. ``clock`` and ``sleep`` pace it (seconds).
    """

    def __init__(
        self, path: str, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._path = path
        self._clock = clock
        self._sleep = sleep
        self._capture: cv2.VideoCapture | None = None
        self._period = 1.0 / _FPS_IF_UNKNOWN
        self._count = 0
        self._began: float | None = None

    def __enter__(self) -> Self:
        self._capture = cv2.VideoCapture(self._path)
        if not self._capture.isOpened():
            self.close()
            raise CameraError(f"{self._path}: this video cannot be opened (is it there, and a format OpenCV reads?)")
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._period = 1.0 / (fps if 0 < fps <= 1000 else _FPS_IF_UNKNOWN)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def next_frame(self) -> Frame:
        """The next frame when its time has come; raises ``CameraEnded`` at the end of the file."""
        pixels = _grab(self._capture)
        if pixels is None:
            if self._count == 0:
                raise CameraError(f"{self._path}: no frame can be read from this video")
            raise CameraEnded
        captured_at = self._count * self._period
        self._count += 1
        if self._began is None:
            self._began = self._clock()
        ahead = self._began + captured_at - self._clock()
        if ahead > 0:
            self._sleep(ahead)
        return Frame(pixels, captured_at, name=f"{self._path}#{self._count}")


class UsbCamera:
    """The USB camera with that number (0 is the first, ``/dev/video0``)."""

    def __init__(self, number: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._number = number
        self._clock = clock
        self._capture: cv2.VideoCapture | None = None

    def __enter__(self) -> Self:
        self._capture = cv2.VideoCapture(self._number)
        if not self._capture.isOpened():
            self.close()
            raise CameraError(
                f"usb:{self._number}: no such camera, or another program uses it (plug it in, close that program)"
            )
        # One buffered frame: an older one would show the tray as it was before the throw.
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the camera back to the system."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def next_frame(self) -> Frame:
        """The next frame; raises ``CameraError`` if the camera gives none (unplugged)."""
        pixels = _grab(self._capture)
        if pixels is None:
            raise CameraError(f"usb:{self._number}: the camera gives no picture any more (was it unplugged?)")
        return Frame(pixels, self._clock())


def _grab(capture: cv2.VideoCapture | None) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]] | None:
    if capture is None:
        raise CameraError("this camera is not open")
    taken, pixels = capture.read()
    return pixels.astype(np.uint8, copy=False) if taken and pixels is not None and pixels.ndim == 3 else None
