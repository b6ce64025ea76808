"""The Pi's own pulse generator, through the kernel's files: the light is dimmed without making bands.

A rolling shutter exposes row after row. A light that software switches a few hundred times a second, never quite in
time, is on for one row and off for the next: bands. This one runs at 20 kHz by itself, so that even the shortest
exposure used, 1 ms, sees 20 whole periods.

``dtoverlay=pwm,pin=13,func=4`` in /boot/firmware/config.txt connects a pin to it (docs/hardware.md).
"""

import os
import time
from pathlib import Path

PERIOD_NS = 50_000
"""20 kHz: above what people hear, so that a cheap LED driver does not whistle either."""

_CHANNEL = {12: 0, 13: 1, 18: 0, 19: 1}
"""With the overlay ``pwm`` (Pi Zero 2 W, 4) and ``pwm-2chan`` alike."""

_UDEV_TRIES, _UDEV_EVERY_S = 20, 0.05

_RP1_HEADER = "98000.pwm"
"""The address of the Pi 5's generator for the header, in the kernel's name for it (rp1.dtsi)."""

_CHANNEL_ON_PI_5 = {12: 0, 13: 1, 18: 2, 19: 3}


class PwmError(RuntimeError):
    """The pulse generator cannot be used; the message is one line that says what to do."""


def _chip_of_the_header(chips: Path) -> Path | None:
    """The generator that reaches the header's pins; a Pi 5 has another one, for its fan."""
    found = sorted(chips.glob("pwmchip*"))
    return next((chip for chip in found if _RP1_HEADER in str(chip.resolve())), found[0] if found else None)


class HardwarePwm:
    """One channel. Wiring: the pin to the gate of the light's transistor. Resting state: dark.

    ``chips`` is the kernel's folder of pulse generators; ``is_pi_5``: its pins have other channels.
    """

    def __init__(self, pin: int, chips: Path = Path("/sys/class/pwm"), is_pi_5: bool = False) -> None:
        chip = _chip_of_the_header(chips)
        if chip is None:
            raise PwmError(f"the light's pin {pin} has no pulse generator: add dtoverlay=pwm")
        number = (_CHANNEL_ON_PI_5 if is_pi_5 else _CHANNEL)[pin]
        self._channel = chip / f"pwm{number}"
        try:
            if not self._channel.exists():
                (chip / "export").write_text(f"{number}\n", encoding="ascii")
                self._wait_for_udev()
            (self._channel / "duty_cycle").write_text("0\n", encoding="ascii")
            (self._channel / "period").write_text(f"{PERIOD_NS}\n", encoding="ascii")
            (self._channel / "enable").write_text("1\n", encoding="ascii")
        except OSError as error:
            raise PwmError(f"{self._channel}: the light cannot be dimmed ({error.strerror})") from error

    def _wait_for_udev(self) -> None:
        """The kernel makes the channel's files root's own; udev hands them to the group gpio a moment later."""
        for _ in range(_UDEV_TRIES):
            if os.access(self._channel / "duty_cycle", os.W_OK):
                return
            time.sleep(_UDEV_EVERY_S)

    def dim(self, percent: int) -> None:
        """Light it with that share of its brightness, 0 to 100. Raises ``PwmError``."""
        try:
            (self._channel / "duty_cycle").write_text(f"{PERIOD_NS * percent // 100}\n", encoding="ascii")
        except OSError as error:
            raise PwmError(f"{self._channel}: the light cannot be dimmed ({error.strerror})") from error

    def close(self) -> None:
        """Dark, as at rest."""
        self.dim(0)
