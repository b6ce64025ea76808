"""Off the mat, sides of dice that lie alone below a camera which leans far are not read as upper faces."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.detector_model import any_floor
from calibration.model import face_network
from calibration.synthesis.scene import Picture, picture
from tests.benchmarks.others import is_right
from vision.any_floor import AnyFloor
from vision.dice import NUMBER_DIE, PIP_DIE
from vision.reading import Pixels
from vision.side_network import SideNetwork

SEED = 608_121
FLOORS = ("felt", "wood", "cloth", "paper")
PICTURES = range(24)


@cache
def lying_alone(number: int, least_deg: float, most_deg: float, kind: str = NUMBER_DIE) -> Picture:
    """A picture of one die below a camera that leans so far."""
    rng = np.random.default_rng([SEED, number])
    floor = FLOORS[number % len(FLOORS)]
    return picture(rng, floor, (kind,), "clean", most_dice=1, aslant_deg=(least_deg, most_deg))


def pixels_of(drawn: Picture) -> Pixels:
    return np.ascontiguousarray(drawn.pixels)


def counted(reader: AnyFloor, pictures: list[Picture], kind: str = NUMBER_DIE) -> tuple[int, int]:
    """How many dice are read rightly, and how much is read that is no upper face."""
    right = wrong = 0
    for drawn in pictures:
        for die in reader.read(pixels_of(drawn), {kind})[0]:
            is_so = any(is_right(die, label) for label in drawn.label["dice"])
            right, wrong = right + is_so, wrong + (not is_so)
    return right, wrong


def side_network() -> SideNetwork:
    network = any_floor().sides
    assert network is not None
    return network


def test_the_side_of_a_twelve_sided_die_that_lies_alone_is_left() -> None:
    pictures = [lying_alone(number, 50, 68) for number in PICTURES]
    assert counted(replace(any_floor(), sides=None), pictures)[1] >= 5
    assert counted(any_floor(), pictures)[1] <= 2


@pytest.mark.parametrize("kind", [NUMBER_DIE, PIP_DIE])
def test_a_die_that_lies_alone_below_a_camera_that_hangs_is_read_as_before(kind: str) -> None:
    pictures = [lying_alone(number, 0, 6, kind) for number in PICTURES]
    before, _ = counted(replace(any_floor(), sides=None), pictures, kind)
    assert before >= 12
    assert counted(any_floor(), pictures, kind) == (before, 0)


def test_what_is_left_so_is_named() -> None:
    for number in PICTURES:
        pixels = pixels_of(lying_alone(number, 50, 68))
        (before, others), (dice, unread) = (
            reader.read(pixels, {NUMBER_DIE}) for reader in (replace(any_floor(), sides=None), any_floor())
        )
        if before and not dice:
            assert unread[len(others) :] == tuple(
                replace(unread[0], reason="unsure", center_px=die.center_px) for die in before
            )
            return
    pytest.fail("none was left")


def test_where_the_picture_ends_close_by_nothing_is_said() -> None:
    network = side_network()
    for number in PICTURES:
        frame = pixels_of(lying_alone(number, 50, 68))
        for die in replace(any_floor(), sides=None).read(frame, {NUMBER_DIE})[0]:
            outline = np.array(die.outline_px)
            if network.sees_sides(frame, [outline]):
                middle, reach = outline.mean(axis=0), 2 * float(np.ptp(outline, axis=0).max() / 2)
                left, top = (int(v) for v in middle - reach)
                part = np.ascontiguousarray(frame[top : top + 2 * int(reach), left : left + 2 * int(reach)])
                assert not network.sees_sides(part, [outline - np.array([left, top])])
                return
    pytest.fail("no side was seen")


def test_where_nothing_was_read_no_side_is_seen() -> None:
    assert not side_network().sees_sides(np.full((480, 640, 3), 90, np.uint8), [])


@pytest.mark.parametrize("onnx", [b"no network", face_network()])
def test_another_file_is_refused(onnx: bytes) -> None:
    with pytest.raises(ValueError, match="network"):
        SideNetwork(onnx)
