"""A line of the log, opened: its picture, its rule in a sentence, and the sums that it made.

Everything is taken from what everybody may see, so that a line tells no secret before its time.
"""

from dataclasses import dataclass

from host.games.protocol import State
from host.games.sentence import Sentence
from host.line import Move
from host.log_lines import LogLine, english
from host.log_rules import rule_of
from host.problems import Problem
from host.reading_store import ReadingStore
from host.records import JsonObject, StoredReading
from host.snapshot import picture_address
from host.table import Step, Table
from vision.dice import PIP_DIE

FIGURES = ("pot", "stake")
FIGURES_OF_PLAYERS = ("balances", "points", "health", "garnets", "doubles", "bonus", "streak")
"""What games count, by the keys of their states."""

_TEMPLATES = {
    "pot": "Pot",
    "stake": "Stake",
    "balances": "{player}: credits",
    "points": "{player}: points",
    "health": "{player}: health",
    "garnets": "{player}: garnets",
    "doubles": "{player}: double bonuses",
    "bonus": "{player}: bonus",
    "streak": "{player}: right calls in a row",
}


@dataclass(frozen=True, slots=True)
class Sum:
    """A figure before and after a line. ``what`` is a key of the state, ``player`` whose figure it is."""

    what: str
    player: str | None
    before: int
    after: int

    @property
    def label(self) -> Sentence:
        """What is counted, and whose."""
        return Sentence(f"sums/{self.what}", _TEMPLATES[self.what], {"player": self.player} if self.player else {})

    @property
    def reckoning(self) -> str:
        """The figures as a sum.

        >>> Sum("pot", None, 8, 6).reckoning, Sum("balances", "Ana", -2, 1).reckoning
        ('8 − 2 = 6', '−2 + 3 = 1')
        """
        sign = "+" if self.after >= self.before else "−"
        return f"{self.before:,} {sign} {abs(self.after - self.before):,} = {self.after:,}".replace("-", "−")

    def to_json(self) -> JsonObject:
        """As the API shows it."""
        change = self.after - self.before
        return {
            "what": self.what,
            "player": self.player,
            "before": self.before,
            "change": change,
            "after": self.after,
        }


@dataclass(frozen=True, slots=True)
class OpenedLine:
    """A line with all that there is to know of it.

    ``dice`` are those of a roll as they count now, ``dice_at_first`` as they were applied where that was otherwise.
    ``is_roll``: it stands, and its dice may be corrected.
    """

    line: LogLine
    rule: Sentence | None
    dice: tuple[JsonObject, ...] | None
    dice_at_first: tuple[JsonObject, ...] | None
    reading: StoredReading | None
    sums: tuple[Sum, ...]
    is_roll: bool

    @property
    def total(self) -> int | None:
        """What the pips of a roll of several dice add up to."""
        faces = [int(die["face"]) for die in self.dice or () if die["kind"] == PIP_DIE]
        return sum(faces) if len(faces) > 1 else None

    @property
    def picture(self) -> str | None:
        """Where the picture of the tray is to be had."""
        return picture_address(self.reading) if self.reading else None

    def to_json(self) -> JsonObject:
        """As the API shows it."""
        reading = self.reading
        return {
            **self.line.to_json(),
            "rule": None if self.rule is None else english((self.rule,)),
            "dice": None if self.dice is None else list(self.dice),
            "dice_at_first": None if self.dice_at_first is None else list(self.dice_at_first),
            "read": None if reading is None else list(reading.dice),
            "unread": None if reading is None else list(reading.unread),
            "total": self.total,
            "sums": [each.to_json() for each in self.sums],
            "picture": self.picture,
        }


def opened_line(table: Table, rows: ReadingStore, number: int) -> OpenedLine:
    """The line of that number. Raises ``Problem`` where the log has none."""
    step = table.step(number)
    if step is None:
        raise Problem("unknown-entry", Sentence("unknown-entry", "The log has no line {line}.", {"line": number}))
    standing = table.move(number)
    at_first = step.line if step.entry.kind == "action" else None
    move = standing or at_first
    dice = None if move is None or move.dice is None else tuple(move.dice)
    first_dice = None if at_first is None or at_first.dice is None else tuple(at_first.dice)
    before, after = _states(table, step, move)
    reading = rows.reading(step.entry.reading, table.seated.id) if step.entry.reading else None
    return OpenedLine(
        line=table.lines()[number - 1],
        rule=_rule(table, step, before),
        dice=dice,
        dice_at_first=first_dice if first_dice != dice else None,
        reading=reading,
        sums=sums_between(table, before, after),
        is_roll=standing is not None and standing.dice is not None,
    )


def _states(table: Table, step: Step, move: Move | None) -> tuple[State, State]:
    if move is not None:
        return table.state_before(move), move.state
    return table.state_at(step.entry.number - 1), table.state_at(step.entry.number)


def _rule(table: Table, step: Step, before: State) -> Sentence | None:
    kind, action = step.entry.kind, step.entry.action or {}
    if kind == "action":
        return rule_of(table.game.id, str(action.get("type")), before.phase)
    return rule_of(kind, "question" if kind == "void" and not step.entry.of else "")


def sums_between(table: Table, before: State, after: State) -> tuple[Sum, ...]:
    """Every figure that differs between two states, as everybody may see them."""
    old, new = table.game.view(before), table.game.view(after)
    found = [Sum(what, None, old.get(what) or 0, new.get(what) or 0) for what in FIGURES if what in new]
    for what in FIGURES_OF_PLAYERS:
        for player, count in (new.get(what) or {}).items():
            found.append(Sum(what, player, (old.get(what) or {}).get(player, 0), count))
    return tuple(each for each in found if each.before != each.after)
