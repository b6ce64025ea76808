"""What a press of the one button means: told from how long it is held, whatever its contacts bounce."""

from collections.abc import Callable
from enum import Enum

LONG_S = 2.0
"""Longer than anybody presses by the way; the long press is answered while the button is still held."""

SETTLED_S = 0.03
"""Contacts of small push buttons bounce for up to 10 ms; a finger is never so quick."""

SAFE_MODE_S = 10.0
"""Held for so long at power-up it asks for safe mode."""

LOOK_EVERY_S = 0.025
"""While something happens with the button."""


class Press(Enum):
    """A press that means something."""

    SHORT = "short"
    LONG = "long"


class Button:
    """Takes what the pin says, sample by sample, and tells presses."""

    def __init__(self) -> None:
        self._is_down = False
        self._pressed_at: float | None = None
        self._other_since: float | None = None
        self._is_answered = False

    @property
    def is_busy(self) -> bool:
        """Whether more samples are needed soon: it is down, or its contacts have not settled."""
        return self._is_down or self._other_since is not None

    def see(self, is_pressed: bool, now: float) -> Press | None:
        """One sample at ``now`` (seconds, growing): the press that it completes, or None.

        >>> button = Button()
        >>> [button.see(down, now) for down, now in ((True, 0.0), (True, 0.1), (False, 0.2), (False, 0.3))]
        [None, None, None, <Press.SHORT: 'short'>]
        """
        if is_pressed is self._is_down:
            self._other_since = None
        elif self._other_since is None:
            self._other_since = now
        elif now - self._other_since >= SETTLED_S:
            return self._turn(is_pressed)
        is_held = self._is_down and is_pressed and not self._is_answered
        if is_held and self._pressed_at is not None and now - self._pressed_at >= LONG_S:
            self._is_answered = True
            return Press.LONG
        return None

    def _turn(self, is_pressed: bool) -> Press | None:
        self._is_down = is_pressed
        since, self._other_since = self._other_since, None
        if is_pressed:
            self._pressed_at = since
            self._is_answered = False
            return None
        return None if self._is_answered else Press.SHORT


def is_held_at_start(is_pressed: Callable[[], bool], wait: Callable[[float], object]) -> bool:
    """Whether the button is pressed at power-up and stays so for ten seconds; returns as soon as it is let go.

    ``wait`` waits for as many seconds as it is told.
    """
    held_s = 0.0
    while is_pressed():
        if held_s >= SAFE_MODE_S:
            return True
        wait(LOOK_EVERY_S)
        held_s += LOOK_EVERY_S
    return False
