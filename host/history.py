"""What became of every game: how it came out, and the dice that were thrown in it. Nothing in here is secret.

A game's record follows from its log; it is made once and made anew when the log has grown.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from host.games.sentence import Sentence
from host.problems import Problem
from host.records import JsonObject, SeatedTable
from host.snapshot import Snapshot
from host.statistics.fairness import Counts
from host.statistics.luck import Tally, tally
from host.statistics.thrown import throws
from host.store import Store
from host.table import Table
from host.tables import Tables

Standing = Literal["running", "over", "stopped"]
"""stopped: the owner has ended it before anybody has won."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """What there is to say of a game. ``entries`` is the length of its log, ``last_at`` the time of the newest one.

    ``winners`` is None unless the game is over, ``credits`` where the game reckons none. ``dice`` counts faces by
    kind and body, ``by_hand`` how many dice of each were entered by people, ``rolls`` each player's dice.
    """

    seated: SeatedTable
    entries: int
    last_at: str
    standing: Standing
    winners: tuple[str, ...] | None
    credits: Mapping[str, int] | None
    rolls: Mapping[str, int]
    dice: Counts
    by_hand: Counter[tuple[str, str | None]]
    luck: Tally

    def to_json(self) -> JsonObject:
        """As the API lists it."""
        return {
            "table": self.seated.id,
            "game": self.seated.game,
            "players": list(self.seated.players),
            "opened_at": self.seated.opened_at,
            "last_at": self.last_at,
            "entries": self.entries,
            "standing": self.standing,
            "winners": None if self.winners is None else list(self.winners),
            "credits": None if self.credits is None else dict(self.credits),
        }


def record_of(table: Table, last_at: str) -> GameRecord:
    """The record of a game as it stands."""
    rolls: Counter[str] = Counter()
    dice: Counts = Counter()
    by_hand: Counter[tuple[str, str | None]] = Counter()
    for throw in throws(table):
        rolls[throw.player] += len(throw.dice)
        for die in throw.dice:
            dice[die.kind, die.body, die.face] += 1
            by_hand[die.kind, die.body] += die.by_hand
    over = table.state.winners is not None
    return GameRecord(
        table.seated,
        table.number,
        last_at,
        "over" if over else "stopped" if table.is_ended else "running",
        table.state.winners,
        table.game.view(table.state).get("balances"),
        rolls,
        dice,
        by_hand,
        tally(table),
    )


class History:
    """The records of all games of a host."""

    def __init__(self, store: Store, tables: Tables):
        self._store = store
        self._tables = tables
        self._records: dict[str, GameRecord] = {}

    def games(self) -> tuple[GameRecord, ...]:
        """Every game, the newest first."""
        lengths = self._store.log_lengths()
        return tuple(self._record(seated, *lengths.get(seated.id, (0, ""))) for seated in self._tables.seated())

    def game(self, table_id: str) -> GameRecord:
        """One game. Raises ``Problem`` for an unknown one."""
        table = self._tables.to_look_at(table_id)
        last = table.snapshot().log[-1:]
        return self._record(table.seated, table.number, last[0]["at"] if last else "")

    def at(self, table_id: str, number: int | None) -> Snapshot:
        """A table as everybody saw it at a state number (None: now). Raises ``Problem``."""
        table = self._tables.to_look_at(table_id)
        if number is None or number == table.number:
            return table.snapshot()
        if not 0 <= number < table.number:
            raise Problem(
                "unknown-number",
                Sentence("unknown-number", "The log of this table ends at {number}.", {"number": table.number}),
            )
        entries = [step.entry for step in table.steps()[:number]]
        reading = next((entry.reading for entry in reversed(entries) if entry.reading), None)
        then = Table(
            table.seated, table.game, entries, self._tables.readings.reading(reading, table_id) if reading else None
        )
        return then.snapshot()

    def _record(self, seated: SeatedTable, entries: int, last_at: str) -> GameRecord:
        known = self._records.get(seated.id)
        if known is None or known.entries != entries:
            known = record_of(self._tables.to_look_at(seated.id), last_at or seated.opened_at)
            self._records[seated.id] = known
        return known
