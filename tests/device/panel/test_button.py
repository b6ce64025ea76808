"""The button: presses told from samples of its pin."""

from collections.abc import Iterable

import pytest

from device.panel.button import LOOK_EVERY_S, Button, Press, is_held_at_start


def presses(timeline: Iterable[tuple[bool, float]]) -> list[Press]:
    """The presses in a timeline of (is down, for so many seconds), sampled as the panel does."""
    button, now, told = Button(), 0.0, []
    for is_down, seconds in timeline:
        for _ in range(round(seconds / LOOK_EVERY_S)):
            now += LOOK_EVERY_S
            told.append(button.see(is_down, now))
    return [press for press in told if press is not None]


@pytest.mark.parametrize("held_s", [0.1, 0.5, 1.5])
def test_a_press_is_short_until_it_is_long(held_s: float) -> None:
    assert presses([(False, 1), (True, held_s), (False, 1)]) == [Press.SHORT]


def test_a_long_press_is_answered_while_it_is_held_and_once() -> None:
    assert presses([(False, 1), (True, 2.5)]) == [Press.LONG]
    assert presses([(False, 1), (True, 30), (False, 1)]) == [Press.LONG]


def test_presses_after_one_another_are_all_told() -> None:
    timeline = [(False, 1), (True, 0.2), (False, 0.2), (True, 0.2), (False, 0.2), (True, 3), (False, 0.5)]
    assert presses(timeline) == [Press.SHORT, Press.SHORT, Press.LONG]


def test_bouncing_contacts_are_one_press() -> None:
    bounce = [(True, LOOK_EVERY_S), (False, LOOK_EVERY_S)] * 2
    assert presses([(False, 1), *bounce, (True, 0.3), *bounce[::-1], (False, 1)]) == [Press.SHORT]
    assert presses([(False, 1), *bounce, (False, 1)]) == []


def test_a_button_that_is_down_at_first_is_a_press_of_now() -> None:
    assert presses([(True, 0.5), (False, 1)]) == [Press.SHORT]


class Held:
    """A button that is let go after ``held_s`` seconds; its own time passes by waiting."""

    def __init__(self, held_s: float) -> None:
        self.held_s = held_s
        self.now = 0.0

    def is_pressed(self) -> bool:
        return self.now < self.held_s

    def wait(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.parametrize(("held_s", "is_safe"), [(0, False), (3, False), (9.8, False), (10.2, True), (60, True)])
def test_held_ten_seconds_at_power_up(held_s: float, is_safe: bool) -> None:
    held = Held(held_s)
    assert is_held_at_start(held.is_pressed, held.wait) is is_safe
    assert held.now == pytest.approx(min(held_s, 10), abs=2 * LOOK_EVERY_S)
