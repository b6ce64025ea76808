"""Takes a camera's frames in a thread of its own and keeps the newest; watches that they keep coming.

A camera that gives none is closed and opened again. Whatever it does, whoever asks for a frame is answered in time.
"""

import logging
import threading
import time
from collections.abc import Callable

from device.camera import Camera, CameraEnded, CameraError, Frame
from device.states import State

log = logging.getLogger("croupier.device")

EXIT_STUCK = 75
"""Exit status (EX_TEMPFAIL) of a program whose camera stays stalled: whoever started it is to start it again."""

HUNG_S = 10.0
"""A thread that has neither brought a frame nor taken a step for so long is inside a driver that hangs. The slowest
thing that a healthy one does, opening a camera, takes 1 to 3 s."""

MOST_REOPENINGS = 3
"""A camera that opens, gives nothing and does so again needs what only a new process brings."""

_FIRST_DELAY_S = 0.2
_LONGEST_DELAY_S = 2.0
"""Between tries to open a camera that is not there: somebody who plugs it in sees it at work within two seconds."""


class CameraStuck(Exception):
    """The camera stays stalled, or its driver hangs: this process cannot mend it."""


class FrameFeed:
    """The frames of the camera that ``open_camera`` makes, from ``start`` to ``close``.

    ``is_file``: a fault is for good (a file that cannot be read), not something to wait for. ``clock`` in seconds.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        is_file: bool = False,
        clock: Callable[[], float] = time.monotonic,
        hung_s: float = HUNG_S,
    ) -> None:
        self._open_camera = open_camera
        self._is_file = is_file
        self._clock = clock
        self._hung_s = hung_s
        self._news = threading.Condition()
        self._newest: Frame | None = None
        self._fault: CameraError | None = None
        self._is_ended = False
        self._stalls = 0
        self._steps = 0
        self._taken = 0
        self._lost = 0
        self._step_at = clock()
        self._is_exposure_held = False
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        """Open the camera and begin to take frames."""
        self._step_at = self._clock()
        self._thread.start()

    def close(self) -> None:
        """Stop, and give the camera back; does not wait for a driver that hangs."""
        self._stopping.set()
        self._thread.join(timeout=3.0)

    @property
    def fault(self) -> CameraError | None:
        """What keeps the camera from giving frames; None while they come."""
        with self._news:
            return self._fault

    @property
    def steps(self) -> int:
        """Frames and steps of a recovery so far: as long as this grows there is progress."""
        with self._news:
            return self._steps

    @property
    def taken(self) -> int:
        """Frames that the camera gave."""
        with self._news:
            return self._taken

    @property
    def lost(self) -> int:
        """Frames that nobody took before the next one came."""
        with self._news:
            return self._lost

    def hold_exposure(self, is_held: bool) -> None:
        """Before the next frame, have the camera keep its exposure, or adapt it again."""
        self._is_exposure_held = is_held

    def next_frame(self, timeout_s: float) -> Frame | None:
        """The newest frame that was not given out yet; None if none came in time (``fault`` may say why).

        Raises ``CameraEnded`` after a file's last frame, ``CameraError`` for a file's fault, and ``CameraStuck``.
        """
        with self._news:
            self._news.wait_for(lambda: self._newest is not None or self._is_ended, timeout_s)
            frame, self._newest = self._newest, None
            if frame is not None:
                return frame
            if self._is_ended:
                if self._fault is not None:
                    raise self._fault
                raise CameraEnded
            if self._stalls > MOST_REOPENINGS:
                raise CameraStuck(f"{self._fault}; opening it again {MOST_REOPENINGS} times did not help")
            silent_s = self._clock() - self._step_at
            if silent_s > self._hung_s:
                raise CameraStuck(f"the camera's driver has not answered for {silent_s:.0f} s")
        return None

    # The thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        delay = _FIRST_DELAY_S
        while not self._stopping.is_set():
            before = self.taken
            try:
                self._take()
            except CameraEnded:
                self._end(None)
                return
            except CameraError as error:
                fault = error
            except Exception as error:
                # Drivers fail in ways of their own; none of them may end this thread unnoticed.
                log.exception("the camera has failed")
                fault = CameraError(f"the camera has failed: {' '.join(str(error).split())}")
            else:
                return
            if self._is_file:
                self._end(fault)
                return
            self._fail(fault)
            delay = _FIRST_DELAY_S if self.taken > before else min(2 * delay, _LONGEST_DELAY_S)
            self._stopping.wait(delay)

    def _take(self) -> None:
        """Open the camera and take frames until it fails or ``close`` is called."""
        is_held = False
        with self._open_camera() as camera:
            self._step()
            while not self._stopping.is_set():
                if is_held is not self._is_exposure_held:
                    is_held = self._is_exposure_held
                    camera.hold_exposure(is_held)
                self._put(camera.next_frame())

    def _put(self, frame: Frame) -> None:
        with self._news:
            if self._fault is not None:
                log.warning("the camera is back")
            self._lost += self._newest is not None
            self._newest, self._fault = frame, None
            self._taken += 1
            self._stalls = 0
            self._advance()

    def _step(self) -> None:
        with self._news:
            self._advance()

    def _fail(self, fault: CameraError) -> None:
        with self._news:
            if self._fault is None or str(fault) != str(self._fault):
                log.warning("%s", fault)
            self._fault = fault
            # One that is missing or in use will come back by itself; one that stalls may not.
            self._stalls = self._stalls + 1 if fault.state is State.CAMERA_STALLED else 0
            self._advance()

    def _end(self, fault: CameraError | None) -> None:
        with self._news:
            self._fault = fault
            self._is_ended = True
            self._advance()

    def _advance(self) -> None:
        self._steps += 1
        self._step_at = self._clock()
        self._news.notify_all()
