"""The pose above a tray: cut-out markers give tilt and scale, known dice give the height."""

import numpy as np
import pytest

from calibration.detector_model import any_floor
from calibration.synthesis.dice import any_die
from calibration.tray import find_cut_markers, pose_from_dice, pose_from_markers, white_of_markers
from tests.vision.rig import Rig
from tests.vision.scene import SIZE_PX, camera_above, draw_scene
from vision.find_mat import marker_corners


@pytest.mark.parametrize("markers", [(0,), (0, 2), (0, 1, 2, 3)])
@pytest.mark.parametrize("tilt_deg", [0.0, 5.0])
def test_cut_out_markers_give_pose_and_scale(markers: tuple[int, ...], tilt_deg: float) -> None:
    camera = camera_above(330.0, tilt_deg, 20.0)
    turn = np.array([[np.cos(0.4), np.sin(0.4)], [-np.sin(0.4), np.cos(0.4)]])
    shifts = np.array([(25.0, 10.0), (0.0, 0.0), (-31.0, 4.0), (12.0, -20.0)])
    squares = []
    for marker, shift in zip(markers, shifts, strict=False):
        middle = marker_corners(marker).mean(axis=0)
        squares.append(camera.project((marker_corners(marker) - middle) @ turn + middle + shift))
    found = pose_from_markers(squares, SIZE_PX, lens=camera)
    assert found is not None and found.error_px < 1.0
    ends = camera.project(np.array([(-30.0, 0.0), (30.0, 0.0)]))
    seen = found.ground(ends)
    assert np.linalg.norm(seen[0] - seen[1]) == pytest.approx(60.0, rel=0.03 if len(markers) > 1 else 0.12)


def test_what_is_no_square_gives_no_pose() -> None:
    square = np.array([(100, 100), (180, 100), (150, 150), (100, 140)], np.float64)
    assert pose_from_markers([square], SIZE_PX) is None
    assert pose_from_markers([], SIZE_PX) is None


def test_markers_are_found_where_they_lie_and_their_paper_is_white() -> None:
    frame = draw_scene(camera_above())
    markers = find_cut_markers(frame)
    assert sorted(markers) == [0, 1, 2, 3, 4, 5]
    white = white_of_markers(frame, list(markers.values()))
    assert white is not None and min(white) > 0.6 and max(white) - min(white) < 0.05
    assert white_of_markers(frame, []) is None


def test_known_dice_give_the_height() -> None:
    rig = Rig("felt", 11)
    frames = [rig.lay(seed, any_die(np.random.default_rng(2), "pip-die", 16.0), range(6))[0] for seed in (1, 2)]
    found = pose_from_dice(frames, any_floor().detector, 16.0, lens=rig.camera)
    assert found is not None and found.height_mm == pytest.approx(rig.camera.height_mm, rel=0.07)
    assert pose_from_dice([rig.empty()], any_floor().detector) is None
