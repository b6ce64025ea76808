"""Dice that may be seen aslant, of which both detectors must see the same: off the mat."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.detector_model import any_floor, aslant_networks
from calibration.synthesis.scene import picture
from tests.benchmarks.others import count_wrong
from tests.vision.soft_dice import soft_four
from vision.aslant import AslantNetworks
from vision.dice import KINDS, PIP_DIE

LEANS_DEG = (20, 25, 30, 35, 40, 45, 50)


@cache
def faces_read(wide_px: float) -> list[str]:
    """Of dice that show four pips upwards, with soft edges, below cameras that lean ever farther."""
    frames = [soft_four(wide_px, lean, side) for lean in LEANS_DEG for side in (4, 6)]
    return [die.face for frame in frames for die in any_floor().read(frame, {PIP_DIE})[0]]


@pytest.mark.parametrize("wide_px", [45, 50, 60])
def test_a_four_is_no_six_with_two_pips_of_the_side_below_it(wide_px: float) -> None:
    assert set(faces_read(wide_px)) == {"4"}
    assert len(faces_read(wide_px)) >= 5


def test_a_drawn_die_is_no_six_with_pips_of_its_side() -> None:
    drawn = picture(np.random.default_rng([71003, 29]), "carpet", (PIP_DIE,), most_dice=6, aslant_deg=(20.0, 60.0))
    dice, unread = any_floor().read(np.ascontiguousarray(drawn.pixels), {PIP_DIE})
    assert "unsure" in {each.reason for each in unread}
    assert not count_wrong(dice, drawn.label["dice"])


def test_dice_that_surely_stand_are_not_looked_at_again() -> None:
    asked = []

    def networks() -> AslantNetworks:
        asked.append(True)
        return aslant_networks()

    reader = replace(any_floor(), aslant=networks)
    drawn = [picture(np.random.default_rng([71004, number]), "felt", tuple(KINDS), "clean") for number in range(6)]
    read = [reader.read(np.ascontiguousarray(one.pixels))[0] for one in drawn]
    assert sum(map(len, read)) >= 12
    assert len(asked) < len(drawn)
