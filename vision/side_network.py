"""Whether what looks like an upper face is a side, of a die that a camera sees aslant: a network that looks widely.

A twelve-sided die looks the same whichever face it turns to the camera, and a cube nearly so. What tells a side from
an upper face then is how the die's shadow falls and how the floor goes on around it, farther out than
``vision.lean_network`` looks. ``calibration.training.sides`` trains it.
"""

from collections.abc import Sequence

import numpy as np

from vision.lean_network import BinaryNetwork, Crop, lean_crops, usual_base
from vision.polygons import reach_of
from vision.reading import Floats, Pixels

_RADIUS_PX = 5.0
"""Of an upper face's corners in the crop, which then shows 4.8 circumradii about the die's middle. Trained alike, of
567 sides of twelve-sided dice 35 pass for upper faces where 4 are seen, 30 where 5.3; of 394 upper faces 23 and 17
do not."""

_NEEDED = 3.0  # circumradii about a face without which nothing can be said of it
_SURELY = 2.0
"""The median of the logarithms of the odds. Of 57 sides of twelve-sided dice that were read in drawn pictures, below
cameras that lean by up to 75 degrees, 44 have more, and 7 of 609 upper faces; of 18 sides of cubes, where most seem
to lean, 13, and none of the upper faces."""


def wide_crops(frame: Pixels, outlines: Sequence[Floats]) -> list[Crop]:
    """What the network sees of dice with those upper faces (k, 2) px in a frame (uint8 BGR): float32 (48, 48, 5)."""
    return lean_crops(frame, outlines, [usual_base(outline, frame.shape) for outline in outlines], _RADIUS_PX)


class SideNetwork(BinaryNetwork):
    """The one that tells whether a face is a side; not for two threads at once.

    ``onnx`` is the file's content. Raises ``ValueError`` if OpenCV cannot read it or it is another network.
    """

    def __init__(self, onnx: bytes) -> None:
        super().__init__(onnx, 2, "the network of sides")

    def sees_sides(self, frame: Pixels, outlines: Sequence[Floats]) -> bool:
        """Whether most of these faces (k, 2) px in a frame (uint8 BGR) are sides; those about which little is seen
        do not tell."""
        seen = [outline for outline in outlines if _is_seen_around(frame, outline)]
        return bool(seen) and float(np.median(self.odds(wide_crops(frame, seen)))) > _SURELY


def _is_seen_around(frame: Pixels, outline: Floats) -> bool:
    middle = outline.mean(axis=0)
    reach = _NEEDED * reach_of(outline)
    size = np.array([frame.shape[1], frame.shape[0]])
    return bool((middle - reach >= 0).all() and (middle + reach <= size).all())
