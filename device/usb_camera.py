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
from device.settings import CameraSettings
from device.states import State

_LONGEST_WAIT_S = 2
"""OpenCV's own limit is 10 s; a camera at 20 frames a second that is silent for two has stalled."""

_LEFT_ALONE, _BY_ITSELF = 1.0, 3.0
"""Video4Linux' values of automatic exposure: manual, and aperture priority."""

_EXPOSURE_STEP_US = 100
"""Video4Linux counts exposure in tenths of a millisecond."""


class UsbCamera:
    """The USB camera with that number (0 is the first, ``/dev/video0``); ``devices`` is where its file is.

    Size, speed and exposure are asked for as ``settings`` say; the driver gives what comes nearest.
    """

    def __init__(
        self,
        number: int,
        settings: CameraSettings | None = None,
        clock: Callable[[], float] = time.monotonic,
        devices: Path = Path("/dev"),
    ) -> None:
        self._number = number
        self._settings = settings or CameraSettings()
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
        self._set_up(self._capture)
        return self

    def _set_up(self, capture: cv2.VideoCapture) -> None:
        settings = self._settings
        # Uncompressed, such pictures come five times a second through USB 2.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, settings.width_px)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, settings.height_px)
        capture.set(cv2.CAP_PROP_FPS, settings.fps)
        # One buffered frame: an older one would show the tray as it was before the throw.
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        if settings.exposure_us is not None:
            capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _LEFT_ALONE)
            capture.set(cv2.CAP_PROP_EXPOSURE, settings.exposure_us / _EXPOSURE_STEP_US)

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
        if self._capture is None:
            return
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 0.0 if is_held else 1.0)
        if self._settings.exposure_us is not None:
            return
        # Left alone, it would go back to the exposure that somebody set by hand before: it is told its present one.
        present = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _LEFT_ALONE if is_held else _BY_ITSELF)
        if is_held and present > 0:
            self._capture.set(cv2.CAP_PROP_EXPOSURE, present)

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
