"""Fairness: whether the dice of a kind and body show their faces as often as even dice would."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from host.statistics.chi_squared import FEWEST_EXPECTED, chi_squared, holm, wilson
from vision.dice import ACTION_DIE, CHANCE_CUBE, KINDS, RIG_COLORS, RIG_DIE

UNUSUAL = 0.05
"""Even dice look as odd as this in one of twenty pages like this one, however many dice are on it."""

_ACTION_SHARES: Mapping[str, tuple[float, ...]] = {
    "blue": (4 / 6, 1 / 6, 1 / 6),
    "red": (2 / 6, 3 / 6, 1 / 6),
    "black": (0.0, 3 / 6, 3 / 6),
}
"""How many of the six faces are green, red and white."""

Counts = Counter[tuple[str, str | None, str]]
"""How often each kind and body has shown each face."""


@dataclass(frozen=True, slots=True)
class FaceCount:
    """How often a face was seen, how often even dice show it, and between which shares the truth lies."""

    face: str
    count: int
    expected: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Fairness:
    """The test of all dice of one kind and body.

    ``p`` is None below 5 expected rolls a face; ``p_of_all`` is p with all tests on the page taken into account.
    """

    kind: str
    body: str | None
    rolls: int
    faces: tuple[FaceCount, ...]
    statistic: float | None = None
    p: float | None = None
    p_of_all: float | None = None
    by_hand: int = 0

    @property
    def id(self) -> str:
        """Kind and body as one word of an address.

        >>> Fairness("pip-die", "white", 0, ()).id
        'pip-die.white'
        """
        return f"{self.kind}.{self.body}" if self.body is not None else self.kind

    @property
    def verdict(self) -> str:
        """too-few, usual or unusual."""
        if self.p_of_all is None:
            return "too-few"
        return "unusual" if self.p_of_all < UNUSUAL else "usual"

    @property
    def rolls_needed(self) -> int:
        """How many rolls it takes before anything can be said."""
        least = min(face.expected / self.rolls for face in self.faces)
        return round(FEWEST_EXPECTED / least)


def tested(face: str, kind: str) -> str:
    """What of a face is tested: of a rig die its colour.

    There are two types of rig die, which bear the signs the other way round; each has every colour once.

    >>> tested("green +", "rig-die"), tested("6", "pip-die")
    ('green', '6')
    """
    return face.split()[0] if kind == RIG_DIE else face


def even_shares(kind: str, body: str | None) -> dict[str, float] | None:
    """How often even dice show each face; None where that is not known.

    >>> even_shares("action-die", "black")
    {'red': 0.5, 'white': 0.5}
    >>> even_shares("action-die", None) is None
    True
    """
    if kind == CHANCE_CUBE:
        return {"red": 0.5, "blue": 0.5}
    if kind == RIG_DIE:
        return dict.fromkeys(RIG_COLORS, 1 / 6)
    if kind == ACTION_DIE:
        shares = zip(KINDS[ACTION_DIE].faces, _ACTION_SHARES.get(body or "", ()), strict=False)
        return {face: share for face, share in shares if share} or None
    faces = KINDS[kind].faces if kind in KINDS else ()
    return {face: 1 / len(faces) for face in faces} or None


def fairness(counts: Counts, by_hand: Mapping[tuple[str, str | None], int]) -> tuple[Fairness, ...]:
    """A test for each kind and body that was rolled. ``by_hand``: how many dice of it people entered."""
    groups: dict[tuple[str, str | None], Counter[str]] = {}
    for (kind, body, face), count in counts.items():
        groups.setdefault((kind, body), Counter())[tested(face, kind)] += count
    untested = []
    for (kind, body), seen in sorted(groups.items(), key=lambda item: (item[0][0], item[0][1] or "")):
        shares = even_shares(kind, body)
        if shares is not None:
            untested.append(_counted(kind, body, seen, shares, by_hand.get((kind, body), 0)))
    return _judged(untested)


def _counted(kind: str, body: str | None, seen: Counter[str], shares: dict[str, float], by_hand: int) -> Fairness:
    rolls = seen.total()
    faces = tuple(
        FaceCount(face, seen[face], rolls * share, wilson(seen[face], rolls, at_once=len(shares)))
        for face, share in shares.items()
    )
    if min(face.expected for face in faces) < FEWEST_EXPECTED:
        return Fairness(kind, body, rolls, faces, by_hand=by_hand)
    statistic, p = chi_squared([seen[face] for face in shares], list(shares.values()))
    return Fairness(kind, body, rolls, faces, statistic, p, by_hand=by_hand)


def _judged(untested: list[Fairness]) -> tuple[Fairness, ...]:
    adjusted = iter(holm([test.p for test in untested if test.p is not None]))
    return tuple(
        Fairness(t.kind, t.body, t.rolls, t.faces, t.statistic, t.p, next(adjusted), t.by_hand)
        if t.p is not None
        else t
        for t in untested
    )
