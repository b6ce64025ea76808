"""Off the mat, the dice of one picture tell together which of them lean: they lie below one camera."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.detector_model import any_floor
from calibration.model import trained_leaning
from calibration.synthesis.scene import picture
from vision.any_floor import AnyFloor
from vision.camera import Camera
from vision.lean_network import HEIGHTS, usual_base
from vision.lean_together import Seen, bases_by_others, disagreement, lean_above, odds_of_leaning
from vision.reading import Floats

SHAPE = (972, 1296, 3)
SIDE_MM = 16.0
PLACES_MM = [(-70.0, -45.0), (-20.0, -40.0), (40.0, -48.0), (75.0, 5.0), (30.0, 40.0), (-35.0, 45.0), (-80.0, 20.0)]


def camera_that(tilts_deg: tuple[float, float], focal: float = 0.85) -> Camera:
    """A camera 30 cm above the table, of so many picture widths of focal length."""
    middle = [(SHAPE[1] - 1) / 2, (SHAPE[0] - 1) / 2]
    matrix = np.array([[focal * SHAPE[1], 0, middle[0]], [0, focal * SHAPE[1], middle[1]], [0, 0, 1]])
    return Camera(matrix, np.zeros(5), np.radians([*tilts_deg, 0.0]), np.array([0.0, 0.0, 350.0 * focal]), 0.0)


def die(camera: Camera, at_mm: tuple[float, float], off: Floats, odds: float = 0.0) -> Seen:
    """A cube as that camera sees it, its base ``off`` (heights) from where a standing one has it."""
    half = SIDE_MM / 2
    x, y = at_mm
    corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    top = camera.project(np.array(corners), SIDE_MM)
    reach = float(np.linalg.norm(top - top.mean(axis=0), axis=1).mean())
    base = camera.project(np.array([at_mm]))[0]
    return Seen(top, (base - top.mean(axis=0)) / reach + off * HEIGHTS[4], 0.03, odds)


def leaning_by(degrees: float, towards_deg: float) -> Floats:
    """By how much of its height a die's base is off that leans."""
    towards = np.radians(towards_deg)
    return np.array([np.cos(towards), np.sin(towards)]) * np.sin(np.radians(degrees))


STANDING = np.zeros(2)


@given(
    tilts_deg=st.tuples(st.floats(-8, 8), st.floats(-8, 8)),
    focal=st.floats(0.7, 1.1),
    leaning=st.integers(0, 6),
    towards_deg=st.floats(0, 360),
)
def test_the_one_that_leans_among_many_is_known_below_any_camera(
    tilts_deg: tuple[float, float], focal: float, leaning: int, towards_deg: float
) -> None:
    camera = camera_that(tilts_deg, focal)
    dice = [
        die(camera, at, leaning_by(25, towards_deg) if number == leaning else STANDING)
        for number, at in enumerate(PLACES_MM)
    ]
    odds = odds_of_leaning(dice, SHAPE)
    assert [number for number, each in enumerate(odds) if each > 0] == [leaning]


@given(tilts_deg=st.tuples(st.floats(-8, 8), st.floats(-8, 8)), count=st.integers(1, 24))
def test_none_leans_where_all_stand(tilts_deg: tuple[float, float], count: int) -> None:
    camera = camera_that(tilts_deg)
    places = [(x, y) for x in (-75.0, -45.0, -15.0, 15.0, 45.0, 75.0) for y in (-50.0, -17.0, 17.0, 50.0)]
    odds = odds_of_leaning([die(camera, at, STANDING) for at in places[:count]], SHAPE)
    assert (odds < 0).all()


def test_of_one_die_alone_a_little_lean_may_be_the_cameras() -> None:
    camera = camera_that((0.0, 0.0))
    alone = odds_of_leaning([die(camera, (20.0, 10.0), leaning_by(12, 40))], SHAPE)
    beside = [die(camera, at, STANDING) for at in PLACES_MM]
    assert odds_of_leaning([die(camera, (0.0, 0.0), leaning_by(12, 40)), *beside], SHAPE)[0] > alone[0] + 1


def test_nothing_leans_where_nothing_lies() -> None:
    assert odds_of_leaning([], SHAPE).shape == (0,)


@given(
    tilts_deg=st.tuples(st.floats(-35, 35), st.floats(-15, 15)),
    leaning=st.integers(0, 6),
    towards_deg=st.floats(0, 360),
)
def test_dice_show_how_far_the_camera_leans_and_where_each_would_stand(
    tilts_deg: tuple[float, float], leaning: int, towards_deg: float
) -> None:
    camera = camera_that(tilts_deg)
    dice = [
        die(camera, at, leaning_by(30, towards_deg) if number == leaning else STANDING)
        for number, at in enumerate(PLACES_MM)
    ]
    assert lean_above(dice, SHAPE) == pytest.approx(np.sin(np.radians(np.hypot(*tilts_deg))), abs=0.12)
    bases = bases_by_others(dice, [True] * len(dice), SHAPE)
    for at, seen, base in zip(PLACES_MM, dice, bases, strict=True):
        reach = np.linalg.norm(seen.outline_px - seen.outline_px.mean(axis=0), axis=1).mean()
        assert np.linalg.norm(base - camera.project(np.array([at]))[0]) < 0.25 * reach


def test_where_no_other_die_tells_bases_are_where_usual_cameras_show_them() -> None:
    camera = camera_that((30.0, 0.0))
    dice = [die(camera, at, STANDING) for at in PLACES_MM]
    unknown = bases_by_others(dice, [False] * len(dice), SHAPE)
    assert unknown == pytest.approx(np.array([usual_base(each.outline_px, SHAPE) for each in dice]), abs=3)
    assert bases_by_others([], [], SHAPE).shape == (0, 2)


def read_all(reader: AnyFloor, seeds: range) -> Counter[str]:
    """How many standing dice are read in drawn pictures of other floors, and how many leaning ones."""
    count: Counter[str] = Counter()
    for seed in seeds:
        drawn = picture(np.random.default_rng([seed, 77]), ("felt", "wood", "cloth")[seed % 3], condition="cocked")
        kinds = {str(label["kind"]) for label in drawn.label["dice"]}
        dice, _ = reader.read(np.ascontiguousarray(drawn.pixels), kinds)
        for label in drawn.label["dice"]:
            reach = np.ptp(np.array(label["top_quad_px"])[:, 0]) / 2
            near = [die for die in dice if np.hypot(*np.subtract(die.center_px, label["top_centre_px"])) < reach]
            count[label["state"]] += 1
            count[f"{label['state']} read"] += len(near)
    return count


def test_fewer_leaning_dice_are_read_where_all_are_judged_together() -> None:
    together = any_floor()
    alone = replace(together, leaning=replace(trained_leaning(), bases=None))
    seen, before = (read_all(reader, range(24)) for reader in (together, alone))
    assert seen["cocked read"] <= before["cocked read"] / 2
    assert seen["flat read"] >= 0.9 * seen["flat"]


@given(tilts_deg=st.tuples(st.floats(-20, 20), st.floats(-20, 20)))
def test_a_die_that_stands_alone_does_not_lean_though_the_camera_does(tilts_deg: tuple[float, float]) -> None:
    seen = [die(camera_that(tilts_deg), (0.0, 0.0), STANDING)]
    assert odds_of_leaning(seen, SHAPE)[0] < 0


@pytest.mark.parametrize(("number", "floor"), [(12, "wood"), (116, "felt")])
def test_below_a_camera_that_looks_aslant_dice_stand(number: int, floor: str) -> None:
    drawn = picture(np.random.default_rng([140001, number]), floor, condition="tilt")
    assert {label["state"] for label in drawn.label["dice"]} == {"flat"}
    _, unread = any_floor().read(
        np.ascontiguousarray(drawn.pixels), {str(label["kind"]) for label in drawn.label["dice"]}
    )
    assert "cocked" not in {thing.reason for thing in unread}


@given(across=st.floats(-25, 25), down=st.floats(-25, 25), many=st.integers(2, 7))
def test_bases_of_standing_dice_agree_below_any_camera(across: float, down: float, many: int) -> None:
    camera = camera_that((across, down))
    assert disagreement([die(camera, at_mm, np.zeros(2)) for at_mm in PLACES_MM[:many]], SHAPE) < 0.5


@given(turn=st.floats(0, 6.28), many=st.integers(2, 7))
def test_bases_of_sides_that_look_different_ways_disagree(turn: float, many: int) -> None:
    camera = camera_that((0.0, 0.0))
    ways = [0.35 * np.array([np.cos(turn + 2.4 * i), np.sin(turn + 2.4 * i)]) for i in range(many)]
    dice = [die(camera, at_mm, off) for at_mm, off in zip(PLACES_MM, ways, strict=False)]
    assert disagreement(dice, SHAPE) > 1.0


def test_one_of_four_may_lean_without_making_them_disagree() -> None:
    camera = camera_that((3.0, -4.0))
    offs = [np.zeros(2), np.zeros(2), np.array([0.4, 0.0]), np.zeros(2)]
    dice = [die(camera, at_mm, off) for at_mm, off in zip(PLACES_MM, offs, strict=False)]
    assert disagreement(dice, SHAPE) < 1.0 < disagreement(dice[:3], SHAPE)
