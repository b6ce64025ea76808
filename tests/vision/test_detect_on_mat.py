"""The detector on the mat finds in one look what it finds in four."""

from typing import Any

import numpy as np
import pytest

from calibration.detector_model import detector_network
from calibration.synthesis.scene import picture
from vision.camera import Camera
from vision.detect_on_mat import find_on_mat, scale_on_mat
from vision.detector import Detector, Found
from vision.find_mat import as_grey, find_mat
from vision.reading import Pixels

KINDS = ("chance-cube", "rig-die", "pip-die", "action-die", "number-die")


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(detector_network())


def dice_on_the_mat(seed: int) -> tuple[Pixels, Camera, list[dict[str, Any]]]:
    drawn = picture(np.random.default_rng(seed), kinds=KINDS, condition="clean", most_dice=5)
    mat = find_mat(as_grey(drawn.pixels))
    assert mat is not None
    return np.ascontiguousarray(drawn.pixels), mat.camera, drawn.label["dice"]


def nearest(found: tuple[Found, ...], die: dict[str, Any]) -> Found:
    return min(found, key=lambda face: face.apart(die["top_centre_px"]))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_die_is_found_where_it_lies(detector: Detector, seed: int) -> None:
    frame, camera, dice = dice_on_the_mat(seed)
    found = find_on_mat(detector, frame, camera, number_dice=True)
    whole = detector.find(frame)
    for die in dice:
        one, other = nearest(found, die), nearest(whole, die)
        assert one.apart(die["top_centre_px"]) < 0.3
        assert one.what == other.what
        assert one.apart(other.center_px) < 0.15


def test_known_faces_are_found_and_not_looked_at_again(detector: Detector, monkeypatch: pytest.MonkeyPatch) -> None:
    frame, camera, dice = dice_on_the_mat(1)
    looked_at: list[Found] = []
    closer = detector.look_closer

    def look_closer(frame: Pixels, faces: list[Found], number_dice: bool = True) -> list[Found]:
        looked_at.extend(faces)
        return closer(frame, faces, number_dice)

    monkeypatch.setattr(detector, "look_closer", look_closer)
    known = dice[0]["top_centre_px"]
    found = find_on_mat(detector, frame, camera, True, [(known[0], known[1])])
    assert nearest(found, dice[0]).apart(known) < 0.3
    assert looked_at and all(face.apart(known) > 0.3 for face in looked_at)


def test_the_larger_dice_appear_the_smaller_the_picture_is_made(detector: Detector) -> None:
    _, camera, _ = dice_on_the_mat(1)
    corners = np.array([(0.0, 0.0), (1.0, 0.0)])
    length = float(np.linalg.norm(np.diff(camera.project(corners), axis=0)))
    assert scale_on_mat(camera, number_dice=False) * length == pytest.approx(1.5, rel=0.1)
    assert scale_on_mat(camera, number_dice=True) > scale_on_mat(camera, number_dice=False)
