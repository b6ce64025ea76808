"""Opening a recording: what is right, and one clear line for each thing that is wrong."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.recording import RecordingError
from device.recording_folder import load_recording
from tests.device.program import RECORDING


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small recording of a game, as it should be."""
    (tmp_path / "frames").mkdir()
    for number in (1, 2, 8):
        cv2.imwrite(str(tmp_path / f"frames/{number:06d}.jpg"), np.full((48, 64, 3), 128, np.uint8))
    frames = [
        {"image": f"frames/{n:06d}.jpg", "t": t, "rest": True, "dice": None}
        for n, t in ((1, 0), (2, 0.05), (8, 0.35))
    ]
    (tmp_path / "frames.jsonl").write_text("".join(json.dumps(frame) + "\n" for frame in frames))
    (tmp_path / "actions.jsonl").write_text('{"after": "000000", "action": {"type": "stake"}}\n')
    (tmp_path / "expected.json").write_text("{}")
    (tmp_path / "recording.toml").write_text(
        'name = "small"\nsource = "rendered"\ngame = "vigos-favor"\nplayers = ["A", "B"]\n[camera]\nsize = [64, 48]\n'
    )
    return tmp_path


def write(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text)


def cut(name: str) -> Callable[[Path], object]:
    """Keep the first two thirds of a file."""

    def spoil(folder: Path) -> None:
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[: len(data) * 2 // 3])

    return spoil


def other_size(folder: Path) -> None:
    cv2.imwrite(str(folder / "frames/000002.jpg"), np.zeros((24, 32, 3), np.uint8))


def test_a_sound_recording_is_read(folder: Path) -> None:
    recording = load_recording(folder)
    assert (recording.name, recording.game, recording.players) == ("small", "vigos-favor", ("A", "B"))
    assert recording.fps == 20
    assert [frame.number for frame in recording.frames] == [1, 2, 8]
    assert recording.decisions[0].after == 0
    assert recording.pixels(recording.frames[0]).shape == (48, 64, 3)


def test_a_folder_of_single_pictures_needs_frames_jsonl_alone(folder: Path) -> None:
    for name in ("recording.toml", "actions.jsonl", "expected.json"):
        (folder / name).unlink()
    other_size(folder)
    recording = load_recording(folder)
    assert not recording.is_game
    assert recording.pixels(recording.frames[1]).shape == (24, 32, 3)


def test_the_worked_example_is_sound() -> None:
    recording = load_recording(RECORDING)
    assert recording.source == "rendered"
    assert len(recording.decisions) == 5
    assert sum(file.stat().st_size for file in RECORDING.rglob("*") if file.is_file()) < 15e6


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (shutil.rmtree, "no such recording"),
        (lambda folder: (folder / "frames.jsonl").unlink(), "frames.jsonl: missing"),
        (lambda folder: (folder / "frames/000002.jpg").unlink(), "000002.jpg: missing"),
        (write("frames.jsonl", ""), "lists no pictures"),
        (cut("frames.jsonl"), "frames.jsonl, line 3: not readable as JSON"),
        (write("frames.jsonl", "[]\n"), "line 1: not a JSON object"),
        (write("frames.jsonl", '{"image": "../x.jpg", "t": 0}\n'), "line 1: image is to be"),
        (write("frames.jsonl", '{"image": "frames/000001.jpg", "t": "0"}\n'), "line 1: t is to be"),
        (cut("frames/000002.jpg"), "000002.jpg: the picture is cut off"),
        (write("frames/000002.jpg", ""), "000002.jpg: the file is empty"),
        (other_size, "000002.jpg: this frame is 32 x 24 pixels, the recording's are 64 x 48"),
        (write("recording.toml", 'name = "cut'), "recording.toml: not readable as TOML"),
        (write("recording.toml", 'game = "x"\nfps = 0\n'), "recording.toml: fps"),
        (write("recording.toml", 'game = "x"\nsource = "painted"\n'), "recording.toml: source"),
        (write("recording.toml", 'game = "x"\nplayers = "A,B"\n'), "recording.toml: players"),
        (cut("actions.jsonl"), "actions.jsonl, line 1: not readable as JSON"),
        (write("actions.jsonl", '{"after": 12, "action": {}}\n'), "actions.jsonl, line 1: after"),
        (write("actions.jsonl", '{"after": "000001"}\n'), "actions.jsonl, line 1: action"),
        (write("expected.json", "{"), "expected.json: not readable as JSON"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(folder: Path, spoil: Callable[[Path], object], message: str) -> None:
    spoil(folder)
    with pytest.raises(RecordingError) as error:
        load_recording(folder)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
