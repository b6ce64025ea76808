"""The panel at work: the LED shows the state, the button is watched, the light is on while pictures are taken."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Protocol, Self

from device.panel.button import LOOK_EVERY_S, Button, Press
from device.panel.patterns import PATTERNS
from device.states import State

log = logging.getLogger("croupier.device")


_LOOK_AT_LEAST_EVERY_S = 0.5
"""Also while the LED stays as it is and nobody presses: a state shown for a while has to end."""


class PanelPins(Protocol):
    """What the panel needs of its pins; ``device.panel.pins.Pins`` has it."""

    @property
    def is_pressed(self) -> bool:
        """Whether the button is down."""

    def when_changed(self, tell: Callable[[], None]) -> None:
        """From now on ``tell``, in whichever thread, when the button goes down or up."""

    def set_status(self, is_lit: bool) -> None:
        """The status LED."""

    def set_light(self, is_lit: bool) -> None:
        """The light over the tray."""

    def close(self) -> None:
        """Everything dark, pins free."""


class Panel:
    """Shows states and tells presses; entered, it does so by itself in a thread of its own.

    ``acts`` says what each press does; it is called in the panel's thread and should not take long.
    """

    def __init__(
        self,
        pins: PanelPins,
        acts: Mapping[Press, Callable[[], None]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pins = pins
        self._acts = acts
        self._clock = clock
        self._button = Button()
        self._state = State.STARTING
        self._passing: tuple[State, float] | None = None
        self._shown: State | None = None
        self._began_at = 0.0
        self._was_lit: bool | None = None
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)

    def __enter__(self) -> Self:
        self._pins.when_changed(self._wake.set)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._wake.set()
        self._thread.join(timeout=2.0)
        self._pins.close()

    def show(self, state: State) -> None:
        """Show ``state`` from now on."""
        with self._lock:
            self._state = state
        self._wake.set()

    def show_for(self, state: State, seconds: float) -> None:
        """Show ``state`` for a while, and then what is to be shown otherwise."""
        with self._lock:
            self._passing = (state, self._clock() + seconds)
        self._wake.set()

    def set_light(self, is_lit: bool) -> None:
        """The light over the tray; a light that fails is told in the journal, and does not end the game."""
        try:
            self._pins.set_light(is_lit)
        except Exception as error:
            log.warning("the light: %s", error)

    def step(self) -> None:
        """Look at the button and set the LED, once."""
        now = self._clock()
        press = self._button.see(self._pins.is_pressed, now)
        if press is not None and press in self._acts:
            self._acts[press]()
        state = self._state_at(now)
        if state is not self._shown:
            self._shown, self._began_at = state, now
        is_lit = PATTERNS[state].is_lit(now - self._began_at)
        if is_lit is not self._was_lit:
            self._pins.set_status(is_lit)
            self._was_lit = is_lit

    def _state_at(self, now: float) -> State:
        with self._lock:
            if self._passing is not None and now >= self._passing[1]:
                self._passing = None
            return self._state if self._passing is None else self._passing[0]

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self.step()
            except Exception as error:
                # A loose wire or an act that failed must not end the panel, and still less the game.
                log.warning("the panel: %s", error)
                self._stopping.wait(1.0)
            self._wake.wait(self._pause_s())
            self._wake.clear()

    def _pause_s(self) -> float:
        """Until there is something to do, if nothing wakes the thread before."""
        if self._button.is_busy or self._shown is None:
            return LOOK_EVERY_S
        rest_s = PATTERNS[self._shown].rest_s(self._clock() - self._began_at)
        return min(max(rest_s, 0.001), _LOOK_AT_LEAST_EVERY_S)
