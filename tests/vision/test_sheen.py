"""Stickers in which a lamp is mirrored: read by the colour that is left, and never made coloured by a lamp."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.synthesis.lights import kelvin_color
from calibration.synthesis.scene import picture
from device.scoring import judge_dice
from device.trained import trained_reader
from tests.benchmarks.accuracy import as_labelled
from tests.vision.rig import Rig, profile_of_empty
from vision.dice import ACTION_DIE
from vision.reading import Pixels
from vision.sheen import colour_beneath

FACE = [(8.0, 8.0), (40.0, 8.0), (40.0, 40.0), (8.0, 40.0)]
STICKERS = {"green": (0.1, 0.45, 0.06), "red": (0.04, 0.05, 0.6)}  # linear BGR, as the lightest that are sold


class Lit(NamedTuple):
    """A lamp mirrored in a face, and the camera that sees it."""

    sheen: float  # at its most, linear
    kelvin: float  # of the lamp
    balance: float  # kelvin that the camera takes for white
    level: float


LIT = st.builds(
    Lit,
    sheen=st.floats(0.0, 2.0),
    kelvin=st.floats(2600, 7500),
    balance=st.floats(3000, 6500),
    level=st.floats(0.1, 1.2),
)


def photographed(albedo: tuple[float, ...], lit: Lit) -> Pixels:
    """A face of one colour, ever more sheen across it, seen by a camera that is balanced otherwise."""
    lamp = np.asarray(kelvin_color(lit.kelvin)) / np.asarray(kelvin_color(lit.balance))
    across = np.linspace(0.3, 1.0, 48)[None, :, None] * lit.sheen
    linear = np.broadcast_to((np.array(albedo) + across) * lamp / lamp.max() * lit.level, (48, 48, 3)).clip(0, 1)
    return np.asarray(
        np.round(255 * np.where(linear < 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)), np.uint8
    )


@given(albedo=st.floats(0.5, 0.95), lit=LIT)
def test_no_lamp_makes_a_white_sticker_green_or_red(albedo: float, lit: Lit) -> None:
    assert colour_beneath(photographed((albedo,) * 3, lit), FACE) is None


@given(colour=st.sampled_from(sorted(STICKERS)), lit=LIT)
def test_a_coloured_one_has_its_own_colour_or_none(colour: str, lit: Lit) -> None:
    seen = colour_beneath(photographed(STICKERS[colour], lit), FACE)
    assert seen in (colour, None)
    if lit.sheen < 0.3 and lit.level < 0.9 and abs(lit.kelvin - lit.balance) < 500:
        assert seen == colour


class Glared(NamedTuple):
    """A throw of action dice in a drawn tray, one or more of them glared."""

    floor: str
    rig: int
    kelvin: float
    throw: int


GLARED = (
    Glared("felt", 64006, 5100.0, 64063),
    Glared("wood", 64109, 6150.0, 65093),
    Glared("cloth", 64203, 4050.0, 66033),
)


@pytest.mark.parametrize("glared", GLARED, ids=lambda glared: glared.floor)
def test_glared_stickers_in_a_tray_of_ones_own_are_read(glared: Glared) -> None:
    rig = Rig(glared.floor, glared.rig, glared.kelvin)
    frame, dice = rig.throw(glared.throw, "action-die", 4)
    profile = profile_of_empty(rig)
    reading = trained_reader(profile).read(np.ascontiguousarray(frame), {"action-die"})
    judged = judge_dice([as_labelled(die) for die in dice], reading.dice)
    assert len(reading.dice) == len(dice) and all(each.is_right for each in judged)


@pytest.mark.parametrize("number", [161, 325, 769])
def test_a_white_sticker_on_black_is_read_though_a_lamp_burns_it_out(number: int) -> None:
    scene = picture(np.random.default_rng((69004, number)), kinds=(ACTION_DIE,), condition="clean")
    labels = [as_labelled(die) for die in scene.label["dice"]]
    read = trained_reader().read(np.ascontiguousarray(scene.pixels), {ACTION_DIE})
    judged = [one for one in judge_dice(labels, read.dice) if one.label is not None]
    white = [one for one in judged if (one.label["body"], one.label["face"]) == ("black", "white")]
    assert white and all(one.is_right for one in white)
