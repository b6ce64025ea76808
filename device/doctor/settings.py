"""The settings' file and the panel's pins."""

from collections.abc import Iterator

from device.doctor.finding import Finding, Level
from device.doctor.machine import Machine
from device.panel.conflicts import claims
from device.panel.pins import NoPins, Pins
from device.settings import Settings
from device.settings_file import SettingsError


def check_settings(settings: Settings, has_file: bool, fault: SettingsError | None) -> Iterator[Finding]:
    """Faults of the file, and pins that others lay claim to."""
    if fault is not None:
        for one in fault.faults:
            place = f"{fault.file} line {one.line}" if one.line else str(fault.file)
            to_do = "Mend that line; until then the box starts in safe mode. All settings: docs/settings.md"
            yield Finding("settings", Level.ISSUE, f"{place}: {one.text}.", to_do)
    elif has_file:
        yield Finding("settings", Level.OK, "The settings are right.")
    else:
        to_do = "To change something: croupier settings --print-default > settings.toml"
        yield Finding("settings", Level.INFO, "There is no settings file; everything has its default.", to_do)
    if settings.panel.enabled:
        for text in claims(settings.panel).values():
            to_do = "With such a board on top take another pin: 5, 6, 13, 16, 17, 22 to 27 are mostly free."
            yield Finding("settings", Level.WARNING, f"{text}.", to_do)


def check_panel(machine: Machine, settings: Settings, used_by: str | None) -> Iterator[Finding]:
    """Whether light, LED and button can be used; ``used_by`` is who has their pins as it should be."""
    if not settings.panel.enabled:
        yield Finding("panel", Level.INFO, "The panel is switched off in the settings.")
    elif machine.model is None:
        yield Finding("panel", Level.INFO, "This is no Raspberry Pi, so there is no light, LED or button.")
    elif used_by is not None:
        yield Finding("panel", Level.OK, f"Light, LED and button are in use by {used_by}, as they should be.")
    else:
        yield _try_panel(settings)


def _try_panel(settings: Settings) -> Finding:
    try:
        pins = Pins(settings.panel)
    except NoPins as error:
        to_do = "sudo apt install python3-gpiozero python3-lgpio; the user must be in the group gpio."
        return Finding("panel", Level.WARNING, f"Light, LED and button cannot be used: {error}.", to_do)
    is_pressed, light_fault = pins.is_pressed, pins.light_fault
    pins.close()
    if light_fault:
        to_do = 'docs/hardware.md, Wiring, says how; or set light = "full" in the settings under [panel].'
        return Finding("panel", Level.WARNING, f"LED and button can be used; {light_fault}.", to_do)
    if is_pressed:
        to_do = "Let go of it; if nobody presses it, its wires touch (docs/hardware.md, Wiring)."
        return Finding("panel", Level.WARNING, "The button is down.", to_do)
    return Finding("panel", Level.OK, "Light, LED and button can be used.")
