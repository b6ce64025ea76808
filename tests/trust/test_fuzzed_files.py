"""Readers of files that people give one another, on files that were damaged at random: they read them, or say in one
line why not, in little memory. ``FUZZ_EXAMPLES=20000 pytest tests/trust/test_fuzzed_files.py`` looks for longer.
"""

import io
import json
import os
import tempfile
import tracemalloc
import zipfile
from collections.abc import Callable
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.profile_file import MeasuredProfile, ProfileError, read_profile, write_profile
from calibration.taught_file import TaughtFileError, read_taught, write_taught
from device.recording import RecordingError
from device.recording_folder import load_recording
from device.settings_file import SettingsError, parse_settings
from host.backup import BadBackup, stage_restore, write_backup
from host.store import open_store, sqlite_url
from vision.patches import PATCH_SIDE_PX
from vision.profile import Profile, assumed_camera
from vision.taught import TaughtSet

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "80"))
MOST_BYTES = 64 * 2**20
AT = "2026-05-04T20:15:00.000Z"

damaged_at_random = settings(max_examples=EXAMPLES, deadline=None, database=None)

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=9)
    | st.sampled_from([10**400, -1, 0, "", "../x", "\x1b[2J", 1e308, "iVBORw0KGgo="]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def places(value: Any, so_far: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value, as keys from the outermost in."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    if isinstance(value, list):
        inner = list(enumerate(value[:3]))
    return [so_far, *(place for key, one in inner for place in places(one, (*so_far, key)))]


@st.composite
def damaged(draw: st.DrawFn, sound: Any) -> Any:
    """A JSON value with something else, or nothing, in one or two of its places."""
    value = deepcopy(sound)
    for _ in range(draw(st.integers(1, 2))):
        *way, last = draw(st.sampled_from(places(value)[1:] or [("x",)]))
        target = value
        for key in way:
            target = target[key]
        if draw(st.booleans()) or not isinstance(target, dict):
            target[last] = draw(values)
        else:
            del target[last]
    return value


@st.composite
def spoilt(draw: st.DrawFn, sound: bytes) -> bytes:
    """Bytes of which some were changed, left out, or put in twice."""
    content = bytearray(sound)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, max(0, len(content) - 1)))
        stop = min(len(content), start + draw(st.integers(0, 40)))
        new = draw(st.binary(max_size=12) | st.just(bytes(content[start:stop]) * 2))
        content[start:stop] = new
    return bytes(content)


def told(act: Callable[[], object], *refusals: type[Exception]) -> None:
    """Nothing else is raised than refusals in one line, and memory stays within limits."""
    tracemalloc.start()
    try:
        act()
    except refusals as refusal:
        assert "\n" not in str(refusal) and len(str(refusal)) < 1000
    finally:
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert most < MOST_BYTES


def dumped(value: Any) -> bytes:
    return json.dumps(value).encode()


PICTURE = np.full((480, 640, 3), 150, np.uint8)
PROFILE = write_profile(
    MeasuredProfile(
        Profile((640, 480), assumed_camera((640, 480), 400.0), True, PICTURE, (0.5, 0.5, 0.5)),
        "2026-05-04",
        {"lens": ("a.jpg",)},
        "markers",
        0.3,
        {"gain": 2.0, "white_balance": (1.5, 1.6)},
    )
)
FACES = {face: [np.full((PATCH_SIDE_PX, PATCH_SIDE_PX, 3), shade, np.float32)] for face, shade in
         (("red", 0.2), ("blue", 0.8))}  # fmt: skip
TAUGHT = write_taught(TaughtSet.of("chance-cube", None, FACES))  # type: ignore[arg-type]
SETTINGS = (
    '[camera]\nfps = 20\ngain = 2.0\n\n[panel]\nlight_pin = 12\n# a word\n[host]\nport = 8420\nlisten = "127.0.0.1"\n'
)


@damaged_at_random
@given(damaged(json.loads(PROFILE)).map(dumped) | spoilt(PROFILE.encode()))
def test_profiles(content: bytes) -> None:
    told(lambda: read_profile(content), ProfileError)


@damaged_at_random
@given(damaged(json.loads(TAUGHT)).map(dumped) | spoilt(TAUGHT.encode()))
def test_taught_dice(content: bytes) -> None:
    told(lambda: read_taught(content), TaughtFileError)


@damaged_at_random
@given(spoilt(SETTINGS.encode()).map(lambda content: content.decode("utf-8", "replace")) | st.text(max_size=60))
def test_settings(text: str) -> None:
    told(lambda: parse_settings(text, Path("settings.toml")), SettingsError)


ABOUT = b"""name = "a"
source = "rendered"
game = "vigos-favor"
players = ["Ana", "Bo"]
fps = 20
[options]
[camera]
size = [64, 48]
"""
DIE = {"kind": "chance-cube", "body": "red", "face": "red", "center_px": [3, 4]}
FRAME = {"image": "frames/000001.jpg", "t": 0.5, "rest": True, "dice": [DIE]}
DECISION = {"after": "000000", "action": {"type": "stake", "player": "Ana", "amount": 1}}
JPEG = cv2.imencode(".jpg", np.full((48, 64, 3), 150, np.uint8))[1].tobytes()


@damaged_at_random
@given(
    st.just(ABOUT) | spoilt(ABOUT),
    damaged(FRAME).map(dumped) | spoilt(dumped(FRAME)),
    st.just(dumped(DECISION)) | damaged(DECISION).map(dumped),
    st.just(JPEG) | spoilt(JPEG),
)
def test_recordings(about: bytes, frame: bytes, decision: bytes, picture: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "frames").mkdir()
        (folder / "recording.toml").write_bytes(about)
        (folder / "frames.jsonl").write_bytes(frame + b"\n")
        (folder / "actions.jsonl").write_bytes(decision + b"\n")
        (folder / "expected.json").write_bytes(frame)
        (folder / "frames" / "000001.jpg").write_bytes(picture)

        def read() -> None:
            recording = load_recording(folder)
            for one in recording.frames:
                recording.pixels(one)

        told(read, RecordingError)


@pytest.fixture(scope="module")
def sound_backup(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    data = tmp_path_factory.mktemp("data")
    open_store(sqlite_url(data / "croupier.db"), AT).close()
    (data / "seat-key").write_text("key")
    (data / "pictures").mkdir()
    (data / "pictures" / "r1.jpg").write_bytes(JPEG)
    out = io.BytesIO()
    write_backup(data, data / "pictures", out, AT, "0.1.0")
    return out.getvalue()


def restored(content: bytes) -> None:
    """What a reader of backups does with this."""
    with tempfile.TemporaryDirectory() as name:
        (data := Path(name) / "data").mkdir()
        (file := Path(name) / "backup.zip").write_bytes(content)
        told(lambda: stage_restore(file, data, AT, lambda _: None), BadBackup)
        assert {path.name for path in Path(name).iterdir()} == {"data", "backup.zip"}


@settings(damaged_at_random, max_examples=max(1, EXAMPLES // 3))
@given(st.data())
def test_backups(sound_backup: bytes, data: st.DataObject) -> None:
    restored(data.draw(spoilt(sound_backup)))


@settings(damaged_at_random, max_examples=max(1, EXAMPLES // 3))
@given(st.data())
def test_backups_whose_checksums_are_right(sound_backup: bytes, data: st.DataObject) -> None:
    manifest, members = opened(sound_backup)
    members["croupier.db"] = data.draw(spoilt(members["croupier.db"]))
    manifest["sha256"] = {name: sha256(content).hexdigest() for name, content in members.items()}
    restored(packed(data.draw(st.just(manifest) | damaged(manifest)), members))


def test_a_backup_whose_database_is_quoted_as_no_text(sound_backup: bytes) -> None:
    manifest, members = opened(sound_backup)
    database = members["croupier.db"]
    at = database.index(b"CREATE TABLE migrations") + len(b"CREATE ta")
    members["croupier.db"] = database[:at] + b"\x80" + database[at + 1 :]
    manifest["sha256"] = {name: sha256(content).hexdigest() for name, content in members.items()}
    restored(packed(manifest, members))


def opened(backup: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(backup)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return json.loads(members.pop("manifest.json")), members


def packed(manifest: object, members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()
