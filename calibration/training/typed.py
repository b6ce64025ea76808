"""The card beside a network, and on it the command that it was trained by."""

import json
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any


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


def origin(module: str, asked: Namespace) -> dict[str, Any]:
    """How a network was made, for its card: the seed, the command, and that of the network that it began with."""
    before = {"began with": command_of(asked.begin_with)} if asked.begin_with else {}
    return {"seed": asked.seed, "command": as_typed(module)} | before


def add_share(parser: ArgumentParser) -> None:
    """The option of trainings after which a network may stay in part what it was (``network.between``)."""
    parser.add_argument(
        "--share", type=float, default=1.0, help="of what was trained further; the rest stays as before"
    )


def write_card(onnx_file: Path, card: Mapping[str, Any]) -> None:
    """Write the card beside a network, and print it."""
    text = json.dumps(card, indent=1, ensure_ascii=False)
    onnx_file.with_suffix(".json").write_text(text + "\n", "utf-8")
    print(text)
