"""The command that a network was trained by, for the card beside it."""

import json
import shlex
import sys
from pathlib import Path


def as_typed(module: str) -> str:
    """``python -m MODULE`` and what it was given; of files and folders their names alone, wherever they lay.

    >>> before, sys.argv = sys.argv, ["", "out/net.onnx", "--pictures", "scenes/felt=3", "--seed", "2"]
    >>> as_typed("calibration.detection")
    'python -m calibration.detection net.onnx --pictures felt=3 --seed 2'
    >>> sys.argv = before
    """
    return f"python -m {module} " + shlex.join(Path(a).name if "/" in a else a for a in sys.argv[1:])


def command_of(onnx_file: Path) -> str:
    """The command that trained a network, from the card beside it."""
    return str(json.loads(onnx_file.with_suffix(".json").read_text("utf-8"))["command"])
