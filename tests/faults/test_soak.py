"""The short form of the soak (``python -m tests.benchmarks soak`` is the long one)."""

import pytest

from tests.benchmarks.soak import soak

FRAMES = 2_000


@pytest.mark.faults
def test_the_device_does_not_grow() -> None:
    soaked = soak(FRAMES)
    assert soaked.frames >= FRAMES
    assert soaked.readings >= 10
    assert not soaked.has_grown, soaked
