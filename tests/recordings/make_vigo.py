"""Make ``vigos-favor-worked-example`` from the rendered film of the worked example.

    python -m tests.recordings.make_vigo FOLDER     (FOLDER holds frames.jsonl, truth.json and frames/)

The pictures are scaled to three quarters. Of the frames in which something moves every second one is kept, of those
at rest every fourth; the camera repeats the last one until the next one's time. ``expected.json`` is what the
referee says after the dice of ``truth.json`` and the decisions below.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2

OUT = Path(__file__).parent / "vigos-favor-worked-example"
SCALE = 0.75
JPEG_QUALITY = 75
JsonObject = dict[str, Any]

DECISIONS = (
    (0, "000000", {"type": "stake", "player": "Vee", "amount": 1}),
    (5, "000289", {"type": "decide", "player": "Ann", "choice": "split"}),
    (5, "000297", {"type": "decide", "player": "Dan", "choice": "roll"}),
    (7, "000392", {"type": "decide", "player": "Ann", "choice": "challenge"}),
    (7, "000400", {"type": "raise", "player": "Vee", "amount": 1}),
)
"""The decisions of the worked example: after how many throws, and after which frame (the dice lie at rest there)."""

ROLLERS = ("Vee", "Ann", "Bob", "Cat", "Dan", "Ann", "Dan", "Vee", "Ann")


def segments(frames: list[JsonObject]) -> Iterator[list[JsonObject]]:
    """Runs of frames that follow one another and show the same: the same label, at rest or not."""
    run: list[JsonObject] = []
    for frame in frames:
        if run and (frame["rest"], frame["dice"]) != (run[0]["rest"], run[0]["dice"]):
            yield run
            run = []
        run.append(frame)
    yield run


def thin(run: list[JsonObject]) -> list[JsonObject]:
    """The frames of a run that are kept: always its first, and of dice that have come to rest the first nine."""
    if run[0]["dice"] is None:
        return run[::2]
    if run[0]["rest"] and run[0]["dice"]:
        return run[:9:2] + run[9:]
    return run[::4]


def scaled(frame: JsonObject) -> JsonObject:
    """The frame's label for the smaller picture; a cube's body is the colour that it shows."""
    if not frame["dice"]:
        return frame
    dice = [
        {**die, "body": die["face"], "center_px": [round(c * SCALE, 2) for c in die["center_px"]]}
        for die in frame["dice"]
    ]
    return {**frame, "dice": dice}


def referee(truth: JsonObject, actions: list[JsonObject]) -> JsonObject:
    """The public state after ``actions``, as ``croupier referee`` says."""
    options = [f"--option={name}={json.dumps(value)}" for name, value in truth["options"].items()]
    command = [sys.executable, "-m", "device", "referee", truth["game"], "--players", ",".join(truth["players"])]
    lines = "".join(json.dumps(action) + "\n" for action in actions)
    run = subprocess.run(command + options, input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    refused = [answer["error"] for answer in answers if not answer["ok"]]
    if refused:
        raise SystemExit(f"the referee refuses: {refused[0]}")
    state: JsonObject = answers[-1]["state"]
    return state


def all_actions(truth: JsonObject) -> Iterator[JsonObject]:
    """Rolls and decisions in the order in which they happen."""
    for throws in range(len(ROLLERS) + 1):
        if throws:
            yield {"type": "roll", "player": ROLLERS[throws - 1], "dice": truth["throws"][throws - 1]["dice"]}
        yield from (action for count, _, action in DECISIONS if count == throws)


def main() -> None:
    """Write the recording next to this script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    truth = json.loads((folder / "truth.json").read_text())
    frames = [json.loads(line) for line in (folder / "frames.jsonl").read_text().splitlines()]
    shutil.rmtree(OUT, ignore_errors=True)
    (OUT / "frames").mkdir(parents=True)
    kept = [frame for run in segments(frames) for frame in thin(run)]
    for frame in kept:
        picture = cv2.imread(str(folder / frame["image"]))
        small = cv2.resize(picture, None, fx=SCALE, fy=SCALE, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(OUT / frame["image"]), small, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    write_lines(OUT / "frames.jsonl", (scaled(frame) for frame in kept))
    write_lines(OUT / "actions.jsonl", ({"after": after, "action": action} for _, after, action in DECISIONS))
    expected = referee(truth, list(all_actions(truth)))
    (OUT / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")
    (OUT / "recording.toml").write_text(about(truth))


def write_lines(path: Path, entries: Iterator[JsonObject]) -> None:
    """A JSON-lines file."""
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))


def about(truth: JsonObject) -> str:
    """The text of ``recording.toml``."""
    camera, size = truth["camera"], [round(side * SCALE) for side in truth["camera"]["size"]]
    return "\n".join(
        (
            f"name = {json.dumps(truth['name'])}",
            'source = "rendered"',
            'origin = "rendered for Croupier"',
            'licence = "MIT"',
            f"game = {json.dumps(truth['game'])}",
            f"players = {json.dumps(truth['players'])}",
            f"options = {{ {', '.join(f'{k} = {json.dumps(v)}' for k, v in truth['options'].items())} }}",
            f"kinds = {json.dumps(truth['kinds'])}",
            f"fps = {truth['fps']}",
            "",
            "[camera]",
            f"size = {size}",
            'lens = "Camera Module 2, simulated"',
            f"height_mm = {camera['height_mm']}",
            f"light_kelvin = {truth['light']['kelvin']}",
            "",
        )
    )


if __name__ == "__main__":
    main()
