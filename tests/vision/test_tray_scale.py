"""How high the camera hangs above a tray is told by the dice that are seen there, whatever their sizes."""

import numpy as np
import pytest

from vision.camera import Camera
from vision.detector import Found
from vision.profile import assumed_camera
from vision.solids import CUBE, DODECAHEDRON, as_points
from vision.tray_pose import hung_at
from vision.tray_scale import TrayScale

TRUE = assumed_camera((1000, 800), 400.0)


def faces(*sizes_mm: float, corners: int = 4) -> list[Found]:
    """Upper faces of standing dice of these sizes, as a detector would see them with the true camera."""
    shape, what = (CUBE, "cube") if corners == 4 else (DODECAHEDRON, "number-die")
    dice = np.array([(30.0 * number - 60.0, 20.0, 0.4 * number, size) for number, size in enumerate(sizes_mm)])
    seen = []
    for top in as_points(shape.tops(TRUE, dice)):
        outline = TRUE.project(top)
        middle = outline.mean(axis=0)
        radius = float(np.linalg.norm(outline - middle, axis=1).mean())
        corner = tuple((float(x), float(y)) for x, y in outline)
        seen.append(Found(what, 0.8, (float(middle[0]), float(middle[1])), radius, corner))
    return seen


def below(times: float) -> Camera:
    """The true camera, guessed to hang so many times as high."""
    return assumed_camera((1000, 800), 400.0 * times)


def test_dice_are_taken_to_have_the_usual_size() -> None:
    scale = TrayScale()
    scale.learn(below(1.5), faces(16.0, 16.0, 16.5))
    assert scale.times_too_large(below(1.5)) == pytest.approx(1.5, rel=0.03)
    assert scale.times_too_large(TRUE) == 1.0


def test_small_cubes_are_not_taken_for_so_large_that_no_twelve_sided_die_fits_beside_them() -> None:
    scale = TrayScale()
    scale.learn(TRUE, faces(12.5, 12.5, 13.0, 12.5))
    guessed = below(1 / scale.times_too_large(TRUE))
    assert guessed.height_mm > 1.2 * TRUE.height_mm  # nothing else is known yet
    scale.learn(guessed, faces(19.5, 20.0, 20.0, 19.0, corners=5))
    set_anew = guessed.height_mm / scale.times_too_large(guessed) / TRUE.height_mm
    assert 20.0 * set_anew < DODECAHEDRON.sizes_mm[1]
    assert 12.5 * set_anew > CUBE.sizes_mm[0]


def test_what_the_detector_is_not_sure_of_says_nothing() -> None:
    scale = TrayScale()
    doubtful = [Found("cube", 0.5, f.center_px, f.radius_px, f.outline_px) for f in faces(40.0, 40.0)]
    scale.learn(TRUE, doubtful)
    assert not scale.is_known
    assert scale.times_too_large(TRUE) == 1.0


def test_sizes_stay_true_where_a_lens_turns_out_to_draw_wider() -> None:
    scale = TrayScale()
    scale.learn(TRUE, faces(16.0, 16.0, 15.5, 16.5))
    assert scale.times_too_large(hung_at(TRUE, np.array([0.0, 0.0, 0.2]))) == 1.0
