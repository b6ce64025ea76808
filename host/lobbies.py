"""Lobbies: tables before their game. People join by name; the owner starts the game with those who are there.

A lobby's id becomes its table's, so the join link and the seats of the phones stay what they are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from host.clock import Clock, written
from host.games.checks import LONGEST_NAME, is_writable
from host.games.protocol import Game
from host.games.registry import Registry
from host.games.sentence import BadSetup, Sentence
from host.problems import Problem
from host.records import JsonObject, Lobby
from host.seat_store import SeatStore
from host.table import Table
from host.tables import Tables, new_table_id

MOST_PLAYERS = 12


@dataclass(frozen=True, slots=True)
class Room:
    """Where people sit: a lobby, or a table whose game has begun."""

    id: str
    game: Game[Any]
    players: tuple[str, ...]
    options: JsonObject
    is_started: bool

    @property
    def most_players(self) -> int:
        """How many can play."""
        return min(self.game.most_players, MOST_PLAYERS)


class Lobbies:
    """The lobbies of a host, and the tables that came of them."""

    def __init__(self, store: SeatStore, tables: Tables, games: Registry, clock: Clock):
        self._store = store
        self._tables = tables
        self._games = games
        self._clock = clock
        self._read()

    def _read(self) -> None:
        self._lobbies = {lobby.id: replace(lobby, players=tuple(lobby.players)) for lobby in self._store.all(Lobby)}

    def open(self, message: str, game_id: str, options: Mapping[str, Any]) -> tuple[Lobby, bool]:
        """A new lobby, and True; or, for a message seen before, the lobby that it opened, and False.

        Raises ``Problem`` for an unknown game. Options are checked at the start, when the players are known.
        """
        before = next((lobby for lobby in self._lobbies.values() if lobby.message_id == message), None)
        if before is not None:
            return before, False
        try:
            game = self._games.game(game_id)
        except BadSetup as wrong:
            raise Problem("bad-setup", wrong.wrong) from wrong
        lobby = Lobby(new_table_id(), message, game.id, (), dict(options), written(self._clock()))
        self.put(lobby)
        return lobby, True

    def waiting(self) -> tuple[Lobby, ...]:
        """The lobbies whose game has not begun, newest first."""
        waiting = [lobby for lobby in self._lobbies.values() if self._tables.seated_at(lobby.id) is None]
        return tuple(sorted(waiting, key=lambda lobby: lobby.opened_at, reverse=True))

    def lobby(self, table_id: str) -> Lobby:
        """A lobby whose game has not begun. Raises ``Problem``."""
        lobby = self._lobbies.get(table_id)
        if lobby is None:
            raise Problem(
                "unknown-lobby",
                Sentence("unknown-lobby", "There is no lobby {table}.", {"table": repr(table_id[:40])}),
            )
        if self._tables.seated_at(table_id) is not None:
            raise Problem("already-started", "The game has begun; who plays in which order stays as it is.")
        return lobby

    def room(self, table_id: str) -> Room:
        """A lobby or a table. Raises ``Problem`` where there is neither."""
        seated = self._tables.seated_at(table_id)
        if seated is not None:
            return Room(table_id, self._games.game(seated.game), seated.players, seated.options, True)
        if table_id not in self._lobbies:
            raise Problem(
                "unknown-table",
                Sentence("unknown-table", "There is no table {table}.", {"table": repr(table_id[:40])}),
            )
        lobby = self._lobbies[table_id]
        return Room(table_id, self._games.game(lobby.game), lobby.players, lobby.options, False)

    def with_player(self, room: Room, player: str) -> Lobby:
        """The lobby with one more player, to be stored. Raises ``Problem``."""
        lobby = self.lobby(room.id)
        if not 1 <= len(player) <= LONGEST_NAME or not is_writable(player):
            raise Problem(
                "bad-name",
                Sentence("bad-name", "A name has 1 to {most} characters, all on one line.", {"most": LONGEST_NAME}),
            )
        if len(lobby.players) >= room.most_players:
            raise Problem(
                "table-full",
                Sentence(
                    "table-full",
                    "{game} is for {most} players at the most.",
                    {"game": room.game.name, "most": room.most_players},
                ),
            )
        return replace(lobby, players=(*lobby.players, player))

    def without_player(self, table_id: str, player: str) -> Lobby:
        """The lobby without a player, to be stored. Raises ``Problem``."""
        lobby = self.lobby(table_id)
        return replace(lobby, players=tuple(other for other in lobby.players if other != player))

    def reorder(self, table_id: str, players: Sequence[str]) -> None:
        """The players of a lobby sit in this order. Raises ``Problem``."""
        lobby = self.lobby(table_id)
        if sorted(players) != sorted(lobby.players):
            raise Problem("wrong-players", "The order must name every player who is there once, and nobody else.")
        self.put(replace(lobby, players=tuple(players)))

    def put(self, lobby: Lobby) -> None:
        """Store a lobby as it is now."""
        try:
            self._store.put(lobby)
        finally:
            self._read()

    def read_again(self) -> None:
        """Take over what is stored, after lobbies were stored together with seats."""
        self._read()

    def start(self, table_id: str, message: str, options: Mapping[str, Any]) -> tuple[Table, bool]:
        """The table that a lobby becomes, and whether it is new (False: this message started it before).

        ``options`` are added to the lobby's, and go before them. Raises ``Problem``; the lobby then stays as it is.
        """
        lobby = self._lobbies.get(table_id) or self.lobby(table_id)
        table, is_new = self._tables.open(message, lobby.game, lobby.players, {**lobby.options, **options}, table_id)
        return table, is_new
