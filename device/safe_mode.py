"""Safe mode: the host is up, the camera stays closed, dice are entered by hand, and the phones are told why."""

import logging
from collections.abc import Callable

from device.settings_file import SettingsError
from device.situation import Situation
from device.states import State

log = logging.getLogger("croupier.device")

ASKED_FOR = "it was started with --safe-mode"
BUTTON_HELD = "its button was held while it was switched on; switch it off and on again to leave"


def safe_mode_reason(asked_for: str | None, fault: SettingsError | None, is_button_held: bool) -> str | None:
    """Why the device must not open its camera, in one line; None if nothing speaks against it.

    >>> safe_mode_reason(None, None, False)
    >>> safe_mode_reason(None, None, True)
    'its button was held while it was switched on; switch it off and on again to leave'
    """
    if fault is not None:
        return str(fault)
    return asked_for or (BUTTON_HELD if is_button_held else None)


def keep_safe(
    reason: str,
    tell: Callable[[Situation], None],
    feed: Callable[[int], None],
    wait: Callable[[float], object],
) -> None:
    """Tell of safe mode and keep at it until ``wait`` (for so many seconds) says that it is over, by being true.

    ``feed`` is given a growing count: there is no camera whose frames could show that the device lives.
    """
    log.warning("safe mode, the camera stays off: %s", reason)
    tell(Situation(State.SAFE_MODE, reason))
    steps = 0
    while not wait(1.0):
        steps += 1
        feed(steps)
