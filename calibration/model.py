"""The committed face network: its bytes, and what its outputs stand for.

``calibration/models/faces.onnx`` was made by ``python -m calibration.training`` as ``faces.json`` beside it says
(seed, command, score).
"""

import json
from importlib.resources import files
from typing import Any


def face_network() -> bytes:
    """The ONNX file's content, for ``vision.network.FaceNetwork``."""
    return files("calibration").joinpath("models", "faces.onnx").read_bytes()


def face_network_card() -> dict[str, Any]:
    """How the network was made and what it scored: ``labels``, ``seed``, ``command``, ``score``, ``reliability``."""
    card: dict[str, Any] = json.loads(files("calibration").joinpath("models", "faces.json").read_text("utf-8"))
    return card


def face_labels() -> tuple[tuple[str, str, str | None], ...]:
    """Kind, face and body of each output of the network, in order.

    >>> face_labels()[0]
    ('nothing', '', None)
    """
    return tuple((kind, face, body) for kind, face, body in face_network_card()["labels"])
