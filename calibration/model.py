"""The committed face networks: their bytes, what their outputs stand for, and both in memory.

``calibration/models/faces.onnx`` was made by ``python -m calibration.training`` as ``faces.json`` beside it says
(seed, command, score).
"""

from typing import Any

import numpy as np

from calibration.model_files import card, onnx_file
from vision.any_leaning import AnyLeaning
from vision.base_network import BaseNetwork
from vision.covered_network import CoveredNetwork
from vision.judge import SITUATIONS
from vision.lean_network import CropNetwork, LeanNetwork
from vision.network import FaceNetwork
from vision.numbers import NumberNetwork
from vision.other_network import OtherNetwork
from vision.red_network import RedNetwork
from vision.situation import SituationNetwork


def face_network() -> bytes:
    """The ONNX file's content, for ``vision.network.FaceNetwork``."""
    return onnx_file("faces")


def face_network_card() -> dict[str, Any]:
    """How the network was made and what it scored: ``labels``, ``seed``, ``command``, ``score``, ``reliability``."""
    return card("faces")


def face_labels() -> tuple[tuple[str, str, str | None], ...]:
    """Kind, face and body of each output of the network, in order.

    >>> face_labels()[0]
    ('nothing', '', None)
    """
    return tuple((kind, face, body) for kind, face, body in face_network_card()["labels"])


NUMBER_NETWORKS = ("numbers", "numbers_beside")
"""Their names among the models: they have learned from other pictures and other drawings, none from the same."""


def number_network(name: str = NUMBER_NETWORKS[0]) -> bytes:
    """The ONNX file of a ``vision.numbers.NumberNetwork`` (``python -m calibration.training.numbers``)."""
    return onnx_file(name)


def number_network_card(name: str = NUMBER_NETWORKS[0]) -> dict[str, Any]:
    """How that network was made and what it scored: ``margin_px``, ``seed``, ``command``, ``score``."""
    return card(name)


def cube_network() -> bytes:
    """The ONNX file of the network that is asked beside the face network of cubes; it has the same labels.

    Its card, ``cubes.json``, says how it was made: on faces drawn flat (``calibration.synthesis.flat_cubes``), then
    on those of drawn scenes, none of which the face network has seen.
    """
    return onnx_file("cubes")


def pip_network() -> bytes:
    """The ONNX file of the network that counts pips (``python -m calibration.detection.pips``)."""
    return onnx_file("pips")


def red_network() -> bytes:
    """The ONNX file of the network that tells red cubes from stickers (``python -m calibration.training.reds``)."""
    return onnx_file("reds")


def other_network() -> bytes:
    """The ONNX file of the network of other games' dice (``python -m calibration.training.others``)."""
    return onnx_file("others")


def trained_faces() -> FaceNetwork:
    """The face network in memory, with those that read numbers, count pips, tell reds and other games' dice, and are
    asked beside it."""
    numbers = [NumberNetwork(number_network(n), number_network_card(n)["margin_px"]) for n in NUMBER_NETWORKS]
    cubes = FaceNetwork(cube_network(), face_labels())
    pips = NumberNetwork(pip_network(), 0, highest=6)
    reds, others = RedNetwork(red_network()), OtherNetwork(other_network())
    return FaceNetwork(
        face_network(), face_labels(), numbers=numbers, cubes=cubes, pips=pips, reds=reds, others=others
    )


def trained_leaning() -> AnyLeaning:
    """What tells which dice lean (``python -m calibration.training.leaning`` and ``.bases``)."""
    bases = BaseNetwork(onnx_file("bases"))
    return AnyLeaning(LeanNetwork(onnx_file("leaning")), bases)


def trained_covered() -> CoveredNetwork:
    """What finds dice under a hand on the mat (``python -m calibration.training.covered``)."""
    return CoveredNetwork(onnx_file("covered"))


def trained_situations() -> SituationNetwork:
    """What tells how dice lie on the mat (``python -m calibration.training.sight`` and ``.situations``).

    >>> from vision.situation import SEEN, SIGNS
    >>> trained_situations().chances(np.zeros((1, len(SIGNS) + len(SEEN)))).shape
    (1, 5)
    """
    said = card("situations")
    mean, spread, hidden, last = (np.array(said[name]) for name in ("mean", "spread", "hidden", "last"))
    sight = CropNetwork(onnx_file("sight"), len(SITUATIONS))
    return SituationNetwork(mean, spread, hidden, last, sight)
