"""What is fitted to drawn dice, and how it lies by their labels, is what the networks of situations learn from."""

import numpy as np
import pytest

from calibration.model import trained_faces
from calibration.synthesis.scene import picture
from calibration.training.fitted import number_dice_beside, situations_on_mat
from calibration.training.stills import Still
from vision.dice import CHANCE_CUBE, NUMBER_DIE, PIP_DIE
from vision.judge import SITUATIONS


def drawn_still(seed: int, kinds: tuple[str, ...]) -> Still:
    drawn = picture(np.random.default_rng(seed), kinds=kinds, condition="clean", most_dice=5)
    return Still(np.ascontiguousarray(drawn.pixels), drawn.label, on_mat=True, held_back=False)


@pytest.mark.parametrize("seed", [1, 2])
def test_dice_that_stand_are_fitted_as_standing(seed: int) -> None:
    still = drawn_still(seed, (CHANCE_CUBE, NUMBER_DIE))
    situations = [SITUATIONS[one.situation] for one in situations_on_mat(trained_faces(), still)]
    assert situations.count("standing") >= 4
    assert not {"cocked", "stacked", "occluded"} & set(situations)


def test_twelve_sided_dice_where_cubes_are_sought_are_no_dice() -> None:
    still = next(
        s for s in (drawn_still(seed, (CHANCE_CUBE, NUMBER_DIE)) for seed in range(9)) if len(kinds_in(s)) == 2
    )
    found = list(number_dice_beside(trained_faces(), still, CHANCE_CUBE))
    assert {SITUATIONS[one.situation] for one in found} == {"not-a-die"}
    places = [die["top_centre_px"] for die in still.label["dice"] if die["kind"] == NUMBER_DIE]
    for one in found:
        assert min(np.hypot(*np.subtract(place, one.candidate.center_px)) for place in places) < 30


def test_nothing_is_learned_of_twelve_sided_dice_where_the_kind_that_is_sought_does_not_lie() -> None:
    assert list(number_dice_beside(trained_faces(), drawn_still(1, (NUMBER_DIE,)), PIP_DIE)) == []


def kinds_in(still: Still) -> set[str]:
    return {str(die["kind"]) for die in still.label["dice"]}
