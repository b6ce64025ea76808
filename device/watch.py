"""The device at work with a live camera: every frame through the loop, every state told, the watchdog fed."""

from collections.abc import Callable

from device.camera import CameraEnded
from device.frame_feed import FrameFeed
from device.loop import DeviceLoop
from device.notify import Notifier
from device.situation import Announcer, Situation
from device.states import State

_PATIENCE_S = 0.5
"""How long to wait for a frame before looking at what keeps it; ten frames."""


class Watch:
    """Frames from ``feed`` through ``loop``; ``announcer`` is told what goes on, and ``notifier`` that it does.

    ``trouble`` says what keeps the device from its host, empty when nothing does; ``asks`` whether the last throw was
    left to people; ``has_own_wifi`` whether the box has opened a network of its own.
    """

    def __init__(
        self,
        feed: FrameFeed,
        loop: DeviceLoop,
        announcer: Announcer,
        notifier: Notifier,
        trouble: Callable[[], str],
        asks: Callable[[], bool] = lambda: False,
        has_own_wifi: Callable[[], bool] = lambda: False,
    ) -> None:
        self._feed = feed
        self._loop = loop
        self._announcer = announcer
        self._notifier = notifier
        self._trouble = trouble
        self._asks = asks
        self._has_own_wifi = has_own_wifi
        self._is_ready = False

    def run(self) -> None:
        """Watch until the camera is a file and has ended.

        Raises ``CameraStuck`` where only a new process can help, ``CameraError`` for a file that cannot be read.
        """
        try:
            while True:
                self.look(_PATIENCE_S)
        except CameraEnded:
            return

    def look(self, timeout_s: float) -> None:
        """Deal with the next frame, or with its not coming for ``timeout_s``."""
        frame = self._feed.next_frame(timeout_s)
        if frame is not None:
            self._loop.step(frame)
        situation = self._situation()
        if situation is not None:
            self._announcer.tell(situation)
            if not self._is_ready:
                self._is_ready = True
                self._notifier.ready()
        self._notifier.feed(self._feed.steps)

    def _situation(self) -> Situation | None:
        """The gravest thing that there is to tell; None while the camera is being opened for the first time."""
        fault = self._feed.fault
        if fault is not None:
            return Situation(fault.state, str(fault))
        if not self._feed.taken:
            return None
        trouble = self._trouble()
        if trouble:
            return Situation(State.NO_HOST, trouble)
        situation = self._loop.situation
        if situation.state in (State.READ, State.EMPTY) and self._asks():
            return Situation(State.ASKING, situation.detail)
        if situation.state is State.IDLE and self._has_own_wifi():
            # While nobody throws, people are looking for the way in.
            return Situation(State.OWN_WIFI, situation.detail)
        return situation
