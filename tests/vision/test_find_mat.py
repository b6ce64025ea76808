"""The mat is found from any two of its markers, and the camera above it is told by them."""

import cv2
import numpy as np
import pytest

from calibration.synthesis.scene import picture
from tests.vision.scene import SIZE_PX, camera_above, draw_scene
from vision.dice import KINDS
from vision.find_mat import as_grey, find_mat, is_where_it_was, marker_corners, uncovered_markers
from vision.mat_layout import MARKER_CENTERS_MM
from vision.reading import Pixels


def hide(frame: Pixels, markers: list[int], tilt_deg: float = 0.0) -> Pixels:
    """The frame with paper laid over some markers."""
    covered = frame.copy()
    for marker in markers:
        corners = camera_above(tilt_deg=tilt_deg).project(marker_corners(marker) * 1.02)
        cv2.fillConvexPoly(covered, np.rint(corners).astype(np.int32), (200, 200, 200))
    return covered


def test_a_marker_on_which_a_die_lies_is_covered() -> None:
    camera = camera_above()
    frame = draw_scene(camera)
    assert uncovered_markers(frame, camera) == list(MARKER_CENTERS_MM)
    x, y = MARKER_CENTERS_MM[5]
    die = camera.project(np.array([(x - 8, y - 4), (x + 4, y - 4), (x + 4, y + 8), (x - 8, y + 8)]))
    cv2.fillConvexPoly(frame, np.rint(die).astype(np.int32), (40, 30, 200))
    assert uncovered_markers(frame, camera) == [marker for marker in MARKER_CENTERS_MM if marker != 5]


@pytest.mark.parametrize("tilt_deg", [0.0, 5.0])
def test_the_camera_is_where_it_was_drawn_from(tilt_deg: float) -> None:
    truth = camera_above(tilt_deg=tilt_deg)
    mat = find_mat(as_grey(draw_scene(truth)))
    assert mat is not None and mat.markers == tuple(MARKER_CENTERS_MM)
    places = np.array([(0.0, 0.0), (-90.0, -80.0), (90.0, 60.0)])
    assert np.abs(mat.camera.project(places) - truth.project(places)).max() < 0.4
    assert np.linalg.norm(mat.camera.foot_mm - truth.foot_mm) < 6
    # The prior of lenses leaves the height uncertain by a few percent, and a die's top by half a pixel.
    assert mat.camera.height_mm == pytest.approx(truth.height_mm, rel=0.08)
    assert np.abs(mat.camera.project(places, 16.0) - truth.project(places, 16.0)).max() < 2.5


@pytest.mark.parametrize("seen", [(0, 1), (0, 2), (1, 3), (2, 3), (4, 5), (3, 4)])
def test_any_two_markers_suffice(seen: tuple[int, int]) -> None:
    truth = camera_above()
    mat = find_mat(as_grey(hide(draw_scene(truth), [m for m in MARKER_CENTERS_MM if m not in seen])))
    assert mat is not None and mat.markers == seen
    places = np.array([(0.0, 0.0), (-60.0, -50.0), (60.0, 40.0)])
    assert np.abs(mat.camera.project(places) - truth.project(places)).max() < 6


def test_one_marker_is_no_mat() -> None:
    assert find_mat(as_grey(hide(draw_scene(camera_above()), [0, 1, 2, 3, 4]))) is None


def test_the_same_markers_on_another_sheet_are_no_mat() -> None:
    # Another sheet with these ids: the right half is pushed towards the left one.
    frame = draw_scene(camera_above())
    other = np.full_like(frame, 230)
    other[:, 150:650] = frame[:, :500]
    other[:, 650:1150] = frame[:, SIZE_PX[0] - 500 :]
    assert find_mat(as_grey(other)) is None


def test_a_mat_upside_down_is_found_as_such() -> None:
    truth = camera_above(turn_deg=180)
    mat = find_mat(as_grey(draw_scene(truth)))
    assert mat is not None
    assert np.abs(mat.camera.project(np.array([(50.0, 20.0)])) - truth.project(np.array([(50.0, 20.0)]))).max() < 0.4


def test_a_kept_pose_holds_until_the_mat_moves() -> None:
    grey = as_grey(draw_scene(camera_above()))
    mat = find_mat(grey)
    assert mat is not None and is_where_it_was(mat, grey)
    assert is_where_it_was(mat, np.asarray(np.clip(grey * 0.7, 0, 255), np.uint8))
    assert is_where_it_was(mat, as_grey(hide(draw_scene(camera_above()), [0, 1])))
    assert not is_where_it_was(mat, np.roll(grey, 2, axis=1))
    assert not is_where_it_was(mat, np.full_like(grey, 128))


@pytest.mark.parametrize("number", [154, 206])
def test_a_usual_lens_is_believed_rather_than_one_that_explains_the_corners_hardly_better(number: int) -> None:
    drawn = picture(np.random.default_rng([34204, number]), "mat", tuple(KINDS))
    mat = find_mat(as_grey(np.ascontiguousarray(drawn.pixels)))
    assert mat is not None
    assert mat.camera.height_mm == pytest.approx(drawn.label["camera"]["height_mm"], rel=0.12)
