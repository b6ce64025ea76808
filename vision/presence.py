"""Whether a die lies where the detector sees an upper face: a small network that knows dice and all other things.

The networks that read faces have only seen dice, and what lies beside dice on tables. In an eye, a window or a key of
a keyboard they see whatever face it is most like, however sure. This one looks at the face with its surroundings, and
has learned from photographs of everything (``calibration.training.presence``).
"""

from vision.lean_network import BinaryNetwork


class PresenceNetwork(BinaryNetwork):
    """The one that tells whether there is a die at all; not for two threads at once.

    ``onnx`` is the file's content. Raises ``ValueError`` if OpenCV cannot read it or it is another network.
    """

    def __init__(self, onnx: bytes) -> None:
        super().__init__(onnx, 2, "the network of dice among other things")
