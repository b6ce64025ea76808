"""Faces that were taught, told from small pictures of them: turned, shifted, and with lamps mirrored in them."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from vision.patches import PATCH_SIDE_PX, Patch
from vision.taught import TaughtFace, TaughtSet

Color = tuple[float, float, float]
CREAM, BLUE, WHITE, BLACK = (0.55, 0.7, 0.75), (0.5, 0.15, 0.1), (1.0, 1.0, 1.0), (0.08, 0.08, 0.1)
SIGNS = ("1", "2", "3", "4")


def sign(face: str, ground: Color, ink: Color, shift: Sequence[float] = (0, 0), degrees: float = 0.0) -> Patch:
    """A disc, a bar, a cross or an angle."""
    picture = np.full((4 * PATCH_SIDE_PX, 4 * PATCH_SIDE_PX, 3), ground, np.float32)
    if face == "1":
        cv2.circle(picture, (96, 96), 26, ink, -1)
    if face in ("2", "3"):
        cv2.line(picture, (58, 96), (134, 96), ink, 14)
    if face == "3":
        cv2.line(picture, (96, 58), (96, 134), ink, 14)
    if face == "4":
        cv2.polylines(picture, [np.array([(64, 128), (64, 64), (128, 64)])], False, ink, 14)
    turn = cv2.getRotationMatrix2D((96, 96), degrees, 1.0)
    turn[:, 2] += 4 * np.array(shift)
    picture = cv2.warpAffine(picture, turn, (192, 192), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(picture, (PATCH_SIDE_PX,) * 2, interpolation=cv2.INTER_AREA), np.float32)


def with_lamp(patch: Patch, at: tuple[int, int], radius: int) -> Patch:
    """The same with a lamp mirrored in it."""
    lit = patch.copy()
    cv2.circle(lit, at, radius, (1.0, 1.0, 1.0), -1)
    return lit


def taught(ground: Color, ink: Color) -> TaughtSet:
    faces = {face: [sign(face, ground, ink), sign(face, ground, ink, (1, -1), 4.0)] for face in SIGNS}
    return TaughtSet.of("pip-die", None, faces)


def told(own: TaughtSet, patch: Patch) -> TaughtFace:
    found = own.tell([np.ascontiguousarray(np.rot90(patch, turn)) for turn in range(4)])
    assert found is not None
    return found


@pytest.mark.parametrize("face", SIGNS)
@pytest.mark.parametrize(("ground", "ink"), [(CREAM, BLACK), (BLUE, CREAM), (BLUE, WHITE)])
def test_a_face_is_told_turned_and_out_of_place(face: str, ground: Color, ink: Color) -> None:
    found = told(taught(ground, ink), sign(face, ground, ink, (-2, 1.5), 95.0))
    assert found.face == face and found.is_sure


def test_a_mirrored_lamp_is_left_out_of_the_comparison() -> None:
    own = taught(CREAM, BLACK)
    for face in SIGNS:
        found = told(own, with_lamp(sign(face, CREAM, BLACK), (15, 33), 6))
        assert found.face == face and found.is_sure


def test_what_a_lamp_hides_is_not_told() -> None:
    own = taught(CREAM, BLACK)
    assert not told(own, with_lamp(sign("3", CREAM, BLACK), (24, 24), 20)).is_sure
    # White signs look like lamps: what is white beside them may hide some of another face.
    own = taught(BLUE, WHITE)
    found = told(own, with_lamp(sign("2", BLUE, WHITE), (24, 32), 13))
    assert found.is_hidden and not found.is_sure


def test_a_face_of_another_set_is_not_told() -> None:
    own = taught(CREAM, BLACK)
    assert not told(own, np.full((PATCH_SIDE_PX, PATCH_SIDE_PX, 3), CREAM, np.float32)).is_sure
    assert not told(own, sign("1", BLUE, CREAM)).is_sure


def test_faces_without_pictures_are_missing() -> None:
    own = TaughtSet.of("pip-die", None, {"1": [sign("1", CREAM, BLACK)], "2": []})
    assert own.missing == ("2", "3", "4", "5", "6")
    assert TaughtSet.of("pip-die", None, {}).tell([sign("1", CREAM, BLACK)] * 4) is None
