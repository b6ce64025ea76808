"""A recording that is being written, on a disk that fills up or in a process that ends."""

import errno
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from device import recording_writer
from device.recording import RecordingError
from device.recording_folder import load_recording
from device.recording_writer import RecordingWriter

ABOUT = {"name": "small", "source": "rendered", "game": "victim", "players": ["A", "B"], "table": "t1"}
JPEG = cv2.imencode(".jpg", np.zeros((48, 64, 3), np.uint8))[1].tobytes()


def line(t: float) -> dict[str, object]:
    return {"t": t, "rest": True, "dice": None, "number": 1}


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = RecordingWriter(tmp_path / "a", ABOUT)
    writer.keep(JPEG, line(0.0))
    writer.flush()
    before = {path.name: path.read_bytes() for path in writer.folder.iterdir() if path.is_file()}

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    writer.keep(JPEG, line(0.1))
    for failing in (writer.flush, lambda: writer.settle(writer.frames, [{"after": "000001", "action": {}}], {})):
        with pytest.raises(OSError):
            failing()
    assert {path.name: path.read_bytes() for path in writer.folder.iterdir() if path.is_file()} == before
    assert len(load_recording(writer.folder).frames) == 1
    monkeypatch.undo()
    writer.keep(JPEG, line(0.2))
    writer.flush()
    assert [frame.t for frame in load_recording(writer.folder).frames] == [0.0, 0.2]


def test_room_is_left_for_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = RecordingWriter(tmp_path / "a", ABOUT)
    monkeypatch.setattr(recording_writer, "LEAST_FREE_BYTES", 1 << 62)
    with pytest.raises(OSError, match="MB are free"):
        writer.keep(JPEG, line(0.0))


def test_a_picture_that_was_cut_off_is_left_out_when_it_goes_on(tmp_path: Path) -> None:
    writer = RecordingWriter(tmp_path / "a", ABOUT)
    for t in (0.0, 0.1):
        writer.keep(JPEG, line(t))
    writer.flush()
    (tmp_path / "a/frames/000002.jpg").write_bytes(JPEG[:100])
    again = RecordingWriter(RecordingWriter.free_folder(tmp_path / "a", "t1"), ABOUT)
    assert again.folder == tmp_path / "a" and again.last_t == 0.0
    assert len(load_recording(tmp_path / "a").frames) == 1


def test_what_is_not_its_own_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/letter.txt").write_text("dear")
    assert RecordingWriter.free_folder(tmp_path / "a", "t1") == tmp_path / "a-2"
    RecordingWriter(tmp_path / "a-2", ABOUT)
    assert RecordingWriter.free_folder(tmp_path / "a", "t2") == tmp_path / "a-3"
    (tmp_path / "a-2/frames.jsonl").write_text("{")
    with pytest.raises(RecordingError, match="cannot be continued"):
        RecordingWriter(tmp_path / "a-2", ABOUT)
