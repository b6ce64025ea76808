"""Pictures without the mat: what is read is right, and what is not sure is left."""

from collections import Counter
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.detector_model import any_floor
from calibration.synthesis.scene import picture
from device.trained import trained_reader
from tests.benchmarks.others import is_right
from vision.any_floor import AnyFloor
from vision.any_pips import count_pips
from vision.dice import CHANCE_CUBE, KINDS, NUMBER_DIE, PIP_DIE
from vision.reading import Pixels, Point, ReadDie

SQUARE: tuple[Point, ...] = ((20.0, 20.0), (83.0, 20.0), (83.0, 83.0), (20.0, 83.0))
PLACES = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)],
    6: [(-1, -1), (1, -1), (-1, 1), (1, 1), (-1, 0), (1, 0)],
}


@pytest.fixture(scope="module")
def reader() -> AnyFloor:
    return any_floor()


def pip_face(count: int, body: int = 235, ink: int = 20, turns: int = 0) -> Pixels:
    pixels = np.full((104, 104, 3), 90, np.uint8)
    cv2.rectangle(pixels, (20, 20), (83, 83), (body, body, body), -1)
    for x, y in PLACES[count]:
        cv2.circle(pixels, (round(51.5 + 15 * x), round(51.5 + 15 * y)), 6, (ink, ink, ink), -1, cv2.LINE_AA)
    return np.ascontiguousarray(np.rot90(pixels, turns))


@pytest.mark.parametrize("count", PLACES)
@pytest.mark.parametrize("turns", [0, 1])
def test_pips_are_counted_dark_on_light_and_light_on_dark(count: int, turns: int) -> None:
    assert count_pips(pip_face(count, turns=turns), SQUARE) == count
    assert count_pips(pip_face(count, 30, 230, turns), SQUARE) == count


def pips_at(*places: tuple[float, float]) -> Pixels:
    """A light face with pips there, in half sides from its middle."""
    pixels = np.full((104, 104, 3), 90, np.uint8)
    cv2.rectangle(pixels, (20, 20), (83, 83), (235, 235, 235), -1)
    for x, y in places:
        cv2.circle(pixels, (round(51.5 + 31.5 * x), round(51.5 + 31.5 * y)), 6, (160, 60, 40), -1, cv2.LINE_AA)
    return pixels


def test_two_pips_may_lie_side_by_side() -> None:
    for aside in (0.0, 0.08):
        assert count_pips(pips_at((-0.42, aside), (0.42, aside)), SQUARE) == 2
        assert count_pips(pips_at((aside, -0.3), (aside, 0.5)), SQUARE) == 2
    for stray in (((-0.42, 0.3), (0.42, 0.3)), ((-0.6, 0.0), (0.6, 0.0)), ((-0.15, 0.0), (0.7, 0.0))):
        assert count_pips(pips_at(*stray), SQUARE) is None  # half a four, the middle of a six, or spots


def test_blobs_that_are_no_face_are_not_counted() -> None:
    speckled = np.random.default_rng(1).integers(0, 256, (104, 104, 3), dtype=np.uint8)
    bare = np.full((104, 104, 3), 200, np.uint8)
    crowded = pip_face(5)
    cv2.circle(crowded, (51, 30), 6, (20, 20, 20), -1)
    for pixels in (speckled, bare, crowded):
        assert count_pips(pixels, SQUARE) is None


def verdicts(dice: tuple[ReadDie, ...], label: dict[str, Any]) -> Counter[str]:
    """How many of a drawn picture's dice were read right, and how many readings are wrong."""
    count: Counter[str] = Counter()
    taken = set()
    for read in dice:
        near = [
            i
            for i, die in enumerate(label["dice"])
            if np.hypot(*np.subtract(read.center_px, die["top_centre_px"]))
            < 0.5 * np.linalg.norm(np.subtract(die["top_quad_px"][0], die["top_quad_px"][2]))
            and i not in taken
        ]
        right = bool(near) and (read.kind, read.face) == (
            label["dice"][near[0]]["kind"],
            label["dice"][near[0]]["face"],
        )
        taken.update(near[:1])
        count["right" if right else "wrong"] += 1
    count["readable"] = sum(die["readable"] for die in label["dice"])
    return count


def test_tidy_dice_are_read_on_any_floor_and_none_wrongly(reader: AnyFloor) -> None:
    total: Counter[str] = Counter()
    for floor in ("felt", "wood", "cloth", "paper", "print", "carpet", "tray"):
        for seed, kind in enumerate(KINDS):
            drawn = picture(np.random.default_rng([31, seed]), floor, (kind,), "clean", 4)
            total += verdicts(reader.read(drawn.pixels, {kind})[0], drawn.label)
    assert total["wrong"] == 0
    assert total["right"] >= 0.5 * total["readable"]


def test_a_turned_dimmed_or_scaled_picture_never_shows_other_faces(reader: AnyFloor) -> None:
    drawn = picture(np.random.default_rng(12), "felt", (PIP_DIE,), "clean", 5)
    seen = Counter(die.face for die in reader.read(drawn.pixels, {PIP_DIE})[0])
    dimmed = np.asarray(drawn.pixels * 0.7, np.uint8)
    scaled = np.asarray(cv2.resize(drawn.pixels, None, fx=0.8, fy=0.8, interpolation=cv2.INTER_AREA), np.uint8)
    for other in (np.ascontiguousarray(np.rot90(drawn.pixels)), dimmed, scaled):
        again = Counter(die.face for die in reader.read(other, {PIP_DIE})[0])
        assert sum((again - seen).values()) + sum((seen - again).values()) <= 1
        assert sum(again.values()) <= len(drawn.label["dice"])


def test_an_empty_unknown_sheet_shows_no_dice(reader: AnyFloor) -> None:
    for seed in range(3):
        sheet = picture(np.random.default_rng([5, seed]), "print", ("number-die",), "clean", 1)
        assert reader.read(sheet.pixels, {"chance-cube"})[0] == ()


def test_only_awaited_kinds_are_read(reader: AnyFloor) -> None:
    drawn = picture(np.random.default_rng(3), "wood", ("rig-die",), "clean", 4)
    assert all(die.kind == "rig-die" for die in reader.read(drawn.pixels, {"rig-die", "pip-die"})[0])
    assert reader.read(drawn.pixels, {"number-die"})[0] == ()
    assert all(die.kind == "rig-die" for die in reader.read(drawn.pixels, None, {"rig-die": 4})[0])


@pytest.mark.parametrize(
    ("number", "kinds", "condition"),
    [
        pytest.param(875, tuple(KINDS), "clean", id="one that looks like a cube's face from afar"),
        pytest.param(702, (NUMBER_DIE,), "touching", id="seven together, which look like a die with marks"),
    ],
)
def test_twelve_sided_dice_are_told_from_what_they_look_like_from_afar(
    reader: AnyFloor, number: int, kinds: tuple[str, ...], condition: str
) -> None:
    drawn = picture(np.random.default_rng([88124, number]), "carpet", kinds, condition)
    dice, unread = reader.read(np.ascontiguousarray(drawn.pixels), {NUMBER_DIE})
    labels = drawn.label["dice"]
    assert len(dice) >= len(labels) - 1
    assert all(any(is_right(die, label) for label in labels) for die in dice)
    for label in labels:
        things = [thing.center_px for thing in (*dice, *unread)]
        assert min(np.hypot(*np.subtract(label["top_centre_px"], thing)) for thing in things) < 20


@pytest.mark.parametrize("number", [30, 870])
def test_plain_faces_in_a_heap_of_cubes_are_no_prints(reader: AnyFloor, number: int) -> None:
    drawn = picture(np.random.default_rng([88124, number]), "carpet", (CHANCE_CUBE,), "touching")
    pixels, labels = np.ascontiguousarray(drawn.pixels), drawn.label["dice"]
    dice, _ = reader.read(pixels, {CHANCE_CUBE})
    assert len(dice) == len(labels)
    assert len(dice) > len(replace(reader, presence=None).read(pixels, {CHANCE_CUBE})[0])
    assert all(any(is_right(die, label) for label in labels) for die in dice)


@pytest.mark.parametrize(
    ("number", "floor", "condition", "which"), [(105, "tray", "clean", 6), (156, "carpet", "tilt", 0)]
)
def test_seen_close_a_die_is_read_and_not_its_pips(
    reader: AnyFloor, number: int, floor: str, condition: str, which: int
) -> None:
    drawn = picture(np.random.default_rng([140001, number]), floor, condition=condition)
    die = drawn.label["dice"][which]
    x, y = (round(at) for at in die["top_centre_px"])
    wide = cv2.copyMakeBorder(drawn.pixels, 60, 60, 60, 60, cv2.BORDER_REPLICATE)[y : y + 120, x : x + 120]
    close = np.asarray(cv2.resize(wide, (960, 960), interpolation=cv2.INTER_CUBIC), np.uint8)
    dice, unread = reader.read(close, {PIP_DIE})
    assert [read.face for read in dice] == [die["face"]]
    inside = [thing for thing in unread if np.hypot(*np.subtract(thing.center_px, dice[0].center_px)) < 100]
    assert {thing.reason for thing in inside} <= {"not-a-die"}


@pytest.mark.parametrize(("aslant_deg", "leans"), [((0, 2), False), ((38, 42), True)])
def test_the_trace_shows_what_was_found_and_every_face(aslant_deg: tuple[float, float], leans: bool) -> None:
    drawn = picture(np.random.default_rng([31, 4]), "felt", (PIP_DIE,), "clean", aslant_deg=aslant_deg)
    frame = np.ascontiguousarray(drawn.pixels)
    reading, trace = trained_reader().read_with_trace(frame, {PIP_DIE})
    assert reading == trained_reader().read(frame, {PIP_DIE})
    assert trace.names == ("picture", "mat", "found", "faces")
    found, faces = trace.stages[2:]
    assert found.picture.shape == frame.shape and (found.picture != frame).any()
    assert int(found.note.split()[0]) == int(faces.note.split()[0]) >= len(reading.dice) > 1
    assert ("a camera that leans" in found.note) == leans
