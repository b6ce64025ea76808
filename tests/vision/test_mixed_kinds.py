"""Dice of several kinds in one picture: what looks alike, and what is of other sizes."""

from typing import Any

import numpy as np
import pytest

from calibration.synthesis.floors import FLOORS
from calibration.synthesis.scene import picture
from device.trained import trained_reader
from tests.vision.rig import is_at
from vision.detector import Found, surest
from vision.dice import ACTION_DIE, CHANCE_CUBE, KINDS, PIP_DIE
from vision.reading import ReadDie


def read_drawn(seed: int, floor: str) -> list[tuple[dict[str, Any], ReadDie | None]]:
    """The labels of a drawn picture of all kinds of dice, each with the die that was read in its place."""
    drawn = picture(np.random.default_rng(seed), floor, condition="clean")
    labels = drawn.label["dice"]
    dice = trained_reader().read(np.ascontiguousarray(drawn.pixels), {label["kind"] for label in labels}).dice
    return [(label, next((die for die in dice if is_at(die, label)), None)) for label in labels]


def drawn_anywhere(seed: int, number: int, condition: str | None) -> tuple[Any, list[ReadDie]]:
    """A picture of ``python -m calibration.synthesis --floor any --mixed``, its label and the dice that are read."""
    rng = np.random.default_rng([seed, number])
    floor = str(rng.choice([each for each in FLOORS if each != "mat"]))
    drawn = picture(rng, floor, tuple(KINDS), condition)
    kinds = {label["kind"] for label in drawn.label["dice"]}
    return drawn.label, list(trained_reader().read(np.ascontiguousarray(drawn.pixels), kinds).dice)


@pytest.mark.parametrize("number", [120, 341])
def test_a_dot_on_a_cube_is_not_taken_for_a_pip(number: int) -> None:
    label, dice = drawn_anywhere(34104, number, None)
    cubes = [die for die in label["dice"] if die["kind"] == CHANCE_CUBE]
    assert cubes
    assert not [die for die in dice if die.kind == PIP_DIE and any(is_at(die, cube) for cube in cubes)]


@pytest.mark.parametrize(("seed", "number"), [(34103, 20), (34103, 24), (34103, 353), (34106, 162), (34106, 276)])
def test_a_die_that_leans_is_left_beside_others_that_stand_and_alone(seed: int, number: int) -> None:
    label, dice = drawn_anywhere(seed, number, "cocked")
    leaning = [die for die in label["dice"] if die["state"] == "cocked"]
    standing = [die for die in label["dice"] if die["state"] == "flat"]
    assert leaning
    assert not [die for die in dice if any(is_at(die, one) for one in leaning)]
    assert len(dice) >= len(standing) / 2


@pytest.mark.parametrize("seed", [51, 55])
def test_a_red_cube_with_blue_edges_is_not_taken_for_a_sticker_on_blue(seed: int) -> None:
    read = read_drawn(seed, "mat")
    assert any((label["kind"], label["face"]) == (CHANCE_CUBE, "red") for label, _ in read)
    assert all((die.kind, die.face) == (label["kind"], label["face"]) for label, die in read if die is not None)


def test_a_sticker_that_a_lamp_has_burnt_out_is_not_taken_for_a_white_one() -> None:
    read = read_drawn(28, "mat")
    assert any((label["kind"], label["body"], label["face"]) == (ACTION_DIE, "blue", "red") for label, _ in read)
    assert all((die.kind, die.face) == (label["kind"], label["face"]) for label, die in read if die is not None)


@pytest.mark.parametrize(("seed", "body", "face"), [(0, "black", "11"), (18, "black", "red"), (19, "grey", "9")])
def test_cubes_and_twelve_sided_dice_are_read_side_by_side_though_their_faces_differ_in_size(
    seed: int, body: str, face: str
) -> None:
    read = read_drawn(seed, "wood")
    assert any((label["body"], label["face"]) == (body, face) and die is not None for label, die in read)
    assert all((die.kind, die.face) == (label["kind"], label["face"]) for label, die in read if die is not None)


@pytest.mark.parametrize("seed", [12, 53])
def test_on_any_floor_a_red_sticker_is_not_taken_for_a_cube(seed: int) -> None:
    kinds = (CHANCE_CUBE, ACTION_DIE)
    drawn = picture(np.random.default_rng(seed), "cloth", kinds, "clean")
    labels = [label for label in drawn.label["dice"] if (label["kind"], label["face"]) == (ACTION_DIE, "red")]
    assert labels
    for die in trained_reader().read(np.ascontiguousarray(drawn.pixels), kinds).dice:
        if any(is_at(die, label) for label in labels):
            assert (die.kind, die.face) == (ACTION_DIE, "red")


def found(what: str, score: float, x: float, radius: float) -> Found:
    corners = 5 if what == "number-die" else 4
    turns = 2 * np.pi * np.arange(corners) / corners
    outline = tuple((x + radius * float(np.cos(t)), 100 + radius * float(np.sin(t))) for t in turns)
    return Found(what, score, (x, 100.0), radius, outline)


def test_a_cube_beside_smaller_pentagons_that_are_surer_is_kept() -> None:
    cube = found("cube", 0.8, 100, 40)
    pentagons = [found("number-die", 0.9, x, 17) for x in (200, 300, 400)]
    assert cube in surest([cube, *pentagons])
    small = [found("cube", 0.9, x, 17) for x in (200, 300, 400)]
    assert cube not in surest([cube, *small])


def test_a_pentagon_is_no_mark_on_what_encloses_its_die() -> None:
    pentagon, silhouette = found("number-die", 0.8, 100, 19), found("cube", 0.7, 102, 50)
    assert surest([pentagon, silhouette]) == [pentagon]
    pip = found("number-die", 0.8, 100, 7)
    assert surest([pip, silhouette]) == [silhouette]


@pytest.mark.parametrize(
    "number",
    [pytest.param(15, id="a red sticker, to the rules a red cube"), pytest.param(243, id="one pip, a white sticker")],
)
def test_what_two_networks_are_sure_of_is_read_though_the_rules_see_something_else(number: int) -> None:
    drawn = picture(np.random.default_rng([95001, number]), "mat", condition="clean")
    labels = drawn.label["dice"]
    dice = trained_reader().read(np.ascontiguousarray(drawn.pixels), {label["kind"] for label in labels}).dice
    read = [(label["kind"], label["face"]) for die in dice for label in labels if is_at(die, label)]
    assert [(die.kind, die.face) for die in dice] == read and len(read) == len(labels)


def test_one_pip_on_red_of_which_both_networks_are_sure_is_no_cubes_dot() -> None:
    drawn = picture(np.random.default_rng([163_002, 36]), "mat")
    labels = drawn.label["dice"]
    (pip,) = (label for label in labels if (label["kind"], label["body"], label["face"]) == ("pip-die", "red", "1"))
    dice = trained_reader().read(np.ascontiguousarray(drawn.pixels), {label["kind"] for label in labels}).dice
    assert [(die.kind, die.face) for die in dice if is_at(die, pip)] == [("pip-die", "1")]
