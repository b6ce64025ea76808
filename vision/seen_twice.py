"""Looking twice at dice that may be seen aslant: once more by the detector that has learned such pictures.

Where a camera leans, an upper face and a side may be outlined together, so that a four with two pips of the side
below it is a six; or the side is found and the upper face is not. One die alone does not tell how the camera hangs.
But where it does not surely stand below a usual one, both detectors must see its upper face in the same place, and
what is seen in both outlines must be the same. And where the other detector sees a face beside it that it is surer
of, that may be the upper one, and this a side.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.any_leaning import LeaningTogether
from vision.any_sizes import ReadFace
from vision.aslant import AslantNetworks
from vision.detector import Found
from vision.dice import NUMBER_DIE
from vision.map_network import MULTIPLE_PX
from vision.reading import ReadDie

_AROUND, _LEAST_AROUND_PX = 4.0, 32.0
"""How far about a face one looks: circumradii, and at least."""

_SAME_FACE = 0.5
"""Circumradii between the middles of both outlines. With a second look at whole pictures, of 3,083 pip dice that were
read in photographs by three makers 15 of 25 read wrongly are left, and 35 of the others."""

_BESIDE, _SURER = (0.6, 1.8), 0.08
"""Circumradii from a side to its die's upper face, and how much surer of this one the detector is. In 1,032
photographs nine dice were read wrongly though seen twice: beside six lies such a face, and beside none of 922 read
rightly; with 0.05 beside six and one, with 0.12 five and none. Of 120 drawn lone dice below cameras that lean by
42 to 54 degrees 40 were read by a side without this, and one is with it."""


@dataclass(frozen=True)
class SeenTwice:
    """The dice of a picture that was taken from above, or may have been.

    ``leaning`` tells how they lie, ``networks`` gives those for pictures taken aslant, ``read`` reads one face.
    """

    leaning: LeaningTogether
    networks: Callable[[], AslantNetworks]
    read: ReadFace

    @property
    def most_lean(self) -> bool:
        """Whether most of the dice, of which there are several, look rather as if they leaned."""
        return self.leaning.most_lean

    def against(self, face: Found) -> str | None:
        """Why an upper face must not be read: "cocked" if its die leans, "unsure" if it may be none; else None."""
        if reason := self.leaning.against(face):
            return reason
        die = self.read(face)
        if not isinstance(die, ReadDie) or self.leaning.surely_stands(face, die.kind):
            return None
        around = self._seen_again(face)
        again = [other for other in around if face.apart(other.center_px) < _SAME_FACE]
        scores = [other.score for other in again if _is_alike(self.read(other), die)]
        return None if scores and not self._is_side(face, max(scores), around) else "unsure"

    def _is_side(self, face: Found, score: float, around: Sequence[Found]) -> bool:
        """Whether what has that score with the other detector lies beside an upper face, of those that it sees."""
        nearest, farthest = _BESIDE
        surer = (other for other in around if other.score > score + _SURER)
        return any(
            nearest < face.apart(other.center_px) < farthest and isinstance(self.read(other), ReadDie)
            for other in surer
        )

    def _seen_again(self, face: Found) -> list[Found]:
        """The upper faces that the other detector sees about a face."""
        frame, detector, numbers = self.leaning.frame, self.networks().detector, face.what == NUMBER_DIE
        reach = max(_AROUND * face.radius_px, _LEAST_AROUND_PX)
        # The network sees a part just as it sees the picture where it begins at a multiple of these.
        left, top = (max(0, int(middle - reach)) // MULTIPLE_PX * MULTIPLE_PX for middle in face.center_px)
        right, bottom = (math.ceil(middle + reach) for middle in face.center_px)
        part = np.ascontiguousarray(frame[top:bottom, left:right])
        return [seen.moved((left, top)) for seen in detector.find(part, numbers)]


def _is_alike(seen: ReadDie | str, die: ReadDie) -> bool:
    return isinstance(seen, ReadDie) and (seen.kind, seen.face) == (die.kind, die.face)
