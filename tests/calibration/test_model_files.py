"""Networks in memory are run by OpenCV's older way, and say the same by either."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FRAMES = Path(__file__).parents[1] / "recordings" / "action-dice-tidy"

OLDER, NEWER = "1", "2"
READ = """
import json, os, sys
import cv2
from device.trained import trained_reader
reading = trained_reader().read(cv2.imread(sys.argv[1]), {"action-die"})
print(json.dumps([os.environ["OPENCV_FORCE_DNN_ENGINE"], [die.to_json() for die in reading.dice]]))
"""


def read_by(engine: str | None) -> tuple[str, list[dict[str, Any]]]:
    """Which way OpenCV is told to run networks in a process of its own, and what is read there."""
    environment = {name: value for name, value in os.environ.items() if name != "OPENCV_FORCE_DNN_ENGINE"}
    if engine is not None:
        environment["OPENCV_FORCE_DNN_ENGINE"] = engine
    frame = sorted(FRAMES.rglob("*.jpg"))[0]
    done = subprocess.run(
        [sys.executable, "-c", READ, str(frame)], env=environment, check=True, capture_output=True, text=True
    )
    told, dice = json.loads(done.stdout)
    return told, dice


def test_opencv_runs_networks_its_older_way_unless_told_otherwise_and_reads_the_same() -> None:
    told, dice = read_by(None)
    assert told == OLDER
    told, other = read_by(NEWER)
    assert told == NEWER
    assert dice and [(die["face"], die["body"]) for die in dice] == [(die["face"], die["body"]) for die in other]
    assert [die["confidence"] for die in dice] == pytest.approx([die["confidence"] for die in other], abs=1e-3)
