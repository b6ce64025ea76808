"""Dice that may be seen aslant, of which both detectors must see the same: off the mat."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.detector_model import any_floor, aslant_networks
from calibration.synthesis.scene import Picture, picture
from tests.benchmarks.others import count_wrong
from tests.vision.soft_dice import IVORY, RED, Colors, sharp_three, soft_four
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


@pytest.mark.parametrize("colors", [RED, IVORY], ids=["red", "ivory"])
def test_of_a_lone_die_below_a_camera_that_leans_far_no_side_is_read(colors: Colors) -> None:
    frames = [sharp_three(wide, 50, side, colors) for wide in (50, 65, 80, 110) for side in (1, 6)]
    assert {die.face for frame in frames for die in any_floor().read(frame, {PIP_DIE})[0]} <= {"3"}


def test_a_drawn_die_is_no_six_with_pips_of_its_side() -> None:
    drawn = picture(np.random.default_rng([71003, 29]), "carpet", (PIP_DIE,), most_dice=6, aslant_deg=(20.0, 60.0))
    dice, unread = any_floor().read(np.ascontiguousarray(drawn.pixels), {PIP_DIE})
    assert "unsure" in {each.reason for each in unread}
    assert not count_wrong(dice, drawn.label["dice"])


@pytest.mark.parametrize("number", [5, 27, 39, 43])
def test_several_dice_that_stand_show_together_that_the_camera_hangs_above(number: int) -> None:
    drawn = picture(np.random.default_rng([71006, number]), "felt", (PIP_DIE,), "clean")
    read, asked = read_and_asked([drawn], {PIP_DIE})
    assert read == len(drawn.label["dice"]) >= 7
    assert not asked


def test_dice_that_surely_stand_are_not_looked_at_again() -> None:
    drawn = [picture(np.random.default_rng([71004, number]), "felt", tuple(KINDS), "clean") for number in range(6)]
    read, asked = read_and_asked(drawn)
    assert read >= 12
    assert asked < len(drawn)


def read_and_asked(drawn: Sequence[Picture], kinds: Collection[str] | None = None) -> tuple[int, int]:
    """How many dice are read, and how often the networks for pictures taken aslant are asked for."""
    asked = []

    def networks() -> AslantNetworks:
        asked.append(True)
        return aslant_networks()

    reader = replace(any_floor(), aslant=networks)
    return sum(len(reader.read(np.ascontiguousarray(one.pixels), kinds)[0]) for one in drawn), len(asked)
