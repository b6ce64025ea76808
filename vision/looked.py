"""What one look at the mat saw, what it read and how sure that is."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from vision.agreement import WELL_FITTED
from vision.candidate import Candidate
from vision.detector import Found, face_at
from vision.dice import NUMBER_DIE
from vision.fit_solids import Fit
from vision.network import Guess
from vision.on_mat import Seen
from vision.read_marks import Opinion
from vision.reading import Floats, Point, ReadDie, Unread
from vision.reds import Told
from vision.solids import CUBE

_AS_WELL_FITTED = 0.1  # of two cubes with a bar that were read as a 1 the cube's fit was worse by 0.03 and 0.08
_LIKELY_FACE = 0.5  # of the network, that a cube which was fitted there has a face
_SETTLED = 0.9  # confidence
SURELY_FITTED = 0.9  # 84 of 100 cubes have it; of one that leaned and was read in the first look the fit had 0.79
SAME_DIE = 0.5  # edges of an upper face between two middles that are one die's


@dataclass(frozen=True)
class Asked:
    """What is said of one candidate, whatever lies around it: by the rules, by the network that was trained apart
    (``ask_apart``), by the sight (``SituationNetwork.odds``), of a red face whose it is (``ask_of_reds``), where it
    was doubtful, the log odds that it stands by its ``base`` (``BaseOnMat``), and, where a die was read, how likely
    it is another game's (``OtherNetwork``)."""

    rules: tuple[Opinion, ...]
    apart: Guess | None
    odds: Floats | None
    red: Told | None
    base: float | None = None
    other: float | None = None


@dataclass(frozen=True)
class Looked:
    """What was seen on the mat, what was said of each candidate chosen, the dice read and what was left."""

    seen: Seen
    asked: tuple[Asked, ...]
    dice: tuple[ReadDie, ...]
    unread: tuple[Unread, ...]

    @property
    def fits_read(self) -> list[Fit]:
        """The solids that were fitted to the dice read."""
        places = {die.center_px for die in self.dice}
        return [one.fit for one in self.seen.chosen if one.center_px in places]

    @property
    def fit_scores(self) -> dict[Point, float]:
        """How well the solids fit that were chosen, by the middles of their upper faces."""
        return {one.center_px: one.fit.score for one in self.seen.chosen}

    @property
    def lying(self) -> list[Unread]:
        """What leans, or lies on or under another."""
        return [thing for thing in self.unread if thing.reason in ("cocked", "stacked")]


def settled(looked: Looked) -> list[ReadDie]:
    """Dice that were read surely and fitted well: another look costs much and could hardly tell more."""
    well = [one.center_px for one in looked.seen.chosen if one.fit.score >= SURELY_FITTED]
    return [die for die in looked.dice if die.confidence >= _SETTLED and die.center_px in well]


def poorly_fitted(looked: Looked) -> list[ReadDie]:
    """Number dice whose solid fits badly, or a cube hardly worse in the same place: a bar on one looks like a 1."""
    poor = [
        one.center_px
        for one in looked.seen.chosen
        if one.fit.shape is not CUBE and (one.fit.score < WELL_FITTED or _may_be_a_cube(one, looked.seen.looked_at))
    ]
    return [die for die in looked.dice if die.kind == NUMBER_DIE and die.center_px in poor]


def _may_be_a_cube(candidate: Candidate, others: Sequence[Candidate]) -> bool:
    """Whether a cube was fitted in the same place, too, on which a network sees a face."""
    return any(
        other.fit.shape is CUBE
        and other.fit.score >= candidate.fit.score - _AS_WELL_FITTED
        and other.face_chance >= _LIKELY_FACE
        and is_among(candidate, [other.center_px])
        for other in others
    )


def borne_out(looked: Looked, faces: Sequence[Found]) -> Looked:
    """What was seen, less poorly fitted number dice where the detector sees no face of one."""
    return without(looked, [die for die in poorly_fitted(looked) if _pentagon_at(die, faces) is None])


def unless_read_otherwise(looked: Looked, faces: Sequence[Found], number_on: Callable[[Found], str | None]) -> Looked:
    """What was seen, less poorly fitted number dice that show another number where the detector outlines them.

    To the edges of a neighbour or of a shadow a solid was fitted, beside its die: half a 12 is a 1. ``faces`` are
    those of the detector, ``number_on`` reads one of them, if anybody can.
    """
    outlined = [(die, _pentagon_at(die, faces)) for die in poorly_fitted(looked)]
    otherwise = [die for die, face in outlined if face is not None and number_on(face) not in (None, die.face)]
    return without(looked, otherwise)


def _pentagon_at(die: ReadDie, faces: Sequence[Found]) -> Found | None:
    """The upper face of a number die as the detector sees it; None where it sees none there."""
    return face_at((face for face in faces if face.what == NUMBER_DIE), die.center_px)


def without(looked: Looked, doubtful: Sequence[ReadDie]) -> Looked:
    """What was seen, these of its dice left as unsure."""
    dice = tuple(die for die in looked.dice if die not in doubtful)
    return replace(looked, dice=dice, unread=(*looked.unread, *(Unread("unsure", die.center_px) for die in doubtful)))


def is_among(candidate: Candidate | ReadDie, places_px: Sequence[Point]) -> bool:
    """Whether one of the places is on this upper face, or hardly beside it."""
    reach = SAME_DIE * edge_px(candidate)
    return any(math.dist(candidate.center_px, place) < reach for place in places_px)


def edge_px(die: Candidate | ReadDie) -> float:
    """How long the edges of a die's upper face are, by the first one."""
    return math.dist(*die.outline_px[:2])
