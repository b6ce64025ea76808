"""Recordings from strangers: whatever is in them, they are opened or refused in one line; nothing outside is read."""

import json
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.recording import RecordingError
from device.recording_folder import load_recording
from tests.device.program import run

FAST = settings(
    max_examples=60, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
FRAME: dict[str, Any] = {"image": "frames/000001.png", "t": 0, "rest": True, "dice": None}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "strange"
    (folder / "frames").mkdir(parents=True)
    cv2.imwrite(str(folder / "frames/000001.png"), np.zeros((48, 64, 3), np.uint8))
    (folder / "recording.toml").write_text('game = "victim"\nplayers = ["A", "B"]\n')
    write(folder, FRAME)
    return folder


def write(folder: Path, *frames: object) -> None:
    (folder / "frames.jsonl").write_text("".join(json.dumps(frame) + "\n" for frame in frames))


def told(folder: Path) -> str:
    """What is said about it: empty where it is sound; always one line."""
    try:
        recording = load_recording(folder)
        for frame in recording.frames:
            recording.pixels(frame)
    except RecordingError as error:
        assert str(error) and "\n" not in str(error)
        return str(error)
    return ""


@FAST
@given(key=st.sampled_from(sorted(FRAME)), value=JSON)
def test_any_value_in_a_frame_is_taken_or_told(folder: Path, key: str, value: object) -> None:
    write(folder, FRAME | {key: value})
    told(folder)


@FAST
@given(die=st.dictionaries(st.sampled_from(["kind", "body", "face", "center_px", "readable"]), JSON))
def test_any_label_is_taken_or_told(folder: Path, die: dict[str, Any]) -> None:
    write(folder, FRAME | {"dice": [die]})
    told(folder)


@FAST
@given(
    name=st.sampled_from(["frames.jsonl", "actions.jsonl", "expected.json", "recording.toml", "frames/000001.png"]),
    data=st.binary(max_size=80) | st.text(max_size=40).map(lambda text: text.encode("utf-8", "replace")),
)
def test_any_bytes_in_a_file_are_taken_or_told(folder: Path, name: str, data: bytes) -> None:
    before = (folder / name).read_bytes() if (folder / name).exists() else None
    (folder / name).write_bytes(data)
    told(folder)
    if before is not None:
        (folder / name).write_bytes(before)


@FAST
@given(entry=st.dictionaries(st.sampled_from(["after", "action", "corrects"]), JSON))
def test_any_decision_is_taken_or_told(folder: Path, entry: dict[str, Any]) -> None:
    (folder / "actions.jsonl").write_text(json.dumps(entry) + "\n")
    told(folder)


@pytest.mark.parametrize(
    "image",
    [
        "../secret.png",
        "/etc/passwd",
        "frames/../../secret.png",
        "a\nb.png",
        "\u0000",
        "x" * 300,
        "\ud800",
        ".",
        "é" * 150,
    ],
)
def test_a_picture_outside_is_not_looked_at(folder: Path, image: str) -> None:
    cv2.imwrite(str(folder.parent / "secret.png"), np.zeros((48, 64, 3), np.uint8))
    write(folder, FRAME | {"image": image})
    assert "line 1: image is to be" in told(folder)


@pytest.mark.parametrize("name", ["frames/000001.png", "frames.jsonl", "recording.toml", "expected.json"])
def test_links_that_lead_out_are_not_followed(folder: Path, name: str) -> None:
    outside = folder.parent / "outside"
    outside.write_bytes((folder / name).read_bytes() if (folder / name).exists() else b"{}")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(outside)
    assert name in told(folder)
    (folder / name).unlink()
    (folder / name).symlink_to(folder / name)
    assert name in told(folder) or name in ("recording.toml", "expected.json")


def test_what_never_ends_is_not_read(folder: Path) -> None:
    os.mkfifo(folder / "actions.jsonl")
    assert "actions.jsonl" in told(folder)


def test_a_picture_that_says_it_is_huge_is_not_decoded(folder: Path) -> None:
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + header
    end = b"\0\0\0\0IEND" + struct.pack(">I", zlib.crc32(b"IEND"))
    data = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk)) + end
    (folder / "frames/000001.png").write_bytes(data)
    assert "40 million is the most" in told(folder)


def test_numbers_and_depths_that_no_one_means(folder: Path) -> None:
    for text in (
        '{"image": "frames/000001.png", "t": 1' + "0" * 5000 + "}",
        "[" * 100_000,
        '{"t": NaN}',
        '{"t": 1e999}',
    ):
        (folder / "frames.jsonl").write_text(text + "\n")
        assert "line 1" in told(folder)


def test_the_commands_say_it_in_one_line_too(folder: Path) -> None:
    write(folder, FRAME | {"t": float("nan")})
    for command in (("replay",), ("recording", "check")):
        ended = run(*command, folder)
        assert (ended.status, ended.err.count("\n")) == (1, 1), ended.err
