"""The panel over gpiozero's mock pins: the LED as people see it, the button as they press it, the light."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.panel.button import LOOK_EVERY_S, Press
from device.panel.hardware_pwm import PERIOD_NS, HardwarePwm, PwmError
from device.panel.panel import Panel
from device.panel.patterns import PATTERNS
from device.panel.pins import NoPins, Pins
from device.settings import PanelSettings
from device.states import State

SETTINGS = PanelSettings()


@pytest.fixture
def factory() -> Iterator[Any]:
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()


class Table:
    """A panel whose time is ours."""

    def __init__(self, factory: Any, settings: PanelSettings = SETTINGS) -> None:
        self.now = 0.0
        self.presses: list[Press] = []
        acts = {press: (lambda press=press: self.presses.append(press)) for press in Press}
        self.pins = Pins(settings, factory)
        self.panel = Panel(self.pins, acts, lambda: self.now)
        self.button = factory.pin(settings.button_pin)
        self.status = factory.pin(settings.status_pin)
        self.light = factory.pin(settings.light_pin)

    def pass_time(self, seconds: float) -> list[tuple[float, bool]]:
        """The LED at each look."""
        seen = []
        for _ in range(round(seconds / LOOK_EVERY_S)):
            self.panel.step()
            seen.append((self.now, bool(self.status.state)))
            self.now += LOOK_EVERY_S
        return seen


@pytest.fixture
def table(factory: Any) -> Iterator[Table]:
    table = Table(factory)
    yield table
    table.pins.close()


@pytest.mark.parametrize("state", [state for state in State if state is not State.READING])
def test_the_led_shows_each_state(table: Table, state: State) -> None:
    table.panel.show(state)
    seen = table.pass_time(2 * PATTERNS[state].period_s)
    wrong = [now for now, is_lit in seen if is_lit is not PATTERNS[state].is_lit(now)]
    # At the edges of a flash the look may come a moment too soon.
    assert len(wrong) <= len(PATTERNS[state].seconds)


def test_a_new_state_begins_its_pattern_at_once(table: Table) -> None:
    table.panel.show(State.IDLE)
    table.pass_time(2)
    table.panel.show(State.CAMERA_MISSING)
    assert [is_lit for _, is_lit in table.pass_time(LOOK_EVERY_S)] == [True]


def test_pairing_is_shown_for_a_while(table: Table) -> None:
    table.panel.show(State.EMPTY)
    table.pass_time(1)
    table.panel.show_for(State.PAIRING, 120)
    assert not all(is_lit for _, is_lit in table.pass_time(119))
    table.pass_time(2)
    assert all(is_lit for _, is_lit in table.pass_time(10))


def test_presses_reach_their_acts(table: Table) -> None:
    table.pass_time(0.5)
    for held_s in (0.2, 3):
        table.button.drive_low()
        table.pass_time(held_s)
        table.button.drive_high()
        table.pass_time(0.5)
    assert table.presses == [Press.SHORT, Press.LONG]


def test_the_light_is_dark_at_rest_and_full_when_lit(table: Table) -> None:
    assert not table.light.state
    table.panel.set_light(True)
    assert table.light.state == 1
    table.panel.set_light(False)
    assert not table.light.state


def test_closed_it_is_dark_and_its_pins_are_free(factory: Any) -> None:
    table = Table(factory)
    table.panel.set_light(True)
    table.panel.show(State.EMPTY)
    table.pass_time(0.1)
    table.pins.close()
    table.pins.close()
    assert not table.light.state and not table.status.state
    Table(factory).pins.close()


def test_in_its_own_thread_it_takes_a_press(factory: Any) -> None:
    pins = Pins(SETTINGS, factory)
    pressed = threading.Event()
    with Panel(pins, {Press.LONG: pressed.set}, _quick_clock()):
        factory.pin(SETTINGS.button_pin).drive_low()
        assert pressed.wait(20)
    factory.pin(SETTINGS.button_pin).drive_high()


def _quick_clock() -> Any:
    """A second passes at each look."""
    seconds = iter(range(10**9))
    return lambda: float(next(seconds))


def test_an_act_that_fails_does_not_end_the_panel(factory: Any, caplog: pytest.LogCaptureFixture) -> None:
    again = threading.Event()
    calls = []

    def fail_once() -> None:
        calls.append(1)
        if len(calls) == 1:
            raise OSError("a loose wire")
        again.set()

    pins, pin = Pins(SETTINGS, factory), factory.pin(SETTINGS.button_pin)
    with Panel(pins, {Press.LONG: fail_once}, _quick_clock()):
        pin.drive_low()
        while not calls:
            again.wait(0.01)
        pin.drive_high()
        while "a loose wire" not in caplog.text:
            again.wait(0.01)
        again.wait(1.2)
        pin.drive_low()
        assert again.wait(20)


def test_a_light_that_is_not_ours_leaves_its_pin_alone(factory: Any) -> None:
    with_none = PanelSettings(light="none", light_pin=13)
    pins = Pins(with_none, factory)
    other = PanelSettings(button_pin=13, status_pin=5, light="none")
    Pins(other, factory).close()
    pins.set_light(True)
    pins.close()


@pytest.fixture
def chips(tmp_path: Path) -> Path:
    """The kernel's folder of pulse generators, with a channel that is exported already."""
    (tmp_path / "pwmchip0" / "pwm1").mkdir(parents=True)
    return tmp_path


def test_dimmed_light_runs_at_20_khz(chips: Path, factory: Any) -> None:
    settings = PanelSettings(light="pwm", light_percent=60)
    pins = Pins(settings, factory, HardwarePwm(settings.light_pin, chips))
    channel = chips / "pwmchip0" / "pwm1"
    assert (channel / "period").read_text() == f"{PERIOD_NS}\n"
    assert (channel / "enable").read_text() == "1\n"
    assert (channel / "duty_cycle").read_text() == "0\n"
    pins.set_light(True)
    assert (channel / "duty_cycle").read_text() == f"{PERIOD_NS * 60 // 100}\n"
    pins.close()
    assert (channel / "duty_cycle").read_text() == "0\n"


def test_a_missing_pulse_generator_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(PwmError, match="add dtoverlay=pwm"):
        HardwarePwm(13, tmp_path)


def test_without_a_pulse_generator_led_and_button_work_on(factory: Any) -> None:
    pins = Pins(PanelSettings(light="pwm"), factory)
    assert "add dtoverlay=pwm" in pins.light_fault
    pins.set_light(True)
    pins.set_status(True)
    assert factory.pin(SETTINGS.status_pin).state == 1
    pins.close()


def test_a_pin_in_use_is_no_panel(factory: Any) -> None:
    pins = Pins(SETTINGS, factory)
    with pytest.raises(NoPins, match="GPIO26"):
        Pins(SETTINGS, factory)
    pins.close()


def test_a_machine_without_gpio_has_no_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    with pytest.raises(NoPins, match="no GPIO"):
        Pins(SETTINGS)
