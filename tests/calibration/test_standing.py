"""Where bases and sides of drawn dice appear, from their upper faces and the camera on the label."""

import cv2
import numpy as np
import pytest

from calibration.synthesis.scene import picture
from calibration.training.standing import base_if_standing, base_of, sides_of
from vision.dice import ACTION_DIE, NUMBER_DIE
from vision.reading import Floats

TILTS_DEG = [(0.0, 2.0), (25.0, 30.0), (50.0, 55.0)]


def drawn_dice(
    kind: str, tilt_deg: tuple[float, float], condition: str
) -> list[tuple[dict[str, object], dict[str, object]]]:
    """Camera and label of the dice in four drawn pictures."""
    labels = [
        picture(np.random.default_rng([55, n]), "felt", (kind,), condition, aslant_deg=tilt_deg).label
        for n in range(4)
    ]
    return [(label["camera"], die) for label in labels for die in label["dice"]]


def corners_of(die: dict[str, object]) -> Floats:
    return np.array(die["top_quad_px"], np.float64)


def on_table(camera: dict[str, object], die: dict[str, object]) -> Floats:
    """Where the table below a die's middle appears (px)."""
    at = np.array([[*np.ravel(die["centre_mm"]), 0.0]])
    turn, move = np.array(camera["rvec"]), np.array(camera["tvec"])
    seen, _ = cv2.projectPoints(at, turn, move, np.array(camera["K"]), np.array(camera["dist"]))
    return np.asarray(seen.ravel(), np.float64)


@pytest.mark.parametrize("tilt_deg", TILTS_DEG)
@pytest.mark.parametrize("kind", [ACTION_DIE, NUMBER_DIE])
def test_a_standing_dies_base_is_below_it(kind: str, tilt_deg: tuple[float, float]) -> None:
    for camera, die in drawn_dice(kind, tilt_deg, "clean"):
        reach = float(np.ptp(corners_of(die), axis=0).max()) / 2
        below = on_table(camera, die)
        assert np.hypot(*(base_if_standing(corners_of(die), camera) - below)) < 0.1 * reach
        assert np.hypot(*(base_of(corners_of(die), camera) - below)) < 0.25 * reach


def test_a_leaning_dies_base_is_not_where_it_would_stand() -> None:
    for camera, die in drawn_dice(ACTION_DIE, (10.0, 40.0), "cocked"):
        off = base_if_standing(corners_of(die), camera) - base_of(corners_of(die), camera)
        reach = float(np.ptp(corners_of(die), axis=0).max()) / 2
        assert (np.hypot(*off) > 0.15 * reach) == (die["state"] == "cocked")


@pytest.mark.parametrize("tilt_deg", TILTS_DEG)
@pytest.mark.parametrize("kind", [ACTION_DIE, NUMBER_DIE])
def test_upper_face_and_sides_are_all_that_is_seen_of_a_die(kind: str, tilt_deg: tuple[float, float]) -> None:
    for camera, die in drawn_dice(kind, tilt_deg, "clean"):
        faces = [corners_of(die), *sides_of(corners_of(die), camera)]
        left, top, right, bottom = np.array(die["bbox_px"], np.float64)
        slack = 0.12 * (right - left)
        for face in faces:
            assert len(face) == len(corners_of(die))
            assert (face > np.array([left, top]) - slack).all() and (face < np.array([right, bottom]) + slack).all()
        apart = sum(cv2.contourArea(face.astype(np.float32)) for face in faces)
        whole = cv2.contourArea(cv2.convexHull(np.concatenate(faces).astype(np.float32)))
        assert apart <= 1.02 * whole
        if tilt_deg[0] >= 25:
            assert len(faces) > 1
