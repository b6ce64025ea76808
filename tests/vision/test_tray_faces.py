"""What may be said of a die in a tray of one's own that is known by one empty picture alone.

The trays are drawn, with seeds of which a die was once left or misread.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from calibration.detector_model import any_floor
from calibration.steps import Known, look_at_tray
from device.scoring import judge_dice
from device.trained import trained_reader
from tests.benchmarks.accuracy import as_labelled
from tests.vision.rig import Rig, is_at
from vision.dice import ACTION_DIE, CHANCE_CUBE, KINDS, NUMBER_DIE, PIP_DIE, RIG_DIE
from vision.reading import Pixels, ReadDie

Label = dict[str, Any]


def read_beside_labels(
    empty: Pixels, throw: tuple[Pixels, list[Label]], kinds: Sequence[str]
) -> list[tuple[Label, ReadDie | None]]:
    """The labels of a throw, each with the die that is read in its place by a reader that knows the empty tray."""
    frame, labels = throw
    profile = look_at_tray([empty], Known(any_floor=any_floor()), is_lit_well=True).known.profile
    dice = trained_reader(profile).read(np.ascontiguousarray(frame), set(kinds)).dice
    return [(label, next((die for die in dice if is_at(die, label)), None)) for label in labels]


def shows(die: ReadDie, label: Label) -> bool:
    return (die.kind, die.face) == (label["kind"], label["face"])


@pytest.mark.parametrize(("floor", "seed", "kelvin"), [("felt", 61_015, 5567.0), ("cloth", 61_017, 5911.2)])
def test_a_green_sticker_that_some_networks_take_for_a_black_one_is_read(
    floor: str, seed: int, kelvin: float
) -> None:
    rig = Rig(floor, seed, kelvin)
    read = read_beside_labels(rig.empty(), rig.throw(10 * seed + 1, RIG_DIE, 4), [RIG_DIE])
    green = [(label, die) for label, die in read if label["face"].startswith("green")]
    assert green
    assert all(die is not None and shows(die, label) for label, die in green)


@pytest.mark.parametrize(("floor", "seed", "kelvin"), [("wood", 61_022, 2911.5), ("wood", 62_022, 4697.0)])
def test_a_white_sticker_that_no_lamp_has_burnt_out_is_read(floor: str, seed: int, kelvin: float) -> None:
    rig = Rig(floor, seed, kelvin)
    read = read_beside_labels(rig.empty(), rig.throw(10 * seed + 3, ACTION_DIE, 4), [ACTION_DIE])
    white = [(label, die) for label, die in read if label["face"] == "white" and label["readable"]]
    assert white
    assert all(die is not None and shows(die, label) for label, die in white)


@pytest.mark.parametrize(("floor", "seed", "kelvin"), [("wood", 61_025, 5605.0), ("felt", 62_018, 2914.2)])
def test_a_red_cube_is_not_taken_for_a_sticker_where_both_may_lie(floor: str, seed: int, kelvin: float) -> None:
    rig = Rig(floor, seed, kelvin)
    read = read_beside_labels(rig.empty(), rig.tumble([seed, 5, 77], list(KINDS), "clean", 7), list(KINDS))
    assert any((label["kind"], label["face"]) == (CHANCE_CUBE, "red") for label, _ in read)
    assert all(shows(die, label) for label, die in read if die is not None)


def test_a_red_sticker_that_a_lamp_has_burnt_out_is_not_taken_for_a_white_one() -> None:
    rig = Rig("wood", 62_022, 4697.0)
    read = read_beside_labels(rig.empty(), rig.tumble([62_022, 5, 77], list(KINDS), "clean", 7), list(KINDS))
    assert any(label["clipped_fraction"] > 0.5 and label["face"] == "red" for label, _ in read)
    assert all(shows(die, label) for label, die in read if die is not None)


def test_a_standing_cube_whose_solid_was_fitted_a_little_off_is_not_taken_to_lean() -> None:
    seed = 62_008
    rig = Rig("cloth", seed, kelvin=float(np.random.default_rng(seed).uniform(2900, 6500)))
    read = read_beside_labels(rig.empty(), rig.throw(10 * seed, CHANCE_CUBE, 4), [CHANCE_CUBE])
    assert all(die is not None and shows(die, label) for label, die in read)


def test_a_die_of_the_floors_own_colour_is_seen_where_hardly_more_than_its_pips_has_changed() -> None:
    seed = 62_015
    rig = Rig("felt", seed, kelvin=float(np.random.default_rng(seed).uniform(2900, 6500)))
    read = read_beside_labels(rig.empty(), rig.tumble([seed, 5, 77], list(KINDS), "clean", 7), list(KINDS))
    brown = [die for label, die in read if label["body"] == "brown" and label["face"] == "6"]
    assert [(die.kind, die.face) for die in brown if die is not None] == [(PIP_DIE, "6")]


@pytest.mark.parametrize(("floor", "seed", "kelvin"), [("felt", 61_006, 3348.1), ("cloth", 62_011, 3755.7)])
def test_a_leaning_twelve_sided_die_that_no_solid_fits_is_not_read(floor: str, seed: int, kelvin: float) -> None:
    rig = Rig(floor, seed, kelvin)
    read = read_beside_labels(rig.empty(), rig.tumble([seed, 8, 77], list(KINDS), "cocked", 6), list(KINDS))
    leaning = [die for label, die in read if label["state"] == "cocked"]
    assert leaning
    assert leaning == [None] * len(leaning)


def test_a_red_face_that_may_be_a_stickers_is_read_where_cubes_alone_are_awaited() -> None:
    rig = Rig("cloth", 64_205, 4750.0)
    read = read_beside_labels(rig.empty(), rig.throw(66_050, CHANCE_CUBE, 4), [CHANCE_CUBE])
    red = [(label, die) for label, die in read if label["face"] == "red" and label["readable"]]
    assert red
    assert all(die is not None and shows(die, label) for label, die in red)


@pytest.mark.parametrize(("floor", "seed", "kelvin"), [("felt", 33, 2500.0), ("wood", 32, 8000.0)])
def test_lamps_that_have_changed_their_color_since_make_no_sticker_another(
    floor: str, seed: int, kelvin: float
) -> None:
    rig = Rig(floor, seed, 4500.0)
    profile = look_at_tray([rig.empty()], Known(any_floor=any_floor()), is_lit_well=True).known.profile
    frame, labels = rig.changed(kelvin=kelvin).throw(100 * seed + 1, RIG_DIE, 5)
    dice = trained_reader(profile).read(np.ascontiguousarray(frame), {RIG_DIE}).dice
    judged = judge_dice([as_labelled(label) for label in labels], dice)
    assert sum(each.is_right for each in judged) >= 2
    assert all(each.is_right for each in judged if each.die is not None)


def test_a_number_that_is_small_on_its_face_is_looked_at_closely() -> None:
    rig = Rig("felt", 71_004, kelvin=4400.0)
    read = read_beside_labels(rig.empty(), rig.throw(710_044, NUMBER_DIE, 4), [NUMBER_DIE])
    small = [(label, die) for label, die in read if label["face"] == "11"]
    assert small
    assert all(die is not None and shows(die, label) for label, die in small)
