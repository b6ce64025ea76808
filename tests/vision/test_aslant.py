"""Pictures that a camera took from the side, off the mat: upper faces are read, sides are not."""

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.detector_model import any_floor, aslant_networks
from calibration.model import trained_leaning
from calibration.synthesis.scene import Picture, picture
from tests.benchmarks.others import count_right, count_wrong
from vision.any_floor import AnyFloor
from vision.any_leaning import LeaningTogether
from vision.any_sizes import is_surely_a_die
from vision.aslant import ASLANT, AslantNetworks, SeenAslant
from vision.detector import Found
from vision.dice import ACTION_DIE, CHANCE_CUBE, KINDS, NUMBER_DIE, PIP_DIE, RIG_DIE
from vision.reading import Pixels

SEED = 608_114
FLOORS = ("felt", "wood", "cloth", "paper")
USUAL_PX = 60.0


@cache
def drawn_at(number: int, least_deg: float, most_deg: float) -> Picture:
    """A picture of dice of one kind, cubes mostly, below a camera that leans so far."""
    kinds = (CHANCE_CUBE, PIP_DIE, RIG_DIE, ACTION_DIE, CHANCE_CUBE, *KINDS)
    rng = np.random.default_rng([SEED, number])
    return picture(
        rng, FLOORS[number % len(FLOORS)], (kinds[number % len(kinds)],), "clean", aslant_deg=(least_deg, most_deg)
    )


def pixels_of(drawn: Picture) -> Pixels:
    return np.ascontiguousarray(drawn.pixels)


def counted(reader: AnyFloor, pictures: list[Picture]) -> Counter[str]:
    """Of their dice, how many are read rightly, and how much is read that is no upper face of one."""
    count: Counter[str] = Counter()
    for drawn in pictures:
        labels = drawn.label["dice"]
        dice, _ = reader.read(pixels_of(drawn), {str(label["kind"]) for label in labels})
        count["dice"] += len(labels)
        count["right"] += count_right(dice, labels)
        count["wrong"] += count_wrong(dice, labels)
    return count


def test_upper_faces_are_read_and_sides_are_not() -> None:
    pictures = [drawn_at(number, 30, 45) for number in range(16)]
    seen, before = counted(any_floor(), pictures), counted(replace(any_floor(), aslant=None), pictures)
    assert seen["wrong"] == 0
    assert seen["right"] >= 0.6 * seen["dice"]
    assert seen["right"] >= before["right"] + 10


@cache
def twelve_sided_at(number: int, least_deg: float, most_deg: float) -> Picture:
    """A picture of twelve-sided dice below a camera that leans so far."""
    rng = np.random.default_rng([SEED, 7, number])
    return picture(rng, FLOORS[number % len(FLOORS)], (NUMBER_DIE,), "clean", aslant_deg=(least_deg, most_deg))


def test_sides_of_twelve_sided_dice_are_left_where_each_looks_at_the_camera_with_another() -> None:
    far, near = ([twelve_sided_at(number, *lean) for number in range(24)] for lean in ((52, 68), (0, 12)))
    assert counted(any_floor(), far)["wrong"] <= 6  # of 115 dice; 25 where nobody asks whether their bases agree
    seen = counted(any_floor(), near)
    assert seen["wrong"] == 0 and seen["right"] >= 0.85 * seen["dice"]


def test_twelve_sided_dice_seen_aslant_that_the_detector_hardly_sees_are_left() -> None:
    faint = 0
    for number in range(12):
        seen = seen_in(twelve_sided_at(number, 45, 60))
        for face in seen.found:
            if face.what == NUMBER_DIE and not is_surely_a_die(face, seen.usual_px):
                assert seen.against(face) == "unsure"
                faint += 1
    assert faint


@pytest.mark.parametrize("degrees", [0, 10])
def test_pictures_from_above_are_read_as_ever(degrees: int) -> None:
    for number in range(4):
        pixels = pixels_of(drawn_at(100 + number, degrees, degrees + 2))
        assert any_floor().read(pixels) == replace(any_floor(), aslant=None).read(pixels)


def test_networks_are_loaded_with_the_first_picture_that_was_taken_aslant() -> None:
    loaded = []

    def load() -> AslantNetworks:
        loaded.append(aslant_networks())
        return loaded[-1]

    reader = replace(any_floor(), aslant=cache(load))
    reader.read(pixels_of(drawn_at(100, 0, 2)))
    assert not loaded
    for number in range(2):
        reader.read(pixels_of(drawn_at(number, 35, 40)))
    assert len(loaded) == 1


def seen_in(drawn: Picture) -> SeenAslant:
    networks = aslant_networks()
    found = networks.detector.find(pixels_of(drawn))
    width = float(np.median([face.width_px for face in found]))
    usual = LeaningTogether(trained_leaning(), pixels_of(drawn), found, width)
    return SeenAslant(networks, pixels_of(drawn), found, width, usual)


@pytest.mark.parametrize(("least", "most"), [(0, 5), (30, 35), (40, 45)])
def test_the_dice_show_how_far_the_camera_leans(least: float, most: float) -> None:
    leans = [seen_in(drawn_at(number, least, most)).lean for number in range(8)]
    assert (np.median(leans) > ASLANT) == (least >= 30)
    assert np.median(leans) == pytest.approx(np.sin(np.radians((least + most) / 2)), abs=0.15)


def test_a_side_below_an_upper_face_is_known_for_one() -> None:
    sides, tops = Counter[bool](), Counter[bool]()
    for number in range(16):
        drawn = drawn_at(number, 40, 45)
        seen = seen_in(drawn)
        for face in seen.found:
            is_top = any(is_upper(face, label) for label in drawn.label["dice"])
            (tops if is_top else sides)[face in seen.sides] += 1
    assert tops[True] <= 0.05 * tops.total()
    assert sides[True] >= 0.5 * sides.total()


def is_upper(face: Found, label: dict[str, object]) -> bool:
    corners = np.array(label["top_quad_px"])
    reach = np.linalg.norm(corners - corners.mean(axis=0), axis=1).mean()
    return bool(np.hypot(*(corners.mean(axis=0) - face.center_px)) < 0.5 * reach)


def test_where_nothing_lies_nothing_leans() -> None:
    frame = np.full((480, 640, 3), 90, np.uint8)
    usual = LeaningTogether(trained_leaning(), frame, [], USUAL_PX)
    seen = SeenAslant(aslant_networks(), frame, [], USUAL_PX, usual)
    assert not usual.may_be_aslant
    assert seen.lean == 0.0
    assert not seen.sides
