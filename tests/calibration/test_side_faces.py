"""From what the network of sides learns: faces that are found in drawn pictures, and whether they are sides."""

from collections import Counter

import numpy as np

from calibration.training.side_faces import drawn_crops, faces_in, looks_at
from vision.detector import Found
from vision.lean_network import CHANNELS, CROP_PX

TOP = [[80.0, 80.0], [120.0, 80.0], [120.0, 120.0], [80.0, 120.0]]


def face_at(x: float, y: float, score: float = 0.9) -> Found:
    corners = ((x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20))
    return Found("cube", score, (x, y), 28.3, corners)


def test_what_is_found_in_the_place_of_an_upper_face_is_one_and_what_is_found_beside_it_a_side() -> None:
    drawn = {"dice": [{"top_quad_px": TOP, "state": "flat", "visible_fraction": 1.0}]}
    found = [face_at(101, 99), face_at(100, 130), face_at(100, 118), face_at(300, 300), face_at(100, 100, 0.3)]
    assert [is_side for _, is_side in faces_in(drawn, found)] == [False, True]


def test_beside_a_die_that_leans_nothing_is_told() -> None:
    leans = [[x + 60, y] for x, y in TOP]
    drawn = {
        "dice": [{"top_quad_px": TOP, "state": "flat"}, {"top_quad_px": leans, "state": "cocked", "tilt_deg": 20.0}]
    }
    assert [is_side for _, is_side in faces_in(drawn, [face_at(160, 100), face_at(100, 100)])] == [False]


def test_some_looks_are_cut_off_close_by() -> None:
    frame = np.random.default_rng(1).integers(0, 256, (400, 400, 3), np.uint8)
    outline = np.array(face_at(200, 200).outline_px)
    looks = list(looks_at(frame, outline, np.random.default_rng(2), 40))
    ends = [bool((np.ptp(look[:, :3, 0].astype(int), axis=1) <= 1).all()) for look in looks]  # a border that goes on
    assert all(look.shape == (CROP_PX, CROP_PX, CHANNELS) and look.dtype == np.uint8 for look in looks)
    assert not ends[0] and 1 <= sum(ends) < 20


def test_drawn_pictures_show_both() -> None:
    made = [one for number in range(3, 36, 6) for one in drawn_crops(number, 5, 1)]
    assert Counter(is_side for _, is_side, _ in made)[True] >= 2
    assert {crop.shape for crop, _, _ in made} == {(CROP_PX, CROP_PX, CHANNELS)}
