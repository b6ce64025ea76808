"""A camera that was knocked, a light that changed and a dirty lens are named; dice, and nothing, are not."""

import cv2
import numpy as np
import pytest

from tests.vision.rig import Rig
from tests.vision.scene import DrawnCube, camera_above, draw_scene
from vision.profile import moved_origin
from vision.reader import Reader
from vision.reading import Pixels
from vision.still_calibrated import Finding, moved_mm, tray_findings


@pytest.fixture(scope="module")
def rig() -> Rig:
    return Rig("wood", 11)


def px_per_mm(rig: Rig) -> float:
    return float(rig.camera.matrix[0, 0] / rig.camera.height_mm)


def smeared(frame: Pixels, sigma_px: float) -> Pixels:
    """The frame through a lens with a smear over its left half."""
    height, width = frame.shape[:2]
    area = np.zeros((height, width), np.float32)
    area[:, : width // 2] = 1
    share = cv2.GaussianBlur(area, (0, 0), width / 20)[..., None]
    return np.asarray(frame * (1 - share) + cv2.GaussianBlur(frame, (0, 0), sigma_px) * share, np.uint8)


def test_dice_are_no_change(rig: Rig) -> None:
    frame, _ = rig.throw(1, "pip-die", 5)
    assert tray_findings(rig.empty(), frame, px_per_mm(rig)) == ()
    assert tray_findings(rig.empty(), rig.empty(), px_per_mm(rig)) == ()


@pytest.mark.parametrize("shift_mm", [2.0, 5.0])
def test_a_camera_that_was_knocked_is_named(rig: Rig, shift_mm: float) -> None:
    frame, _ = rig.throw(1, "pip-die", 5)
    step = np.array([[1, 0, shift_mm * px_per_mm(rig)], [0, 1, 0]])
    moved = np.asarray(cv2.warpAffine(frame, step, rig.size_px, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    assert Finding.CAMERA_MOVED in tray_findings(rig.empty(), moved, px_per_mm(rig))


@pytest.mark.parametrize("tipped_deg", [1.0, 3.0, 5.0, 8.0])
@pytest.mark.parametrize("floor", ["felt", "wood", "cloth"])
def test_a_camera_that_was_tipped_is_named_however_far(floor: str, tipped_deg: float) -> None:
    rig = Rig(floor, 31)
    frame, _ = rig.changed(tipped_deg=tipped_deg).throw(1, "pip-die", 5)
    assert Finding.CAMERA_MOVED in tray_findings(rig.empty(), frame, px_per_mm(rig))


@pytest.mark.parametrize(("moved_mm", "tipped_deg"), [(2.0, 0.0), (0.0, 1.0)])
def test_a_camera_that_was_knocked_above_a_faint_felt_is_named(moved_mm: float, tipped_deg: float) -> None:
    rig = Rig("felt", 102)
    frame, _ = rig.changed(moved_mm=moved_mm, tipped_deg=tipped_deg).throw(1, "pip-die", 5)
    assert Finding.CAMERA_MOVED in tray_findings(rig.empty(), frame, px_per_mm(rig))


@pytest.mark.parametrize("seed", [103, 104, 111])
def test_a_paper_without_pattern_is_no_change(seed: int) -> None:
    rig = Rig("paper", seed)
    for count in (0, 3, 16):
        frame, _ = rig.throw(seed, "pip-die", count)
        assert tray_findings(rig.empty(), frame, px_per_mm(rig)) == ()


@pytest.mark.parametrize(
    ("seed", "stops", "throw", "count"), [(74003, 0.0, 740034, 5), (74003, 0.0, 770065, 5), (77006, 1.5, 770060, 0)]
)
def test_noise_above_the_grain_of_wood_is_no_change(seed: int, stops: float, throw: int, count: int) -> None:
    rig = Rig("wood", seed)
    frame, _ = rig.changed(stops=stops).throw(throw, "number-die", count)
    assert Finding.CAMERA_MOVED not in tray_findings(rig.empty(), frame, px_per_mm(rig))


def test_another_light_is_named(rig: Rig) -> None:
    dimmed = np.asarray(rig.empty() // 2, np.uint8)
    assert tray_findings(rig.empty(), dimmed, px_per_mm(rig)) == (Finding.LIGHT_CHANGED,)


@pytest.mark.parametrize(("kelvin", "findings"), [(2500.0, (Finding.LIGHT_CHANGED,)), (4500.0, ())])
@pytest.mark.parametrize("floor", ["felt", "wood", "cloth"])
def test_lamps_of_another_color_are_named(floor: str, kelvin: float, findings: tuple[Finding, ...]) -> None:
    rig = Rig(floor, 31)
    frame, _ = rig.changed(kelvin=kelvin).throw(1, "pip-die", 14)
    assert tray_findings(rig.empty(), frame, px_per_mm(rig)) == findings


def test_a_mat_that_slid_is_measured_in_millimetres() -> None:
    camera = camera_above()
    assert moved_mm(camera, camera) < 1e-6
    assert moved_mm(camera, moved_origin(camera, np.array([3.0, 4.0]))) == pytest.approx(5.0, abs=0.2)


def test_the_reader_takes_the_pose_of_a_mat_that_slid_anew_and_says_so() -> None:
    reader, cubes = Reader(), [DrawnCube(20, -10, 15, 16)]
    before = camera_above()
    reader.read(draw_scene(before, cubes), {"chance-cube"})
    assert reader.last_findings == ()
    slid = moved_origin(before, np.array([6.0, -4.0]))
    reading = reader.read(draw_scene(slid, cubes), {"chance-cube"})
    assert reader.last_findings == (Finding.MAT_MOVED,)
    assert all(die.center_mm == pytest.approx((20.0, -10.0), abs=2.0) for die in reading.dice)
    reader.read(draw_scene(slid, cubes), {"chance-cube"})
    assert reader.last_findings == ()


@pytest.mark.parametrize("sigma_px", [4.0, 8.0])
def test_a_smear_on_the_lens_is_named_above_a_tray_and_above_the_mat(rig: Rig, sigma_px: float) -> None:
    frame, _ = rig.throw(1, "pip-die", 5)
    assert tray_findings(rig.empty(), smeared(frame, sigma_px), px_per_mm(rig)) == (Finding.LENS_DIRTY,)
    reader, picture = Reader(), draw_scene(camera_above(), [DrawnCube(20, -10, 15, 16)])
    findings = []
    for seen in (picture, smeared(picture, sigma_px)):
        reader.read(seen, {"chance-cube"})
        findings.append(Finding.LENS_DIRTY in reader.last_findings)
    assert findings == [False, True]
