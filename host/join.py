"""How phones come to their seats: a table's join link, and codes that hand a seat from one phone to another."""

import hmac
import json
import secrets
from dataclasses import dataclass
from datetime import timedelta

from host.claim import digits_of
from host.clock import Clock, moment, written
from host.guesses import Guesses
from host.phones import Arrival, Phones
from host.problems import Problem
from host.records import Phone, SeatCode
from host.seat_store import SeatStore
from host.seats import Seats
from host.tables import ID_LENGTH, ID_LETTERS

SECRET_LETTERS = 10
"""Of 31 each: 8 * 10^14 links for each table. At a hundred guesses a second one is found in 100,000 years."""

SEAT_CODE_S = 300
"""Long enough to say six digits across a table and to look for a phone."""

HANDING_OVER = "seat code"


def join_code(key: str, table_id: str, generation: int) -> str:
    """What a table's join link ends in: the table and a secret that follows from the key.

    >>> code = join_code("key", "k3f9abcd", 0)
    >>> code[:8], len(code), code == join_code("key", "k3f9abcd", 1)
    ('k3f9abcd', 18, False)
    """
    digest = hmac.digest(key.encode(), json.dumps(["join", table_id, generation]).encode(), "sha256")
    return table_id + "".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in digest[:SECRET_LETTERS])


@dataclass(frozen=True, slots=True)
class ShownCode:
    """A code that the owner shows to whoever is to have the seat."""

    code: str
    expires_at: str


class Join:
    """Lets phones in. Methods raise ``Problem``."""

    def __init__(self, store: SeatStore, phones: Phones, seats: Seats, guesses: Guesses, clock: Clock, key: str):
        self._store = store
        self._phones = phones
        self._seats = seats
        self._guesses = guesses
        self._clock = clock
        self._key = key
        self._codes = {code.sha256: code for code in store.all(SeatCode)}

    def code(self, table_id: str) -> str:
        """What a table's join link ends in."""
        return join_code(self._key, table_id, self._seats.joining(table_id).generation)

    def table_of(self, code: str, guesser: str) -> str:
        """The table that a join link leads to. ``guesser`` is the address from which it was asked for."""
        what = f"join link from {guesser}"
        self._guesses.check(what)
        table_id = code[:ID_LENGTH]
        # The letters are compared as bytes: a code may hold anything that fits into an address.
        if not hmac.compare_digest(code.encode(), self.code(table_id).encode()):
            self._guesses.wrong(what)
            raise Problem("wrong-code", "This join link leads nowhere any more. Scan the one on the table again.")
        return table_id

    def join(self, code: str, player: str, known: Phone | None, message: str, guesser: str) -> tuple[Arrival, str]:
        """The phone takes the seat of ``player``; the phone as it is now, and the table."""
        table_id = self.table_of(code, guesser)
        arrival = self._phones.arrive(known, message)
        self._seats.join(table_id, player.strip(), arrival)
        return arrival, table_id

    def new_seat_code(self, table_id: str, player: str) -> ShownCode:
        """A fresh code for a seat; earlier ones for it are void."""
        seat = self._seats.seat(table_id, player)
        digits = f"{secrets.randbelow(10**6):06}"
        while self._hash(digits) in self._codes:
            digits = f"{secrets.randbelow(10**6):06}"
        expires_at = written(self._clock() + timedelta(seconds=SEAT_CODE_S))
        fresh = SeatCode(self._hash(digits), seat.table_id, seat.player, expires_at)
        place = (seat.table_id, seat.player)
        old = [c for c in self._codes.values() if (c.table_id, c.player) == place or self._is_over(c)]
        self._store.put(fresh, gone=old)
        for code in old:
            del self._codes[code.sha256]
        self._codes[fresh.sha256] = fresh
        return ShownCode(f"{digits[:3]} {digits[3:]}", expires_at)

    def hand_over(self, digits: str, known: Phone | None, message: str) -> tuple[Arrival, str, str]:
        """The phone gets the seat of a code, once; the phone as it is now, the table and the player."""
        again = self._phones.that_sent(message)
        if again is not None and (held := self._seats.held_by(again.phone)):
            return again, *min(held)
        self._guesses.check(HANDING_OVER)
        code = self._codes.get(self._hash(digits_of(digits)))
        if code is None or self._is_over(code):
            self._guesses.wrong(HANDING_OVER)
            raise Problem("wrong-code", "That code is not valid, or not any more. Ask the owner for a fresh one.")
        arrival = self._phones.arrive(known, message)
        self._seats.take_over(self._seats.seat(code.table_id, code.player), arrival, used=[code])
        del self._codes[code.sha256]
        self._guesses.right(HANDING_OVER)
        return arrival, code.table_id, code.player

    def _is_over(self, code: SeatCode) -> bool:
        left_s = (moment(code.expires_at) - self._clock()).total_seconds()
        # More than it ever had is left where the clock was set back: then it is over, too.
        return not 0 < left_s <= SEAT_CODE_S

    def _hash(self, digits: str) -> str:
        # With the key: six digits alone would be found from their plain hash at once.
        return hmac.new(self._key.encode(), f"seat code {digits}".encode(), "sha256").hexdigest()
