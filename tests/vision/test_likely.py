"""What a die may be that was not read is told, for whoever is asked at the table."""

import cv2
import numpy as np

from calibration.synthesis.dice import any_die
from device.trained import trained_reader
from tests.vision.rig import Rig
from vision.dice import KINDS, PIP_DIE


def test_a_leaning_die_is_left_with_the_faces_that_it_may_show() -> None:
    rig, design = Rig("mat", 4), any_die(np.random.default_rng(3), PIP_DIE, 16.0)
    unread = trained_reader().read(rig.lean(1, design, 24.0), {PIP_DIE}).unread
    assert unread
    offered = [answer for thing in unread for answer in thing.likely]
    assert offered
    assert all(kind == PIP_DIE and KINDS[kind].has_face(face) for kind, _, face in offered)
    assert all(len(thing.likely) <= 4 and "likely" not in thing.to_json() for thing in unread)


def test_what_is_no_die_may_be_nothing() -> None:
    frame = Rig("mat", 4).empty()
    cv2.circle(frame, (640, 400), 30, (40, 160, 220), -1, cv2.LINE_AA)
    assert all(thing.likely == () for thing in trained_reader().read(frame).unread if thing.reason == "not-a-die")
