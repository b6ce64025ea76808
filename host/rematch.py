"""Rematches: the same people in the same seats play again, at a new table, and their phones are led there."""

from collections import defaultdict
from dataclasses import dataclass

from host.changes import Changes
from host.problems import Problem
from host.records import JsonObject, Rematch, RematchWish
from host.seat_store import SeatStore
from host.seats import Seats
from host.store import Store
from host.table import Table
from host.tables import Tables, new_table_id


@dataclass(frozen=True, slots=True)
class RematchNews:
    """What those who look at a table whose game is over are told: who wants a rematch, and where it is played."""

    table_id: str
    next_id: str | None
    asked: tuple[str, ...]
    missing: tuple[str, ...]

    def to_json(self) -> JsonObject:
        """As the API shows it."""
        return {
            "table": self.table_id,
            "next": self.next_id,
            "asked": list(self.asked),
            "missing": list(self.missing),
        }


class Rematches:
    """The rematches of a host. The owner opens one alone, the players all together. Methods raise ``Problem``."""

    def __init__(self, store: Store, tables: Tables, seats: Seats, changes: Changes):
        self._store = SeatStore(store)
        self._tables = tables
        self._seats = seats
        self._changes = changes
        self._next = {rematch.table_id: rematch.next_id for rematch in self._store.all(Rematch)}
        self._asked: defaultdict[str, set[str]] = defaultdict(set)
        for wish in self._store.all(RematchWish):
            self._asked[wish.table_id].add(wish.player)

    def news(self, table_id: str) -> RematchNews:
        """How a table's rematch stands."""
        players = self._tables.to_look_at(table_id).seated.players
        asked = self._asked.get(table_id, set())
        next_id = self._next.get(table_id)
        if next_id is not None and self._tables.seated_at(next_id) is None:
            next_id = None
        return RematchNews(
            table_id,
            next_id,
            tuple(player for player in players if player in asked),
            tuple(player for player in players if player not in asked and next_id is None),
        )

    def ask(self, table_id: str, message: str, players: tuple[str, ...], is_owner: bool) -> RematchNews:
        """These players want a rematch. It is opened once all do, or at once for the owner; twice is as once."""
        table = self._tables.to_look_at(table_id)
        if table.state.winners is None and not table.is_ended:
            raise Problem("game-not-over", "There is a rematch once this game is over.")
        if self.news(table_id).next_id is None:
            self._store.put(*(RematchWish(table_id, player) for player in players))
            self._asked[table_id].update(players)
            if is_owner or self._asked[table_id] >= set(table.seated.players):
                self._open(table, message)
            self._changes.publish(self.news(table_id))
        return self.news(table_id)

    def _open(self, table: Table, message: str) -> None:
        """The phones get their new seats first: a table that nobody could play at is worse than seats without one."""
        seated = table.seated
        next_id = self._next.get(seated.id) or new_table_id()
        self._seats.carry_on(seated.id, next_id, Rematch(seated.id, next_id))
        self._next[seated.id] = next_id
        options = table.game.rematch_options(table.state)
        self._tables.open(message, seated.game, seated.players, options, next_id)
        self._store.put(gone=[RematchWish(seated.id, player) for player in self._asked.pop(seated.id, ())])
