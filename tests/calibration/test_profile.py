"""Profiles as files: what is written is read again, what is no profile is refused in one line, and undo goes back."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.profile_file import VERSION, MeasuredProfile, ProfileError, load_profile, read_profile, write_profile
from calibration.profile_store import KEPT, ProfileStore
from vision.profile import Profile, assumed_camera

SIZE = (320, 240)


def measured(created: str = "2026-01-02T03:04:05+00:00", empty: bool = True) -> MeasuredProfile:
    picture = np.full((240, 320, 3), (40, 90, 60), np.uint8)
    camera = replace(assumed_camera(SIZE, 350.0), rotation=np.array([0.05, -0.02, 0.1]), error_px=0.3)
    profile = Profile(SIZE, camera, True, picture if empty else None, (0.5, 0.6, 0.7))
    settings = {"exposure_s": 0.01, "white_balance": (1.5, 1.8)}
    return MeasuredProfile(profile, created, {"tray": ("empty.jpg",)}, "markers", 0.4, settings)


def content() -> dict[str, Any]:
    whole: dict[str, Any] = json.loads(write_profile(measured()))
    return whole


def test_what_is_written_is_read_again() -> None:
    one = measured()
    again = read_profile(write_profile(one).encode())
    assert (again.created, again.pose_from, again.lens_error_px) == (one.created, "markers", 0.4)
    assert again.settings == one.settings and again.measured_on == one.measured_on
    points = np.array([(-50.0, 20.0), (60.0, -40.0)])
    assert np.allclose(again.profile.camera.project(points), one.profile.camera.project(points), atol=0.01)
    assert again.profile.white == one.profile.white and again.profile.has_scale
    assert again.profile.empty is not None and again.profile.empty.shape == (240, 320, 3)
    assert content()["units"]["length"] == "mm" and content()["version"] == VERSION
    assert read_profile(write_profile(measured(empty=False)).encode()).profile.empty is None


def test_the_first_version_is_migrated_and_a_newer_one_refused() -> None:
    old = content()
    del old["light"], old["camera"]["settings"], old["pose"]["from"]
    old["version"] = 1
    again = read_profile(json.dumps(old).encode())
    assert again.pose_from == "markers" and again.profile.white is None
    with pytest.raises(ProfileError, match=r"newer Croupier .* update"):
        read_profile(json.dumps({**content(), "version": VERSION + 1}).encode())


@pytest.mark.parametrize(
    "change",
    [
        {"camera": None},
        {"camera": {"width": 10**9, "height": 240, "settings": {}}},
        {"lens": {"focal": float("nan"), "middle": [0, 0], "distortion": [0] * 5, "error": None}},
        {"lens": []},
        {"pose": {}},
        {"light": {"white": ["a", "b", "c"]}},
        {"empty_tray": {"jpeg_base64": "no picture"}},
        {"empty_tray": {"jpeg_base64": ""}},
        {"empty_tray": 7},
        {"measured_on": 3},
        {"version": True},
        {"version": "2"},
        {"format": "something else"},
    ],
)
def test_a_spoilt_profile_is_refused_in_one_line(change: dict[str, Any]) -> None:
    with pytest.raises(ProfileError) as refused:
        read_profile(json.dumps({**content(), **change}).encode())
    assert "\n" not in str(refused.value) and str(refused.value)


@pytest.mark.parametrize("hostile", [b"", b"\xff\xfe", b"[" * 100_000, b"null", b"12", b'{"format": []}'])
def test_what_is_no_json_object_is_refused(hostile: bytes) -> None:
    with pytest.raises(ProfileError):
        read_profile(hostile)


def test_files_are_named_in_the_line(tmp_path: Path) -> None:
    huge = tmp_path / "huge.json"
    huge.write_bytes(b" " * 5_000_000)
    for path in (huge, tmp_path / "none.json", tmp_path):
        with pytest.raises(ProfileError, match=str(path)):
            load_profile(path)


def test_a_profile_is_pending_until_accepted_and_the_last_five_are_kept(tmp_path: Path) -> None:
    store = ProfileStore(tmp_path / "kept" / "profile.json")
    assert store.in_use() is None and store.pending() is None
    with pytest.raises(ProfileError, match="pending"):
        store.accept()
    for year in range(2020, 2028):
        store.propose(measured(f"{year}"))
        before = store.in_use()
        assert before is None or before.created == f"{year - 1}"
        store.accept()
        assert store.pending() is None
    names = sorted(path.name for path in store.path.parent.iterdir())
    assert names == ["profile.json", *(f"profile.kept-{number}.json" for number in range(1, KEPT + 1))]
    for year in range(2026, 2021, -1):
        store.undo()
        now = store.in_use()
        assert now is not None and now.created == f"{year}"
    with pytest.raises(ProfileError, match="no earlier"):
        store.undo()
    store.propose(measured("2030"))
    store.discard()
    assert store.pending() is None
