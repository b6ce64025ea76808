"""Who holds which seat: a seat has at most one phone, a phone may have several seats."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from host.changes import Changes
from host.games.sentence import Sentence
from host.lobbies import Lobbies, Room
from host.phones import Arrival, Phones
from host.problems import Problem
from host.records import Joining, JsonObject, Phone, Rematch, Seat
from host.seat_store import Row, SeatStore


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """The seats of a lobby or a table at one moment, as everybody may see them."""

    room: Room
    seats: tuple[Seat, ...]
    is_joining_open: bool

    @property
    def table_id(self) -> str:
        """The table's id, or the lobby's."""
        return self.room.id

    def to_json(self) -> JsonObject:
        """As the API shows it. Which phone holds a seat is nobody's business but the owner's."""
        return {
            "table": self.room.id,
            "game": self.room.game.id,
            "started": self.room.is_started,
            "fewest_players": self.room.game.fewest_players,
            "most_players": self.room.most_players,
            "joining": self.is_joining_open,
            "seats": [
                {"player": seat.player, "taken": seat.phone_id is not None, "locked": seat.is_locked}
                for seat in self.seats
            ],
        }


class Seats:
    """The seats of all lobbies and tables, in memory as in the database. Methods raise ``Problem``."""

    def __init__(self, store: SeatStore, phones: Phones, lobbies: Lobbies, changes: Changes):
        self._store = store
        self._phones = phones
        self._lobbies = lobbies
        self._changes = changes
        self._read()

    def _read(self) -> None:
        self._seats = {(seat.table_id, seat.player): seat for seat in self._store.all(Seat)}
        self._joining = {joining.table_id: joining for joining in self._store.all(Joining)}

    # Looking -----------------------------------------------------------------------------------------------------

    def held_by(self, phone: Phone) -> frozenset[tuple[str, str]]:
        """The seats of a phone, each as its table and its player."""
        return frozenset(key for key, seat in self._seats.items() if seat.phone_id == phone.id)

    def is_held(self, table_id: str, player: str, phone: Phone) -> bool:
        """Whether that phone holds that seat."""
        seat = self._seats.get((table_id, player))
        return seat is not None and seat.phone_id == phone.id

    def plan(self, table_id: str) -> SeatPlan:
        """The seats of a lobby or a table."""
        room = self._lobbies.room(table_id)
        seats = tuple(self._seats.get((table_id, player), Seat(table_id, player)) for player in room.players)
        return SeatPlan(room, seats, self.joining(table_id).is_open)

    def joining(self, table_id: str) -> Joining:
        """Whether people may join, and by which link."""
        return self._joining.get(table_id, Joining(table_id))

    def seat(self, table_id: str, player: str) -> Seat:
        """A seat by its player."""
        seat = next((seat for seat in self.plan(table_id).seats if seat.player == player), None)
        if seat is None:
            raise Problem(
                "unknown-seat",
                Sentence("unknown-seat", "Nobody called {player} sits at this table.", {"player": repr(player[:40])}),
            )
        return seat

    # Changing ----------------------------------------------------------------------------------------------------

    def join(self, table_id: str, player: str, arrival: Arrival) -> None:
        """The phone takes a free seat; in a lobby, a new one for a new name. Taking its own seat changes nothing."""
        if self.is_held(table_id, player, arrival.phone):
            return
        plan = self.plan(table_id)
        if not plan.is_joining_open:
            raise Problem("joining-closed", "The owner lets nobody join now.")
        changed: list[Row] = []
        if player not in plan.room.players and not plan.room.is_started:
            changed.append(self._lobbies.with_player(plan.room, player))
            seat = Seat(table_id, player)
        else:
            seat = self.seat(table_id, player)
        if seat.is_locked:
            raise Problem(
                "seat-locked", Sentence("seat-locked", "The owner keeps the seat of {player}.", {"player": player})
            )
        if seat.phone_id is not None:
            raise Problem(
                "seat-taken",
                Sentence(
                    "seat-taken",
                    "{player} sits here with another phone already; the owner can give you a code.",
                    {"player": player},
                ),
            )
        self._put(arrival, seat, *changed)

    def take_over(self, seat: Seat, arrival: Arrival, used: Sequence[Row]) -> None:
        """The phone gets this seat, whoever held it; the code that was ``used`` is gone."""
        self._put(arrival, seat, gone=used)

    def _put(self, arrival: Arrival, seat: Seat, *changed: Row, gone: Sequence[Row] = ()) -> None:
        self._store_all(arrival.phone, *changed, replace(seat, phone_id=arrival.phone.id), gone=gone)
        self._tell(seat.table_id)

    def carry_on(self, table_id: str, next_id: str, rematch: Rematch) -> None:
        """The phones hold the same seats at the next table, locked or not as they are here."""
        seats = [replace(seat, table_id=next_id) for seat in self._seats.values() if seat.table_id == table_id]
        self._store_all(rematch, *seats)

    def free(self, table_id: str, player: str) -> None:
        """No phone holds this seat any more; in a lobby the player leaves."""
        seat = self.seat(table_id, player)
        if self._lobbies.room(table_id).is_started:
            self._store_all(replace(seat, phone_id=None))
        else:
            self._store_all(self._lobbies.without_player(table_id, player), gone=[seat])
        self._tell(table_id)

    def lock(self, table_id: str, player: str, is_locked: bool) -> None:
        """Nobody joins at a locked seat; the phone that holds it stays."""
        self._store_all(replace(self.seat(table_id, player), is_locked=is_locked))
        self._tell(table_id)

    def reorder(self, table_id: str, players: Sequence[str]) -> None:
        """The players of a lobby sit in this order."""
        self._lobbies.reorder(table_id, players)
        self._tell(table_id)

    def set_joining(self, table_id: str, is_open: bool, new_link: bool) -> None:
        """Let people join or not; with a new link, older ones are void."""
        self._lobbies.room(table_id)
        now = self.joining(table_id)
        self._store_all(replace(now, is_open=is_open, generation=now.generation + new_link))
        self._tell(table_id)

    def revoke(self, phone: Phone) -> None:
        """The phone is worth nothing any more, and its seats are free."""
        held = [seat for seat in self._seats.values() if seat.phone_id == phone.id]
        self._store_all(self._phones.revoked(phone), *(replace(seat, phone_id=None) for seat in held))
        for table_id in dict.fromkeys(seat.table_id for seat in held):
            self._tell(table_id)

    def _store_all(self, *rows: Row, gone: Sequence[Row] = ()) -> None:
        try:
            self._store.put(*rows, gone=gone)
        finally:
            # After a failure nobody knows what reached the disk: memory is what is there.
            self._read()
            self._phones.read_again()
            self._lobbies.read_again()

    def _tell(self, table_id: str) -> None:
        self._changes.publish(self.plan(table_id))
