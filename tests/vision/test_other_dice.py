"""Dice of other games lie among those that are played with: none is read, and the games' own are all the same."""

from typing import Any

import numpy as np
import pytest

from calibration.model import face_network, other_network
from calibration.synthesis.scene import picture
from device.trained import trained_reader
from tests.benchmarks.others import is_others, is_right
from tests.vision.rig import Rig, profile_of_empty
from vision.dice import CHANCE_CUBE, KINDS, NUMBER_DIE
from vision.other_network import OtherNetwork, unless_another
from vision.patches import PATCH_SIDE_PX
from vision.reading import ReadDie, Unread
from vision.taught import TaughtSet
from vision.taught_dice import TaughtDice

KIND_OF = tuple(KINDS)
"""The kind that lies in a picture is that of its seed, less five as often as there are five kinds."""


def misread(reason: str) -> pytest.MarkDecorator:
    """Of a die that the network takes for one of the games' still."""
    return pytest.mark.xfail(reason=reason, strict=True)


@pytest.mark.parametrize(
    ("floor", "seed", "is_awaited"),
    [
        ("mat", 0, True),  # a sign on orange was a red cube
        ("mat", 4, True),
        ("mat", 14, True),  # one of twenty sides was a twelve-sided die
        ("mat", 20, True),
        ("mat", 25, True),
        ("mat", 39, True),
        ("mat", 42, True),  # a sign was a pip
        ("mat", 1, False),
        ("mat", 3, False),
        ("mat", 4, False),
        ("mat", 15, False),
        ("mat", 22, False),
        pytest.param("mat", 23, False, marks=misread("of a sign on black little paint is left: a minus")),
        ("mat", 24, False),
        ("mat", 38, False),
        ("mat", 52, False),  # a sign on black was a sticker
        ("wood", 1, True),
        ("wood", 5, True),
        ("wood", 12, True),
        pytest.param("wood", 17, True, marks=misread("a white 8 in a dark disc: a lone pip")),
        ("wood", 34, True),
        ("wood", 15, False),
        ("wood", 21, False),
        ("wood", 42, False),
    ],
)
def test_dice_of_other_games_are_not_read(floor: str, seed: int, is_awaited: bool) -> None:
    kind = KIND_OF[seed % len(KIND_OF)]
    drawn = picture(np.random.default_rng([66, seed]), floor, (kind,), "clean", most_others=6)
    dice = trained_reader().read(np.ascontiguousarray(drawn.pixels), {kind} if is_awaited else None).dice
    assert drawn.label["other_dice"]
    assert [(die.kind, die.face) for die in dice if is_others(die, drawn)] == []
    own = [label for label in drawn.label["dice"] if label["readable"]]
    assert sum(any(is_right(die, label) for die in dice) for label in own) >= 0.5 * len(own) > 0


@pytest.mark.parametrize("floor", ["felt", "cloth"])
def test_nor_are_they_in_ones_own_tray(floor: str) -> None:
    rig = Rig(floor, 70_004)
    reader = trained_reader(profile_of_empty(rig))
    frame, labels, others = rig.among_others(9_041, list(KINDS), 5, 5)
    dice = reader.read(np.ascontiguousarray(frame)).dice
    assert len(others) == 5
    for face in others:
        reach = np.linalg.norm(face - face.mean(axis=0), axis=1).mean()
        assert all(np.hypot(*(face.mean(axis=0) - die.center_px)) > reach / 2 for die in dice)
    assert sum(any(is_right(die, label) for die in dice) for label in labels) >= len(labels) - 1


@pytest.mark.parametrize(("kind", "faces"), [(CHANCE_CUBE, ("red", "blue")), (NUMBER_DIE, ("1", "2"))])
def test_nobody_is_asked_of_the_shape_of_dice_that_were_taught(kind: str, faces: tuple[str, ...]) -> None:
    drawn = picture(np.random.default_rng([66, 0]), "mat", (CHANCE_CUBE,), "clean", most_others=6)
    rng = np.random.default_rng(1)
    noise = {face: [rng.random((PATCH_SIDE_PX, PATCH_SIDE_PX, 3), dtype=np.float32)] for face in faces}
    reader = trained_reader(taught=TaughtDice([TaughtSet.of(kind, None, noise)]))
    dice = reader.read(np.ascontiguousarray(drawn.pixels), {CHANCE_CUBE, NUMBER_DIE}).dice
    # What may be a taught cube must not pass for nothing.
    assert any(is_others(die, drawn) for die in dice) == (kind == CHANCE_CUBE)


def test_pips_and_plain_stickers_must_look_more_like_another_game_than_anything_else() -> None:
    def read(kind: str, face: str) -> ReadDie:
        return ReadDie(kind, None, face, 0.99, (50.0, 40.0), None, ((40, 30), (60, 30), (60, 50), (40, 50)))

    unsure, left = Unread("unsure", (50.0, 40.0)), Unread("not-a-die", (50.0, 40.0))
    for kind, face in (("pip-die", "4"), ("action-die", "red")):
        assert unless_another(read(kind, face), 0.95) == read(kind, face)
        assert unless_another(read(kind, face), 0.99) == left
    for kind, face, most in (("pip-die", "1", 0.94), ("number-die", "4", 0.69)):
        assert unless_another(read(kind, face), most) == read(kind, face)
        assert unless_another(read(kind, face), most + 0.02) == unsure
        assert unless_another(read(kind, face), 0.99) == left


def test_what_the_network_says_hardly_depends_on_the_turn_or_the_company() -> None:
    network = OtherNetwork(other_network())
    rng = np.random.default_rng(3)
    patches = [rng.random((PATCH_SIDE_PX, PATCH_SIDE_PX, 3), dtype=np.float32) for _ in range(4)]
    together: list[Any] = network.chances(patches, [4, 5, 4, 5])
    alone = [network.chances([patch], [corners])[0] for patch, corners in zip(patches, [4, 5, 4, 5], strict=True)]
    assert together == pytest.approx(alone, abs=1e-4)
    assert network.chances([], []) == []


@pytest.mark.parametrize("onnx", [b"no network", face_network()], ids=["no network", "another network"])
def test_another_file_than_the_networks_is_refused(onnx: bytes) -> None:
    with pytest.raises(ValueError, match="other games' dice"):
        OtherNetwork(onnx)
