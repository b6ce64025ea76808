"""Which dice lean in a picture of which no camera is known: all together, below the camera on which most agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.base_network import BaseNetwork
from vision.detector import Found
from vision.lean_network import LeanNetwork, lean_crops, usual_base
from vision.lean_together import Seen, odds_of_leaning
from vision.reading import Pixels

_MOST_LEANING = 0.95  # the camera is guessed: of 1,195 photographed standing dice one has more, of 785 drawn ones 2
# Logarithms of the odds, together and alone, above both of which a die leans: none of 487 drawn standing dice has
# them, one of 498 photographed ones, and 150 of 173 leaning ones.
_MOST_ODDS = (-1.0, 0.0)
_NEAREST = 0.08  # of the picture's longer side that a die of 20 mm takes, 25 cm below a camera that hangs
_SURE_FACE = 0.55  # detector's score from which a face says something of the camera
_SIZES_APART = 1.6  # times; what differs more may be no die


@dataclass(frozen=True)
class AnyLeaning:
    """The networks that tell: whether a die ``alone`` leans below a usual camera, and where ``bases`` are.

    Without the latter every die is judged alone.
    """

    alone: LeanNetwork
    bases: BaseNetwork | None = None

    def leans_alone(self, frame: Pixels, face: Found) -> bool:
        """Whether one die seems to lean, whatever lies beside it."""
        return self.alone.chance_anywhere(frame, face.outline_px) > _MOST_LEANING


@dataclass(frozen=True)
class LeaningTogether:
    """The upper faces ``found`` in a ``frame`` (uint8 BGR) in which dice are ``usual_px`` wide, judged when asked."""

    networks: AnyLeaning
    frame: Pixels
    found: Sequence[Found]
    usual_px: float

    @cached_property
    def odds(self) -> dict[Found, tuple[float, float]]:
        """The logarithms of the odds that the die of each sure face leans: judged together, and alone."""
        bases, alone = self.networks.bases, self.networks.alone
        faces = [face for face in self.found if face.what in ("cube", "number-die")]
        sure = [face for face in faces if _is_sure(face, self.usual_px)]
        if bases is None or not sure:
            return {}
        outlines = [np.array(face.outline_px) for face in sure]
        offsets, spreads = bases.bases(self.frame, outlines)
        usual = [usual_base(outline, self.frame.shape) for outline in outlines]
        own = alone.odds(lean_crops(self.frame, outlines, usual))
        dice = [Seen(*each) for each in zip(outlines, offsets, spreads.tolist(), own.tolist(), strict=True)]
        together = odds_of_leaning(dice, self.frame.shape)
        return dict(zip(sure, zip(together.tolist(), own.tolist(), strict=True), strict=True))

    def leans(self, face: Found) -> bool:
        """Whether one of the dice leans, below a camera of which nothing is known."""
        # Nearer cameras are held in a hand, a flash beside the lens: hard shadows of which the networks know little.
        hangs = self.usual_px < _NEAREST * max(self.frame.shape[:2])
        if not hangs or face not in self.odds:
            return self.networks.leans_alone(self.frame, face)
        together, alone = self.odds[face]
        return together > _MOST_ODDS[0] and alone > _MOST_ODDS[1]


def _is_sure(face: Found, usual_px: float) -> bool:
    return face.score >= _SURE_FACE and usual_px / _SIZES_APART <= face.width_px <= usual_px * _SIZES_APART
