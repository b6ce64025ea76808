"""Faces that were once read wrongly: what is not sure of them is not said."""

from typing import Any

import cv2
import numpy as np
import pytest

from device.scoring import judge_dice
from device.trained import trained_reader
from tests.benchmarks.accuracy import as_labelled
from tests.vision.rig import Rig
from vision.any_light import PlainLight
from vision.opinions import sticker_shows
from vision.patches import PATCH_SIDE_PX
from vision.profile import Profile
from vision.reader import Reader
from vision.reading import Pixels
from vision.white_faces import hides_its_colour, is_glared_white, may_be_glared

KELVIN = 4500.0


@pytest.mark.parametrize(
    ("throw", "kind", "change"),
    [
        pytest.param(3203, "action-die", {"stops": 0.0}, id="a red die painted red, its sides in the dark"),
        pytest.param(3202, "pip-die", {"stops": 2.0}, id="a five with a lamp mirrored in it"),
    ],
)
def test_what_the_networks_are_not_sure_of_is_left_open(throw: int, kind: str, change: dict[str, float]) -> None:
    rig = Rig("mat", 32, KELVIN)
    reader = trained_reader()
    reader.read(rig.empty())
    frame, dice = rig.changed(**change).throw(throw, kind, 5)
    expect_nothing_wrong(reader, frame, dice, kind)


def test_a_five_of_which_one_pip_is_seen_is_no_one_in_a_tray_of_ones_own() -> None:
    rig = Rig("felt", 32, KELVIN)
    reader = trained_reader(Profile(rig.size_px, rig.camera, True, rig.empty(), None))
    frame, dice = rig.changed(kelvin=3500.0).throw(3202, "pip-die", 5)
    expect_nothing_wrong(reader, frame, dice, "pip-die")


def expect_nothing_wrong(reader: Reader, frame: Pixels, dice: list[dict[str, Any]], kind: str) -> None:
    judged = judge_dice([as_labelled(die) for die in dice], reader.read(np.ascontiguousarray(frame), {kind}).dice)
    assert [each for each in judged if each.die is not None and not each.is_right] == []
    assert sum(each.is_right and each.die is not None for each in judged) >= 3


def _face(color: tuple[float, float, float]) -> np.ndarray:
    return np.full((PATCH_SIDE_PX, PATCH_SIDE_PX, 3), color, np.float32)


def _mirrored_in(face: np.ndarray) -> np.ndarray:
    """The face with a lamp mirrored in it, wide and soft."""
    glare = np.zeros((PATCH_SIDE_PX, PATCH_SIDE_PX, 1), np.float32)
    cv2.circle(glare, (18, 20), 11, 1.0, -1)
    glare = cv2.GaussianBlur(glare, (0, 0), 4)[..., None]
    return np.asarray(face + glare * (1.2 - face), np.float32)


def test_a_lamp_mirrored_in_a_green_face_does_not_make_it_white() -> None:
    green = _face((0.3, 0.6, 0.35))
    assert is_glared_white(_mirrored_in(green))
    assert not is_glared_white(_face((0.9, 0.93, 0.95)))
    assert not is_glared_white(green)


@pytest.mark.parametrize(
    ("linear", "hides"),
    [
        pytest.param((0.45, 0.48, 0.5), False, id="white paper"),
        pytest.param((0.55, 0.6, 0.6), False, id="white and glossy"),
        pytest.param((0.46, 0.46, 0.68), True, id="red with a lamp all over it"),
        pytest.param((0.8, 0.8, 1.1), True, id="red and burnt out"),
    ],
)
def test_on_the_mat_what_is_brighter_than_paper_or_keeps_some_colour_is_not_called_white(
    linear: tuple[float, float, float], hides: bool
) -> None:
    value = np.clip(np.power(np.array(linear), 1 / 2.4) * 1.055 - 0.055, 0, 1)
    frame = np.full((60, 60, 3), np.rint(value * 255), np.uint8)
    outline = ((10.0, 10.0), (50.0, 10.0), (50.0, 50.0), (10.0, 50.0))
    assert hides_its_colour(frame, outline, PlainLight(0.5)) is hides


@pytest.mark.parametrize(
    ("color", "is_white"), [((0.7, 0.72, 0.75), True), ((0.65, 0.7, 0.75), True), ((0.5, 0.55, 0.8), False)]
)
def test_off_the_mat_a_white_face_has_little_colour(color: tuple[float, float, float], is_white: bool) -> None:
    assert may_be_glared(_face(color)) is not is_white


def test_off_the_mat_a_white_face_is_of_one_brightness() -> None:
    assert may_be_glared(np.clip(_mirrored_in(_face((0.2, 0.2, 0.5))), 0, 1))


@pytest.mark.parametrize(
    ("shown", "color", "shows"),
    [
        ("purple -", (0.5, 0.25, 0.45), True),
        ("purple -", (0.48, 0.41, 0.41), False),  # black, with a lamp mirrored in it
        ("black +", (0.15, 0.14, 0.14), True),
        ("black +", (0.55, 0.64, 0.55), False),  # green, the same
        ("gold blank", (0.1, 0.5, 0.7), True),
    ],
)
def test_black_and_purple_stickers_show_their_colour(
    shown: str, color: tuple[float, float, float], shows: bool
) -> None:
    assert sticker_shows(_face(color), shown) is shows


@pytest.mark.parametrize(("color", "shows"), [((0.35, 0.1, 0.3), False), ((0.9, 0.9, 0.9), True)])
def test_no_part_of_a_black_sticker_is_purple(color: tuple[float, float, float], shows: bool) -> None:
    face = _face((0.12, 0.11, 0.11))
    face[18:23, 18:30] = color  # a twelfth of the middle: what is left of a small sticker about its sign, or the sign
    assert sticker_shows(face, "black +") is shows
