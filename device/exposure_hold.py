"""The camera's exposure, frozen while a throw goes on."""

from collections.abc import Callable

_LONGEST_HOLD_S = 10.0
"""A throw is over by then, the hand before it included; what goes on for longer is light that changes."""


class ExposureHold:
    """From the beginning of a throw to its reading the exposure stays as it is, but not for ever."""

    def __init__(self, hold: Callable[[bool], None]) -> None:
        self._hold = hold
        self._since: float | None = None

    def begin(self, now: float) -> None:
        """Something begins to move at ``now`` (seconds of the frames)."""
        if self._since is None:
            self._since = now
            self._hold(True)

    def end_if(self, is_over: bool, now: float) -> None:
        """It has been read, or there is nothing to read, if ``is_over``."""
        if self._since is not None and (is_over or now - self._since >= _LONGEST_HOLD_S):
            self._since = None
            self._hold(False)
