"""Pip dice: counted by a network of their own, in any turn, of any size, and left where nobody is sure."""

import itertools

import cv2
import numpy as np
import pytest

from calibration.detector_model import any_floor
from calibration.model import trained_faces
from calibration.synthesis.flat_cubes import flat_cubes
from calibration.synthesis.scene import picture
from vision.any_floor import AnyFloor
from vision.dice import PIP_DIE
from vision.numbers import NumberNetwork
from vision.pip_faces import may_be_pips, pips_seen
from vision.reading import Pixels


@pytest.fixture(scope="module")
def counter() -> NumberNetwork:
    network = trained_faces().pips
    assert network is not None
    return network


def turned(patch: np.ndarray) -> list[np.ndarray]:
    return [np.rot90(patch.astype(np.float32) / 255, turn) for turn in range(4)]


def test_pips_of_dice_of_any_maker_are_counted(counter: NumberNetwork) -> None:
    drawn = [one for one in itertools.islice(flat_cubes(4711, {PIP_DIE: 1.0}), 150) if one.kind == PIP_DIE]
    chances = counter.chances([turned(one.patch) for one in drawn])
    right = chances.argmax(axis=1) == [int(one.face) for one in drawn]
    assert right.mean() > 0.85
    assert right[chances.max(axis=1) >= 0.97].mean() > 0.98


def test_a_turned_face_shows_as_many_pips(counter: NumberNetwork) -> None:
    one = next(one for one in flat_cubes(12, {PIP_DIE: 1.0}) if one.kind == PIP_DIE)
    looks = turned(one.patch)
    chances = counter.chances([looks, looks[1:] + looks[:1]])
    assert np.allclose(chances[0], chances[1], atol=1e-6)


def test_what_is_counted_otherwise_is_left(counter: NumberNetwork) -> None:
    drawn = (one for one in flat_cubes(31, {PIP_DIE: 1.0}) if one.kind == PIP_DIE)
    for one in itertools.islice(drawn, 20):
        label = (PIP_DIE, one.face, None)
        seen = pips_seen(counter, turned(one.patch), {label: 0.98, (PIP_DIE, "other", None): 0.02}, None, False)
        if seen is None:
            continue
        assert seen[0] == label
        assert pips_seen(counter, turned(one.patch), {label: 1.0}, int(one.face) % 6 + 1, False) is None


def test_where_it_is_not_sure_that_it_is_a_face_all_must_agree(counter: NumberNetwork) -> None:
    drawn = [one for one in itertools.islice(flat_cubes(31, {PIP_DIE: 1.0}), 400) if one.kind == PIP_DIE]
    chances = counter.chances([turned(one.patch) for one in drawn]).max(axis=1)
    less_sure = [one for one, sure in zip(drawn, chances, strict=True) if 0.91 < sure < 0.97]
    assert less_sure
    for one in less_sure:
        looks = turned(one.patch)
        shown = int(counter.chances([looks])[0].argmax())
        label = (PIP_DIE, str(shown), None)
        seen = pips_seen(counter, looks, {label: 1.0}, shown, True, {label: 0.99})
        assert seen is not None
        assert seen[0] == label
        assert pips_seen(counter, looks, {label: 1.0}, shown, True, {label: 0.97}) is None
        assert pips_seen(counter, looks, {label: 1.0}, None, True, {label: 0.99}) is None


def test_a_face_of_another_kind_is_not_counted() -> None:
    assert may_be_pips({(PIP_DIE, "1", None): 0.4, (PIP_DIE, "2", None): 0.3, ("nothing", "", None): 0.3})
    assert not may_be_pips({(PIP_DIE, "1", None): 0.5, ("chance-cube", "red", "red"): 0.5})
    assert not may_be_pips({("nothing", "", None): 1.0})


@pytest.fixture(scope="module")
def reader() -> AnyFloor:
    return any_floor()


def near_by(pixels: Pixels, quad: np.ndarray, times: float) -> Pixels:
    """The part of a picture about a face, so many of its widths wide, as a camera near it sees it."""
    middle, half = quad.mean(axis=0), times * np.linalg.norm(quad[0] - quad[1]) / 2
    to = np.float32([[1, 0, half - middle[0]], [0, 1, half - middle[1]]]) * 900 / (2 * half)
    return np.asarray(cv2.warpAffine(pixels, to, (900, 900), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def test_a_die_that_fills_a_third_of_the_picture_is_found(reader: AnyFloor) -> None:
    found, wrong, dice = 0, 0, 0
    for number in range(6):
        drawn = picture(np.random.default_rng([77, number]), "wood", (PIP_DIE,), "clean")
        for die in drawn.label["dice"][:2]:
            frame = near_by(np.asarray(drawn.pixels), np.array(die["top_quad_px"]), 3.2)
            read, _ = reader.read(frame, {PIP_DIE})
            middle = [one for one in read if np.hypot(one.center_px[0] - 450, one.center_px[1] - 450) < 150]
            dice += 1
            found += any(one.face == die["face"] for one in middle)
            wrong += any(one.face != die["face"] for one in middle)
    assert wrong == 0
    assert found >= 0.7 * dice
