"""Dice that lean are told from those that stand, in scenes drawn for this test alone."""

import math

import numpy as np
import pytest

from calibration.synthesis.scene import picture
from device.trained import trained_reader
from vision.dice import CHANCE_CUBE, RIG_DIE
from vision.leaning import LEAST_LEAN, find_lean
from vision.reader import Reader
from vision.reading import Reading

SEED = 20_261


@pytest.fixture(scope="module")
def reader() -> Reader:
    return trained_reader()


def scenes(reader: Reader, condition: str, count: int) -> list[tuple[dict, Reading]]:
    found = []
    for number in range(count):
        rng = np.random.default_rng([SEED, number])
        drawn = picture(rng, "mat", (CHANCE_CUBE, RIG_DIE), condition, 4, ())
        found.append((drawn.label, reader.read(drawn.pixels, {CHANCE_CUBE, RIG_DIE})))
    return found


def test_most_leaning_dice_are_left_and_most_standing_ones_read(reader: Reader) -> None:
    left = {"cocked": [], "flat": []}
    for label, reading in scenes(reader, "cocked", 8):
        for die in label["dice"]:
            if die["in_roll_area"] != "yes" or (die["state"] == "flat" and not die["readable"]):
                continue
            side = math.dist(die["top_quad_px"][0], die["top_quad_px"][1])
            is_read = any(math.dist(seen.center_px, die["top_centre_px"]) < side / 2 for seen in reading.dice)
            left[die["state"]].append(not is_read)
    assert np.mean(left["cocked"]) >= 0.6
    assert np.mean(left["flat"]) <= 0.2


def test_looking_for_leans_only_where_they_may_matter_changes_hardly_anything(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = scenes(reader, "clean", 2) + scenes(reader, "cocked", 2)
    monkeypatch.setattr("vision.situation._STANDING_HOWEVER", 2.0)
    looked = scenes(reader, "clean", 2) + scenes(reader, "cocked", 2)
    for (_, one), (_, other) in zip(seen, looked, strict=True):
        assert [thing.reason for thing in one.unread] == [thing.reason for thing in other.unread]
        assert [(die.kind, die.face) for die in one.dice] == [(die.kind, die.face) for die in other.dice]
        for die, again in zip(one.dice, other.dice, strict=True):
            assert die.confidence == pytest.approx(again.confidence, abs=0.02)


def test_nothing_leans_where_nothing_was_fitted() -> None:
    assert find_lean(None, None, []).shape == (0, 2)  # type: ignore[arg-type]
    assert 0 < LEAST_LEAN < math.radians(12)
