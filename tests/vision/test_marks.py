"""Faces read by rule: drawn stickers, symbols and pips."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.marks import find_marks
from vision.read_marks import read_marks

Color = tuple[float, float, float]
BLACK, WHITE, GREY = (0.05, 0.05, 0.05), (0.95, 0.95, 0.95), (0.59, 0.59, 0.59)
STICKERS: dict[str, Color] = {  # blue, green, red, from 0 to 1
    "blue": (0.70, 0.27, 0.12),
    "gold": (0.16, 0.74, 0.92),
    "black": (0.10, 0.10, 0.10),
    "red": (0.16, 0.12, 0.78),
    "green": (0.24, 0.55, 0.12),
    "purple": (0.55, 0.20, 0.43),
}
Patch = npt.NDArray[np.float32]


def blurred(patch: Patch) -> Patch:
    return np.asarray(cv2.GaussianBlur(patch, (0, 0), 0.7), np.float32)


def rig_face(body: Color, sticker: Color, symbol: str) -> Patch:
    patch = np.full((48, 48, 3), GREY, np.float32)
    patch[8:40, 8:40] = body
    patch[11:37, 11:37] = sticker
    if symbol in ("+", "-"):
        patch[22:26, 16:32] = WHITE
    if symbol == "+":
        patch[16:32, 22:26] = WHITE
    return blurred(patch)


@pytest.mark.parametrize("body", ["black", "white"])
@pytest.mark.parametrize("face", ["blue blank", "gold blank", "black -", "red -", "green +", "purple +", "black +"])
@pytest.mark.parametrize("turn", [0, 1])
def test_a_rig_face_is_read_in_any_turn(body: str, face: str, turn: int) -> None:
    color, symbol = face.split()
    patch = rig_face(BLACK if body == "black" else WHITE, STICKERS[color], symbol)
    opinions = read_marks(find_marks(np.ascontiguousarray(np.rot90(patch, turn))))
    rig = [opinion for opinion in opinions if opinion.kind == "rig-die"]
    assert [opinion.face for opinion in rig] == [face]
    assert rig[0].body in (body, None)


def pip_face(count: int, body: Color, pip: Color = BLACK) -> Patch:
    places = {
        1: [(24, 24)],
        2: [(16, 16), (32, 32)],
        3: [(16, 16), (24, 24), (32, 32)],
        4: [(16, 16), (16, 32), (32, 16), (32, 32)],
        5: [(16, 16), (16, 32), (32, 16), (32, 32), (24, 24)],
        6: [(16, 16), (16, 24), (16, 32), (32, 16), (32, 24), (32, 32)],
    }
    patch = np.full((48, 48, 3), GREY, np.float32)
    patch[8:40, 8:40] = body
    for u, v in places[count]:
        cv2.circle(patch, (u, v), 3, pip, -1, cv2.LINE_AA)
    return blurred(patch)


@pytest.mark.parametrize("count", range(1, 7))
@pytest.mark.parametrize("turn", range(4))
def test_pips_are_counted_in_any_turn(count: int, turn: int) -> None:
    patch = np.ascontiguousarray(np.rot90(pip_face(count, WHITE), turn))
    assert ("pip-die", "white", str(count)) in [(o.kind, o.body, o.face) for o in read_marks(find_marks(patch))]


def test_white_pips_on_a_dark_die_are_counted() -> None:
    opinions = read_marks(find_marks(pip_face(5, STICKERS["purple"], WHITE)))
    assert ("pip-die", "5") in [(opinion.kind, opinion.face) for opinion in opinions]


@pytest.mark.parametrize(
    ("body", "face"), [("blue", "green"), ("red", "white"), ("black", "red"), ("black", "white")]
)
def test_an_action_face_is_read(body: str, face: str) -> None:
    colors = {
        "blue": STICKERS["blue"],
        "red": STICKERS["red"],
        "black": BLACK,
        "white": WHITE,
        "green": STICKERS["green"],
    }
    opinions = read_marks(find_marks(rig_face(colors[body], colors[face], "blank")))
    assert ("action-die", body, face) in [(o.kind, o.body, o.face) for o in opinions]


def test_a_green_neutral_face_does_not_exist() -> None:
    opinions = read_marks(find_marks(rig_face(BLACK, STICKERS["green"], "blank")))
    assert not [opinion for opinion in opinions if opinion.kind == "action-die"]
