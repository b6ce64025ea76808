"""On the mat, where a die's base is seen tells whether it stands, beside all other signs."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.synthesis.scene import picture
from device.trained import trained_reader
from tests.vision.rig import is_at
from vision.dice import KINDS
from vision.lean_on_mat import with_base
from vision.reading import ReadDie

CHANCES = st.lists(st.floats(0.001, 1.0), min_size=5, max_size=5).map(lambda each: np.array(each) / sum(each))


def drawn_on_mat(seed: int, number: int) -> tuple[list[dict[str, Any]], tuple[ReadDie, ...]]:
    """A picture of ``python -m calibration.synthesis --mixed --condition cocked``: its labels, and what is read."""
    drawn = picture(np.random.default_rng([seed, number]), "mat", tuple(KINDS), "cocked")
    labels = drawn.label["dice"]
    kinds = {str(label["kind"]) for label in labels}
    return labels, trained_reader().read(np.ascontiguousarray(drawn.pixels), kinds).dice


@pytest.mark.parametrize("number", [27, 48, 96, 129, 174, 327])
def test_a_die_that_leans_a_little_is_seen_to_have_its_base_elsewhere(number: int) -> None:
    labels, dice = drawn_on_mat(34203, number)
    leaning = [label for label in labels if label["state"] == "cocked"]
    standing = [label for label in labels if label["state"] == "flat" and label["in_roll_area"] == "yes"]
    assert leaning
    assert not [die for die in dice if any(is_at(die, one) for one in leaning)]
    assert len(dice) >= len(standing) - 1


@given(chances=CHANCES, odds=st.floats(-12.6, 5.4))
def test_a_base_makes_a_die_more_or_less_likely_to_stand_and_leaves_the_rest_as_it_is(
    chances: np.ndarray[Any, Any], odds: float
) -> None:
    said = with_base(chances, odds)
    assert said.sum() == pytest.approx(1.0)
    assert (said[0] - chances[0]) * odds >= -1e-9
    others = chances[1:] / chances[1:].sum()
    assert said[1:] == pytest.approx(others * (1 - said[0]), abs=1e-9)
