"""A video file, through OpenCV."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

import cv2
import numpy as np

from device.camera import CameraEnded, CameraError, Frame
from device.states import State

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
            raise CameraError(
                f"{self._path}: this video cannot be opened (is it there, and a format OpenCV reads?)",
                State.CAMERA_MISSING,
            )
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

    def hold_exposure(self, is_held: bool) -> None:
        """A film is as it was taken."""

    def next_frame(self) -> Frame:
        """The next frame when its time has come; raises ``CameraEnded`` at the end of the file."""
        if self._capture is None:
            raise CameraError("this video is not open")
        taken, pixels = self._capture.read()
        if not taken or pixels is None or pixels.ndim != 3:
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
        return Frame(pixels.astype(np.uint8, copy=False), captured_at, name=f"{self._path}#{self._count}")
