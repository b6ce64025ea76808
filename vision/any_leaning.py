"""Which dice lean in a picture of which no camera is known: all together, below the camera on which most agree."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from vision.any_sizes import is_surely_a_die
from vision.base_network import BaseNetwork
from vision.detector import Found
from vision.dice import PIP_DIE
from vision.lean_network import LeanNetwork, lean_crops, usual_base
from vision.lean_together import ANY_TILT_DEG, Seen, disagreement, lean_above, odds_of_leaning, seen_by
from vision.order import lower_median
from vision.reading import Pixels

_MOST_LEANING = math.log(0.95 / 0.05)
"""The logarithm of the odds that one die leans, whatever lies beside it: the camera is guessed, and of 1,195
photographed standing dice one has more, of 785 drawn ones 2."""

# Logarithms of the odds, too. A die leans that has more than the first alone, and together with the others more than
# the second where these alone look as standing ones do, than the third where there are none, than the fourth where
# they look otherwise, and seen from near more than the last: the network does not know such pictures. Of 3,376 drawn
# dice that stand 23 are then taken for leaning, of 351 that lean by 20 degrees or more 3 for standing, of 175 that
# lean less 30; of 1,077 photographed ones in pictures that were learned from 1, of 484 in others 5. With 0, -1.5, 0,
# 1.5 and 1.5 these are 4, 11, 63, 1 and 4: but a die that is left costs a glance, one read wrongly a stake.
_LEAST_ALONE = -1.0
_MOST_IF_KNOWN, _MOST_IF_LONE, _MOST_IF_UNKNOWN, _MOST_IF_NEAR = -3.0, -2.5, 0.0, 1.5
_NEAR = 0.07  # of the picture's longer side that a die takes: 99 of 100 take less below cameras that hang
_LIKE_STANDING = -2.0  # the median of the others' odds, each alone
_MAY_BE_ASLANT, _SEEMS_ASLANT = 0.12, 0.3  # sines of a camera's lean, as what may be sides shows it
_SURELY_STANDS = -4.0  # below a usual camera; in 51 drawn pictures taken aslant, of a lean between, the least is -2.4
_STANDS_ALONE = {PIP_DIE: -3.0}
_STANDS_ALONE_USUALLY = 0.0
"""Odds alone, of a kind of dice and of all others: what has more is looked at twice (``vision.seen_twice``). Of 2,404
drawn dice read rightly from above that leaves six, of 1,079 photographed ones one. Only pip dice were misread so."""
_SEVERAL = 3
"""Dice that show together that a camera is a usual one, where most of them look like standing ones: then a pip die
need not stand more surely than others. Of 16 photographed dice read wrongly that the second look leaves, one lies in
such a picture if two dice are enough, and none if there must be three; 10 of 38 read rightly do."""
_NOT_STANDING = 2.0  # the lower median: of 450 drawn pictures from above two have more, of 360 taken aslant 256
_MOST_DISAGREEING, _LEANS_FAR = 1.0, 0.25
"""Of the bases of twelve-sided dice, and the sine of a camera's lean: of upper faces it is seen, of sides hardly. In
drawn pictures of two or more dice, below cameras that lean by up to 25 degrees, five of 1,247 dice read rightly
disagree by more and seem to lean less; of 156 sides read below such as lean by 50 to 75 degrees, 114."""


@dataclass(frozen=True)
class AnyLeaning:
    """The networks that tell: whether a die ``alone`` leans below a usual camera, and where ``bases`` are.

    Without the latter every die is judged alone.
    """

    alone: LeanNetwork
    bases: BaseNetwork | None = None

    def leans_alone(self, frame: Pixels, face: Found) -> bool:
        """Whether one die seems to lean, whatever lies beside it."""
        return self.alone.odds_anywhere(frame, face.outline_px) > _MOST_LEANING


@dataclass(frozen=True)
class LeaningTogether:
    """The upper faces ``found`` in a ``frame`` (uint8 BGR) in which dice are ``usual_px`` wide, judged when asked.

    ``tilt_deg`` is how far such cameras lean; those faces tell of the others that are dice's as ``is_a_die`` says.
    """

    networks: AnyLeaning
    frame: Pixels
    found: Sequence[Found]
    usual_px: float
    tilt_deg: float = ANY_TILT_DEG
    is_a_die: Callable[[Found], bool] | None = None
    _faint: dict[Found, float] = field(default_factory=dict)

    @cached_property
    def _sure(self) -> tuple[list[Found], list[Seen]]:
        """The sure faces, and what is seen of their dice's bases; none where nobody knows where bases are."""
        faces = [face for face in self.found if face.stands]
        sure = [face for face, each in zip(faces, self.are_dice(faces, self.usual_px), strict=True) if each]
        if self.networks.bases is None or not sure:
            return [], []
        return sure, seen_by(self.networks.bases, self.frame, [np.array(face.outline_px) for face in sure])

    def are_dice(self, faces: Sequence[Found], usual_px: float) -> list[bool]:
        """Which of these are surely faces of dice ``usual_px`` wide; by the detector alone, where it is of none."""
        sure = [is_surely_a_die(face, usual_px) for face in faces]
        if self.is_a_die is None:
            return sure
        dice = [each and self.is_a_die(face) for face, each in zip(faces, sure, strict=True)]
        return dice if any(dice) else sure

    @cached_property
    def lean(self) -> float:
        """How far the camera leans, below which most of the dice stand: the sine; 0 where there are none."""
        _, dice = self._sure
        return lean_above(dice, self.frame.shape, self.tilt_deg) if dice else 0.0

    @cached_property
    def odds(self) -> dict[Found, tuple[float, float]]:
        """The logarithms of the odds that the die of each sure face leans: judged together, and alone."""
        sure, dice = self._sure
        usual = [usual_base(die.outline_px, self.frame.shape) for die in dice]
        own = self.networks.alone.odds(lean_crops(self.frame, [die.outline_px for die in dice], usual))
        dice = [replace(die, odds=odds) for die, odds in zip(dice, own.tolist(), strict=True)]
        together = odds_of_leaning(dice, self.frame.shape, self.tilt_deg)
        return dict(zip(sure, zip(together.tolist(), own.tolist(), strict=True), strict=True))

    @cached_property
    def middle(self) -> float:
        """The lower median of the logarithms of the odds that dice lean, each alone; very low where one tells."""
        return lower_median([alone for _, alone in self.odds.values()]) if len(self.odds) > 1 else -math.inf

    @property
    def most_lean(self) -> bool:
        """Whether most of the dice, of which there are several, look rather as if they leaned."""
        return self.middle > 0.0

    @cached_property
    def may_be_aslant(self) -> bool:
        """Whether the camera may lean so far that sides are taken for upper faces."""
        if self.middle >= _NOT_STANDING or self.lean >= _SEEMS_ASLANT:
            return True
        return self.lean >= _MAY_BE_ASLANT and not any(alone < _SURELY_STANDS for _, alone in self.odds.values())

    @cached_property
    def sees_sides(self) -> bool:
        """Whether what looks like upper faces of twelve-sided dice are sides of theirs.

        Below a camera that leans by 63 degrees a side looks just like an upper face seen from above. But while the
        upper faces of several dice lie alike, each looks at the camera with a side of its own.
        """
        dice = [die for face, die in zip(*self._sure, strict=True) if face.what == "number-die"]
        if len(dice) < 2 or self.lean >= _LEANS_FAR:
            return False
        return disagreement(dice, self.frame.shape) > _MOST_DISAGREEING

    def against(self, face: Found) -> str | None:
        """Why an upper face must not be read: "cocked" if its die leans, "unsure" if it may be a side."""
        if self.leans(face):
            return "cocked"
        return "unsure" if face.what == "number-die" and self.sees_sides else None

    def leans(self, face: Found) -> bool:
        """Whether one of the dice leans, below a camera of which nothing is known."""
        if face not in self.odds:
            return self._alone(face) > _MOST_LEANING
        together, alone = self.odds[face]
        return together > self._most_together(face) and alone > _LEAST_ALONE

    def surely_stands(self, face: Found, kind: str) -> bool:
        """Whether a die of that kind by itself surely looks like one that stands below a usual camera.

        Where several dice show together that it is one, none needs to be as sure.
        """
        usual = len(self.odds) >= _SEVERAL and self.middle < _LIKE_STANDING
        most = _STANDS_ALONE_USUALLY if usual else _STANDS_ALONE.get(kind, _STANDS_ALONE_USUALLY)
        return self._alone(face) < most

    def _alone(self, face: Found) -> float:
        """The logarithm of the odds that a die leans, alone."""
        if face in self.odds:
            return self.odds[face][1]
        if face not in self._faint:
            self._faint[face] = self.networks.alone.odds_anywhere(self.frame, face.outline_px)
        return self._faint[face]

    def _most_together(self, face: Found) -> float:
        """The odds of a die that stands, judged together: the fewer, the better the network knows such pictures."""
        if self.usual_px >= _NEAR * max(self.frame.shape[:2]):
            return _MOST_IF_NEAR
        others = [alone for other, (_, alone) in self.odds.items() if other is not face]
        if not others:
            return _MOST_IF_LONE
        return _MOST_IF_KNOWN if float(np.median(others)) < _LIKE_STANDING else _MOST_IF_UNKNOWN
