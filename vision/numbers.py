"""The networks that read numbers and nothing else: those of twelve-sided dice, and how many pips there are.

They look at all turns of a face, the one of twelve-sided dice closer than the face network does
(``vision.patches.NUMBER_RADIUS_PX``), and were trained on other pictures: where both say the same, a number is sure.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.patches import NUMBER_RADIUS_PX, PATCH_SIDE_PX, Dimmed, Light, Patch, all_turns, network_input, rectify
from vision.reading import Pixels, Point
from vision.scores import Scores

NUMBERS = 12
"""The highest number of a twelve-sided die."""

_MIDDLE = slice(10, 38)  # of a patch: the middle of a pentagon
_CLIPPED, _MUCH_CLIPPED = 0.99, 0.5  # sRGB, share of a face
_DIMMED = 0.35  # of 300 drawn numbers on faces partly brighter than paper 6 more are read so, and none of them less


def looks_at_number(frame: Pixels, outline_px: Sequence[Point], light: Light) -> list[Patch]:
    """The patches of a five-cornered face in a frame (uint8 BGR), begun at each of its corners.

    Where a lamp is mirrored and most of the face is brighter than paper, its number is seen in less light.
    """
    turns = all_turns(tuple(outline_px))
    first = rectify(frame, turns[0], light, NUMBER_RADIUS_PX)
    if float((first[_MIDDLE, _MIDDLE].max(axis=2) >= _CLIPPED).mean()) >= _MUCH_CLIPPED:
        return [rectify(frame, turned, Dimmed(light, _DIMMED), NUMBER_RADIUS_PX) for turned in turns]
    return [first, *(rectify(frame, turned, light, NUMBER_RADIUS_PX) for turned in turns[1:])]


class NumberNetwork:
    """The network in memory, ready to run; not for two threads at once.

    ``onnx`` is the file's content; its outputs are "no number that can be told" and the numbers 1 to ``highest``. It
    looks at patches less ``margin_px`` on each side. Raises ``ValueError`` if OpenCV cannot read it.
    """

    def __init__(self, onnx: bytes, margin_px: int, highest: int = NUMBERS) -> None:
        self._classes = highest + 1
        self._seen = slice(margin_px, PATCH_SIDE_PX - margin_px)
        side = PATCH_SIDE_PX - 2 * margin_px
        self._scores = Scores(onnx, (3, side, side), "the number network")
        if self._scores.outputs != self._classes:
            raise ValueError(f"the number network has {self._scores.outputs} outputs, not {self._classes}")

    def chances(self, looks: Sequence[Sequence[npt.NDArray[np.float32]]]) -> npt.NDArray[np.float64]:
        """What each face shows: (n, highest + 1) probabilities, first that of no number, then of 1 to the highest.

        ``looks`` holds for each face its patch in every turn, as many for each; the answer is the geometric mean of
        what is seen in them.
        """
        if not len(looks):
            return np.zeros((0, self._classes))
        batch = network_input([patch for own in looks for patch in own])[:, :, self._seen, self._seen]
        raw = self._scores.of(np.ascontiguousarray(batch)).astype(np.float64)
        logs = raw - np.log(np.exp(raw - raw.max(1, keepdims=True)).sum(1, keepdims=True)) - raw.max(1, keepdims=True)
        mean = logs.reshape(len(looks), -1, self._classes).mean(axis=1)
        chance = np.exp(mean - mean.max(axis=1, keepdims=True))
        return np.asarray(chance / chance.sum(axis=1, keepdims=True), np.float64)
