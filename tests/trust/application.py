"""The web application by itself, in this process and without a server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask

from host.addresses import Addresses
from host.changes import Changes
from host.clock import utc_now
from host.crowd import Crowd
from host.games.registry import GAMES
from host.keeping import Keeping
from host.pictures import Pictures
from host.seating import open_seating
from host.store import open_store, sqlite_url
from host.tables import Tables
from host.tokens import Tokens
from host.web import create_app


@contextmanager
def application(folder: Path) -> Iterator[tuple[Flask, Tokens]]:
    """The application on a database of its own in ``folder``, and the tokens that it knows."""
    store = open_store(sqlite_url(folder / "croupier.db"), "2026-05-04T20:15:00.000Z")
    (folder / "seat-key").write_text("key\n")
    changes, tokens = Changes(), Tokens({})
    tables = Tables(store, GAMES, utc_now, changes, tokens, "key", Pictures(folder / "pictures"))
    seating = open_seating(store, tables, GAMES, utc_now, changes, "key", lambda: "1234-5678", lambda: None)
    keeping = Keeping(folder, folder / "pictures", GAMES, utc_now, lambda: None)
    yield create_app(store, tables, GAMES, changes, tokens, seating, Addresses(), Crowd(), keeping), tokens
    store.close()
