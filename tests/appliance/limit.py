"""How long the trials may take where time is short (CI), and whether one more fits in."""

import math
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

USUAL_S = {
    "install": 181,
    "units": 1,
    "boot": 52,
    "game": 65,
    "watchdog": 113,
    "cuts": 128,  # for each
    "camera": 44,
    "wifi": 58,
    "updates": 779,
    "uninstall": 25,
}
"""Seconds that each trial took with most of two cores to itself; those that the short form leaves out, with somewhat
less of them (docs/measurements/box.json)."""

BARE_BOOT_S = 26.0
"""Seconds from power on until the machine had booted there, with nothing of Croupier's on it. Beside two other
programs that took their share it was more than 200."""

ROOM = 2.5
"""A trial is begun only where so many times its usual time is left, so that one which is cut short was not slow by
chance. Boots after power cuts alone took from 38 to 167 s on the same machine."""


class OutOfTime(BaseException):
    """Time is up, wherever the program was. No ``except Exception`` may take it for something else."""


class Limit:
    """Time that runs from now on; ``minutes`` None is as much as it takes."""

    def __init__(self, minutes: float | None) -> None:
        self.minutes = minutes
        self._until = math.inf if minutes is None else time.monotonic() + 60 * minutes
        self._bare_boot_s = BARE_BOOT_S

    def judge_by(self, bare_boot_s: float) -> None:
        """How fast this machine is: what the boot took that has nothing of Croupier's in it."""
        self._bare_boot_s = bare_boot_s

    def judged(self) -> str:
        """The same in words."""
        return f"this machine booted in {self._bare_boot_s:.0f} s, where {BARE_BOOT_S:.0f} are usual"

    def holds(self, usual_s: float) -> bool:
        """Whether a trial that usually takes so long can be begun."""
        slowness = max(1.0, self._bare_boot_s / BARE_BOOT_S)
        return self._until - time.monotonic() >= ROOM * slowness * usual_s

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Raises ``OutOfTime`` in the midst of whatever runs when time is up."""
        if self._until == math.inf:
            yield
            return
        signal.signal(signal.SIGALRM, _time_is_up)
        # 0 would mean never.
        signal.setitimer(signal.ITIMER_REAL, max(0.001, self._until - time.monotonic()))
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


def _time_is_up(number: int, frame: object) -> None:
    raise OutOfTime
