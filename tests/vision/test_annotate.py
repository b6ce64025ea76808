"""The drawn pictures: the same size, drawn where something was read, and nothing changed in the original."""

import numpy as np
import pytest

from tests.vision.scene import DrawnCube, camera_above, draw_scene
from vision.annotate import annotate, stage_sheet
from vision.reader import Reader
from vision.reading import ReadDie, Reading, Unread


def test_annotating_draws_beside_the_original() -> None:
    frame = draw_scene(camera_above(), [DrawnCube(0, 0)])
    before = frame.copy()
    reading = Reader().read(frame, {"chance-cube"})
    drawn = annotate(frame, Reading("mat", reading.dice, (Unread("cocked", (200.0, 300.0)),)))
    assert np.array_equal(frame, before)
    assert drawn.shape == frame.shape
    changed = (drawn != frame).any(axis=2)
    u, v = (round(value) for value in reading.dice[0].outline_px[0])
    assert changed[v - 3 : v + 4, u - 3 : u + 4].any()
    assert changed[270:340, 160:240].any()


def test_a_label_at_the_edge_stays_inside() -> None:
    frame = np.zeros((60, 80, 3), np.uint8)
    assert annotate(frame, Reading("none", (), (Unread("unsure", (79.0, 59.0)),))).shape == frame.shape


def a_die(left: float, top: float, side: float) -> ReadDie:
    corners = ((left, top), (left + side, top), (left + side, top + side), (left, top + side))
    return ReadDie("pip-die", "white", "2", 0.99, (left + side / 2, top + side / 2), None, corners)


@pytest.mark.parametrize("brief", [False, True])
def test_labels_hide_no_die_beside(brief: bool) -> None:
    frame = np.zeros((900, 1300, 3), np.uint8)
    # One below the other, and one at the picture's foot.
    dice = (a_die(500, 300, 60), a_die(500, 366, 60), a_die(900, 838, 60))
    drawn = annotate(frame, Reading("none", dice, ()), brief)
    for die in dice:
        (left, top), (right, foot) = np.array(die.outline_px, int)[[0, 2]]
        assert not drawn[top + 4 : foot - 3, left + 4 : right - 3].any()


def test_the_sheet_holds_every_stage() -> None:
    _, trace = Reader().read_with_trace(draw_scene(camera_above(), [DrawnCube(0, 0)]))
    sheet = stage_sheet(trace)
    assert sheet.shape == (2 * 510, 3 * 640, 3)
