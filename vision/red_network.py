"""The network that tells red chance cubes from red stickers of action dice (``vision.reds`` says why and when).

It has learned from nothing else (``calibration.training.reds``) and looks at the upper face with its sides.
"""

from collections.abc import Sequence

import numpy as np

from vision.patches import WIDE_PATCH_PX, Patch, network_input
from vision.scores import Scores

RED_BODIES = (None, "red", "blue", "black")
"""What shows red, in the order of the network's outputs: a chance cube, or a sticker on one of these bodies."""


class RedNetwork:
    """The network in memory, ready to run; not for two threads at once.

    ``onnx`` is the file's content. Raises ``ValueError`` if OpenCV cannot read it or it is another network.
    """

    def __init__(self, onnx: bytes) -> None:
        shape = (3, WIDE_PATCH_PX, WIDE_PATCH_PX)
        self._scores = Scores(onnx, shape, "the network of red faces")
        if self._scores.outputs != len(RED_BODIES):
            raise ValueError(f"the network of red faces has {self._scores.outputs} outputs, not {len(RED_BODIES)}")

    def chances(self, patches: Sequence[Patch]) -> list[float]:
        """How likely each red face is a chance cube's: the mean over its four turns.

        The patches are cut by ``vision.patches.rectify_with_sides``.
        """
        if not len(patches):
            return []
        batch = network_input(patches)
        turns = [np.rot90(batch, turn, (2, 3)) for turn in range(4)]
        raw = self._scores.of(np.ascontiguousarray(np.concatenate(turns))).astype(np.float64)
        mean = raw.reshape(4, len(patches), -1).mean(axis=0)
        chances = np.exp(mean - mean.max(axis=1, keepdims=True))
        return [float(own[0] / own.sum()) for own in chances]
