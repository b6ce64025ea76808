"""Who is told when a table changes: one bounded queue for each open stream or waiting poll.

The waiting is gevent's, so that a stream costs a greenlet and not a thread.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from gevent.queue import Empty, Full, Queue

CHANGES_WAITING = 16
"""A listener that is further behind is dropped; it comes back by itself and starts from a snapshot.

A roll, its decisions and an undo make four or five changes within a second; three such bursts fit.
"""


class News(Protocol):
    """What is told: of which table."""

    @property
    def table_id(self) -> str:
        """The table's id."""


class Dropped(Exception):
    """This listener is told nothing more: it was too slow, or the host is closing."""


class Listener:
    """One stream's queue of news."""

    def __init__(self, table_id: str | None):
        self.table_id = table_id
        self._queue: Queue[News | None] = Queue(maxsize=CHANGES_WAITING)
        self._dropped = False

    def tell(self, news: News) -> None:
        """Queue some news, or drop this listener if its queue is full."""
        try:
            self._queue.put_nowait(news)
        except Full:
            self.drop()

    def drop(self) -> None:
        """Tell this listener nothing more, and wake it if it waits."""
        self._dropped = True
        if self._queue.empty():
            self._queue.put_nowait(None)

    def wait(self, seconds: float) -> News | None:
        """The next news, or None after ``seconds``. Raises ``Dropped``."""
        if self._dropped:
            raise Dropped
        try:
            news: News | None = self._queue.get(timeout=max(0.0, seconds))
        except Empty:
            return None
        if news is None:
            raise Dropped
        return news


class Changes:
    """Passes each table's changes on to those who listen."""

    def __init__(self) -> None:
        self._listeners: set[Listener] = set()
        self._closed = False

    @contextmanager
    def listening(self, table_id: str | None = None) -> Iterator[Listener]:
        """A listener to one table (None: to all), for as long as the block lasts."""
        listener = Listener(table_id)
        if self._closed:
            listener.drop()
        self._listeners.add(listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    def publish(self, news: News) -> None:
        """Tell everyone who listens to this table. Never waits for them."""
        for listener in tuple(self._listeners):
            if listener.table_id in (None, news.table_id):
                listener.tell(news)

    def close(self) -> None:
        """Drop everyone, and whoever comes later: the host is closing."""
        self._closed = True
        for listener in tuple(self._listeners):
            listener.drop()
