"""The committed networks for pictures without the mat: the detector, and the faces' reader that goes with it.

``calibration/models/detector.onnx`` was made by ``python -m calibration.detection`` and ``any_faces.onnx`` by
``python -m calibration.detection.faces``, as the cards beside them say (seed, command, score).
"""

from functools import cache
from typing import Any

from calibration.model import trained_faces, trained_leaning
from calibration.model_files import card, onnx_file
from vision.any_floor import AnyFloor
from vision.aslant import AslantNetworks
from vision.base_network import BaseNetwork
from vision.detector import Detector
from vision.lean_network import LeanNetwork
from vision.network import FaceNetwork
from vision.presence import PresenceNetwork
from vision.side_network import SideNetwork


def detector_network() -> bytes:
    """The detector's ONNX file, for ``vision.detector.Detector``."""
    return onnx_file("detector")


def any_face_network() -> bytes:
    """The ONNX file of the network that reads faces on any floor, for ``vision.network.FaceNetwork``."""
    return onnx_file("any_faces")


def any_face_card() -> dict[str, Any]:
    """How that network was made and what it scored: ``labels``, ``seed``, ``command``, ``score``, ``reliability``."""
    return card("any_faces")


def aslant_networks() -> AslantNetworks:
    """The networks in memory that read pictures which were taken aslant."""
    return AslantNetworks(
        Detector(onnx_file("aslant_detector")),
        LeanNetwork(onnx_file("aslant_leaning")),
        BaseNetwork(onnx_file("aslant_bases")),
    )


def any_floor(faces: FaceNetwork | None = None) -> AnyFloor:
    """The networks in memory, ready to read pictures without the mat; those given are not loaded a second time.

    What reads pictures that were taken aslant is loaded with the first of them, for they are rare.
    """
    labels = tuple((kind, face, body) for kind, face, body in any_face_card()["labels"])
    apart = FaceNetwork(any_face_network(), labels)
    presence, sides = PresenceNetwork(onnx_file("presence")), SideNetwork(onnx_file("sides"))
    return AnyFloor(
        Detector(detector_network()),
        apart,
        faces or trained_faces(),
        trained_leaning(),
        cache(aslant_networks),
        presence,
        sides,
    )
