"""The networks that read numbers and nothing else: those of twelve-sided dice, and how many pips there are.

They look at all turns of a face, those of twelve-sided dice closer than the face network does
(``vision.patches.NUMBER_RADIUS_PX``), and were trained on other pictures: where both say the same, a number is sure.
Of a small number on a large face much is lost in a patch: one that is not sure is looked at closer still.
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
_CLOSER_PX, _SURE = NUMBER_RADIUS_PX / 0.7, 0.99
"""The corners' distance from the middle in a closer look, and how sure a number is that needs none. Of 2,973 numbers
(drawn, held back) 97.2 % are told rightly with 0.9 or more then instead of 96.7 %, with 0.97 or more 95.3 instead of
94.5 %, and of both as many wrongly as before: 7 and 4. A closer look alone tells fewer: large numbers do not fit."""

Chances = npt.NDArray[np.float64]
"""Of a face, shape (..., highest + 1): how likely it shows no number, and each from 1 to the highest."""


def looks_at_number(
    frame: Pixels, outline_px: Sequence[Point], light: Light, radius_px: float = NUMBER_RADIUS_PX
) -> list[Patch]:
    """The patches of a five-cornered face in a frame (uint8 BGR), begun at each of its corners.

    These lie ``radius_px`` from the middle of a patch. Where a lamp is mirrored and most of the face is brighter than
    paper, its number is seen in less light.
    """
    turns = all_turns(tuple(outline_px))
    first = rectify(frame, turns[0], light, radius_px)
    if float((first[_MIDDLE, _MIDDLE].max(axis=2) >= _CLIPPED).mean()) >= _MUCH_CLIPPED:
        return [rectify(frame, turned, Dimmed(light, _DIMMED), radius_px) for turned in turns]
    return [first, *(rectify(frame, turned, light, radius_px) for turned in turns[1:])]


def see_numbers(
    networks: Sequence["NumberNetwork"], frame: Pixels, outlines: Sequence[Sequence[Point]], light: Light
) -> list[Chances]:
    """What each of the networks of twelve-sided dice sees on faces with these five corners (px in ``frame``, uint8
    BGR): shape (n, 13) for each network.

    Where one of them sees a number and is not sure, it looks closer: if that is the same number then, it is as sure
    of it as it is by the better look.
    """
    looks = [looks_at_number(frame, outline, light) for outline in outlines]
    seen = [network.chances(looks) for network in networks]
    unsure = [i for i in range(len(outlines)) if any(_is_unsure(said[i]) for said in seen)]
    if not unsure:
        return seen
    closer = [looks_at_number(frame, outlines[i], light, _CLOSER_PX) for i in unsure]
    for network, said in zip(networks, seen, strict=True):
        for i, again in zip(unsure, network.chances(closer), strict=True):
            if _is_unsure(said[i]) and again.argmax() == said[i].argmax() and again.max() > said[i].max():
                said[i] = again
    return seen


def _is_unsure(chances: Chances) -> bool:
    """Whether a number is seen, and may be seen better."""
    return bool(chances.argmax() > 0 and chances.max() < _SURE)


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

    def chances(self, looks: Sequence[Sequence[npt.NDArray[np.float32]]]) -> Chances:
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
