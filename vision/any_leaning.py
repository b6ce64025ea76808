"""Which dice lean in a picture of which no camera is known: all together, below the camera on which most agree."""

from collections.abc import Sequence
from dataclasses import dataclass

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

    def of(self, frame: Pixels, found: Sequence[Found], usual_px: float) -> list[Found]:
        """Those upper faces in a picture (uint8 BGR) whose dice lean, where dice are ``usual_px`` wide."""
        faces = [face for face in found if face.what in ("cube", "number-die")]
        # Nearer cameras are held in a hand, a flash beside the lens: hard shadows of which the networks know little.
        hangs = usual_px < _NEAREST * max(frame.shape[:2])
        odds = self.odds_together(frame, found, usual_px) if hangs else {}
        return [face for face in faces if self._leans(frame, face, odds.get(face))]

    def odds_together(
        self, frame: Pixels, found: Sequence[Found], usual_px: float
    ) -> dict[Found, tuple[float, float]]:
        """The logarithms of the odds that the die of each sure face leans: judged together, and alone."""
        sure = [face for face in found if face.what in ("cube", "number-die") and _is_sure(face, usual_px)]
        if self.bases is None or not sure:
            return {}
        outlines = [np.array(face.outline_px) for face in sure]
        offsets, spreads = self.bases.bases(frame, outlines)
        alone = self.alone.odds(lean_crops(frame, outlines, [usual_base(one, frame.shape) for one in outlines]))
        dice = [Seen(*each) for each in zip(outlines, offsets, spreads.tolist(), alone.tolist(), strict=True)]
        together = odds_of_leaning(dice, frame.shape)
        return dict(zip(sure, zip(together.tolist(), alone.tolist(), strict=True), strict=True))

    def _leans(self, frame: Pixels, face: Found, odds: tuple[float, float] | None) -> bool:
        if odds is None:
            return self.leans_alone(frame, face)
        return odds[0] > _MOST_ODDS[0] and odds[1] > _MOST_ODDS[1]

    def leans_alone(self, frame: Pixels, face: Found) -> bool:
        """Whether one die seems to lean, whatever lies beside it."""
        return self.alone.chance_anywhere(frame, face.outline_px) > _MOST_LEANING


def _is_sure(face: Found, usual_px: float) -> bool:
    return face.score >= _SURE_FACE and usual_px / _SIZES_APART <= face.width_px <= usual_px * _SIZES_APART
