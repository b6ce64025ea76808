"""A camera that was said to look straight down is found to lean, from the dice that it sees."""

import cv2
import numpy as np
import pytest

from tests.vision.scene import SIZE_PX, DrawnCube, camera_above, draw_scene
from vision.empty_tray import EmptyTray
from vision.fit_solids import fit_solids
from vision.profile import Profile, assumed_camera
from vision.reading import Pixels
from vision.solids import CUBE
from vision.tray_pose import Throw, TrayPose, hung_at

_PLACES = [(-80, -55), (70, -50), (-60, 40), (75, 45), (0, 0), (-5, -70), (10, 50), (-85, -5), (85, -5)]
_CUBES = [DrawnCube(x, y, 10.0 + 17.0 * number) for number, (x, y) in enumerate(_PLACES)]


def _grey_tray(tilt_deg: float, cubes: list[DrawnCube]) -> Pixels:
    """The cubes as a camera with that tilt sees them on a plain grey floor."""
    camera = camera_above(300.0, tilt_deg)
    empty, full = draw_scene(camera), draw_scene(camera, cubes)
    changed = cv2.dilate(np.abs(full.astype(int) - empty).max(axis=2).astype(np.uint8), np.ones((3, 3), np.uint8)) > 3
    frame = np.full_like(full, 150)
    frame[changed] = full[changed]
    return frame


@pytest.mark.parametrize("tilt_deg", [-5.0, 0.0, 5.0])
def test_dice_tell_how_the_camera_hangs(tilt_deg: float) -> None:
    floor = np.full((SIZE_PX[1], SIZE_PX[0], 3), 150, np.uint8)
    camera = assumed_camera(SIZE_PX, 300.0, 0.83 * SIZE_PX[0])
    tray = EmptyTray(Profile(SIZE_PX, camera, False, floor, None))
    seen = tray.find_what_stands_out(_grey_tray(tilt_deg, _CUBES))
    fits = fit_solids(tray.camera, seen.evidence, seen.places, CUBE)
    rows = np.concatenate([fit.row for fit in fits if fit.score > 0.76])
    pose, offset = TrayPose().learn(tray.camera, [Throw(seen.evidence, True, rows)])
    assert pose.dice == len(rows) >= 7
    hangs = camera if offset is None else hung_at(camera, offset)
    middle = hangs.ground(np.array([[(SIZE_PX[0] - 1) / 2, (SIZE_PX[1] - 1) / 2]]))[0]
    true = camera_above(300.0, tilt_deg)
    true_foot = true.foot_mm - true.ground(np.array([[(SIZE_PX[0] - 1) / 2, (SIZE_PX[1] - 1) / 2]]))[0]
    assert np.linalg.norm(hangs.foot_mm - middle - true_foot) < 15.0
    assert 0.8 < hangs.matrix[0, 0] / (0.83 * SIZE_PX[0]) < 1.2
    assert hangs.project(np.array([middle]))[0] == pytest.approx(
        ((SIZE_PX[0] - 1) / 2, (SIZE_PX[1] - 1) / 2), abs=0.01
    )


def test_no_dice_tell_nothing_and_many_settle_it() -> None:
    assert TrayPose().learn(camera_above(), []) == (TrayPose(), None)
    assert not TrayPose(dice=39).is_settled
    assert TrayPose(dice=40).is_settled
