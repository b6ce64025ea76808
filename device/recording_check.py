"""What a recording must have to become a test: a form that can be read, a truth, a source, and leave to be kept."""

from collections.abc import Iterator
from pathlib import Path

from device.decode import Undecodable, decode_picture
from device.recording import JsonObject, Recording, RecordingError
from device.recording_folder import load_recording, read_toml
from vision.dice import KINDS

MOST_BYTES = 15_000_000
"""Of one recording among the tests: everybody who clones the repository fetches it. The largest has 7.6 MB."""

MOST_PICTURE_BYTES = 2_000_000
"""Of one picture: ten times a JPEG of 1296 x 972 px."""

_TOLD = {
    "source": 'source = "photographed" or "rendered"',
    "origin": 'origin = "who took or made it, where, when"',
    "licence": 'licence = "MIT", or under what else it may be passed on',
}


def check(folder: Path) -> list[str]:
    """What keeps the recording in ``folder`` from being a test, a line each; nothing where it is sound."""
    try:
        recording = load_recording(folder)
        about = read_toml(folder / "recording.toml")
    except RecordingError as error:
        return [str(error)]
    amiss = [
        f"{folder / 'recording.toml'}: say {line}"
        for key, line in _TOLD.items()
        if not (isinstance(about.get(key), str) and about[key].strip())
    ]
    return [*amiss, *_sizes(folder), *_pictures(recording), *_truth(recording)]


def _sizes(folder: Path) -> Iterator[str]:
    files = [file for file in folder.rglob("*") if file.is_file()]
    total = sum(file.stat().st_size for file in files)
    if total > MOST_BYTES:
        yield f"{folder}: {total / 1e6:.1f} MB; {MOST_BYTES / 1e6:.0f} MB are the most (cut or thin it)"
    for file in files:
        if file.is_symlink():
            yield f"{file}: is a link; a recording holds its files itself"
        elif file.stat().st_size > MOST_PICTURE_BYTES:
            yield f"{file}: {file.stat().st_size / 1e6:.1f} MB; {MOST_PICTURE_BYTES / 1e6:.0f} MB are the most"


def _pictures(recording: Recording) -> Iterator[str]:
    for frame in recording.frames:
        path = recording.folder / frame.image
        try:
            height, width = decode_picture(path).shape[:2]
        except Undecodable as error:
            yield f"{path}: {error}"
            continue
        for die in frame.dice or ():
            u, v = die.get("center_px") or (0, 0)
            if not (0 <= u < width and 0 <= v < height):
                yield f"{path}: a {die['kind']} lies outside the picture, at {u:g}, {v:g}"


def _truth(recording: Recording) -> Iterator[str]:
    if not any(frame.dice is not None for frame in recording.frames):
        yield f"{recording.folder / 'frames.jsonl'}: no picture has a label, so nothing can be read right or wrong"
    if recording.is_game and recording.expected is None:
        yield f"{recording.folder / 'expected.json'}: missing, so no end of the game is expected"
    for frame in recording.frames:
        yield from (
            f"{recording.folder / frame.image}: {wrong}" for wrong in map(_wrong_label, frame.dice or ()) if wrong
        )


def _wrong_label(die: JsonObject) -> str:
    """What is wrong with the label of one die.

    >>> _wrong_label({"kind": "pip-die", "face": "7"})
    'a pip-die has no face 7'
    """
    kind = KINDS.get(die["kind"])
    if kind is None:
        return f"{die['kind']} is no kind of dice; there are {', '.join(KINDS)}"
    if not kind.has_face(die["face"]):
        return f"a {kind.name} has no face {die['face']}"
    return ""
