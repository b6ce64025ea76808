"""A tray of one's own: dice on felt, wood and cloth are read above the picture of the empty tray."""

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.detector_model import any_floor
from calibration.model import trained_faces
from device.trained import trained_reader
from tests.vision.rig import Rig, profile_of_empty
from vision.any_floor import AnyFloor
from vision.camera import Camera
from vision.network import FaceNetwork
from vision.profile import Profile, assumed_camera
from vision.reader import Reader


@pytest.fixture(scope="module", params=["felt", "wood", "cloth"])
def rig(request: pytest.FixtureRequest) -> Rig:
    return Rig(request.param, seed=11)


@lru_cache(maxsize=1)
def networks() -> tuple[FaceNetwork, AnyFloor]:
    return trained_faces(), any_floor()


def reader(rig: Rig, **changes: Any) -> Reader:
    profile = Profile(rig.size_px, rig.camera, True, rig.empty(), None)
    return Reader(replace(profile, **changes), *networks())


def test_dice_are_read_in_the_rigs_own_millimetres(rig: Rig) -> None:
    read = reader(rig)
    count: Counter[str] = Counter()
    for seed, kind in enumerate(("chance-cube", "pip-die", "rig-die")):
        frame, dice = rig.throw(seed, kind, 4)
        reading = read.read(frame, {kind})
        assert reading.calibration == "profile"
        for die in reading.dice:
            near = min(dice, key=lambda true: np.hypot(*np.subtract(true["top_centre_px"], die.center_px)))
            assert (die.kind, die.face) == (near["kind"], near["face"])
            assert die.center_mm is not None
            assert np.hypot(*np.subtract(near["centre_mm"], die.center_mm)) < 3.0
        count["read"] += len(reading.dice)
        count["dice"] += sum(die["readable"] for die in dice)
    assert count["read"] >= 0.8 * count["dice"]


@pytest.mark.parametrize("floor", ["felt", "wood", "cloth"])
def test_an_empty_tray_shows_nothing_whatever_the_light(floor: str) -> None:
    rig = Rig(floor, seed=11)
    read = reader(rig)
    empty = rig.empty()
    for gain in (0.6, 1.0, 1.4, 1.8):
        frame = np.asarray(np.clip(empty * gain, 0, 255), np.uint8)
        reading = read.read(frame)
        assert (reading.dice, reading.unread) == ((), ())


def test_without_a_known_scale_dice_have_no_millimetres(rig: Rig) -> None:
    frame, dice = rig.throw(1, "pip-die", 3)
    height_mm = float(rig.camera.height_mm * 0.8 * rig.size_px[0] / rig.camera.matrix[0, 0])
    reading = reader(rig, camera=assumed_camera(rig.size_px, height_mm), has_scale=False).read(frame, {"pip-die"})
    assert all(die.center_mm is None for die in reading.dice)
    faces = Counter(die.face for die in reading.dice)
    assert not faces - Counter(die["face"] for die in dice)


def test_a_picture_of_another_size_is_not_read_by_the_profile(rig: Rig) -> None:
    frame, _ = rig.throw(0, "pip-die", 2)
    small = np.asarray(cv2.resize(frame, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    assert reader(rig).read(small).calibration == "none"
    assert isinstance(rig.camera, Camera)


def test_dice_below_a_tilted_camera_of_which_nothing_is_known_do_not_seem_to_lean() -> None:
    tilted = Rig("wood", 62010, kelvin=5905.0)
    read = reader(tilted, camera=assumed_camera(tilted.size_px, 350.0), has_scale=False)
    reading = read.read(tilted.throw(620101, "chance-cube", 4)[0], {"chance-cube"})
    assert len(reading.dice) >= 3
    assert "cocked" not in {thing.reason for thing in reading.unread}


def test_a_standing_die_that_one_network_alone_takes_for_leaning_is_read() -> None:
    for rig, kind, throw in (
        (Rig("wood", 64102, kelvin=3700.0), "action-die", 65023),
        (Rig("cloth", 64203, kelvin=4050.0), "chance-cube", 66030),
    ):
        frame, dice = rig.throw(throw, kind, 4)
        profile = profile_of_empty(rig)
        reading = trained_reader(profile).read(frame, {kind})
        assert len(reading.dice) == len(dice)
        assert not {thing.reason for thing in reading.unread} & {"cocked"}
