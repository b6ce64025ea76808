"""Flat drawings of cubes' faces: what they claim to show is what the games know, and they can be drawn again."""

import itertools

import numpy as np

from calibration.synthesis.flat_cubes import SHARES, flat_cubes
from calibration.training.labels import face_labels
from vision.dice import CHANCE_CUBE
from vision.patches import PATCH_SIDE_PX

DRAWN = 120


def test_every_patch_is_named_as_the_games_name_it() -> None:
    drawn = list(itertools.islice(flat_cubes(4), DRAWN))
    assert {(one.kind, one.face, one.body) for one in drawn} <= set(face_labels())
    assert {one.kind for one in drawn} == {*SHARES, "nothing"}
    assert {(one.patch.shape, str(one.patch.dtype)) for one in drawn} == {
        ((PATCH_SIDE_PX, PATCH_SIDE_PX, 3), "uint8")
    }


def test_the_same_seed_draws_the_same() -> None:
    one, again = (list(itertools.islice(flat_cubes(5), 8)) for _ in range(2))
    assert all(np.array_equal(a.patch, b.patch) and a.face == b.face for a, b in zip(one, again, strict=True))


def test_red_and_blue_cubes_are_red_and_blue() -> None:
    told = [
        (one.face == "red") == (one.patch[18:30, 18:30, 2].mean() > one.patch[18:30, 18:30, 0].mean())
        for one in itertools.islice(flat_cubes(6, {CHANCE_CUBE: 1.0}), DRAWN)
        if one.face
    ]
    assert np.mean(told) > 0.95
