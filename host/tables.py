"""All tables of a host: opening them and acting at them.

Each request is answered by one transaction; memory follows only once it is stored. What a message was answered is
stored with it, so that its repetition is answered the same and never counts again.
"""

import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from gevent.lock import RLock

from host.changes import Changes
from host.clock import Clock, written
from host.expect import NOTHING_EXPECTED, Expectation, expectation
from host.games.registry import Registry
from host.games.sentence import BadSetup, Refused, Sentence
from host.pictures import Pictures
from host.problems import Problem
from host.reading_store import ReadingStore
from host.records import Answer, Correction, Entry, EntryKind, Holder, JsonObject, SeatedTable, StoredReading
from host.store import StorageFailed, Store
from host.table import NothingToUndo, Table
from host.tokens import Tokens, seat_token, sha256

ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH = 8
"""Letters that nobody mistakes for one another when reading them aloud."""

MOST_LOADED = 32
"""Tables that are kept in memory, a quarter of a megabyte each after 60 actions; the others are rebuilt in 20 ms."""


def new_table_id() -> str:
    """An id that no table has yet."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an accepted message led to: the state number and the state, as the sender may see it."""

    number: int
    state: JsonObject


@dataclass(frozen=True, slots=True)
class Change:
    """The entries that a message brings about, at least one, and what they say that a reading should have been."""

    entries: tuple[Entry, ...]
    correction: Correction | None = None


MakeChange = Callable[[Table, str], Change]
"""What a message changes, given the table and the time. Raises ``Problem`` or ``Refused`` where it may not."""


def one_entry(
    table: Table,
    kind: EntryKind,
    action: JsonObject | None,
    sender: Holder,
    now: str,
    message: str,
    reading: str | None = None,
    correction: Correction | None = None,
) -> Change:
    """A change that is one entry of the log."""
    entry = Entry(table.seated.id, table.number + 1, kind, action, sender.name, now, message, reading)
    return Change((entry,), correction)


class Tables:
    """The tables of one host, in memory as far as they are in use."""

    def __init__(
        self,
        store: Store,
        games: Registry,
        clock: Clock,
        changes: Changes,
        tokens: Tokens,
        seat_key: str,
        pictures: Pictures | None = None,
    ):
        self._store = store
        self.readings = ReadingStore(store, pictures)
        self._games = games
        self._clock = clock
        self._changes = changes
        self._tokens = tokens
        self._seat_key = seat_key
        self._seated: tuple[SeatedTable, ...] | None = None
        self._loaded: dict[str, Table] = {}
        self._locks: defaultdict[str, RLock] = defaultdict(RLock)
        self._changing = Counter[str]()

    # Opening and finding tables ----------------------------------------------------------------------------------

    def open(
        self,
        message: str,
        game_id: str,
        players: Sequence[str],
        options: Mapping[str, Any],
        table_id: str | None = None,
    ) -> tuple[Table, bool]:
        """A new table, and True; or, for a message seen before, the table that it opened, and False.

        It gets an id of its own unless it has one from its lobby.
        """
        seen = self._store.answer(message)
        if seen is not None:
            if seen.number or seen.slug or table_id not in (None, seen.table):
                raise Problem("message-id-taken", "A message with this id did something else; use a new id.")
            return self.table(seen.table), False
        if table_id is not None and self.seated_at(table_id) is not None:
            raise Problem("already-started", "Another message has started this game.")
        try:
            game = self._games.game(game_id)
            state = game.open(players, options)
        except BadSetup as wrong:
            raise Problem("bad-setup", wrong.wrong) from wrong
        table_id = table_id or new_table_id()
        seated = SeatedTable(table_id, game.id, state.players, dict(state.options), written(self._clock()))
        seats = {sha256(token): Holder("seat", table_id, player) for player, token in self.seats(seated)}
        try:
            self._store.add_table(seated, seats, Answer(message, table_id, "owner", 0))
        finally:
            self._seated = None
        self._tokens.add(seats)
        self._changes.publish(self.table(table_id).snapshot())
        return self.table(table_id), True

    def seats(self, seated: SeatedTable) -> list[tuple[str, str]]:
        """The players of a table, each with the token of their seat."""
        return [(player, seat_token(self._seat_key, seated.id, player)) for player in seated.players]

    def seated(self) -> tuple[SeatedTable, ...]:
        """Every table, newest first."""
        if self._seated is None:
            self._seated = self._store.tables()
        return self._seated

    def seated_at(self, table_id: str) -> SeatedTable | None:
        """A table as it was opened, or None."""
        return next((seated for seated in self.seated() if seated.id == table_id), None)

    def table(self, table_id: str) -> Table:
        """A table by its id, rebuilt from its log where it is not in memory. Raises ``Problem``."""
        # What was used last comes last.
        table = self._loaded.pop(table_id, None) or self._rebuilt(table_id)
        self._loaded[table_id] = table
        for unused in [other for other in self._loaded if not self._changing[other]][:-MOST_LOADED]:
            del self._loaded[unused]
        return table

    def _rebuilt(self, table_id: str) -> Table:
        seated = self.seated_at(table_id)
        if seated is None:
            raise Problem(
                "unknown-table",
                Sentence("unknown-table", "There is no table {table}.", {"table": repr(table_id[:40])}),
            )
        game = self._games.game(seated.game)
        return Table(seated, game, self._store.entries(table_id), self.readings.last_reading(table_id))

    def to_look_at(self, table_id: str) -> Table:
        """A table to look at, not to play at: rebuilt and not kept where it is not in memory. Raises ``Problem``."""
        return self._loaded.get(table_id) or self._rebuilt(table_id)

    def expectation(self) -> Expectation:
        """What is awaited of the device: it serves the newest table."""
        seated = self.seated()
        return expectation(self.table(seated[0].id)) if seated else NOTHING_EXPECTED

    # Playing -----------------------------------------------------------------------------------------------------

    def act(self, table_id: str, message: str, number: int | None, action: JsonObject, sender: Holder) -> Outcome:
        """Apply a player's action. ``number`` is the state number that they saw (None: it does not matter)."""

        def acted(table: Table, now: str) -> Change:
            if table.is_ended:
                raise Problem("game-ended", "The owner has ended this game.")
            table.apply(action)
            return one_entry(table, "action", action, sender, now, message)

        return self.change(table_id, message, number, sender, acted)

    def undo(self, table_id: str, message: str, number: int | None, sender: Holder) -> Outcome:
        """Take back the last entry that stands, by an entry of its own."""

        def undone(table: Table, now: str) -> Change:
            try:
                table.last_standing()
            except NothingToUndo:
                raise Problem("nothing-to-undo", "No entry stands that could be taken back.") from None
            return one_entry(table, "undo", None, sender, now, message)

        return self.change(table_id, message, number, sender, undone)

    def end(self, table_id: str, message: str, number: int | None, sender: Holder) -> Outcome:
        """End the game before anybody has won, by an entry of its own."""

        def ended(table: Table, now: str) -> Change:
            if table.is_ended:
                raise Problem("game-ended", "The owner has ended this game.")
            if table.state.winners is not None:
                raise Problem("game-ended", "This game has ended by itself.")
            return one_entry(table, "end", None, sender, now, message)

        return self.change(table_id, message, number, sender, ended)

    def change(self, table_id: str, message: str, number: int | None, sender: Holder, make: MakeChange) -> Outcome:
        """What a message changes at a table: once, whatever comes of it, and only where the sender saw the present.

        ``make`` gets the table and the time; what it raises (``Problem``, ``Refused``) is the message's answer.
        """
        with self.locked(table_id) as table:
            seen = self._store.answer(message)
            if seen is not None:
                return self._answer_again(table, seen, sender)
            try:
                if number is not None and number != table.number:
                    raise self._stale(table, sender, f"The table is at number {table.number}, not {number}.")
                change = make(table, self.now())
            except (Problem, Refused) as refusal:
                problem = refusal if isinstance(refusal, Problem) else _refused(refusal)
                kept = None if problem.slug == "stale-number" else problem.extras or None
                self._store.record(
                    Answer(message, table_id, sender.name, table.number, problem.slug, problem.detail, kept)
                )
                raise problem from None
            answer = Answer(message, table_id, sender.name, change.entries[-1].number)
            self._store.record(answer, change.entries, change.correction)
            self.append(table, change.entries)
            return Outcome(table.number, table.game.view(table.state, sender.player))

    def append(self, table: Table, entries: Sequence[Entry], reading: StoredReading | None = None) -> None:
        """Take over into memory what is stored, and tell everybody."""
        for entry in entries:
            table.append(entry)
        if reading is not None:
            table.show(reading)
        self._changes.publish(table.snapshot())

    def _answer_again(self, table: Table, seen: Answer, sender: Holder) -> Outcome:
        if seen.table != table.seated.id or seen.sender != sender.name:
            raise Problem("message-id-taken", "Another message has this id; use a new one.")
        if seen.slug == "stale-number":
            raise self._stale(table, sender, seen.detail or "")
        if seen.slug is not None:
            raise Problem(seen.slug, seen.detail or "", **(seen.extras or {}))
        return Outcome(seen.number, table.game.view(table.state_at(seen.number), sender.player))

    def _stale(self, table: Table, sender: Holder, detail: str) -> Problem:
        return Problem("stale-number", detail, number=table.number, state=table.game.view(table.state, sender.player))

    def now(self) -> str:
        """The time, UTC, ISO 8601."""
        return written(self._clock())

    @contextmanager
    def locked(self, table_id: str) -> Iterator[Table]:
        """A table that nobody else changes while the block lasts. Raises ``Problem`` and ``StorageFailed``."""
        self.table(table_id)
        with self._locks[table_id]:
            self._changing[table_id] += 1
            try:
                yield self.table(table_id)
            except StorageFailed:
                # Whether the last commit reached the disk is unknown: memory is rebuilt from what did.
                self._loaded.pop(table_id, None)
                raise
            finally:
                self._changing[table_id] -= 1


def _refused(refusal: Refused) -> Problem:
    return Problem(refusal.slug, (refusal.wrong, *refusal.awaited))
