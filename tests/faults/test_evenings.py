"""The short form of 24 hours of play (``python -m tests.benchmarks evenings`` is the long one)."""

import pytest

from tests.benchmarks.evenings import GUESTS, QUARTERS, SHORT_EVERY_S, live


@pytest.mark.faults
def test_the_host_does_not_grow_in_a_day() -> None:
    lived = live(SHORT_EVERY_S)
    assert len(lived.quarters) == QUARTERS
    assert lived.tables >= QUARTERS and lived.came > GUESTS
    assert not lived.has_grown, lived
