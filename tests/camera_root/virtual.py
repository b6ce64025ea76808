"""Makes picamera2 work over libcamera's virtual camera, for a test inside the Debian 13 root that ``make`` makes.

The virtual camera has no raw role, the root no display, and a machine without a camera no dma-heap. Nothing else of
picamera2 is touched. Import this before the adapter opens the camera.
"""

import mmap
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any
from unittest.mock import MagicMock

sys.modules["pykms"] = MagicMock()  # the display, which only previews use

import libcamera  # type: ignore[import-not-found]  # noqa: E402
import picamera2.picamera2 as implementation  # type: ignore[import-not-found]  # noqa: E402
from picamera2 import Picamera2  # noqa: E402
from picamera2.allocators.allocator import Allocator, Sync  # type: ignore[import-not-found]  # noqa: E402
from picamera2.request import CompletedRequest  # type: ignore[import-not-found]  # noqa: E402

from device.camera import CameraError  # noqa: E402


class MemoryAllocator(Allocator):  # type: ignore[misc]
    """Buffers in memory files, of NV12 the two planes in one file, in place of dma-heap buffers."""

    def __init__(self) -> None:
        super().__init__()
        self.sync = _MemorySync
        self._frame_buffers: dict[Any, list[Any]] = {}
        self.maps: dict[Any, mmap.mmap] = {}
        self._files: list[int] = []

    def allocate(self, libcamera_config: Any, use_case: Any) -> None:
        self.close()
        for number, stream in enumerate(libcamera_config):
            self._frame_buffers[stream.stream] = [
                self._buffer(f"stream-{number}-{place}", stream) for place in range(stream.buffer_count)
            ]

    def _buffer(self, name: str, stream: Any) -> Any:
        file = os.memfd_create(name)
        os.ftruncate(file, stream.frame_size)
        self._files.append(file)
        grey = stream.stride * stream.size.height
        planes = [libcamera.FrameBuffer.Plane(), libcamera.FrameBuffer.Plane()]
        for plane, offset, length in zip(planes, (0, grey), (grey, stream.frame_size - grey), strict=True):
            plane.fd, plane.offset, plane.length = file, offset, length
        buffer = libcamera.FrameBuffer(planes)
        self.maps[buffer] = mmap.mmap(file, stream.frame_size)
        return buffer

    def buffers(self, stream: Any) -> list[Any]:
        return self._frame_buffers[stream]

    def close(self) -> None:
        for memory in self.maps.values():
            memory.close()
        for file in self._files:
            os.close(file)
        self._frame_buffers, self.maps, self._files = {}, {}, []


class _MemorySync(Sync):  # type: ignore[misc]
    def __init__(self, allocator: MemoryAllocator, buffer: Any, write: bool) -> None:
        self._memory = allocator.maps[buffer]

    def __enter__(self) -> mmap.mmap:
        return self._memory

    def __exit__(self, *raised: object) -> None:
        pass


def _no_raw_modes(camera: Picamera2) -> list[dict[str, Any]]:
    return [{"format": "SRGGB10", "size": camera.camera_properties_.get("PixelArraySize") or (1280, 720)}]


implementation.DmaAllocator = MemoryAllocator
Picamera2._get_raw_modes = _no_raw_modes


class _Pace:
    """The virtual camera is as fast as requests come: they are given back to it twenty times a second."""

    def __init__(self, period_s: float) -> None:
        self._period_s = period_s
        self._due = 0.0
        self._lock = threading.Lock()
        self._release = CompletedRequest.release
        self.is_stalled = False

    def release(self, request: CompletedRequest) -> None:
        if self.is_stalled:
            request.picam2.stop_count += 1  # as if it were of an earlier run: it is not queued again
        if request.ref_count == 1:
            with self._lock:
                time.sleep(max(0.0, self._due - time.monotonic()))
                self._due = time.monotonic() + self._period_s
        self._release(request)


_pace = _Pace(0.05)
CompletedRequest.release = lambda request: _pace.release(request)


def stall() -> None:
    """From now on the camera is given no requests back, and so delivers nothing after its first four frames."""
    _pace.is_stalled = True


def go_on() -> None:
    """The camera runs again."""
    _pace.is_stalled = False


def fault_of(next_frame: Callable[[], object]) -> str:
    """The state that a stalled camera is told by, once its first frames are taken."""
    for _ in range(10):
        try:
            next_frame()
        except CameraError as error:
            return error.state.value
    return "none"
