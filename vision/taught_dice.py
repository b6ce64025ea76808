"""Where taught dice stand in for a kind of the games: their faces are read by ``vision.taught`` alone."""

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal

from vision.candidate import Candidate
from vision.detector import Found
from vision.dice import NUMBER_DIE
from vision.look import points
from vision.patches import Light, Patch
from vision.reading import Pixels, Point, ReadDie, Unread
from vision.solids import CUBE
from vision.taught import TaughtFace, TaughtSet

_MOST_SEEN = 32
"""Faces of a frame or two; each takes 140 kB in all its turns."""

_LEAST_SCORE = 0.66
_LEAST_EDGE = 0.2
_LEAST_AHEAD_SEEN = 0.45
"""Of a face in the detector's outline. With 0.38 one of 254 faces of eight sets was read wrongly, with 0.45 none."""

_LEAST_KIN = 0.6
"""How alike what is drawn on a face must be to a taught one; of 324 taught faces 98 % had 0.7 or more."""


@dataclass(frozen=True)
class SeenFace:
    """An upper face as it was seen: its middle in the picture (px) and its patch in each of its turns."""

    center_px: Point
    turned: tuple[Patch, ...]


@dataclass
class TaughtDice:
    """The taught sets in use. ``seen`` keeps the faces that were seen last, for teaching more of them."""

    sets: Sequence[TaughtSet]
    seen: deque[SeenFace] = field(default_factory=lambda: deque(maxlen=_MOST_SEEN))

    def judge(
        self,
        frame: Pixels,
        light: Light,
        candidate: Candidate,
        leans: bool,
        kinds: Collection[str] | None,
        otherwise: ReadDie | Unread,
        beside: tuple[Point, ...] | None = None,
    ) -> ReadDie | Unread:
        """What a candidate is by the taught sets; ``otherwise`` where none of them stands in for a kind it may be.

        ``leans``: it is not taken to stand upright. ``beside`` is its upper face (px) as the detector sees it: where
        there is one, faces are compared in that.
        """
        sets = self._for(candidate.fit.shape is CUBE, kinds)
        if not sets or (isinstance(otherwise, Unread) and otherwise.is_beyond):
            return otherwise
        outline = tuple(points(candidate.outline_px))
        turned = self._looked_at(sets, frame, light, candidate.center_px, beside or outline)
        fit = candidate.fit
        if fit.score < _LEAST_SCORE or min(fit.top_edges) < _LEAST_EDGE:
            return Unread("unsure", candidate.center_px)
        if leans:
            return Unread("cocked", candidate.center_px)
        least = _LEAST_AHEAD_SEEN if beside else 0.0
        read = _told(sets, turned, otherwise if isinstance(otherwise, ReadDie) else None, least)
        if isinstance(read, tuple):
            one, face, alike = read
            return ReadDie(one.kind, one.body, face, alike, candidate.center_px, (fit.x, fit.y), outline)
        return Unread("unsure", candidate.center_px) if read == "unsure" else otherwise

    def judge_seen(
        self, frame: Pixels, light: Light, face: Found, kinds: Collection[str] | None, otherwise: ReadDie | str
    ) -> ReadDie | str:
        """The same of an upper face that only the detector sees: the die, or the reason why it is not read."""
        sets = self._for(face.what == "cube", kinds)
        if not sets:
            return otherwise
        turned = self._looked_at(sets, frame, light, face.center_px, face.outline_px)
        read = _told(sets, turned, otherwise if isinstance(otherwise, ReadDie) else None, _LEAST_AHEAD_SEEN)
        if isinstance(read, tuple):
            one, shown, alike = read
            return ReadDie(one.kind, one.body, shown, alike, face.center_px, None, face.outline_px)
        return "unsure" if read == "unsure" else otherwise

    def stand_in(self, cubes: bool, kinds: Collection[str] | None) -> bool:
        """Whether a set stands in for cubes, or for twelve-sided dice, that may lie there."""
        return bool(self._for(cubes, kinds))

    def _for(self, cubes: bool, kinds: Collection[str] | None) -> list[TaughtSet]:
        """The sets of cubes, or of twelve-sided dice, that may lie there."""
        return [
            one for one in self.sets if (one.kind != NUMBER_DIE) == cubes and (kinds is None or one.kind in kinds)
        ]

    def _looked_at(
        self, sets: Sequence[TaughtSet], frame: Pixels, light: Light, at_px: Point, outline: tuple[Point, ...]
    ) -> tuple[Patch, ...]:
        turned = sets[0].cut(frame, outline, light)
        self.seen.append(SeenFace(at_px, turned))
        return turned


def _told(
    sets: Sequence[TaughtSet], turned: Sequence[Patch], otherwise: ReadDie | None, least_ahead: float = 0.0
) -> tuple[TaughtSet, str, float] | Literal["unsure", "another"]:
    """Set, face and how alike it is, where one set alone is sure of a face, and it is so far ahead of all others.

    ``unsure``: what was read ``otherwise`` may as well be a taught die. ``another``: the sets say nothing of it.
    """
    told = [(found, one) for one in sets if (found := one.tell(turned)) is not None]
    sure = [(found, one) for found, one in told if found.is_sure and not one.cannot_tell(found.face)]
    if len(sure) == 1 and sure[0][0].ahead >= least_ahead:
        found, one = sure[0]
        return one, found.face, min(found.alike, 0.99)
    if otherwise is not None and any(_may_be_of(one, found, otherwise) for found, one in told):
        return "unsure"
    return "another"


def _may_be_of(taught: TaughtSet, found: TaughtFace, read: ReadDie) -> bool:
    """Whether a die read as an ordinary one may as well be one of the taught dice that shows another face."""
    if read.kind != taught.kind or (found.face == read.face and found.is_sure):
        return False
    return bool(taught.missing) or found.drawn >= _LEAST_KIN
