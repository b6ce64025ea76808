"""Dice that lean are left unread on the mat; the same dice standing are read."""

import numpy as np
import pytest

from calibration.model_files import onnx_file
from calibration.synthesis.dice import any_die
from calibration.synthesis.scene import picture
from device.trained import trained_reader
from tests.vision.rig import Rig
from vision.dice import ACTION_DIE, CHANCE_CUBE, PIP_DIE, RIG_DIE
from vision.judge import SITUATIONS
from vision.lean_network import CHANNELS, CROP_PX, CropNetwork, LeanNetwork, lean_crop, usual_base

LEANING_DEG = 24.0


@pytest.mark.parametrize("kind", [CHANCE_CUBE, PIP_DIE, RIG_DIE, ACTION_DIE])
def test_leaning_dice_are_left_and_standing_ones_read(kind: str) -> None:
    rig, design = Rig("mat", 4), any_die(np.random.default_rng(3), kind, 16.0)
    standing = trained_reader().read(rig.lean(1, design, 0.0), {kind})
    leaning = trained_reader().read(rig.lean(1, design, LEANING_DEG), {kind})
    assert len(standing.dice) >= 5
    assert [(die.face, die.center_px) for die in leaning.dice] == []
    assert sum(thing.reason == "cocked" for thing in leaning.unread) >= 4  # of six, named for what they are


@pytest.mark.parametrize(("kind", "seed"), [(RIG_DIE, 48), (ACTION_DIE, 97), (CHANCE_CUBE, 119)])
def test_the_hard_shadow_of_a_die_that_was_read_is_no_die(kind: str, seed: int) -> None:
    drawn = picture(np.random.default_rng(seed), kinds=(kind,), condition="shadow", most_dice=5)
    reading = trained_reader().read(np.ascontiguousarray(drawn.pixels), {kind})
    assert len(reading.dice) == len(drawn.label["dice"])
    assert {thing.reason for thing in reading.unread} <= {"not-a-die"}


def test_a_crop_is_of_one_size_however_large_the_die_is() -> None:
    frame = np.full((480, 640, 3), 90, np.uint8)
    for half in (6, 20, 90):
        outline = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half + np.array([320.0, 200.0])
        crop = lean_crop(frame, outline, usual_base(outline, frame.shape))
        assert crop.shape == (CROP_PX, CROP_PX, CHANNELS)
        assert (crop >= 0).all() and (crop <= 1).all()
        assert 0.1 < (crop[..., -1] == 1).mean() < 0.25


@pytest.mark.parametrize("content", [b"", b"not a network"])
def test_a_file_that_is_no_network_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="ONNX"):
        LeanNetwork(content)


def test_a_network_with_other_answers_is_refused() -> None:
    sight = onnx_file("sight")
    assert CropNetwork(sight, len(SITUATIONS)).scores([]).shape == (0, len(SITUATIONS))
    with pytest.raises(ValueError, match="outputs"):
        LeanNetwork(sight)
