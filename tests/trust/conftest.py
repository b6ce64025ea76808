"""A host for all tests here that neither kill it nor need it empty, and the application by itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from host.addresses import Addresses
from host.changes import Changes
from host.clock import utc_now
from host.crowd import Crowd
from host.games.registry import GAMES
from host.keeping import Keeping
from host.seating import open_seating
from host.store import open_store, sqlite_url
from host.tables import Tables
from host.tokens import Tokens
from host.web import create_app
from tests.host.running import RunningHost


@pytest.fixture(scope="session")
def shared_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    host = RunningHost(tmp_path_factory.mktemp("shared") / "data")
    yield host
    assert host.stop() == 0


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """The application on a database of its own."""
    store = open_store(sqlite_url(tmp_path / "croupier.db"), "2026-05-04T20:15:00.000Z")
    changes, tokens = Changes(), Tokens({})
    tables = Tables(store, GAMES, utc_now, changes, tokens, "key")
    seating = open_seating(store, tables, GAMES, utc_now, changes, "key", lambda: "1234-5678", lambda: None)
    keeping = Keeping(tmp_path, tmp_path, GAMES, utc_now, lambda: None)
    yield create_app(store, tables, GAMES, changes, tokens, seating, Addresses(), Crowd(), keeping)
    store.close()
