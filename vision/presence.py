"""Whether a die lies where the detector sees an upper face: a small network that knows dice and all other things.

The networks that read faces have only seen dice, and what lies beside dice on tables. In an eye, a window or a key of
a keyboard they see whatever face it is most like, however sure. This one looks at the face with its surroundings, and
has learned from photographs of everything (``calibration.training.presence``).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from vision.any_sizes import ReadFace, is_about_as_wide
from vision.detector import Found
from vision.lean_network import BinaryNetwork
from vision.reading import Pixels, ReadDie

_HARDLY, _RATHER = 0.1, 0.5
"""Of a die's presence: what has less than the first is none. Of 43 things that were read as dice in 1,000 photographs
without any 38 have less than the second, 29 less than the first; of 1,145 drawn dice that were read rightly three
have less than the second, and of 857 photographed ones three."""
_SURELY = 0.9
"""86 of 158 drawn dice about which nothing seems to stand up, and all of whose surroundings differ, have more. A
square token on plain paper has 0.99."""
_BEYOND_DOUBT = 0.96
"""Of 1,032 drawn keys of keyboards one that cannot be read has more, half of the sides of dice have."""
_NEAR = 2.5  # widths of a face within which the middles of things beside it are
_FEWEST_THINGS = 2
"""Beside a face that make it one of theirs, where a die is not beyond doubt: that leaves 59 of 83 keys that were read
in 240 drawn pictures with keyboards (own kinds awaited, and any), nine of 1,366 dice read rightly there, and none of
725 elsewhere."""


class PresenceNetwork(BinaryNetwork):
    """The one that tells whether there is a die at all; not for two threads at once.

    ``onnx`` is the file's content. Raises ``ValueError`` if OpenCV cannot read it or it is another network.
    """

    def __init__(self, onnx: bytes) -> None:
        super().__init__(onnx, 2, "the network of dice among other things")


@dataclass(frozen=True)
class WhereDiceLie:
    """What the network (None: nobody) says of the faces in one ``frame`` (uint8 BGR), asked once of each."""

    network: PresenceNetwork | None
    frame: Pixels
    _asked: dict[Found, float] = field(default_factory=dict)

    def chance(self, face: Found) -> float | None:
        """How likely a die lies there; None where nobody tells."""
        if self.network is None:
            return None
        if face not in self._asked:
            self._asked[face] = self.network.chance_anywhere(self.frame, face.outline_px)
        return self._asked[face]

    def against(self, face: Found) -> str | None:
        """Why what was read there must not be: "not-a-die" or "unsure"; None if it may be."""
        chance = self.chance(face)
        if chance is None or chance >= _RATHER:
            return None
        return "not-a-die" if chance < _HARDLY else "unsure"

    def surely(self, face: Found) -> bool:
        """Whether a die surely lies there."""
        chance = self.chance(face)
        return chance is not None and chance >= _SURELY

    def is_a_die(self, read: ReadFace, face: Found) -> bool:
        """Whether a face tells of other dice: it can be read, or there is no doubt that a die lies there.

        Keys of a keyboard may look like faces, and would say that all dice lean, or how large they are.
        """
        return isinstance(read(face), ReadDie) or not self._is_doubtful(face)

    def is_among_things(self, read: ReadFace, face: Found, found: Sequence[Found]) -> bool:
        """Whether a face is rather one of several things beside it that look like faces, too, and are none."""
        if not self._is_doubtful(face):
            return False
        beside = (other for other in found if other is not face and _is_beside(face, other))
        return sum(not self.is_a_die(read, other) for other in beside) >= _FEWEST_THINGS

    def _is_doubtful(self, face: Found) -> bool:
        chance = self.chance(face)
        return chance is not None and chance < _BEYOND_DOUBT


def _is_beside(face: Found, other: Found) -> bool:
    """Whether another face about as large lies near a face."""
    away = math.dist(face.center_px, other.center_px)
    return away <= _NEAR * face.width_px and is_about_as_wide(other, face.width_px)
