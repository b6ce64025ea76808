"""A camera that shows plain pictures and fails when it is told to, as real ones do."""

import threading
from types import TracebackType
from typing import Self

import numpy as np

from device.camera import CameraError, Frame
from device.states import State

PATIENCE_S = 20.0


class Socket:
    """Where cameras are plugged in: what is to happen there, and what has happened."""

    def __init__(self) -> None:
        self.is_plugged_in = True
        self.is_busy = False
        self.is_silent = False
        self.hang = threading.Event()
        """Set: the camera answers. Clear: it hangs in its driver."""
        self.hang.set()
        self.opened = 0
        self.closed = 0
        self.holds: list[bool] = []

    def camera(self) -> "FaultyCamera":
        return FaultyCamera(self)


class FaultyCamera:
    """The camera in that socket; every picture a little other than the last."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self._count = 0

    def __enter__(self) -> Self:
        if not self._socket.is_plugged_in:
            raise CameraError("no camera; plug it in", State.CAMERA_MISSING)
        if self._socket.is_busy:
            raise CameraError("in use; close that program", State.CAMERA_BUSY)
        self._socket.opened += 1
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._socket.closed += 1

    def hold_exposure(self, is_held: bool) -> None:
        self._socket.holds.append(is_held)

    def next_frame(self) -> Frame:
        self._socket.hang.wait(PATIENCE_S)
        if not self._socket.is_plugged_in:
            raise CameraError("no camera; plug it in", State.CAMERA_MISSING)
        if self._socket.is_silent:
            raise CameraError("no picture for 2 s")
        threading.Event().wait(0.005)
        self._count += 1
        return Frame(np.full((60, 80, 3), self._count % 200, np.uint8), self._count / 20)
