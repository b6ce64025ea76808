"""Who holds which seat: a seat has at most one phone, a phone may have several seats."""

from host.records import Phone, Seat
from host.seat_store import SeatStore


class Seats:
    """Every seat that was ever taken or locked, in memory as in the database."""

    def __init__(self, store: SeatStore):
        self._store = store
        self._read()

    def _read(self) -> None:
        self._seats = {(seat.table_id, seat.player): seat for seat in self._store.all(Seat)}

    def held_by(self, phone: Phone) -> frozenset[tuple[str, str]]:
        """The seats of a phone, each as its table and its player."""
        return frozenset(key for key, seat in self._seats.items() if seat.phone_id == phone.id)
