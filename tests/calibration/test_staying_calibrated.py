"""What goes wrong after calibration, done to recorded pictures: it is named, and no die is read wrongly meanwhile."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.recording_folder import load_recording
from device.trained import trained_reader
from device.watcher import TrayState, Watcher, shrink
from vision.reading import Pixels, Reading
from vision.still_calibrated import Finding

RECORDING = Path(__file__).parent.parent / "recordings" / "rig-dice-tidy"

Change = Callable[[Pixels], Pixels]


def slid(frame: Pixels) -> Pixels:
    """The mat 15 px aside and turned by two degrees."""
    height, width = frame.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 2.0, 1.0)
    turn[:, 2] += (15, -6)
    return np.asarray(cv2.warpAffine(frame, turn, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def smeared(frame: Pixels) -> Pixels:
    """A greasy finger's mark over the left two thirds of the lens."""
    height, width = frame.shape[:2]
    area = np.zeros((height, width), np.float32)
    area[:, : 2 * width // 3] = 1
    share = cv2.GaussianBlur(area, (0, 0), width / 20)[..., None]
    return np.asarray(frame * (1 - share) + cv2.GaussianBlur(frame, (0, 0), 6.0) * share, np.uint8)


def dimmed(frame: Pixels) -> Pixels:
    return np.asarray(frame * 0.45, np.uint8)


def warm(frame: Pixels) -> Pixels:
    return np.asarray(np.clip(frame * np.array([0.6, 0.95, 1.15]), 0, 255), np.uint8)


def faces(reading: Reading) -> Counter[tuple[str, str]]:
    return Counter((die.kind, die.face) for die in reading.dice)


@pytest.mark.parametrize(
    ("change", "finding"),
    [(slid, Finding.MAT_MOVED), (smeared, Finding.LENS_DIRTY), (dimmed, None), (warm, None)],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_what_happens_to_a_recording_is_named_and_nothing_is_read_wrongly(
    change: Change, finding: Finding | None
) -> None:
    recording = load_recording(RECORDING)
    read = left = 0
    for frame in recording.frames[:2]:
        reader, pixels = trained_reader(), recording.pixels(frame)
        true = Counter((die["kind"], die["face"]) for die in frame.dice or ())
        assert not faces(reader.read(pixels, {"rig-die"})) - true
        reading = reader.read(change(pixels), {"rig-die"})
        assert finding is None or finding in reader.last_findings
        assert not faces(reading) - true
        read += len(reading.dice)
        left += sum((true - faces(reading)).values())
    # The mat tells pose and light anew in every frame; only what is blurred away cannot be read.
    assert finding is Finding.LENS_DIRTY or read > 3 * left


def test_a_camera_that_wobbles_is_waited_for() -> None:
    recording = load_recording(RECORDING)
    still = recording.pixels(recording.frames[0])
    watcher, states = Watcher(), []
    for number in range(60):
        aside = np.array([[1, 0, 6 * np.sin(number)], [0, 1, 4 * np.cos(number)]]) if number < 40 else np.eye(2, 3)
        height, width = still.shape[:2]
        moved = cv2.warpAffine(still, aside, (width, height), borderMode=cv2.BORDER_REPLICATE)
        states.append(watcher.see(shrink(np.asarray(moved, np.uint8)), number / 20))
    assert TrayState.AT_REST not in states[:40]
    assert states[-1] is TrayState.AT_REST
