"""Pip dice of which a ball has cut off the corners: they touch the mat with less than other dice, and yet stand."""

import numpy as np
import pytest

from calibration.synthesis.dice import any_round_die
from calibration.synthesis.scene import picture
from device.scoring import judge_dice
from device.trained import trained_reader
from tests.benchmarks.accuracy import as_labelled
from vision.dice import PIP_DIE


# Before networks had seen such dice, one or two of each picture were left.
@pytest.mark.parametrize("number", [0, 6, 36])
def test_round_dice_that_stand_are_read(number: int) -> None:
    rng = np.random.default_rng((74900, number))
    drawn = picture(rng, "mat", (PIP_DIE,), "clean", make=any_round_die)
    labels = [as_labelled(die) for die in drawn.label["dice"]]
    read = trained_reader().read(np.ascontiguousarray(drawn.pixels), {PIP_DIE})
    judged = judge_dice(labels, read.dice)
    assert judged and all(each.is_right for each in judged)
