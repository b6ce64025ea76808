"""A recording in place of a camera: its frames at the pace at which they were taken, or faster."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from device.camera import CameraEnded, CameraError, Frame
from device.recording import RecordedFrame, Recording, RecordingError
from vision.reading import Pixels

_LATE_S = 0.25
"""Behind its time by more than this, the camera does not hurry to catch up: a quarter of a second goes unnoticed."""


class RecordingCamera:
    """Plays ``recording`` from its frame ``start`` (an index) on.

    The last frame is repeated, ``recording.fps`` times a second, until the next one's time: frames at rest may be
    sparse. ``speed`` 2 plays twice as fast, None as fast as frames are taken. ``Frame.captured_at`` is recorded
    time whatever the speed, and goes on while a frame is held.
    """

    def __init__(
        self,
        recording: Recording,
        speed: float | None = 1.0,
        start: int = 0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._recording = recording
        self._speed = speed
        self._clock = clock
        self._sleep = sleep
        self._period = 1.0 / recording.fps
        self._index = start - 1
        self._shown_for = 0
        self._pixels: Pixels | None = None
        self._captured_at: float | None = None
        self._due: float | None = None
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Drop the picture that is held in memory."""
        self._closed = True
        self._pixels = None

    def hold_exposure(self, is_held: bool) -> None:
        """A recording is as it was taken."""

    @property
    def index(self) -> int:
        """The place in ``recording.frames`` of the frame that was shown last; below the first before any."""
        return self._index

    @property
    def shown(self) -> RecordedFrame:
        """The frame that was shown last."""
        return self._recording.frames[max(self._index, 0)]

    @property
    def is_turning(self) -> bool:
        """Whether ``next_frame`` would show another picture, or none, instead of the same one again."""
        following = self._index + 1
        if self._pixels is None or following >= len(self._recording.frames):
            return True
        gap = self._recording.frames[following].t - self.shown.t
        return self._shown_for >= round(gap / self._period)

    def next_frame(self) -> Frame:
        """The frame whose time has come; raises ``CameraEnded`` after the last, ``CameraError`` for a bad picture."""
        if self._closed:
            raise CameraError("this camera is closed")
        if self.is_turning:
            if self._index + 1 >= len(self._recording.frames):
                raise CameraEnded
            self._index += 1
            self._shown_for = 0
            try:
                self._pixels = self._recording.pixels(self.shown)
            except RecordingError as error:
                raise CameraError(str(error)) from error
        return self._show()

    def hold_frame(self) -> Frame:
        """The same picture once more; everything after it comes later by one frame."""
        self._shown_for -= 1
        return self._show()

    def _show(self) -> Frame:
        if self._pixels is None:
            raise CameraError("no frame has been shown yet")
        self._shown_for += 1
        self._captured_at = self.shown.t if self._captured_at is None else self._captured_at + self._period
        self._wait()
        return Frame(self._pixels, self._captured_at, name=self.shown.image)

    def _wait(self) -> None:
        if self._speed is None:
            return
        now = self._clock()
        due = now if self._due is None else self._due + self._period / self._speed
        if due > now:
            self._sleep(due - now)
        self._due = max(due, now - _LATE_S)
