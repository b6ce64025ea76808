"""Dice of which a hand or a pen leaves little to be seen are found by that."""

import math

import numpy as np
import pytest

from calibration.model import trained_covered
from calibration.synthesis import clutter
from calibration.synthesis.scene import Picture, picture
from calibration.synthesis.things import Die, Thing
from device.trained import trained_reader
from vision.covered_network import ANSWERS, CHANNELS, CoveredNetwork, die_cells_near, middles_of
from vision.reading import Unread


def reader_of(drawn: Picture) -> tuple[Unread, ...]:
    kinds = {str(die["kind"]) for die in drawn.label["dice"]}
    return trained_reader().read(np.ascontiguousarray(drawn.pixels), kinds).unread


def maps_of(cells: list[tuple[int, int, float, float]]) -> np.ndarray:
    """What a network says that sees a covered die in these cells (column, row), so far from their middles."""
    maps = np.zeros((CHANNELS, 88, 112), np.float32)
    maps[0] = 9.0
    for column, row, across, down in cells:
        maps[ANSWERS.index("covered"), row, column] = 18.0
        maps[len(ANSWERS) :, row, column] = across / 4, down / 4  # in units of four cells
    return maps


@pytest.mark.parametrize(("number", "die"), [(52, 0), (57, 1), (60, 0), (12, 0)])
def test_a_die_of_which_a_hand_or_a_pen_leaves_little_is_named(number: int, die: int) -> None:
    drawn = picture(np.random.default_rng([9911, number]), condition="occluded")
    label = drawn.label["dice"][die]
    assert not label["readable"]
    named = [thing for thing in reader_of(drawn) if thing.reason == "occluded"]
    side = math.dist(*label["top_quad_px"][:2])
    assert any(math.dist(thing.center_px, label["top_centre_px"]) < side for thing in named)


@pytest.mark.parametrize("number", [349, 362])
def test_dice_below_a_hand_that_is_as_large_as_the_floor_about_it_are_named(number: int) -> None:
    drawn = picture(np.random.default_rng([161_002, number]), condition="occluded")
    labels = [die for die in drawn.label["dice"] if not die["readable"] and die["visible_fraction"] >= 0.1]
    assert len(labels) >= 4
    named = [thing.center_px for thing in reader_of(drawn) if thing.reason == "occluded"]
    for label in labels:
        side = math.dist(*label["top_quad_px"][:2])
        assert any(math.dist(place, label["top_centre_px"]) < side for place in named)


@pytest.mark.parametrize("number", [2, 3, 8, 10])
def test_a_hand_under_which_no_die_lies_is_no_covered_die(number: int) -> None:
    def hand(rng: np.random.Generator, dice: list[Die], condition: str) -> tuple[list[Thing], list[str]]:
        return clutter.hand(rng, (20.0, -30.0)), ["hand"]

    drawn = picture(np.random.default_rng([9912, number]), condition="clutter", most_dice=0, things=hand)
    assert drawn.label["dice"] == []
    assert [thing.reason for thing in reader_of(drawn) if thing.may_count] == []


def test_what_is_seen_on_both_sides_of_a_finger_is_one_die() -> None:
    left = [(40, 30 + i, 2.0, 1.0 - i) for i in range(3)]
    right = [(44, 30 + i, -2.0, 1.0 - i) for i in range(3)]
    [die] = middles_of(maps_of(left + right))
    assert die.center_px == pytest.approx(((42 + 0.5) * 4 - 0.5 + 32, (31 + 0.5) * 4 - 0.5 + 6), abs=0.1)
    assert die.cells == pytest.approx(6, abs=0.1)


def test_two_dice_are_two_and_a_single_cell_is_none() -> None:
    one, other = ([(column, 30 + i, 0.0, 1.0 - i) for i in range(3)] for column in (20, 30))
    assert len(middles_of(maps_of([*one, *other, (70, 50, 0.0, 0.0)]))) == 2
    assert middles_of(maps_of([])) == []


def test_cells_that_show_a_die_are_counted_where_they_are() -> None:
    maps = maps_of([(40, 30, 0.0, 0.0), (42, 30, 0.0, 0.0), (60, 30, 0.0, 0.0)])
    at_px = ((41 + 0.5) * 4 - 0.5 + 32, (30 + 0.5) * 4 - 0.5 + 6)
    assert die_cells_near(maps, at_px) == pytest.approx(2, abs=0.1)


def test_a_file_that_is_no_such_network_is_refused() -> None:
    with pytest.raises(ValueError, match="covered dice"):
        CoveredNetwork(b"no network")


def test_the_committed_network_is_one() -> None:
    assert trained_covered().maps(np.zeros((64, 64, 3), np.uint8)).shape == (CHANNELS, 16, 16)
