"""Hosts for the tests of the host: one shared, for what leaves no trace on others, and one of a test's own."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from host.changes import Changes
from host.games.registry import GAMES
from host.seating import Seating, open_seating
from host.store import Store, open_store, sqlite_url
from host.tables import Tables
from host.tokens import Tokens
from tests.host.running import RunningHost


@pytest.fixture(scope="session")
def shared_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    """A host for all tests that open a table of their own and neither kill it nor ask for an empty one."""
    host = RunningHost(tmp_path_factory.mktemp("shared") / "data")
    yield host
    assert host.stop() == 0


@pytest.fixture
def own_host(tmp_path: Path) -> Iterator[RunningHost]:
    """A fresh host for one test."""
    host = RunningHost(tmp_path / "data")
    yield host
    if host.process.poll() is None:
        host.kill()


@dataclass
class SetClock:
    """A clock that stands still until a test sets it."""

    now: datetime = datetime(2026, 5, 4, 20, 15, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def seated_store(tmp_path: Path) -> Iterator[Store]:
    """A database of its own for ``seating``."""
    store = open_store(sqlite_url(tmp_path / "croupier.db"), "2026-05-04T20:15:00.000Z")
    yield store
    store.close()


@pytest.fixture
def seating(seated_store: Store, clock: SetClock) -> Seating:
    """Phones and seats in this process, with a clock that can be set."""
    return reopened(seated_store, clock)


def reopened(store: Store, clock: SetClock, code: str = "1234-5678") -> Seating:
    """Phones and seats as a host finds them that has just been started."""
    changes = Changes()
    tables = Tables(store, GAMES, clock, changes, Tokens({}), "key")
    return open_seating(store, tables, GAMES, clock, changes, "key", lambda: code, lambda: None)
