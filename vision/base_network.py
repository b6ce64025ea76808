"""Where the middle of a die's base is, seen by a small network from the sides that show and the shadow beside them.

It knows nothing of the camera: what it says of several dice of one picture tells where the camera is
(``vision.lean_together``). ``calibration.training.bases`` trains it.
"""

from collections.abc import Sequence

import numpy as np

from vision.lean_network import WAYS, Crop, CropNetwork, lean_crops
from vision.reading import Floats, Pixels

ANSWERS = 3
"""Of the network: across, down, and the logarithm of how far it may be off."""

LOG_SPREADS = (-4.0, 2.0)
"""The least and the most of that."""


class BaseNetwork(CropNetwork):
    """The network in memory; not for two threads at once. Raises ``ValueError`` as ``CropNetwork`` does."""

    def __init__(self, onnx: bytes) -> None:
        super().__init__(onnx, ANSWERS)

    def bases(
        self, frame: Pixels, outlines: Sequence[Floats], ways: Sequence[tuple[int, int]] = WAYS
    ) -> tuple[Floats, Floats]:
        """Of upper faces (k, 2) in a picture (uint8 BGR): how far their bases' middles are from theirs, and spreads.

        Shapes (n, 2) and (n,), in circumradii of each face, x right and y down; a spread is for each axis. The mean
        is taken of the ``ways`` in which each is seen.
        """
        return self.bases_of(lean_crops(frame, outlines, [outline.mean(axis=0) for outline in outlines]), ways)

    def bases_of(self, crops: Sequence[Crop], ways: Sequence[tuple[int, int]] = WAYS) -> tuple[Floats, Floats]:
        """The same of crops (``vision.lean_network.lean_crop``) about the upper faces' middles."""
        said = self.each_way(crops, ways)
        signs = np.array([[(across, down)] for down, across in ways])
        return (said[..., :2] * signs).mean(axis=0), np.exp(np.clip(said[..., 2], *LOG_SPREADS).mean(axis=0))
