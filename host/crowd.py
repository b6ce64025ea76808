"""How many phones the host serves at a time, and who goes first when it is full: seats before spectators, and whoever
asks for something before those who only hold a connection open.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from host.games.sentence import Sentence
from host.problems import Problem

MOST_PHONES = 1_200
"""Open streams. 1,000 phones were measured (docs/measurements.md), and a table more must not be the last straw."""

CONNECTIONS_A_PHONE = 4
"""A stream and the two or three that a browser keeps for its requests."""

DOOR = 64
"""Connections beyond the most, which are told that the house is full. For each one more, the connection that has been
waiting longest for its client to say something is closed: whoever opens thousands shuts out nobody but themselves."""

RETRY_AFTER_S = 30


class Place:
    """A stream's place; ``leave`` gives it up. ``on_eviction`` is called when a seat takes a spectator's place."""

    def __init__(self, crowd: "Crowd", is_seat: bool):
        self._crowd = crowd
        self.is_seat = is_seat
        self.is_evicted = False
        self._on_eviction: Callable[[], None] | None = None

    def when_evicted(self, act: Callable[[], None]) -> None:
        """Call ``act`` once this place is taken away, at once if it has been."""
        self._on_eviction = act
        if self.is_evicted:
            act()

    def evict(self) -> None:
        """Take the place away."""
        self.leave()
        self.is_evicted = True
        if self._on_eviction is not None:
            self._on_eviction()

    def leave(self) -> None:
        """Give the place up; twice does no harm."""
        self._crowd.forget(self)


class Crowd:
    """Counts connections and streams."""

    def __init__(self, most_phones: int = MOST_PHONES, most_connections: int | None = None):
        self.most_phones = most_phones
        self.most_connections = most_connections or most_phones * CONNECTIONS_A_PHONE
        self._connections = 0
        # In the order in which they began to wait, as below.
        self._waiting: dict[object, Callable[[], None]] = {}
        # In the order in which they came; a dictionary, because that is an ordered set.
        self._spectators: dict[Place, None] = {}
        self._seats: dict[Place, None] = {}

    @contextmanager
    def connected(self) -> Iterator[None]:
        """One connection, for as long as the block lasts."""
        self._connections += 1
        if self._connections > self.most_connections + DOOR and self._waiting:
            self._waiting.pop(next(iter(self._waiting)))()
        try:
            yield
        finally:
            self._connections -= 1

    @contextmanager
    def waiting(self, hang_up: Callable[[], None]) -> Iterator[None]:
        """While the block lasts a client is waited for; ``hang_up`` is called if its place is needed meanwhile."""
        place = object()
        self._waiting[place] = hang_up
        try:
            yield
        finally:
            self._waiting.pop(place, None)

    def check_connection(self, is_known: bool) -> None:
        """Raises ``Problem`` where there are too many connections and the sender is nobody in particular."""
        if self._connections > self.most_connections and not is_known:
            raise self._full()

    def place(self, is_seat: bool) -> Place:
        """A place for a stream: for a seat that of the newest spectator, if need be. Raises ``Problem``."""
        if len(self._spectators) + len(self._seats) >= self.most_phones:
            if not is_seat or not self._spectators:
                raise self._full()
            next(reversed(self._spectators)).evict()
        place = Place(self, is_seat)
        (self._seats if is_seat else self._spectators)[place] = None
        return place

    def forget(self, place: Place) -> None:
        """Nobody has that place any more."""
        (self._seats if place.is_seat else self._spectators).pop(place, None)

    def _full(self) -> Problem:
        return Problem(
            "house-full",
            Sentence(
                "house-full",
                "{count} phones follow the tables already, and seats come first. Try again in a minute.",
                {"count": self.most_phones},
            ),
            retry_after_s=RETRY_AFTER_S,
        )
