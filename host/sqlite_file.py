"""SQLite's file: opened by one process, with a log beside it that does not grow.

What reaches an SD card is more than what is committed: every block of 4096 bytes that a commit touches is written
whole, and where it makes a file longer, the file system's journal is written, too.
"""

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection

BUSY_TIMEOUT_MS = 5_000

PAGE_BYTES = 512
"""Once and for all when the file is made. A commit writes whole pages, and wears an SD card: of pages of 4096 bytes a
throw with its decisions writes 23 kB, of 1024 bytes 12 kB, of 512 bytes 10 kB."""

LOG_PAGES = 1_000
"""After so many pages, of some twenty games, the log is written into the file itself and begun anew."""

LOG_BYTES = 576 * 1024
"""The log, laid out before anything is logged: ``LOG_PAGES``, 24 bytes before each, and the longest commit beside.

On ext4 a commit of one page that makes the log longer writes 21 kB, one in a log that is long enough 6 kB."""

_BLOCK_BYTES = 4096
"""Of a file system. What is written in one go may be kept in one piece, all of which counts as changed later on."""

_VFS = "unix-excl"
"""SQLite's way to files that are one process's own. It keeps the index of the log in that process's memory; otherwise
it is a file of its own (``-shm``), of which a throw changes 20 kB."""


def uri(path: str | Path, **parameters: str) -> str:
    """By what SQLite finds the file, for as long as this process alone has it open."""
    more = "".join(f"&{name}={value}" for name, value in parameters.items())
    return f"file:{quote(str(path))}?vfs={_VFS}{more}"


def is_file(url: URL) -> bool:
    """Whether a database URL names a file of SQLite, not another database or one in memory."""
    return (
        url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:") and "uri" not in url.query
    )


def connect_alone(_dialect: object, _record: object, arguments: list[Any], options: dict[str, Any]) -> None:
    """Has an engine open its file as its process's own: for SQLAlchemy's event ``do_connect``."""
    arguments[0] = uri(arguments[0])
    options["uri"] = True


def prepare(connection: Any, _record: object = None) -> None:
    """What each connection is told: for SQLAlchemy's event ``connect``. What is committed is on the disk."""
    # Python's sqlite3 would commit behind our back before DDL; SQLAlchemy's own BEGIN takes its place.
    connection.isolation_level = None
    for pragma in (
        "foreign_keys=ON",
        "synchronous=FULL",
        f"busy_timeout={BUSY_TIMEOUT_MS}",
        f"wal_autocheckpoint={LOG_PAGES}",
        f"journal_size_limit={LOG_BYTES}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def make_log(connection: Connection) -> None:
    """Have a file keep a log, whose pages are small where the file is made just now."""
    for pragma in (f"page_size={PAGE_BYTES}", "journal_mode=WAL"):
        connection.connection.cursor().execute(f"PRAGMA {pragma}")


def roll_back(path: Path) -> None:
    """Take back what was half written when power failed before the file kept a log, as whoever writes next would.

    Only a writing connection can; a read-only one calls such a file read-only. Raises ``sqlite3.Error``.
    """
    if not path.with_name(f"{path.name}-journal").exists():
        return
    connection = sqlite3.connect(uri(path), uri=True)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    finally:
        connection.close()


def lay_out_log(path: Path) -> None:
    """Make the log of an open file as long as it gets. What follows its last commit says nothing to SQLite.

    SQLite takes the log away when the file is closed in peace, and leaves it as it is when power fails.
    """
    # Without room there is no log to lay out; what is stored says so itself.
    with suppress(OSError), path.with_name(f"{path.name}-wal").open("ab", buffering=0) as log:
        while log.tell() < LOG_BYTES:
            log.write(bytes(_BLOCK_BYTES - log.tell() % _BLOCK_BYTES))
