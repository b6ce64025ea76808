"""Dice in a picture that a camera took from the side, of which nothing is known: which faces are sides, what leans.

The farther a camera leans, the larger the sides of dice beside their upper faces, and a side looks like an upper face
that is seen from above. What tells them apart is what lies below: below an upper face stands a die, below a side the
floor begins. Where a die's base must be, the other dice of the picture tell (``vision.lean_together``), and a network
that was trained on such pictures looks whether a die stands there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from vision.any_leaning import LeaningTogether
from vision.base_network import BaseNetwork
from vision.detector import Detector, Found
from vision.lean_network import LeanNetwork, lean_crops, standing_hull
from vision.lean_together import Seen, bases_by_others, lean_above, odds_of_leaning, seen_by
from vision.order import lower_median
from vision.reading import Floats, Pixels, Point

ASLANT = 0.38
"""Sine of a camera's lean, as these networks see it, from which a picture is read by them: 22 degrees. Below it the
usual ones are as good, unless most of what they see looks like sides."""

# Logarithms of the odds that a die does not stand, alone and together with the others. Of 1,009 faces so read
# in 346 drawn pictures taken aslant (by 15 to 60 degrees) five are wrong, two of them of leaning dice, one a side.
_MOST_ALONE, _MOST_TOGETHER = 0.0, -2.5
_MOST_IF_SEEN_TWICE = 1.0  # alone, where the usual networks see a standing die, too: 7 more, all right
_MOST_IF_LONE = 0.0
_MOST_IF_UNKNOWN = -0.5
_MOST_IF_FAINT = -1.0  # of cubes; of 39 faint pentagons that seemed to stand so, too, eight were sides
_LIKE_STANDING, _LIKE_SIDES = -2.0, 0.5  # the median of the others' odds
_MOST_AMONG_SIDES = -2.0
"""Both together, of a die that stands more surely than the others look like sides: of 21 cubes among such others that
were read with less than -0.5 alone, in 840 drawn pictures taken aslant, the one that is a side has -1.8."""
_SURELY_NO_TOP = 2.0  # where the camera is, such faces do not tell
_MOST_OF_A_TOP, _MORE_OF_A_SIDE = 0.0, 3.0
_FARTHEST_SIDE = 2.5  # circumradii from the upper face's middle to a side's
_SAME_FACE = 0.4  # circumradii between two outlines of one face


@dataclass(frozen=True)
class AslantNetworks:
    """The networks that were trained on pictures taken aslant: what finds faces, what tells whether dice stand below
    them, and what sees where bases are."""

    detector: Detector
    leaning: LeanNetwork
    bases: BaseNetwork


@dataclass(frozen=True)
class _Judged:
    """The logarithms of the odds that there is no standing die below a face, ``alone`` and, where the detector is
    sure of it, ``together`` with the others; where the middle of its base appears if there is (px, (2,))."""

    alone: float
    together: float | None
    base_px: Floats

    def covers(self, face: Found, place_px: Point) -> bool:
        """Whether a place is on the die that stands below that face."""
        hull = standing_hull(np.array(face.outline_px), self.base_px).astype(np.float32)
        return cv2.pointPolygonTest(hull, place_px, False) >= 0


@dataclass(frozen=True)
class SeenAslant:
    """The upper faces ``found`` in a ``frame`` (uint8 BGR) in which dice are ``usual_px`` wide, judged when asked.

    ``usual`` is what the usual networks see there, and tells which faces are dice's.
    """

    networks: AslantNetworks
    frame: Pixels
    found: Sequence[Found]
    usual_px: float
    usual: LeaningTogether

    @cached_property
    def _dice(self) -> tuple[list[Found], list[Seen], list[bool]]:
        """The faces, what is seen of their bases, and which of them surely are dice's."""
        faces = [face for face in self.found if face.stands]
        dice = seen_by(self.networks.bases, self.frame, [np.array(face.outline_px) for face in faces])
        return faces, dice, self.usual.are_dice(faces, self.usual_px)

    @cached_property
    def lean(self) -> float:
        """How far the camera leans, below which most of the dice stand: the sine; 0 where one alone would tell."""
        _, dice, sure = self._dice
        tell = [die for die, each in zip(dice, sure, strict=True) if each]
        return lean_above(tell, self.frame.shape) if len(tell) > 1 else 0.0

    @cached_property
    def is_aslant(self) -> bool:
        """Whether the picture is to be read by these networks; or by none, for all of them see sides at most."""
        if self.lean >= ASLANT:
            return True
        alone = [judged.alone for judged in self._judged.values() if judged.together is not None]
        return bool(alone) and lower_median(alone) > _LIKE_SIDES and self.usual.middle > _LIKE_SIDES

    most_lean = True  # below a usual camera they would

    @cached_property
    def _judged(self) -> dict[Found, _Judged]:
        faces, dice, sure = self._dice
        bases, alone = self._alone(dice, sure)
        tops = [each and odds < _SURELY_NO_TOP for each, odds in zip(sure, alone.tolist(), strict=True)]
        if any(tops) and tops != sure:
            bases, alone = self._alone(dice, tops)
        dice = [replace(die, odds=odds) for die, odds in zip(dice, alone.tolist(), strict=True)]
        together = iter(
            odds_of_leaning([die for die, each in zip(dice, sure, strict=True) if each], self.frame.shape).tolist()
        )
        return {
            face: _Judged(die.odds, next(together) if each else None, base)
            for face, die, each, base in zip(faces, dice, sure, bases, strict=True)
        }

    def _alone(self, dice: Sequence[Seen], tell: Sequence[bool]) -> tuple[Floats, Floats]:
        """Where bases are below the camera that those show that ``tell``, and the odds of each face alone."""
        bases = bases_by_others(dice, tell, self.frame.shape)
        crops = lean_crops(self.frame, [die.outline_px for die in dice], list(bases))
        return bases, self.networks.leaning.odds(crops)

    @cached_property
    def sides(self) -> frozenset[Found]:
        """Faces that are sides of dice whose upper faces were found, too."""
        return frozenset(face for face in self._judged if any(self._is_side_of(face, top) for top in self._judged))

    def _is_side_of(self, face: Found, top: Found) -> bool:
        if face is top or top.apart(face.center_px) > _FARTHEST_SIDE:
            return False
        side, upper = self._judged[face], self._judged[top]
        if upper.alone >= _MOST_OF_A_TOP or side.alone < upper.alone + _MORE_OF_A_SIDE:
            return False
        return upper.covers(top, face.center_px) and not side.covers(face, top.center_px)

    def against(self, face: Found) -> str | None:
        """Why an upper face must not be read: the die leans, or the face may be a side; None if it may be."""
        judged = self._judged[face]
        if judged.together is None:
            if face.what == "number-die":
                return "unsure"
            return "cocked" if judged.alone > _MOST_IF_FAINT else None
        others = [
            each.alone for other, each in self._judged.items() if other is not face and each.together is not None
        ]
        around = float(np.median(others)) if others else None
        if around is None:
            most = _MOST_IF_LONE
        elif around > _LIKE_SIDES:
            return "unsure" if judged.alone + around > _MOST_AMONG_SIDES else None
        elif around >= _LIKE_STANDING:
            most = _MOST_IF_UNKNOWN
        elif judged.together > _MOST_TOGETHER:
            return "cocked"
        else:
            most = _MOST_ALONE
        if judged.alone <= most or (judged.alone <= _MOST_IF_SEEN_TWICE and self._stands_to_usual(face)):
            return None
        return "cocked"

    def _stands_to_usual(self, face: Found) -> bool:
        """Whether the usual networks see the same face, of a die that stands."""
        return any(
            other.what == face.what and face.apart(other.center_px) < _SAME_FACE and not self.usual.leans(other)
            for other in self.usual.found
        )
