"""The files below ``calibration/models``: networks, and the cards that say how they were made."""

import json
import os
from importlib.resources import files
from typing import Any

_CLASSIC = "1"
"""OpenCV 5's older way to run networks: on one core of an AMD EPYC it takes 1.6 ms for eight patches of 48 px where
its newer way takes 3.6, and 6.0 ms for 256 px of the detector where that takes 7.2."""


def onnx_file(name: str) -> bytes:
    """The content of ``calibration/models/NAME.onnx``.

    OpenCV is told to run networks its older way, before it reads the first. 5.0 heeds the engine that it is asked for
    only of files, not of what lies in memory, for which the environment alone decides; who has set that keeps it.
    OpenCV 4 knows one way.

    >>> onnx_file("faces")[4:12]
    b'croupier'
    """
    os.environ.setdefault("OPENCV_FORCE_DNN_ENGINE", _CLASSIC)
    return files("calibration").joinpath("models", f"{name}.onnx").read_bytes()


def card(name: str) -> dict[str, Any]:
    """What ``calibration/models/NAME.json`` says: ``seed``, ``command``, ``score`` and more."""
    said: dict[str, Any] = json.loads(files("calibration").joinpath("models", f"{name}.json").read_text("utf-8"))
    return said
