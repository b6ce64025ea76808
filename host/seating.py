"""Everything about phones and seats, put together."""

from collections.abc import Callable
from dataclasses import dataclass

from host.changes import Changes
from host.claim import Claim
from host.clock import Clock
from host.games.registry import Registry
from host.guesses import Guesses
from host.join import Join
from host.lobbies import Lobbies
from host.phones import Phones
from host.seat_store import SeatStore
from host.seats import Seats
from host.store import Store
from host.tables import Tables


@dataclass(frozen=True, slots=True)
class Seating:
    """The phones, the seats that they hold, and how they come to them."""

    phones: Phones
    lobbies: Lobbies
    seats: Seats
    join: Join
    claim: Claim


def open_seating(
    store: Store,
    tables: Tables,
    games: Registry,
    clock: Clock,
    changes: Changes,
    key: str,
    setup_code: Callable[[], str],
    forget_setup_code: Callable[[], None],
) -> Seating:
    """Phones, lobbies and seats as they are stored. ``key`` makes tokens and codes. Raises ``StorageFailed``.

    ``setup_code`` is asked for only where the appliance has no owner yet.
    """
    rows = SeatStore(store)
    phones = Phones(rows, clock, key)
    lobbies = Lobbies(rows, tables, games, clock)
    seats = Seats(rows, phones, lobbies, changes)
    guesses = Guesses(rows, clock)
    claim = Claim(phones, guesses, None if phones.owners else setup_code(), forget_setup_code)
    return Seating(phones, lobbies, seats, Join(rows, phones, seats, guesses, clock, key), claim)
