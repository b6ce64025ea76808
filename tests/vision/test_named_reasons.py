"""Dice that nobody can read are named for what they are, where they lie."""

from pathlib import Path

import numpy as np
import pytest

from calibration.synthesis.scene import picture
from device.recording_folder import load_recording
from device.trained import trained_reader
from vision.reading import Reading

RECORDINGS = Path(__file__).parent.parent / "recordings"


def read_still(name: str, image: str, expect: dict[str, int] | None = None) -> Reading:
    recording = load_recording(RECORDINGS / name)
    [frame] = [frame for frame in recording.frames if frame.image.endswith(image)]
    return trained_reader().read(recording.pixels(frame), recording.kinds, expect)


@pytest.mark.parametrize(
    ("name", "image", "place", "reason"),
    [
        ("rig-dice-leaning-on-the-wall", "d0008.jpg", (1014, 597), "cocked"),  # beside the mat
        ("rig-dice-leaning-on-the-wall", "d0076.jpg", (299, 376), "cocked"),
        ("rig-dice-leaning-on-the-wall", "d0058.jpg", (810, 217), "cocked"),  # on its margin
        ("rig-dice-leaning-on-the-wall", "d0008.jpg", (990, 289), "outside"),
        ("action-dice-under-a-hand", "d0032.jpg", (891, 386), "occluded"),
        ("pip-dice-stacked", "d0042.jpg", (783, 254), "stacked"),
    ],
)
def test_a_die_that_cannot_be_read_is_named_for_how_it_lies(
    name: str, image: str, place: tuple[int, int], reason: str
) -> None:
    near = [u for u in read_still(name, image).unread if np.hypot(*np.subtract(u.center_px, place)) < 20]
    assert [thing.reason for thing in near] == [reason]


@pytest.mark.parametrize(("number", "kind", "face"), [(114, "number-die", "7"), (162, "number-die", "5")])
def test_what_leans_so_much_that_the_fit_makes_nothing_of_it_is_named_by_what_the_detector_sees(
    number: int, kind: str, face: str
) -> None:
    drawn = picture(np.random.default_rng([95001, number]), "mat", condition="cocked")
    labels = drawn.label["dice"]
    (leaning,) = (
        label for label in labels if (label["kind"], label["face"], label["state"]) == (kind, face, "cocked")
    )
    unread = trained_reader().read(np.ascontiguousarray(drawn.pixels), {label["kind"] for label in labels}).unread
    near = [u for u in unread if np.hypot(*np.subtract(u.center_px, leaning["top_centre_px"])) < 20]
    assert "cocked" in [thing.reason for thing in near]


@pytest.mark.parametrize(("seed", "number"), [(160_004, 398), (160_005, 23), (160_005, 185)])
def test_a_die_on_another_that_only_its_height_shows_beyond_the_border_is_stacked_and_waited_for(
    seed: int, number: int
) -> None:
    drawn = picture(np.random.default_rng([seed, number]), "mat", condition="stacked")
    labels = drawn.label["dice"]
    (upper,) = (label for label in labels if label["state"] == "on_top")
    unread = trained_reader().read(np.ascontiguousarray(drawn.pixels), {label["kind"] for label in labels}).unread
    near = [u for u in unread if np.hypot(*np.subtract(u.center_px, upper["top_centre_px"])) < 20]
    assert [(thing.reason, thing.may_count) for thing in near] == [("stacked", True)]


def test_what_leans_beyond_the_roll_area_stands_in_no_throws_way() -> None:
    for image in ("d0008.jpg", "d0058.jpg", "d0076.jpg"):
        assert not any(thing.may_count for thing in read_still("rig-dice-leaning-on-the-wall", image).unread)


def test_nobody_looks_beyond_the_roll_area_for_more_dice_than_are_awaited() -> None:
    reading = read_still("rig-dice-leaning-on-the-wall", "d0008.jpg", {"rig-die": 2})
    assert len(reading.dice) == 2
    assert not any(thing.reason == "cocked" for thing in reading.unread)
