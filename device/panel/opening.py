"""The panel as the device opens it: with its pins if this machine has any, and its button looked at first."""

import logging
import time
from collections.abc import Callable

from device.panel.button import is_held_at_start
from device.panel.pins import NoPins, Pins
from device.settings import PanelSettings

log = logging.getLogger("croupier.device")


def open_pins(settings: PanelSettings) -> Pins | None:
    """The pins; None where there are none, which is said once, or where the settings do not want them."""
    if not settings.enabled:
        return None
    try:
        pins = Pins(settings)
    except NoPins as error:
        log.warning("no light, LED or button: %s", error)
        return None
    if pins.light_fault:
        log.warning("%s", pins.light_fault)
    return pins


def is_held(pins: Pins | None, wait: Callable[[float], object] = time.sleep) -> bool:
    """Whether the button is held for ten seconds from now on, at power-up; the LED is lit while it is."""
    if pins is None or not pins.is_pressed:
        return False
    pins.set_status(True)
    held = is_held_at_start(lambda: pins.is_pressed, wait)
    pins.set_status(False)
    return held
