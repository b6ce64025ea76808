"""What the device is doing, told to everybody who shows it: LED, phones, journal."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from device.states import State

log = logging.getLogger("croupier.device")


@dataclass(frozen=True, slots=True)
class Situation:
    """A state, and one line about it where there is more to say. Neither ever tells what a die shows."""

    state: State
    detail: str = ""


Listener = Callable[[Situation], None]


class Announcer:
    """Passes each change of the situation on, in order; safe to use from several threads.

    >>> announcer = Announcer([lambda situation: print(situation.state)])
    >>> for state in (State.EMPTY, State.EMPTY, State.MOVING):
    ...     announcer.tell(Situation(state))
    empty
    moving
    """

    def __init__(self, listeners: Sequence[Listener]) -> None:
        self._listeners = tuple(listeners)
        self._lock = threading.Lock()
        self._last: Situation | None = None

    @property
    def last(self) -> Situation:
        """What was told last."""
        return self._last or Situation(State.STARTING)

    def tell(self, situation: Situation) -> None:
        """Tell the listeners, if this is news."""
        with self._lock:
            if situation == self._last:
                return
            self._last = situation
            for listener in self._listeners:
                try:
                    listener(situation)
                except Exception:
                    # One that fails to show it does not keep the others from showing it.
                    log.exception("telling of %s", situation.state)
