"""Where taught dice stand in for a kind of the games: their faces are read by ``vision.taught`` alone."""

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from vision.dice import NUMBER_DIE
from vision.judge import Candidate
from vision.look import points
from vision.patches import Light
from vision.reading import Pixels, Point, ReadDie, Unread
from vision.solids import CUBE
from vision.taught import Patch, TaughtFace, TaughtSet

_MOST_SEEN = 32
"""Faces of a frame or two; each takes 140 kB in all its turns."""

_LEAST_SCORE = 0.66
_LEAST_EDGE = 0.2
_MOST_EXCESS_MM = 0.5
_LEAST_KIN = 0.5  # how alike a face must be to a taught one to be of that set; of 12 taught faces the least was 0.63


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
        excess_mm: float,
        kinds: Collection[str] | None,
        otherwise: ReadDie | Unread,
    ) -> ReadDie | Unread:
        """What a candidate is by the taught sets; ``otherwise`` where none of them stands in for a kind it may be."""
        cube = candidate.fit.shape is CUBE
        sets = [one for one in self.sets if (one.kind == NUMBER_DIE) != cube and (kinds is None or one.kind in kinds)]
        if not sets or otherwise == Unread("outside", candidate.center_px):
            return otherwise
        outline = tuple(points(candidate.outline_px))
        turned = sets[0].cut(frame, outline, light)
        self.seen.append(SeenFace(candidate.center_px, turned))
        fit = candidate.fit
        if fit.score < _LEAST_SCORE or min(fit.top_edges) < _LEAST_EDGE:
            return Unread("unsure", candidate.center_px)
        if excess_mm > _MOST_EXCESS_MM:
            return Unread("cocked", candidate.center_px)
        told = [(found, one) for one in sets if (found := one.tell(turned)) is not None]
        sure = [(found, one) for found, one in told if found.is_sure and not one.cannot_tell(found.face)]
        if len(sure) == 1:
            found, one = sure[0]
            return ReadDie(
                one.kind, one.body, found.face, min(found.alike, 0.99), candidate.center_px, (fit.x, fit.y), outline
            )
        if isinstance(otherwise, ReadDie) and any(_may_be_of(one, found, otherwise) for found, one in told):
            return Unread("unsure", candidate.center_px)
        return otherwise


def _may_be_of(taught: TaughtSet, found: TaughtFace, read: ReadDie) -> bool:
    """Whether a die read as an ordinary one may as well be one of the taught dice that shows another face."""
    if read.kind != taught.kind or (found.face == read.face and found.is_sure):
        return False
    return bool(taught.missing) or found.alike >= _LEAST_KIN
