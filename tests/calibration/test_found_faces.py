"""What faces that a detector found are to the network that tells dice from other things."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.detector_model import detector_network
from calibration.synthesis.__main__ import main as synthesis
from calibration.training.found_faces import shows_a_die, with_dice, without_dice
from tests.vision.scribbles import scribbled
from vision.detector import Detector, Found
from vision.lean_network import CHANNELS, CROP_PX

DIE = ((np.array([100.0, 100.0]), 20.0), True)
OTHER = ((np.array([300.0, 100.0]), 20.0), False)


def face_at(x: float, y: float) -> Found:
    corners = ((x - 10, y - 10), (x + 10, y - 10), (x + 10, y + 10), (x - 10, y + 10))
    return Found("cube", 0.9, (x, y), 14.1, corners)


@pytest.mark.parametrize(
    ("at", "answer"),
    [((104.0, 97.0), True), ((120.0, 100.0), None), ((302.0, 100.0), None), ((200.0, 200.0), False)],
    ids=["on a die", "on its side", "on another game's", "on nothing"],
)
def test_a_face_is_a_dies_or_a_things_or_cannot_be_told(at: tuple[float, float], answer: bool | None) -> None:
    assert shows_a_die(face_at(*at), [DIE, OTHER]) is answer


def test_crops_of_drawn_dice_and_of_things(tmp_path: Path) -> None:
    detector, rng = Detector(detector_network()), np.random.default_rng(1)
    dice, things = tmp_path / "dice", tmp_path / "things"
    asked = [str(dice), "--count", "3", "--seed", "12", "--floor", "felt", "--mixed", "--condition", "clean"]
    synthesis(asked, standalone_mode=False)
    seen = list(with_dice(dice, detector, rng, 2))
    assert sum(is_die for _, is_die in seen) >= 6
    assert all(crop.shape == (CROP_PX, CROP_PX, CHANNELS) for crop, _ in seen)
    (things / "deeper").mkdir(parents=True)
    for seed in range(6):
        cv2.imwrite(str(things / "deeper" / f"{seed}.png"), scribbled(seed))
    (things / "notes.jpg").write_text("no picture")
    found = [is_die for _, is_die in without_dice(things, detector, rng, 1)]
    assert found and not any(found)
