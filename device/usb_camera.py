"""A USB camera, through OpenCV and Video4Linux."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import numpy as np

from device.camera import CameraError, Frame
from device.states import State

_LONGEST_WAIT_S = 2
"""OpenCV's own limit is 10 s; a camera at 20 frames a second that is silent for two has stalled."""

_LEFT_ALONE, _BY_ITSELF = 1.0, 3.0
"""Video4Linux' values of automatic exposure: manual, and aperture priority."""


class UsbCamera:
    """The USB camera with that number (0 is the first, ``/dev/video0``); ``devices`` is where its file is."""

    def __init__(
        self, number: int, clock: Callable[[], float] = time.monotonic, devices: Path = Path("/dev")
    ) -> None:
        self._number = number
        self._clock = clock
        self._file = devices / f"video{number}"
        self._capture: cv2.VideoCapture | None = None

    def __enter__(self) -> Self:
        if not self._file.exists():
            raise self._missing()
        # Read by OpenCV when it opens the camera.
        os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", str(_LONGEST_WAIT_S))
        self._capture = cv2.VideoCapture(str(self._file), cv2.CAP_V4L2)
        if not self._capture.isOpened():
            self.close()
            raise self._missing() if not self._file.exists() else self._busy()
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

    def hold_exposure(self, is_held: bool) -> None:
        """Switch the camera's automatics off and on; a camera without such controls stays as it is."""
        if self._capture is not None:
            self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _LEFT_ALONE if is_held else _BY_ITSELF)
            self._capture.set(cv2.CAP_PROP_AUTO_WB, 0.0 if is_held else 1.0)

    def next_frame(self) -> Frame:
        """The next frame; raises ``CameraError`` if the camera gives none within two seconds."""
        if self._capture is None:
            raise CameraError("this camera is not open")
        taken, pixels = self._capture.read()
        if not taken or pixels is None or pixels.ndim != 3:
            if not self._file.exists():
                raise self._missing()
            raise CameraError(f"usb:{self._number}: the camera gives no picture any more")
        return Frame(pixels.astype(np.uint8, copy=False), self._clock())

    def _missing(self) -> CameraError:
        return CameraError(f"usb:{self._number}: no such camera; plug it in", State.CAMERA_MISSING)

    def _busy(self) -> CameraError:
        return CameraError(
            f"usb:{self._number}: the camera cannot be opened; close the program that uses it", State.CAMERA_BUSY
        )
