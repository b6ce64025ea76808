"""How coarse pictures may be: the repository's pictures made smaller, and what is still read of them.

``python -m tests.coarseness`` prints the table of docs/hardware.md. It takes some minutes.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from device.recording import JsonObject, RecordedFrame, Recording
from device.recording_folder import load_recording
from device.scoring import Score, score_dice
from device.trained import trained_reader
from vision.reading import Pixels, Reading

RECORDINGS = Path(__file__).parent / "recordings"
FOLDERS = ("action-dice-tidy", "pip-dice-tidy", "number-dice-tidy", "rig-dice-tidy", "rig-dice-hard-light")
"""Those with several dice in a picture, whose distance says how coarse it is."""

PX_PER_MM = (3.0, 2.5, 2.0, 1.5, 1.2)


def scale_of(reading: Reading) -> float | None:
    """Pixels a millimetre in a picture, between its two dice that lie farthest apart; None with fewer."""
    placed = [(np.array(die.center_px), np.array(die.center_mm)) for die in reading.dice if die.center_mm is not None]
    pairs = [
        (float(np.linalg.norm(a_mm - b_mm)), float(np.linalg.norm(a_px - b_px)))
        for (a_px, a_mm), (b_px, b_mm) in itertools.combinations(placed, 2)
    ]
    if not pairs:
        return None
    millimetres, pixels = max(pairs)
    return pixels / millimetres


def score(recording: Recording, frame: RecordedFrame, px_per_mm: float) -> Score | None:
    """What is read of a frame at that scale; None if it is coarser itself, or nobody knows how coarse it is."""
    pixels = recording.pixels(frame)
    own = scale_of(trained_reader().read(pixels, recording.kinds))
    if own is None or own < px_per_mm:
        return None
    factor = px_per_mm / own
    labels = [_smaller(label, factor) for label in frame.dice or ()]
    return score_dice(labels, trained_reader().read(_reduced(pixels, factor), recording.kinds).dice)


def _reduced(pixels: Pixels, factor: float) -> Pixels:
    size = (round(pixels.shape[1] * factor), round(pixels.shape[0] * factor))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def _smaller(label: JsonObject, factor: float) -> JsonObject:
    u, v = label["center_px"]
    return {**label, "center_px": [u * factor, v * factor]}


def table() -> Iterator[str]:
    """The lines of the table, in Markdown."""
    recordings = [load_recording(RECORDINGS / folder) for folder in FOLDERS]
    yield "| pixels a millimetre | dice | right | wrong | left to people |"
    yield "|---|---|---|---|---|"
    for px_per_mm in PX_PER_MM:
        total = Score()
        for recording in recordings:
            for frame in recording.frames:
                total += score(recording, frame, px_per_mm) or Score()
        count = total.right + total.wrong + total.left
        yield f"| {px_per_mm} | {count} | {total.right} | {total.wrong} | {total.left} |"


if __name__ == "__main__":
    for line in table():
        print(line, flush=True)
