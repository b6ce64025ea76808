"""All tables of a host: opening them, acting at them, and what the device reads for them.

Each request is answered by one transaction; memory follows only once it is stored. What a message or a reading
was answered is stored with it, so that its repetition is answered the same and never counts again.
"""

import secrets
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from gevent.lock import RLock

from host.changes import Changes
from host.clock import Clock, written
from host.expect import NOTHING_EXPECTED, Expectation, expectation, mode_of, parse_expect
from host.games.registry import Registry
from host.games.sentence import BadSetup, Refused
from host.problems import Problem
from host.records import Answer, Entry, Holder, JsonObject, ReadingStatus, SeatedTable, StoredReading
from host.rolls import Match, Unmatched, match_rolls, seen_in_words
from host.store import StorageFailed, Store
from host.table import NothingToUndo, Table
from host.tokens import Tokens, seat_token, sha256
from vision.dice import Die

ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH = 8
"""Letters that nobody mistakes for one another when reading them aloud."""

GUARDED = "A cube was seen before every call is in: cover it and cast again."


def new_table_id() -> str:
    """An id that no table has yet."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an accepted message led to: the state number and the state, as the sender may see it."""

    number: int
    state: JsonObject


@dataclass(frozen=True, slots=True)
class Report:
    """What the device read: the dice that count, what it could not read, and the tray's picture."""

    id: str
    expect: str
    dice: tuple[JsonObject, ...]
    unread: tuple[JsonObject, ...]
    jpeg: bytes | None


class Tables:
    """The tables of one host, in memory as far as they are in use."""

    def __init__(self, store: Store, games: Registry, clock: Clock, changes: Changes, tokens: Tokens, seat_key: str):
        self._store = store
        self._games = games
        self._clock = clock
        self._changes = changes
        self._tokens = tokens
        self._seat_key = seat_key
        self._seated: tuple[SeatedTable, ...] | None = None
        self._loaded: dict[str, Table] = {}
        self._locks: defaultdict[str, RLock] = defaultdict(RLock)

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
            raise Problem("bad-setup", str(wrong)) from wrong
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
        if table_id not in self._loaded:
            seated = self.seated_at(table_id)
            if seated is None:
                raise Problem("unknown-table", f"There is no table {table_id[:40]!r}.")
            game = self._games.game(seated.game)
            entries, reading = self._store.entries(table_id), self._store.last_reading(table_id)
            self._loaded[table_id] = Table(seated, game, entries, reading)
        return self._loaded[table_id]

    def to_look_at(self, table_id: str) -> Table:
        """A table to look at, not to play at: one that is not in memory is rebuilt and not kept. Raises ``Problem``."""
        if table_id in self._loaded:
            return self._loaded[table_id]
        table = self.table(table_id)
        del self._loaded[table_id]
        return table

    def expectation(self) -> Expectation:
        """What is awaited of the device: it serves the newest table."""
        seated = self.seated()
        return expectation(self.table(seated[0].id)) if seated else NOTHING_EXPECTED

    # Playing -----------------------------------------------------------------------------------------------------

    def act(self, table_id: str, message: str, number: int | None, action: JsonObject, sender: Holder) -> Outcome:
        """Apply a player's action. ``number`` is the state number that they saw (None: it does not matter)."""
        with self._locked(table_id) as table:
            entry = Entry(table_id, table.number + 1, "action", action, sender.name, self._now(), message)
            return self._take(table, entry, number, sender)

    def undo(self, table_id: str, message: str, number: int | None, sender: Holder) -> Outcome:
        """Take back the last action that stands, by an entry of its own."""
        with self._locked(table_id) as table:
            entry = Entry(table_id, table.number + 1, "undo", None, sender.name, self._now(), message)
            return self._take(table, entry, number, sender)

    def end(self, table_id: str, message: str, number: int | None, sender: Holder) -> Outcome:
        """End the game before anybody has won, by an entry of its own."""
        with self._locked(table_id) as table:
            entry = Entry(table_id, table.number + 1, "end", None, sender.name, self._now(), message)
            return self._take(table, entry, number, sender)

    def _take(self, table: Table, entry: Entry, number: int | None, sender: Holder) -> Outcome:
        message = entry.message or ""
        seen = self._store.answer(message)
        if seen is not None:
            return self._answer_again(table, seen, sender)
        problem: Problem | None
        if number is not None and number != table.number:
            problem = self._stale(table, sender, f"The table is at number {table.number}, not {number}.")
        else:
            problem = self._problem_with(table, entry)
        if problem is not None:
            self._store.record(
                Answer(message, table.seated.id, sender.name, table.number, problem.slug, problem.detail)
            )
            raise problem
        self._store.record(Answer(message, table.seated.id, sender.name, entry.number), entry)
        table.append(entry)
        self._changes.publish(table.snapshot())
        return Outcome(table.number, table.game.view(table.state, sender.player))

    def _problem_with(self, table: Table, entry: Entry) -> Problem | None:
        try:
            if entry.kind == "undo":
                table.last_standing()
            elif table.is_ended:
                return Problem("game-ended", "The owner has ended this game.")
            elif entry.kind == "action":
                table.apply(entry.action)
            elif table.state.winners is not None:
                return Problem("game-ended", "This game has ended by itself.")
        except NothingToUndo:
            return Problem("nothing-to-undo", "No action stands that could be taken back.")
        except Refused as refusal:
            return Problem(refusal.slug, str(refusal))
        return None

    def _answer_again(self, table: Table, seen: Answer, sender: Holder) -> Outcome:
        if seen.table != table.seated.id or seen.sender != sender.name:
            raise Problem("message-id-taken", "Another message has this id; use a new one.")
        if seen.slug == "stale-number":
            raise self._stale(table, sender, seen.detail or "")
        if seen.slug is not None:
            raise Problem(seen.slug, seen.detail or "")
        return Outcome(seen.number, table.game.view(table.state_at(seen.number), sender.player))

    def _stale(self, table: Table, sender: Holder, detail: str) -> Problem:
        return Problem("stale-number", detail, number=table.number, state=table.game.view(table.state, sender.player))

    # Reading -----------------------------------------------------------------------------------------------------

    def take_reading(self, report: Report) -> StoredReading:
        """Apply what the device read, if it answers what is awaited; keep it anyway and say what became of it."""
        answered = parse_expect(report.expect)
        if answered is None or answered[0] not in {seated.id for seated in self.seated()}:
            return self._store.reading(report.id) or self._keep(
                None, report, "refused", "It answers nothing that was ever awaited."
            )
        with self._locked(answered[0]) as table:
            return self._store.reading(report.id) or self._judge(table, report, answered[1])

    def _judge(self, table: Table, report: Report, number: int) -> StoredReading:
        awaited = self.expectation()
        modes = {mode_of(table.game, table.state)}
        if number <= table.number:
            modes.add(mode_of(table.game, table.state_at(number)))
        if "guarded" in modes:
            # What lies under the cup is a secret: neither face nor picture is kept, whatever was sent.
            report = Report(report.id, report.expect, (), (), None)
        if report.expect != awaited.id:
            return self._keep(table, report, "late", "It answers an older state of the table and was not applied.")
        if awaited.mode == "guarded":
            return self._keep(table, report, "refused", GUARDED)
        if awaited.mode == "idle":
            return self._keep(table, report, "refused", "No roll is awaited now.")
        dice = [Die(die["kind"], die["face"], die["body"]) for die in report.dice]
        try:
            match = match_rolls(table.game, table.state, dice, [thing["reason"] for thing in report.unread])
        except Unmatched as wrong:
            return self._keep(table, report, "unmatched", str(wrong))
        except Refused as refusal:
            return self._keep(table, report, "refused", str(refusal))
        return self._keep(table, report, "applied", seen_in_words(match), match)

    def _keep(
        self, table: Table | None, report: Report, status: ReadingStatus, detail: str, match: Match | None = None
    ) -> StoredReading:
        reading = StoredReading(
            report.id,
            table.seated.id if table else None,
            report.expect,
            report.dice,
            report.unread,
            status,
            detail,
            self._now(),
            report.jpeg is not None and table is not None,
        )
        entries: list[Entry] = []
        if table is not None and match is not None:
            for number, action in enumerate(match.actions, table.number + 1):
                entries.append(
                    Entry(table.seated.id, number, "action", action, "device", reading.at, reading=reading.id)
                )
        self._store.record_reading(reading, report.jpeg if reading.has_picture else None, entries)
        if table is not None:
            for entry in entries:
                table.append(entry)
            table.show(reading)
            self._changes.publish(table.snapshot())
        return reading

    def _now(self) -> str:
        return written(self._clock())

    @contextmanager
    def _locked(self, table_id: str) -> Iterator[Table]:
        self.table(table_id)
        with self._locks[table_id]:
            try:
                yield self.table(table_id)
            except StorageFailed:
                # Whether the last commit reached the disk is unknown: memory is rebuilt from what did.
                self._loaded.pop(table_id, None)
                raise
