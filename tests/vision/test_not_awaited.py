"""Dice of kinds that are not awaited lie beside those that are: they are named, never read, and in nobody's way."""

from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from calibration.synthesis.scene import Picture, picture
from device.trained import trained_reader
from tests.vision.rig import Rig, profile_of_empty
from vision.dice import ACTION_DIE, CHANCE_CUBE, KINDS, NUMBER_DIE, PIP_DIE, RIG_DIE
from vision.reading import Reading


@lru_cache
def drawn_picture(seed: int, floor: str) -> Picture:
    return picture(np.random.default_rng(seed), floor, condition="clean")


def read_one_kind(seed: int, floor: str, kind: str) -> tuple[Reading, list[dict[str, Any]]]:
    """What is read of a drawn picture of all kinds of dice where one is awaited, and the labels of the others."""
    drawn = drawn_picture(seed, floor)
    others = [label for label in drawn.label["dice"] if label["kind"] != kind]
    return trained_reader().read(np.ascontiguousarray(drawn.pixels), {kind}), others


def on_it(places: list[tuple[float, float]], label: dict[str, Any]) -> list[int]:
    first, _, third, _ = np.array(label["top_quad_px"])[:4]
    reach = float(np.hypot(*(third - first))) / 2
    middle = label["top_centre_px"]
    return [i for i, place in enumerate(places) if np.hypot(*np.subtract(place, middle)) < reach]


@pytest.mark.parametrize(
    ("seed", "floor", "kind", "other"),
    [
        (0, "mat", NUMBER_DIE, RIG_DIE),  # "red -" was a 1
        (2, "mat", CHANCE_CUBE, PIP_DIE),  # a single pip on orange was a red cube
        (3, "wood", RIG_DIE, CHANCE_CUBE),  # blue was a blue sticker
        (0, "wood", CHANCE_CUBE, ACTION_DIE),
        (6, "wood", RIG_DIE, CHANCE_CUBE),
        (13, "wood", CHANCE_CUBE, ACTION_DIE),
    ],
)
def test_a_die_that_is_not_awaited_is_not_read_as_one_that_is(seed: int, floor: str, kind: str, other: str) -> None:
    reading, others = read_one_kind(seed, floor, kind)
    assert any(label["kind"] == other for label in others)
    places = [die.center_px for die in reading.dice]
    assert [label["kind"] for label in others if on_it(places, label)] == []


@pytest.mark.parametrize("seed", [2, 6, 8, 20])
@pytest.mark.parametrize("kind", [ACTION_DIE, CHANCE_CUBE, PIP_DIE, RIG_DIE])
def test_twelve_sided_dice_beside_awaited_cubes_stand_in_no_throws_way(seed: int, kind: str) -> None:
    reading, others = read_one_kind(seed, "mat", kind)
    number_dice = [label for label in others if label["kind"] == NUMBER_DIE and label["in_roll_area"] == "yes"]
    assert number_dice
    in_the_way = [thing.center_px for thing in reading.unread if thing.may_count]
    assert [label["face"] for label in number_dice if on_it(in_the_way, label)] == []


def test_in_ones_own_tray_cubes_beside_an_awaited_twelve_sided_die_stand_in_no_throws_way() -> None:
    rig = Rig("felt", 64_000, kelvin=3200)
    profile = profile_of_empty(rig)
    frame, dice = rig.tumble([0, 1], tuple(KINDS), "clean", 6)
    cubes = [label for label in dice if label["kind"] != NUMBER_DIE and label["readable"]]
    reading = trained_reader(profile).read(np.ascontiguousarray(frame), {NUMBER_DIE})
    assert len({label["kind"] for label in cubes}) == 4
    in_the_way = [thing.center_px for thing in reading.unread if thing.may_count]
    in_the_way += [die.center_px for die in reading.dice]
    assert [label["face"] for label in cubes if on_it(in_the_way, label)] == []
