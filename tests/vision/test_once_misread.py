"""Drawn dice that were once read wrongly, each picture drawn anew from its seeds: now read rightly, or left."""

import numpy as np
import pytest

from calibration.synthesis.scene import picture
from device.scoring import judge_dice
from device.trained import trained_reader
from tests.benchmarks.accuracy import as_labelled


@pytest.mark.parametrize(
    ("seeds", "floor", "condition"),
    [
        pytest.param((95501, 5), "mat", "clean", id="a green sticker, turned on its face, as a black one"),
        pytest.param((95501, 16), "mat", "clean", id="a green sticker under a wide lamp as a white one"),
        pytest.param((95502, 134), "mat", "clean", id="a red sticker under a wide lamp as a white one"),
        pytest.param((95502, 1027), "mat", "clean", id="a burnt red cube as a white sticker"),
        pytest.param((95502, 38), "mat", "clean", id="one green pip on blue as a blue cube"),
        pytest.param((95502, 311), "mat", "dim", id="one green pip on blue as a blue cube, in dim light"),
        pytest.param((95502, 100), "mat", "clean", id="an ivory die as a yellow one"),
        pytest.param((95502, 562), "mat", "clean", id="an ivory die with rings for pips as a yellow one"),
        pytest.param((95502, 1019), "mat", "clutter", id="a plus of which one bar is faint as a minus"),
        pytest.param((95504, 14), "mat", "clean", id="a blue sticker as large as its face as a blue cube"),
        pytest.param((95503, 155), "felt", "clutter", id="a faint 2 as a 7"),
        pytest.param((95503, 386), "print", "clean", id="a grey die as a yellow one"),
        pytest.param((95503, 667), "print", "clutter", id="a blue eraser as a blue cube"),
    ],
)
def test_what_was_read_wrongly_is_so_no_more(seeds: tuple[int, int], floor: str, condition: str) -> None:
    drawn = picture(np.random.default_rng(seeds), floor, condition=condition)
    labels = [as_labelled(die) for die in drawn.label["dice"]]
    read = trained_reader().read(np.ascontiguousarray(drawn.pixels), {str(label["kind"]) for label in labels})
    judged = [each for each in judge_dice(labels, read.dice) if each.die is not None]
    assert judged and all(each.is_right for each in judged)
