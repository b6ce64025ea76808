"""Dice beside a keyboard, off the mat: keys are no dice, and say nothing of how dice lie or how large they are."""

from collections import Counter

import numpy as np
import pytest

from calibration.detector_model import any_floor
from calibration.synthesis.scene import picture
from tests.benchmarks.others import count_right, count_wrong
from tests.vision.keyboards import with_keyboard
from vision.any_floor import AnyFloor
from vision.dice import KINDS

SEED = 411_007
FLOORS = ("felt", "wood", "cloth", "paper")
PICTURES = 20


def counted(reader: AnyFloor, least_deg: float, most_deg: float) -> Counter[str]:
    """How many dice beside keyboards are read rightly, below cameras that lean so far, and what else is read."""
    count: Counter[str] = Counter()
    kinds = tuple(KINDS)
    for number in range(PICTURES):
        rng = np.random.default_rng([SEED, number])
        own = (kinds[number % len(kinds)],)
        drawn = picture(rng, FLOORS[number % len(FLOORS)], own, "clean", aslant_deg=(least_deg, most_deg))
        pixels, labels = with_keyboard(drawn, number)
        dice, _ = reader.read(pixels, own)
        count["dice"] += len(labels)
        count["right"] += count_right(dice, labels)
        count["wrong"] += count_wrong(dice, drawn.label["dice"])
    return count


@pytest.mark.parametrize(("lean_deg", "right", "wrong"), [((0, 15), 0.85, 1), ((20, 35), 0.75, 0)])
def test_dice_beside_a_keyboard_are_read_and_keys_are_not(
    lean_deg: tuple[float, float], right: float, wrong: int
) -> None:
    count = counted(any_floor(), *lean_deg)
    assert count["wrong"] <= wrong  # a key with a full stop is just like a 1
    assert count["right"] >= right * count["dice"]
