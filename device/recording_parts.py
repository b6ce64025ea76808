"""A recording as the lines of its files: taken apart, changed, and written whole or not at all."""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device.recording import JsonObject, RecordingError
from device.recording_folder import load_recording, read_lines, read_toml

BESIDE = ("empty.jpg", "profile.json")
"""What a recording may have beside its frames: the tray without dice, and the profile of its camera."""

Copied = Callable[[Path], bytes]


@dataclass(frozen=True, slots=True)
class FrameLine:
    """A line of ``frames.jsonl`` with all its keys, the file that holds its picture, and the frame's number."""

    entry: JsonObject
    picture: Path
    number: int

    @property
    def t(self) -> float:
        """When it was taken, in seconds."""
        return float(self.entry.get("t") or 0.0)

    @property
    def is_labelled(self) -> bool:
        """Whether it says what dice lie there."""
        return self.entry.get("dice") is not None


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything that a recording is made of. Without ``game`` in ``about`` it is a set of pictures."""

    about: Mapping[str, Any]
    frames: tuple[FrameLine, ...]
    actions: tuple[JsonObject, ...] = ()
    expected: JsonObject | None = None
    beside: Mapping[str, Path] = field(default_factory=dict)


def take_apart(folder: Path) -> Parts:
    """The parts of the recording in ``folder``, which is checked first. Raises ``RecordingError``."""
    recording = load_recording(folder)
    entries = (entry for _, entry in read_lines(folder / "frames.jsonl"))
    return Parts(
        {"name": recording.name, **read_toml(folder / "recording.toml")},
        tuple(
            FrameLine(entry, folder / frame.image, frame.number)
            for entry, frame in zip(entries, recording.frames, strict=True)
        ),
        tuple(entry for _, entry in read_lines(folder / "actions.jsonl")),
        recording.expected,
        {name: folder / name for name in BESIDE if (folder / name).is_file()},
    )


def put_together(parts: Parts, out: Path, copied: Copied = Path.read_bytes) -> None:
    """Write a recording into the folder ``out``, which must not exist yet; half of one is never seen there.

    ``copied`` gives the bytes for a picture's file. Raises ``RecordingError`` where it cannot be written.
    """
    if out.exists():
        raise RecordingError(f"{out}: exists; name a folder that is new")
    making = out.with_name(f".{out.name}.part")
    try:
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        for line in parts.frames:
            target = making / line.entry["image"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(copied(line.picture))
        for name, source in parts.beside.items():
            (making / name).write_bytes(copied(source) if name.endswith(".jpg") else source.read_bytes())
        write_whole(making / "frames.jsonl", json_lines(line.entry for line in parts.frames))
        if parts.actions:
            write_whole(making / "actions.jsonl", json_lines(parts.actions))
        if parts.expected is not None:
            write_whole(making / "expected.json", json.dumps(parts.expected, indent=1) + "\n")
        write_whole(making / "recording.toml", toml_text(parts.about))
        making.rename(out)
    except OSError as error:
        shutil.rmtree(making, ignore_errors=True)
        raise RecordingError(f"{out}: cannot be written ({error.strerror})") from error
    except RecordingError:
        shutil.rmtree(making, ignore_errors=True)
        raise


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that it is there whole or as it was before, whatever happens. Raises ``OSError``."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    making = path.with_name(f".{path.name}.part")
    try:
        with making.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        making.replace(path)
    except OSError:
        making.unlink(missing_ok=True)
        raise


def json_lines(entries: Iterable[Mapping[str, Any]]) -> str:
    """A JSON-lines file."""
    return "".join(json.dumps(entry) + "\n" for entry in entries)


def toml_text(about: Mapping[str, Any]) -> str:
    """The text of ``recording.toml``; its tables (``camera``) stand after the plain keys.

    >>> print(toml_text({"name": "Tuesday", "camera": {"size": [640, 480]}, "options": {"rounds": 1}}), end="")
    name = "Tuesday"
    options = {"rounds" = 1}
    <BLANKLINE>
    [camera]
    size = [640, 480]
    """
    return "".join(f"{line}\n" for line in _toml_lines(about))


def _toml_lines(about: Mapping[str, Any]) -> Iterator[str]:
    camera = about.get("camera")
    for key, value in about.items():
        if key != "camera" and value is not None:
            yield f"{_toml_key(key)} = {_toml_value(value)}"
    if isinstance(camera, Mapping):
        yield ""
        yield "[camera]"
        yield from (f"{_toml_key(key)} = {_toml_value(value)}" for key, value in camera.items() if value is not None)


def _toml_key(key: str) -> str:
    return key if key.isascii() and key.replace("_", "").isalnum() else json.dumps(key)


def _toml_value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            # JSON leaves DEL as it is and writes characters beyond U+FFFF as two halves; TOML takes neither.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case int() | float():
            return repr(value)
        case list() | tuple():
            return f"[{', '.join(map(_toml_value, value))}]"
        case Mapping():
            inner = (f"{json.dumps(key)} = {_toml_value(item)}" for key, item in value.items() if item is not None)
            return "{" + ", ".join(inner) + "}"
        case _:
            return _toml_value(str(value))
