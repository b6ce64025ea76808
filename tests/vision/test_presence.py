"""Dice are told from everything else that may lie, or hang, in a picture."""

import numpy as np
import pytest

from calibration.detector_model import any_floor
from calibration.model import face_network
from calibration.synthesis.scene import picture
from device.trained import trained_reader
from tests.vision.scribbles import scribbled
from vision.dice import KINDS
from vision.presence import PresenceNetwork

ONCE_READ = (9, 65, 132)
"""In each of these a shape was read as a die, by networks that knew nothing but dice."""


@pytest.mark.parametrize("seed", ONCE_READ)
def test_shapes_and_letters_are_no_dice(seed: int) -> None:
    assert trained_reader().read(scribbled(seed)).dice == ()


@pytest.mark.parametrize("floor", ["felt", "wood", "print", "carpet"])
def test_dice_that_lie_on_a_floor_are_there(floor: str) -> None:
    presence = any_floor().presence
    assert presence is not None
    drawn = picture(np.random.default_rng([5, 5]), floor, tuple(KINDS), "clean")
    faces = [die["top_quad_px"] for die in drawn.label["dice"] if die["readable"]]
    seen = [presence.chance_anywhere(np.ascontiguousarray(drawn.pixels), face) for face in faces]
    assert len(seen) > 2 and min(seen) > 0.5


def test_where_nothing_lies_there_is_no_die() -> None:
    presence = any_floor().presence
    assert presence is not None
    drawn = picture(np.random.default_rng([5, 6]), "wood", tuple(KINDS), "clean")
    corner = [(4.0, 4.0), (54.0, 4.0), (54.0, 54.0), (4.0, 54.0)]
    assert presence.chance_anywhere(np.ascontiguousarray(drawn.pixels), corner) < 0.1


@pytest.mark.parametrize("onnx", [b"no network", face_network()])
def test_another_file_is_refused(onnx: bytes) -> None:
    with pytest.raises(ValueError, match="network"):
        PresenceNetwork(onnx)
