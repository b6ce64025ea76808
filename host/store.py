"""The database: what was acknowledged is in here, and nothing is acknowledged that is not.

SQLite by default; the URL may name another database that SQLAlchemy knows (PostgreSQL). One process writes.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, delete, event, func, insert, select
from sqlalchemy.exc import ArgumentError, DBAPIError

from host import schema
from host.games.sentence import Sentence
from host.migrations import MIGRATIONS, migrate, refuse_newer
from host.records import Answer, Correction, Entry, Holder, SeatedTable

BUSY_TIMEOUT_MS = 5_000

PAGE_BYTES = 512
"""Of SQLite's file, once and for all when it is made. A commit writes whole pages, and wears an SD card: of pages of
4096 bytes a throw with its decisions writes 48 kB, of 1024 bytes 19 kB, of 512 bytes 14 kB."""


class StorageFailed(Exception):
    """Nothing was stored. ``slug`` is storage-full, storage-read-only or storage-failed; ``wrong`` says so."""

    def __init__(self, slug: str, template: str, **values: str | int):
        self.slug = slug
        self.wrong = Sentence(slug, template, values)
        super().__init__(self.wrong.english())


def sqlite_url(path: Path) -> str:
    """The database URL of a SQLite file."""
    return f"sqlite:///{path}"


def engine_for(url: str) -> Engine:
    """An engine whose transactions are real ones (DDL included) and, on SQLite, on the disk once committed."""
    engine = create_engine(url)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # Python's sqlite3 would commit behind our back before DDL; SQLAlchemy's own BEGIN takes its place.
    connection.isolation_level = None
    for pragma in ("foreign_keys=ON", "synchronous=FULL", f"busy_timeout={BUSY_TIMEOUT_MS}"):
        connection.execute(f"PRAGMA {pragma}")


def open_store(url: str, at: str) -> "Store":
    """The store behind ``url``, brought to this version's schema. ``at`` is the time, UTC, ISO 8601.

    Raises ``NewerDatabase`` (the file is then untouched) and ``StorageFailed``.
    """
    with _named_failures():
        engine = engine_for(url)
        path = engine.url.database
        if engine.dialect.name != "sqlite":
            with engine.connect() as connection:
                refuse_newer(connection)
        elif path and Path(path).exists():
            # Looked at through a read-only connection, since a writing one may already change the file.
            looking = create_engine(f"sqlite:///file:{path}?mode=ro&uri=true")
            with looking.connect() as connection:
                refuse_newer(connection)
            looking.dispose()
        with engine.connect() as connection:
            if engine.dialect.name == "sqlite":
                for pragma in (f"page_size={PAGE_BYTES}", "journal_mode=WAL"):
                    connection.connection.cursor().execute(f"PRAGMA {pragma}")
            migrate(connection, at)
    return Store(engine)


@contextmanager
def _named_failures() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise _failure(error) from error
    except (ArgumentError, ModuleNotFoundError) as error:
        raise StorageFailed("storage-failed", "The database URL is of no use: {error}.", error=str(error)) from error
    except sqlite3.Error as error:
        raise StorageFailed("storage-failed", "The database does not work: {error}.", error=str(error)) from error


def _failure(error: DBAPIError) -> StorageFailed:
    cause = error.orig
    # The low byte is the primary code, the rest says where it happened.
    code = (getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StorageFailed("storage-full", "The disk is full: free some space; nothing was changed.")
    if code == sqlite3.SQLITE_READONLY:
        return StorageFailed("storage-read-only", "The database can only be read; nothing was changed.")
    return StorageFailed(
        "storage-failed", "The database does not work ({cause}); nothing was changed.", cause=str(cause)
    )


class Store:
    """Reads and writes rows; each method is one transaction. Every method may raise ``StorageFailed``."""

    schema_version = len(MIGRATIONS)

    def __init__(self, engine: Engine):
        self._engine = engine

    def close(self) -> None:
        """Let go of the database; closing twice does no harm."""
        self._engine.dispose()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A transaction, committed when the block ends well. Raises ``StorageFailed``."""
        with _named_failures(), self._engine.begin() as connection:
            yield connection

    # Tokens ----------------------------------------------------------------------------------------------------

    def holders(self) -> dict[str, Holder]:
        """Who holds which token, by the token's SHA-256 in hexadecimal."""
        with self.transaction() as connection:
            rows = connection.execute(select(schema.tokens)).all()
        return {row.sha256: Holder(row.kind, row.table_id, row.player) for row in rows}

    def set_token(self, kind: str, sha256: str) -> None:
        """The one token of the owner or of the device is now this one."""
        with self.transaction() as connection:
            connection.execute(delete(schema.tokens).where(schema.tokens.c.kind == kind))
            connection.execute(insert(schema.tokens).values(sha256=sha256, kind=kind))

    # Tables ----------------------------------------------------------------------------------------------------

    def add_table(self, table: SeatedTable, seats: dict[str, Holder], answer: Answer) -> None:
        """A new table with its seats' tokens (by SHA-256), and what the message that opened it was answered."""
        with self.transaction() as connection:
            connection.execute(
                insert(schema.tables).values(
                    id=table.id,
                    place=next_place(connection, schema.tables),
                    game=table.game,
                    players=list(table.players),
                    options=table.options,
                    opened_at=table.opened_at,
                )
            )
            for sha256, seat in seats.items():
                connection.execute(
                    insert(schema.tokens).values(
                        sha256=sha256, kind=seat.kind, table_id=seat.table, player=seat.player
                    )
                )
            insert_answer(connection, answer)

    def tables(self) -> tuple[SeatedTable, ...]:
        """Every table, newest first."""
        with self.transaction() as connection:
            rows = connection.execute(select(schema.tables).order_by(schema.tables.c.place.desc())).all()
        return tuple(SeatedTable(r.id, r.game, tuple(r.players), r.options, r.opened_at) for r in rows)

    # The log -----------------------------------------------------------------------------------------------------

    def entries(self, table_id: str) -> tuple[Entry, ...]:
        """A table's log, oldest first."""
        e = schema.entries
        with self.transaction() as connection:
            rows = connection.execute(select(e).where(e.c.table_id == table_id).order_by(e.c.number)).all()
        return tuple(
            Entry(r.table_id, r.number, r.kind, r.action, r.by, r.at, r.message_id, r.reading_id) for r in rows
        )

    def log_lengths(self) -> dict[str, tuple[int, str]]:
        """How long the log of each table is, and the time of its newest entry; tables without any are left out."""
        e = schema.entries
        query = select(e.c.table_id, func.count(), func.max(e.c.at)).group_by(e.c.table_id)
        with self.transaction() as connection:
            return {table_id: (count, at) for table_id, count, at in connection.execute(query)}

    def answer(self, message_id: str) -> Answer | None:
        """What a message was answered, or None if it was never seen."""
        a = schema.answers
        with self.transaction() as connection:
            row = connection.execute(select(a).where(a.c.message_id == message_id)).one_or_none()
        if row is None:
            return None
        return Answer(row.message_id, row.table_id, row.sender, row.number, row.slug, row.detail, row.extras)

    def record(self, answer: Answer, entries: Sequence[Entry] = (), correction: Correction | None = None) -> None:
        """A message's answer, the entries that it brought about, and what they say of a reading: all or none."""
        with self.transaction() as connection:
            insert_answer(connection, answer)
            for entry in entries:
                insert_entry(connection, entry)
            if correction is not None:
                connection.execute(
                    insert(schema.corrections).values(
                        place=next_place(connection, schema.corrections),
                        table_id=correction.table,
                        number=correction.number,
                        reading_id=correction.reading,
                        confirmed=list(correction.confirmed),
                    )
                )


def next_place(connection: Connection, table: Any) -> int:
    """The place after the last one that a row of this table has."""
    return int(connection.scalar(select(func.coalesce(func.max(table.c.place), 0))) or 0) + 1


def insert_answer(connection: Connection, answer: Answer) -> None:
    """Within a transaction: what a message is answered."""
    connection.execute(
        insert(schema.answers).values(
            message_id=answer.message,
            table_id=answer.table,
            sender=answer.sender,
            number=answer.number,
            slug=answer.slug,
            detail=answer.detail,
            extras=answer.extras,
        )
    )


def insert_entry(connection: Connection, entry: Entry) -> None:
    """Within a transaction: a line of a table's log."""
    connection.execute(
        insert(schema.entries).values(
            table_id=entry.table,
            number=entry.number,
            kind=entry.kind,
            action=entry.action,
            by=entry.by,
            at=entry.at,
            message_id=entry.message,
            reading_id=entry.reading,
        )
    )
