"""Memory, temperature and power of the machine."""

from collections.abc import Iterator

from device.doctor.finding import Finding, Level
from device.doctor.machine import Machine

_TIGHT_MB, _TOO_LITTLE_MB = 100, 40
"""Reading one throw takes some tens of megabytes for a moment; below that the kernel begins to end programs."""

_WARM_C, _HOT_C = 75, 80
"""From 80 °C on a Pi slows itself down."""

_UNDERVOLTAGE_NOW, _SLOWED_NOW, _UNDERVOLTAGE_SINCE = 1 << 0, 1 << 2, 1 << 16
"""Bits of ``vcgencmd get_throttled`` (Raspberry Pi documentation, "vcgencmd")."""

_POWER = "Use the power supply that Raspberry Pi sells for this model, on a short cable, and no USB hub on the way."


def check_memory(machine: Machine) -> Iterator[Finding]:
    """How much memory is left."""
    lines = (machine.read("proc/meminfo") or "").splitlines()
    figures = {name: rest.split() for name, _, rest in (line.partition(":") for line in lines)}
    try:
        free, total = (int(figures[name][0]) // 1024 for name in ("MemAvailable", "MemTotal"))
    except (KeyError, IndexError, ValueError):
        yield Finding("memory", Level.INFO, "This machine does not say how much memory is free.")
        return
    text = f"{free} of {total} MB are free."
    if free >= _TIGHT_MB:
        yield Finding("memory", Level.OK, text)
        return
    level = Level.ISSUE if free < _TOO_LITTLE_MB else Level.WARNING
    yield Finding("memory", level, text, "End what else runs here, a desktop first, and start the box again.")


def check_temperature(machine: Machine) -> Iterator[Finding]:
    """Whether it runs hot."""
    try:
        degrees = int(machine.read("sys/class/thermal/thermal_zone0/temp") or "") / 1000
    except ValueError:
        return
    text = f"The processor is at {degrees:.0f} °C."
    if degrees < _WARM_C:
        yield Finding("temperature", Level.OK, text)
    else:
        level = Level.ISSUE if degrees >= _HOT_C else Level.WARNING
        yield Finding("temperature", level, text, "Give it air: open the case, take it out of the sun, add a fan.")


def check_power(machine: Machine) -> Iterator[Finding]:
    """Whether the power supply is strong enough; only a Pi knows."""
    answer = machine.ask("vcgencmd", "get_throttled")
    if answer is None or not answer.text.startswith("throttled="):
        yield from _power_by_sensor(machine)
        return
    bits = int(answer.text.partition("=")[2], 16)
    if bits & _UNDERVOLTAGE_NOW:
        yield Finding("power", Level.ISSUE, "The power supply is too weak: the voltage is low right now.", _POWER)
    elif bits & _UNDERVOLTAGE_SINCE:
        yield Finding("power", Level.WARNING, "The voltage was too low at times since it was switched on.", _POWER)
    elif bits & _SLOWED_NOW:
        yield Finding("power", Level.WARNING, "The processor is slowed down right now.", "Give it air, or a fan.")
    else:
        yield Finding("power", Level.OK, "The power supply is strong enough.")


def _power_by_sensor(machine: Machine) -> Iterator[Finding]:
    for name in sorted(machine.root.glob("sys/class/hwmon/*/name")):
        if name.read_text(encoding="ascii").strip() == "rpi_volt":
            alarm = name.with_name("in0_lcrit_alarm")
            if alarm.exists() and alarm.read_text(encoding="ascii").strip() == "1":
                yield Finding("power", Level.ISSUE, "The voltage of the power supply was too low.", _POWER)
            else:
                yield Finding("power", Level.OK, "The power supply is strong enough.")
