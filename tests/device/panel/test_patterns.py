"""The LED's patterns: every state has one, and no two can be taken for one another."""

import itertools
import re
from pathlib import Path

import pytest

from device.panel.patterns import GAP_S, LONG_S, PATTERNS, PAUSE_S, SHORT_S, Pattern
from device.states import State

PAGE = Path(__file__).parents[3] / "docs" / "hardware.md"

ALIKE = 1.8
"""Times whose ratio is below this can be taken for one another; above 2 most people tell them apart at once."""


def are_confusable(one: Pattern, other: Pattern) -> bool:
    """Whether they have the same flashes, begun wherever, each about as long as the other's."""
    if len(one.seconds) != len(other.seconds):
        return False
    turns = [one.seconds[start:] + one.seconds[:start] for start in range(0, len(one.seconds), 2)]
    return any(all(_ratio(a, b) < ALIKE for a, b in zip(turn, other.seconds, strict=True)) for turn in turns)


def _ratio(one: float, other: float) -> float:
    return max(one, other) / min(one, other)


def test_every_state_has_a_pattern() -> None:
    assert set(PATTERNS) == set(State)


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(State, 2)))
def test_no_two_states_look_alike(one: State, other: State) -> None:
    assert not are_confusable(PATTERNS[one], PATTERNS[other])
    assert PATTERNS[one].words != PATTERNS[other].words


def test_short_and_long_gap_and_pause_are_far_apart() -> None:
    assert LONG_S / SHORT_S >= 4
    assert PAUSE_S / GAP_S >= 4


def test_no_pattern_is_dark_for_longer_than_four_seconds() -> None:
    for pattern in PATTERNS.values():
        assert max(pattern.seconds[1::2], default=0) <= 4


def test_nothing_flashes_as_quickly_as_can_harm() -> None:
    # Web content may flash three times a second at most (WCAG 2.3.1); reading lasts half a second.
    quick = [state for state, pattern in PATTERNS.items() if pattern.period_s < 1 / 3 and len(pattern.seconds) > 1]
    assert quick == [State.READING]


def test_the_page_shows_every_pattern() -> None:
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| ([^|]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert {state.value: pattern.words for state, pattern in PATTERNS.items()} == {
        name: words for name, words in rows.items() if name in set(State)
    }


def test_is_lit_follows_the_seconds() -> None:
    pattern = PATTERNS[State.ASKING]
    lit = [pattern.is_lit(hundredth / 100) for hundredth in range(round(pattern.period_s * 100))]
    runs = [(value, len(list(run)) / 100) for value, run in itertools.groupby(lit)]
    assert runs == [(True, SHORT_S), (False, GAP_S), (True, SHORT_S), (False, PAUSE_S)]
