"""Dice of the mat's own grey, of which hardly anything stands out, and others that the detector sees better."""

import itertools
from typing import Any

import numpy as np
import pytest

from calibration.synthesis.dice import any_die
from calibration.synthesis.scene import picture
from device.trained import trained_reader
from tests.vision.rig import Rig
from vision.dice import KINDS
from vision.reading import Pixels
from vision.taught import TaughtSet
from vision.taught_dice import TaughtDice

NEAR_PX = 15.0


def grey_dice(kind: str, seed: int) -> tuple[Pixels, list[dict[str, Any]]]:
    """Four of them on the mat."""
    designs = (any_die(np.random.default_rng(number), kind, 16.0) for number in itertools.count())
    frame, labels = Rig("mat", 5).lay(seed, next(die for die in designs if die.body == "grey"), range(4))
    return np.ascontiguousarray(frame), labels


def is_near(at_px: tuple[float, float], label: dict[str, Any]) -> bool:
    return float(np.hypot(*np.subtract(at_px, label["top_centre_px"]))) < NEAR_PX


@pytest.mark.parametrize("seed", [1, 2])
def test_grey_pip_dice_are_read_on_the_grey_mat(seed: int) -> None:
    frame, labels = grey_dice("pip-die", seed)
    reading = trained_reader().read(frame, {"pip-die"})
    assert reading.calibration == "mat"
    assert len(reading.dice) == len(labels)
    for die in reading.dice:
        (label,) = (label for label in labels if is_near(die.center_px, label))
        assert die.face == label["face"]
        assert die.center_mm is not None
        assert np.hypot(*np.subtract(die.center_mm, label["centre_mm"])) < 3


@pytest.mark.parametrize("seed", [15, 17, 23])
def test_a_die_close_beside_one_that_was_read_is_not_passed_over(seed: int) -> None:
    drawn = picture(np.random.default_rng(seed), kinds=("pip-die",), condition="touching")
    reading = trained_reader().read(np.ascontiguousarray(drawn.pixels), {"pip-die"})
    labels = drawn.label["dice"]
    shown = [label["face"] for die in reading.dice for label in labels if is_near(die.center_px, label)]
    assert [die.face for die in reading.dice] == shown and len(shown) == len(labels)


@pytest.mark.parametrize(
    ("number", "left"),
    [
        pytest.param(149, [], id="a face that the detector sees better"),
        pytest.param(179, ["6"], id="fitted to other edges, beside a 6 that is a little unsure"),
        pytest.param(255, [], id="two of those"),
        pytest.param(3, [], id="a face that is brighter than paper"),
        pytest.param(139, [], id="and another"),
    ],
)
def test_twelve_sided_dice_are_read_that_a_first_look_would_leave(number: int, left: list[str]) -> None:
    drawn = picture(np.random.default_rng([7001, number]), kinds=("number-die",), condition="clean")
    reading = trained_reader().read(np.ascontiguousarray(drawn.pixels), {"number-die"})
    labels = drawn.label["dice"]
    shown = [label["face"] for die in reading.dice for label in labels if is_near(die.center_px, label)]
    assert [die.face for die in reading.dice] == shown
    assert sorted(shown + left) == sorted(label["face"] for label in labels)


@pytest.mark.parametrize(("number", "condition"), [(25, "clean"), (64, "cocked"), (153, "clean")])
def test_a_number_that_is_a_little_unsure_is_left(number: int, condition: str) -> None:
    drawn = picture(np.random.default_rng([7001, number]), kinds=("number-die",), condition=condition)
    reading = trained_reader().read(np.ascontiguousarray(drawn.pixels), {"number-die"})
    assert len(reading.dice) < len(drawn.label["dice"])
    for die in reading.dice:
        assert [label["face"] for label in drawn.label["dice"] if is_near(die.center_px, label)] == [die.face]


@pytest.mark.parametrize("seed", [1, 2])
def test_grey_numbers_are_not_read_wrongly(seed: int) -> None:
    frame, labels = grey_dice("number-die", seed)
    reading = trained_reader().read(frame, {"number-die"})
    assert reading.dice or reading.unread
    for die in reading.dice:
        assert [label["face"] for label in labels if is_near(die.center_px, label)] == [die.face]


@pytest.mark.parametrize(
    ("number", "kind", "at_px", "face"),
    [
        pytest.param(89, "number-die", (626, 343), "7", id="a grey number"),
        pytest.param(133, "rig-die", (466, 324), "black -", id="a black sticker lit as grey as the mat"),
        pytest.param(176, "number-die", (1023, 540), "4", id="a grey number out of focus"),
    ],
)
def test_a_solid_is_fitted_where_the_detector_sees_a_faint_die(
    number: int, kind: str, at_px: tuple[float, float], face: str
) -> None:
    rng = np.random.default_rng([35002, number])
    rng.choice(list(KINDS))
    drawn = picture(rng, kinds=(kind,), condition="clean")
    (label,) = (label for label in drawn.label["dice"] if is_near(at_px, label))
    assert (label["kind"], label["face"]) == (kind, face)
    reading = trained_reader().read(np.ascontiguousarray(drawn.pixels), {kind})
    assert [die.face for die in reading.dice if is_near(die.center_px, label)] == [face]


def test_a_faint_die_whose_fit_is_contradicted_is_left() -> None:
    rng = np.random.default_rng([35001, 139])
    rng.choice(list(KINDS))
    drawn = picture(rng, kinds=("number-die",), condition="clean")
    (three,) = (label for label in drawn.label["dice"] if label["face"] == "3")
    reading = trained_reader().read(np.ascontiguousarray(drawn.pixels), {"number-die"})
    assert all(die.face == "3" for die in reading.dice if is_near(die.center_px, three))


def test_where_taught_dice_stand_in_for_a_kind_the_networks_add_none() -> None:
    frame, _ = grey_dice("pip-die", 1)
    taught = TaughtDice([TaughtSet("pip-die", None, {})])
    assert trained_reader(None, taught).read(frame, {"pip-die"}).dice == ()
    assert trained_reader(None, TaughtDice([])).read(frame, {"pip-die"}).dice


@pytest.mark.parametrize("seed", [3, 5])
def test_the_empty_mat_asks_nothing(seed: int) -> None:
    reading = trained_reader().read(Rig("mat", seed).empty())
    assert reading.calibration == "mat"
    assert reading.dice == reading.unread == ()
