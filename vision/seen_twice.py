"""Looking twice at dice that may be seen aslant: once more by the detector that has learned such pictures.

Where a camera leans, an upper face and a side may be outlined together, so that a four with two pips of the side
below it is a six; or the side is found and the upper face is not. One die alone does not tell how the camera hangs.
But where it does not surely stand below a usual one, both detectors must see its upper face in the same place, and
what is seen in both outlines must be the same.
"""

import math
from collections.abc import Callable
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
        again = (self.read(other) for other in self._seen_again(face) if face.apart(other.center_px) < _SAME_FACE)
        return None if any(_is_alike(seen, die) for seen in again) else "unsure"

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
