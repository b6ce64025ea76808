"""Whether a die lies where the detector sees an upper face: a small network that knows dice and all other things.

The networks that read faces have only seen dice, and what lies beside dice on tables. In an eye, a window or a key of
a keyboard they see whatever face it is most like, however sure. This one looks at the face with its surroundings, and
has learned from photographs of everything (``calibration.training.presence``).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.lean_network import Crop, CropNetwork, lean_crop, usual_base
from vision.reading import Pixels, Point


class PresenceNetwork(CropNetwork):
    """The network in memory; not for two threads at once.

    ``onnx`` is the file's content. Raises ``ValueError`` if OpenCV cannot read it or it is another network.
    """

    def __init__(self, onnx: bytes) -> None:
        super().__init__(onnx, 2)

    def chances(self, crops: Sequence[Crop]) -> npt.NDArray[np.float64]:
        """How likely each crop (``vision.lean_network.lean_crop``) shows a die's upper face: (n,), 0 to 1."""
        scores = self.scores(crops)
        return np.asarray(1 / (1 + np.exp(scores[:, 0] - scores[:, 1])))

    def chance_at(self, frame: Pixels, outline_px: Sequence[Point]) -> float:
        """How likely that is of an upper face with that outline (px) in a picture (uint8 BGR)."""
        outline = np.array(outline_px, np.float64)
        return float(self.chances([lean_crop(frame, outline, usual_base(outline, frame.shape))])[0])
