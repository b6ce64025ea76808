"""Looking twice at dice that may be seen aslant: once more by the detector that has learned such pictures.

Where a camera leans, an upper face and a side may be outlined together, so that a four with two pips of the side
below it is a six; or the side is found and the upper face is not. One die alone does not tell how the camera hangs.
But where it does not surely stand below a usual one, both detectors must find its upper face in the same place, and
what is seen in both outlines must be the same.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from vision.any_leaning import LeaningTogether
from vision.any_sizes import ReadFace
from vision.aslant import AslantNetworks
from vision.detector import Detector, Found
from vision.reading import ReadDie

_SAME_FACE = 0.5
"""Circumradii between the middles of both outlines. In photographs with which this was chosen (1,975 dice of three
makers, most of them taken aslant) that leaves 16 of 25 wrong readings, and 37 right ones."""


@dataclass(frozen=True)
class AslantLook:
    """What the ``networks`` for pictures taken aslant find in one picture, looked for when asked.

    ``find`` gives what a detector takes for upper faces there; the ``usual`` one is not needed any more by then.
    """

    networks: Callable[[], AslantNetworks]
    usual: Detector
    find: Callable[[Detector], Sequence[Found]]

    @cached_property
    def found(self) -> Sequence[Found]:
        """The upper faces."""
        detector = self.networks().detector
        self.usual.rest()  # two at once would take half as much memory again
        found = self.find(detector)
        detector.rest()
        return found


@dataclass(frozen=True)
class SeenTwice:
    """The dice of a picture that was taken from above, or may have been: how they lie, and what ``aslant`` shows."""

    leaning: LeaningTogether
    aslant: AslantLook
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
        beside = [other for other in self.aslant.found if face.apart(other.center_px) < _SAME_FACE]
        return None if any(_shows(self.read(other), die) for other in beside) else "unsure"


def _shows(read: ReadDie | str, die: ReadDie) -> bool:
    return isinstance(read, ReadDie) and (read.kind, read.face) == (die.kind, die.face)
