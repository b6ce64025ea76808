"""The short form of the evenings in the midst of faults (``python -m tests.faults`` is the long one)."""

import os
import secrets

import pytest

from host.games.registry import games
from tests.faults.__main__ import SHORT_ACTIONS, SHORT_FAULTS, run
from tests.faults.evening import evening


@pytest.mark.faults
def test_an_evening_of_faults_ends_as_an_undisturbed_one() -> None:
    seed = int(os.environ.get("CROUPIER_SEED") or secrets.randbits(32))
    print(f"CROUPIER_SEED={seed}")
    figures, is_well = run(seed, SHORT_FAULTS, SHORT_ACTIONS)
    assert is_well, figures
    assert figures["faults"] >= SHORT_FAULTS
    assert figures["throws read by the device"] > 0 and figures["messages acknowledged"] > 0


def test_an_evening_follows_from_its_seed() -> None:
    first = evening(7, 12)
    assert first == evening(7, 12) != evening(8, 12)
    assert {sitting.game for sitting in first} == {game.id for game in games()}
