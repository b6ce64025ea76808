"""Writes a recording while it is played: after a crash, or on a full disk, what is there can be played."""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from device.decode import Undecodable, decode_picture
from device.recording import JsonObject, RecordingError
from device.recording_folder import read_toml
from device.recording_parts import json_lines, toml_text, write_whole

LEAST_FREE_BYTES = 200_000_000
"""Left on the disk for the games themselves; a frame has about 200 kB."""


class RecordingWriter:
    """The recording in ``folder`` of one table. A picture is on the disk before ``frames.jsonl`` speaks of it."""

    def __init__(self, folder: Path, about: Mapping[str, Any]) -> None:
        """Begin a recording, or go on with the one that is there. Raises ``OSError`` and ``RecordingError``."""
        self.folder = folder
        self._about: dict[str, Any] = {}
        self._waiting: list[JsonObject] = []
        (folder / "frames").mkdir(parents=True, exist_ok=True)
        self.frames = _frames_left(folder)
        self._write_frames()
        self.describe(about)

    @classmethod
    def free_folder(cls, folder: Path, table: str) -> Path:
        """``folder``, or the first of ``folder-2``, ``folder-3``… that is empty or has that table's recording."""
        number, candidate = 1, folder
        while candidate.exists() and any(candidate.iterdir()):
            if read_toml(candidate / "recording.toml").get("table") == table:
                return candidate
            number += 1
            candidate = folder.with_name(f"{folder.name}-{number}")
        return candidate

    @property
    def last_t(self) -> float | None:
        """The time of the last frame, in seconds; None before any."""
        lines = self._waiting or self.frames
        return float(lines[-1]["t"]) if lines else None

    def describe(self, about: Mapping[str, Any]) -> None:
        """Write ``recording.toml`` where it says something new. Raises ``OSError``."""
        if dict(about) != self._about:
            write_whole(self.folder / "recording.toml", toml_text(about))
            self._about = dict(about)

    def keep(self, jpeg: bytes, line: JsonObject) -> None:
        """Write a picture; its line follows with ``flush``. Raises ``OSError``."""
        if shutil.disk_usage(self.folder).free < LEAST_FREE_BYTES:
            raise OSError(28, f"less than {LEAST_FREE_BYTES // 1_000_000} MB are free")
        image = f"frames/{len(self.frames) + len(self._waiting) + 1:06d}.jpg"
        (self.folder / image).write_bytes(jpeg)
        self._waiting.append({"image": image, **line})

    def flush(self) -> None:
        """Let ``frames.jsonl`` list the pictures that were kept. Raises ``OSError``; nothing is listed then."""
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        for line in waiting:
            _sync(self.folder / line["image"])
        _append(self.folder / "frames.jsonl", json_lines(waiting).encode())
        self.frames.extend(waiting)

    def name_reading(self, image: str, reading: str) -> None:
        """Note which reading was sent of a frame."""
        for line in self.frames:
            if line["image"] == image:
                line["reading"] = reading

    def settle(self, frames: Sequence[JsonObject], actions: Sequence[JsonObject], expected: JsonObject) -> None:
        """Write labels, decisions and the state anew, as far as they have changed. Raises ``OSError``."""
        if list(frames) != self.frames or any("reading" in line for line in frames):
            self.frames = list(frames)
            self._write_frames()
        write_whole(self.folder / "actions.jsonl", json_lines(actions))
        write_whole(self.folder / "expected.json", json.dumps(expected, indent=1) + "\n")

    def _write_frames(self) -> None:
        if self.frames:
            write_whole(self.folder / "frames.jsonl", json_lines(self.frames))


def _frames_left(folder: Path) -> list[JsonObject]:
    """The frames of a recording that was broken off, up to the first that is not whole."""
    frames: list[JsonObject] = []
    try:
        lines = (folder / "frames.jsonl").read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []
    for text in lines:
        try:
            line = json.loads(text)
            frames.append({**line, "number": int(line["number"])})
        except (ValueError, KeyError, TypeError):
            break
    while frames:
        try:
            decode_picture(folder / str(frames[-1]["image"]))
        except Undecodable:
            frames.pop()
        else:
            break
    if lines and not frames:
        raise RecordingError(f"{folder}: holds frames that cannot be continued; name a folder that is new")
    return frames


def _append(path: Path, data: bytes) -> None:
    """Add to a file; where not all of it can be written, none is. Raises ``OSError``."""
    with path.open("ab", buffering=0) as file:
        before = file.tell()
        try:
            if file.write(data) != len(data):
                raise OSError(28, "No space left on device")
            os.fsync(file.fileno())
        except OSError:
            file.truncate(before)
            raise


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
