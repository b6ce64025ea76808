"""Red chance cubes beside red stickers of action dice: told apart by what is seen of their sides, or left unread."""

import itertools
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from calibration.model import red_network
from calibration.synthesis.red_faces import red_faces
from calibration.synthesis.scene import Picture, picture
from device.trained import trained_reader
from vision.dice import ACTION_DIE, CHANCE_CUBE
from vision.framed import is_framed_in_blue
from vision.reading import ReadDie
from vision.red_network import RedNetwork
from vision.reds import tell

REDS = (CHANCE_CUBE, ACTION_DIE)
SEEDS = range(8)


@lru_cache
def drawn_picture(seed: int, floor: str) -> Picture:
    return picture(np.random.default_rng([seed, 11]), floor, REDS, "clean")


def read_reds(drawn: Picture, kinds: Sequence[str] = REDS) -> list[tuple[dict[str, Any], ReadDie | None]]:
    """The red faces of a picture where both kinds are awaited, and what each was read as."""
    dice = trained_reader().read(np.ascontiguousarray(drawn.pixels), kinds).dice
    out: list[tuple[dict[str, Any], ReadDie | None]] = []
    for label in drawn.label["dice"]:
        if label["face"] != "red" or not label["readable"] or label["in_roll_area"] != "yes":
            continue
        quad = np.array(label["top_quad_px"])
        reach = float(np.linalg.norm(quad[0] - quad[2])) / 2
        near = [die for die in dice if np.hypot(*np.subtract(die.center_px, label["top_centre_px"])) < reach]
        out.append((label, near[0] if near else None))
    return out


@pytest.mark.parametrize("floor", ["mat", "wood"])
def test_a_red_face_is_read_as_what_it_is_or_not_at_all(floor: str) -> None:
    reds = [each for seed in SEEDS for each in read_reds(drawn_picture(seed, floor))]
    read = [(label["kind"], label["face"], die) for label, die in reds if die is not None]
    assert [(kind, face, die) for kind, face, die in read if (die.kind, die.face) != (kind, face)] == []
    assert {kind for kind, _, _ in read} == set(REDS)
    assert len(read) >= 0.7 * len(reds)


@pytest.mark.parametrize("number", [15, 46, 72, 77, 80, 145])
def test_what_the_sides_tell_is_seen(number: int) -> None:
    drawn = picture(np.random.default_rng([4711, number]), "mat", REDS)
    read = read_reds(drawn)
    assert read
    assert all(die is not None and (die.kind, die.face) == (label["kind"], label["face"]) for label, die in read)


def test_a_sticker_on_red_is_read_where_others_think_it_may_be_a_cube() -> None:
    drawn = picture(np.random.default_rng([39003, 464]), "mat", REDS, None)
    on_red = [(label, die) for label, die in read_reds(drawn) if label["body"] == "red"]
    assert [label["kind"] for label, _ in on_red] == [ACTION_DIE] * 2
    assert all(die is not None and (die.kind, die.face) == (label["kind"], label["face"]) for label, die in on_red)


def test_a_sticker_on_red_needs_more_to_be_told_from_a_cube_than_one_on_blue() -> None:
    doubt = {(CHANCE_CUBE, "red", "red"): 0.1}
    assert tell(doubt | {(ACTION_DIE, "red", "blue"): 0.9}, 0.005).kind == ACTION_DIE
    assert tell(doubt | {(ACTION_DIE, "red", "red"): 0.9}, 0.005).kind is None


def test_a_plain_red_face_with_a_blue_border_is_not_told_to_be_a_cube() -> None:
    seen: dict[str, list[bool]] = {"cube": [], "blue": [], "red": [], "black": []}
    for one in itertools.islice(red_faces(5), 120):
        seen[one.body or "cube"].append(is_framed_in_blue(one.patch))
    assert np.mean(seen["blue"]) > 0.8
    assert max(np.mean(seen[body]) for body in ("cube", "red", "black")) < 0.15
    sure = {(CHANCE_CUBE, "red", "red"): 0.99, (ACTION_DIE, "red", "blue"): 0.01}
    assert tell(sure, 0.999).kind == CHANCE_CUBE
    assert tell(sure, 0.999, is_framed=True).kind is None


def test_what_the_network_says_does_not_depend_on_the_turn() -> None:
    network = RedNetwork(red_network())
    face = next(red_faces(12)).patch
    seen = [network.chances([np.ascontiguousarray(np.rot90(face, turn))])[0] for turn in range(4)]
    assert np.ptp(seen) < 1e-4


def test_another_file_than_the_networks_is_refused() -> None:
    with pytest.raises(ValueError, match="red faces"):
        RedNetwork(b"no network")
