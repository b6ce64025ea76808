"""Luck: how far a player's dice were from even, where a game makes one face better than another.

Each measure adds up one value for each die; for even dice its mean and its variance are known, so that the distance
from even comes with an interval. Dice that decide nothing for whoever throws them are left out.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

from host.statistics.chi_squared import deviation, wilson
from host.statistics.thrown import Throw, throws
from host.table import Table
from vision.dice import PIP_DIE

FEWEST_DICE = 10
"""Below this, an interval is so wide that any luck would fit in."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What is measured. ``mean`` and ``variance`` are of one even die; ``is_share``: each is a hit or a miss."""

    id: str
    mean: float
    variance: float
    is_share: bool


FAVOR = Measure("favor", 0.5, 0.25, True)
CALLS = Measure("calls", 0.5, 0.25, True)
PIPS = Measure("pips", 3.5, 35 / 12, False)
SIGNS = Measure("signs", 0.0, 2 / 3, False)
"""A rig die of either type has two faces each with a plus, with a minus, and blank."""

MEASURES = {measure.id: measure for measure in (FAVOR, CALLS, PIPS, SIGNS)}

Tally = Counter[tuple[str, str, int]]
"""How many dice there are by player, measure and value."""


def tally(table: Table) -> Tally:
    """The values of a game's dice that count."""
    counted: Tally = Counter()
    value_of = _GAMES.get(table.game.id)
    if value_of is not None:
        for throw in throws(table):
            for player, measure, value in value_of(throw):
                counted[player, measure.id, value] += 1
    return counted


Values = Iterator[tuple[str, Measure, int]]


def _vigos_favor(throw: Throw) -> Values:
    """Whoever seeks the favor is lucky to match it; the Vigo's own cube only names it."""
    state: Any = throw.before
    if state.phase in ("seek", "challenge-roll"):
        for die in throw.dice:
            yield throw.player, FAVOR, int(die.face == state.favor)


def _val_des(throw: Throw) -> Values:
    """The caster's cube is everybody's luck: a call is right or not."""
    state: Any = throw.before
    for player, call in state.calls.items():
        yield player, CALLS, int({"val": "red", "des": "blue"}[call] == throw.dice[0].face)


def _victim(throw: Throw) -> Values:
    """High pips are good for whoever rolls them, in the first roll and on both sides of a battle."""
    for die in throw.dice:
        if die.kind == PIP_DIE:
            yield throw.player, PIPS, int(die.face)


def _rig(throw: Throw) -> Values:
    """A plus counts one up in the tally, a minus one down."""
    for die in throw.dice:
        yield throw.player, SIGNS, {"+": 1, "-": -1}.get(die.face[-1], 0)


_GAMES: Mapping[str, Callable[[Throw], Values]] = {
    "vigos-favor": _vigos_favor,
    "val-des": _val_des,
    "victim": _victim,
    "rig": _rig,
}


@dataclass(frozen=True, slots=True)
class Luck:
    """A player's luck by one measure: of how many dice, their mean, and the interval for it (95 in 100)."""

    measure: Measure
    dice: int
    total: int

    @property
    def mean(self) -> float:
        """The mean value of a die; 0 for none."""
        return self.total / self.dice if self.dice else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Between which means the player's dice would come to lie in the long run: Wilson's for shares.

        >>> [round(bound, 2) for bound in Luck(FAVOR, 22, 14).interval]
        [0.43, 0.8]
        >>> [round(bound, 2) for bound in Luck(PIPS, 100, 391).interval]
        [3.58, 4.24]
        """
        if self.measure.is_share:
            return wilson(self.total, self.dice)
        reach = deviation() * sqrt(self.measure.variance / self.dice)
        return self.mean - reach, self.mean + reach

    @property
    def deviations(self) -> float:
        """How many standard deviations the dice lie above what even dice give (below: negative)."""
        return (self.total - self.dice * self.measure.mean) / sqrt(self.dice * self.measure.variance)


def luck_of(counted: Tally, player: str) -> tuple[Luck, ...]:
    """A player's luck by each measure of which there are dice."""
    found = []
    for measure in MEASURES.values():
        values = {v: n for (who, what, v), n in counted.items() if who == player and what == measure.id}
        if values:
            found.append(Luck(measure, sum(values.values()), sum(v * n for v, n in values.items())))
    return tuple(found)


def overall(lucks: tuple[Luck, ...]) -> tuple[int, float]:
    """All dice of a player together: how many, and how many standard deviations from even (Stouffer's method,
    each measure weighed by its dice)."""
    dice = sum(luck.dice for luck in lucks)
    return dice, sum(luck.deviations * sqrt(luck.dice) for luck in lucks) / sqrt(dice) if dice else 0.0
