"""Everything about phones and seats, put together."""

from dataclasses import dataclass

from host.clock import Clock
from host.phones import Phones
from host.seat_store import SeatStore
from host.seats import Seats
from host.store import Store


@dataclass(frozen=True, slots=True)
class Seating:
    """The phones, and the seats that they hold."""

    phones: Phones
    seats: Seats


def open_seating(store: Store, clock: Clock, key: str) -> Seating:
    """Phones and seats as they are stored. ``key`` makes tokens and codes. Raises ``StorageFailed``."""
    seat_store = SeatStore(store)
    return Seating(Phones(seat_store, clock, key), Seats(seat_store))
