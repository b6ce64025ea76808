"""A profile that the host sends is checked, kept and read by; what it says of the camera fills the settings."""

import json
from pathlib import Path

import numpy as np
import pytest

from calibration.profile_file import MeasuredProfile, write_profile
from calibration.profile_store import ProfileStore
from device.host_commands import Command, CommandFailed
from device.profiles import adopt_profile, kept_profile, with_profile
from device.settings import CameraSettings
from vision.profile import Profile, assumed_camera

SIZE = (640, 480)
SET = {"exposure_s": 0.008, "gain": 2.5, "white_balance": (1.6, 1.9), "focus": 2.9}


def measured(height_mm: float = 300.0) -> MeasuredProfile:
    empty = np.full((*SIZE[::-1], 3), 128, np.uint8)
    profile = Profile(SIZE, assumed_camera(SIZE, height_mm), True, empty, None)
    return MeasuredProfile(profile, "2026-05-04T20:15:00Z", {"empty": ("a.jpg",)}, "assumed", settings=SET)


def command(profile: object) -> Command:
    return Command("c1", "adopt-profile", {"profile": profile})


def test_a_profile_is_kept_and_used_and_the_one_before_it_kept_beside(tmp_path: Path) -> None:
    store, used = ProfileStore(tmp_path / "profile.json"), list[MeasuredProfile]()
    handler = adopt_profile(store, used.append)
    for height_mm in (300.0, 400.0):
        assert "from now on" in handler(command(json.loads(write_profile(measured(height_mm))))).detail
    assert [round(one.profile.camera.height_mm) for one in used] == [300, 400]
    kept = kept_profile(store)
    assert kept is not None and round(kept.profile.camera.height_mm) == 400
    store.undo()
    before = kept_profile(store)
    assert before is not None and round(before.profile.camera.height_mm) == 300


@pytest.mark.parametrize("wrong", [None, {}, {"format": "croupier profile", "version": 99}, "text"])
def test_what_is_no_profile_is_refused_and_changes_nothing(tmp_path: Path, wrong: object) -> None:
    store, used = ProfileStore(tmp_path / "profile.json"), list[MeasuredProfile]()
    with pytest.raises(CommandFailed, match="cannot be used"):
        adopt_profile(store, used.append)(command(wrong))
    assert (used, store.in_use()) == ([], None)


def test_a_damaged_profile_does_not_keep_the_device_from_its_work(tmp_path: Path) -> None:
    (tmp_path / "profile.json").write_text("{", encoding="utf-8")
    assert kept_profile(ProfileStore(tmp_path / "profile.json")) is None


def test_the_settings_win_over_the_profile() -> None:
    filled = with_profile(CameraSettings(gain=4.0), measured())
    assert (filled.exposure_us, filled.gain, filled.red_gain, filled.blue_gain) == (8000, 4.0, 1.6, 1.9)
    assert filled.lens_position_dioptres == 2.9
    assert with_profile(CameraSettings(), None) == CameraSettings()
