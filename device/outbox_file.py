"""The outbox's SQLite file: opened by one process, with a log beside it that does not grow."""

from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa

LOG_PAGES = 160
"""After so many pages, of some eighty readings, the log is written into the file itself and begun anew."""

LOG_BYTES = 128 * 1024
"""The log, laid out before anything is logged: ``LOG_PAGES``, 24 bytes before each, and the longest commit beside.

On ext4 a commit that makes the log longer has the file system's journal written, too: 21 kB instead of 6.
"""

_BLOCK_BYTES = 4096
"""Of a file system. What is written in one go may be kept in one piece, all of which counts as changed later on."""


def engine_of(path: Path, most_pages: int | None) -> sa.Engine:
    """An engine for the file, of at most ``most_pages`` pages, that no other process can open meanwhile.

    So SQLite keeps the index of its log in memory; otherwise that is one more file, of which a reading changes 8 kB.
    """
    url = f"sqlite:///file:{quote(str(path))}?vfs=unix-excl&uri=true"
    engine = sa.create_engine(url, connect_args={"timeout": 10, "check_same_thread": False})
    sa.event.listen(engine, "connect", lambda connection, record: _prepare(connection, most_pages))
    return engine


def lay_out_log(path: Path) -> None:
    """Make the log of an open file as long as it gets. What follows its last commit says nothing to SQLite."""
    # Without room there is no log to lay out; what is stored says so itself.
    with suppress(OSError), path.with_name(f"{path.name}-wal").open("ab", buffering=0) as log:
        while log.tell() < LOG_BYTES:
            log.write(bytes(_BLOCK_BYTES - log.tell() % _BLOCK_BYTES))


def _prepare(connection: Any, most_pages: int | None) -> None:
    """A killed writer leaves nothing half written."""
    cursor = connection.cursor()
    # A commit writes whole pages: small ones wear an SD card less. It only counts for a file that is just made.
    cursor.execute("PRAGMA page_size = 512")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
    cursor.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
    if most_pages is not None:
        cursor.execute(f"PRAGMA max_page_count = {int(most_pages)}")
    cursor.close()
