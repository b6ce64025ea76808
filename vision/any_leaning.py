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
_MOST_ODDS, _MOST_ODDS_ALONE = -1.0, 0.0
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
        sure = [face for face in faces if hangs and _is_sure(face, usual_px)]
        if self.bases is None or not sure:
            return [face for face in faces if self.leans_alone(frame, face)]
        outlines = [np.array(face.outline_px) for face in sure]
        offsets, spreads = self.bases.bases(frame, outlines)
        odds = self.alone.odds(lean_crops(frame, outlines, [usual_base(one, frame.shape) for one in outlines]))
        dice = [Seen(*each) for each in zip(outlines, offsets, spreads.tolist(), odds.tolist(), strict=True)]
        leaning = (odds_of_leaning(dice, frame.shape) > _MOST_ODDS) & (odds > _MOST_ODDS_ALONE)
        together = [face for face, leans in zip(sure, leaning.tolist(), strict=True) if leans]
        return together + [face for face in faces if face not in sure and self.leans_alone(frame, face)]

    def leans_alone(self, frame: Pixels, face: Found) -> bool:
        """Whether one die seems to lean, whatever lies beside it."""
        return self.alone.chance_anywhere(frame, face.outline_px) > _MOST_LEANING


def _is_sure(face: Found, usual_px: float) -> bool:
    return face.score >= _SURE_FACE and usual_px / _SIZES_APART <= face.width_px <= usual_px * _SIZES_APART
