"""Slows down who guesses codes: after a few wrong ones, none is looked at for a while. It is stored, so a restart
does not help.
"""

from host.clock import Clock, moment, written
from host.games.sentence import Sentence
from host.problems import Problem
from host.records import Failures
from host.seat_store import SeatStore

FREE_TRIES = 5
"""Wrong ones before the first wait: people mistype."""

FIRST_WAIT_S = 15
LONGEST_WAIT_S = 300
"""The wait doubles up to this. A setup code has 10^8 values: at 288 guesses a day, one in a thousand falls in a year.
A code that hands over a seat has 10^6, and lives no longer than this."""

FORGOTTEN_S = 24 * 3600
MOST_KEPT = 1_000
"""Senders in a network can have many addresses: the oldest failures are forgotten first."""


class Guesses:
    """Wrong guesses, by what was guessed at."""

    def __init__(self, store: SeatStore, clock: Clock):
        self._store = store
        self._clock = clock
        self._failures = {failures.what: failures for failures in store.all(Failures)}

    def check(self, what: str) -> None:
        """Raises ``Problem`` while no guess at this is taken."""
        wait = self.seconds_left(what)
        if wait > 0:
            raise Problem(
                "too-many-guesses",
                Sentence("too-many-guesses", "Too many wrong codes. Wait {wait} seconds.", {"wait": wait}),
                retry_after_s=wait,
            )

    def seconds_left(self, what: str) -> int:
        """For how many seconds no guess at this is taken."""
        failures = self._failures.get(what)
        if failures is None or failures.failures < FREE_TRIES:
            return 0
        wait: int = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** min(failures.failures - FREE_TRIES, 10))
        passed = (self._clock() - moment(failures.failed_at)).total_seconds()
        # A clock that was set back must not lengthen the wait beyond what it is from now on.
        return min(wait, max(0, round(wait - passed + 0.5)))

    def wrong(self, what: str) -> None:
        """One more wrong guess. It is stored before it is answered."""
        failures = self._failures.get(what)
        count = 0 if failures is None or self._age_s(failures) > FORGOTTEN_S else failures.failures
        now = Failures(what, count + 1, written(self._clock()))
        oldest = sorted(self._failures.values(), key=lambda one: one.failed_at)[: len(self._failures) - MOST_KEPT + 1]
        gone = [one for one in self._failures.values() if one in oldest or self._age_s(one) > FORGOTTEN_S]
        self._store.put(now, gone=[one for one in gone if one.what != what])
        for one in gone:
            del self._failures[one.what]
        self._failures[what] = now

    def right(self, what: str) -> None:
        """It was guessed right: earlier mistakes are forgiven."""
        if what in self._failures:
            self._store.put(gone=[self._failures[what]])
            del self._failures[what]

    def _age_s(self, failures: Failures) -> float:
        return (self._clock() - moment(failures.failed_at)).total_seconds()
