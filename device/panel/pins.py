"""The panel's three pins through gpiozero, which no other file imports.

Wiring (docs/hardware.md): the button between its pin and ground; the status LED from its pin through 330 ohm to
ground; the light's transistor with its gate at its pin. Resting state: LED and light dark.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from device.panel.hardware_pwm import HardwarePwm, PwmError
from device.settings import PanelSettings

_MODEL = Path("/proc/device-tree/model")


class NoPins(Exception):
    """This machine has no pins to use; the message says why in a few words."""


class Pins:
    """Button, status LED and light; ``close`` may be called twice.

    ``light_fault`` says why the light cannot be dimmed, empty if it can: LED and button work without it.
    """

    def __init__(self, settings: PanelSettings, factory: Any = None, pwm: HardwarePwm | None = None) -> None:
        """``factory`` is a gpiozero pin factory, such as its mock. Raises ``NoPins``."""
        try:
            from gpiozero import Button, DigitalOutputDevice
            from gpiozero.exc import GPIOZeroError
        except ImportError as error:
            raise NoPins("gpiozero is not installed") from error
        self._percent = settings.light_percent
        self._opened: list[Any] = []
        self._light: Any = None
        self._pwm = pwm
        self.light_fault = ""
        try:
            factory = factory or _factory()
            self._button = self._open(Button(settings.button_pin, pull_up=True, pin_factory=factory))
            self._status = self._open(DigitalOutputDevice(settings.status_pin, pin_factory=factory))
            if settings.light == "full":
                self._light = self._open(DigitalOutputDevice(settings.light_pin, pin_factory=factory))
            elif settings.light == "pwm" and pwm is None:
                self._open_pwm(settings.light_pin)
        except (GPIOZeroError, OSError) as error:
            self.close()
            raise NoPins(" ".join(str(error).split()) or type(error).__name__) from error

    @property
    def is_pressed(self) -> bool:
        """Whether the button is down."""
        return bool(self._button.is_pressed)

    def when_changed(self, tell: Callable[[], None]) -> None:
        """From now on ``tell``, in a thread of gpiozero's, when the button goes down or up."""
        self._button.when_pressed = tell
        self._button.when_released = tell

    def set_status(self, is_lit: bool) -> None:
        """The status LED."""
        self._status.value = is_lit

    def set_light(self, is_lit: bool) -> None:
        """The light over the tray, as bright as the settings say."""
        if self._pwm is not None:
            self._pwm.dim(self._percent if is_lit else 0)
        elif self._light is not None:
            self._light.value = is_lit

    def close(self) -> None:
        """LED and light dark, pins free."""
        if self._pwm is not None:
            self._pwm.close()
            self._pwm = None
        while self._opened:
            self._opened.pop().close()

    def _open_pwm(self, pin: int) -> None:
        try:
            self._pwm = HardwarePwm(pin, is_pi_5=_is_pi_5())
        except PwmError as error:
            self.light_fault = str(error)

    def _open(self, opened: Any) -> Any:
        self._opened.append(opened)
        return opened


def _factory() -> Any:
    """lgpio, unless GPIOZERO_PIN_FACTORY says otherwise; gpiozero's own fallbacks do not know a Pi 5."""
    if "GPIOZERO_PIN_FACTORY" in os.environ:
        from gpiozero import Device

        Device.ensure_pin_factory()
        return Device.pin_factory
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        raise NoPins("this machine has no GPIO, or python3-lgpio is not installed") from error
    try:
        return LGPIOFactory()
    except Exception as error:  # lgpio's own class of error cannot be named where lgpio is not installed
        raise NoPins("this machine has no GPIO that lgpio can open") from error


def _is_pi_5() -> bool:
    try:
        return "Raspberry Pi 5" in _MODEL.read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
