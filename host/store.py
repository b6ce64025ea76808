"""The database: what was acknowledged is in here, and nothing is acknowledged that is not.

SQLite by default; the URL may name another database that SQLAlchemy knows (PostgreSQL). One process writes.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Row, create_engine, delete, event, func, insert, select
from sqlalchemy.exc import ArgumentError, DBAPIError

from host import schema
from host.migrations import MIGRATIONS, migrate, refuse_newer
from host.records import Answer, Entry, Holder, JsonObject, SeatedTable, StoredReading

PICTURES_KEPT = 500
"""The newest pictures that are kept: at most 20 kB each, so 10 MB on the appliance's card."""

BUSY_TIMEOUT_MS = 5_000


class StorageFailed(Exception):
    """Nothing was stored. ``slug`` is storage-full, storage-read-only or storage-failed."""

    def __init__(self, slug: str, detail: str):
        self.slug = slug
        super().__init__(detail)


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
                connection.connection.cursor().execute("PRAGMA journal_mode=WAL")
            migrate(connection, at)
    return Store(engine)


@contextmanager
def _named_failures() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise _failure(error) from error
    except (ArgumentError, ModuleNotFoundError) as error:
        raise StorageFailed("storage-failed", f"The database URL is of no use: {error}.") from error
    except sqlite3.Error as error:
        raise StorageFailed("storage-failed", f"The database does not work: {error}.") from error


def _failure(error: DBAPIError) -> StorageFailed:
    cause = error.orig
    # The low byte is the primary code, the rest says where it happened.
    code = (getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StorageFailed("storage-full", "The disk is full: free some space; nothing was changed.")
    if code == sqlite3.SQLITE_READONLY:
        return StorageFailed("storage-read-only", "The database can only be read; nothing was changed.")
    return StorageFailed("storage-failed", f"The database does not work ({cause}); nothing was changed.")


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
                    place=_next_place(connection, schema.tables),
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
            _insert_answer(connection, answer)

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

    def answer(self, message_id: str) -> Answer | None:
        """What a message was answered, or None if it was never seen."""
        a = schema.answers
        with self.transaction() as connection:
            row = connection.execute(select(a).where(a.c.message_id == message_id)).one_or_none()
        if row is None:
            return None
        return Answer(row.message_id, row.table_id, row.sender, row.number, row.slug, row.detail)

    def record(self, answer: Answer, entry: Entry | None = None) -> None:
        """A message's answer, and the entry that it brought about: both or neither."""
        with self.transaction() as connection:
            _insert_answer(connection, answer)
            if entry is not None:
                _insert_entry(connection, entry)

    # Readings ----------------------------------------------------------------------------------------------------

    def record_reading(self, reading: StoredReading, jpeg: bytes | None, entries: Sequence[Entry]) -> None:
        """A reading, its picture and the entries that it brought about: all or none."""
        with self.transaction() as connection:
            place = _next_place(connection, schema.readings)
            connection.execute(
                insert(schema.readings).values(
                    id=reading.id,
                    place=place,
                    table_id=reading.table,
                    expect=reading.expect,
                    dice=list(reading.dice),
                    unread=list(reading.unread),
                    status=reading.status,
                    detail=reading.detail,
                    at=reading.at,
                )
            )
            if jpeg is not None:
                connection.execute(insert(schema.pictures).values(reading_id=reading.id, place=place, jpeg=jpeg))
                _drop_old_pictures(connection)
            for entry in entries:
                _insert_entry(connection, entry)

    def reading(self, reading_id: str) -> StoredReading | None:
        """A reading by its id, or None."""
        return self._one_reading(schema.readings.c.id == reading_id)

    def last_reading(self, table_id: str) -> StoredReading | None:
        """The newest reading that a table was sent, or None."""
        return self._one_reading(schema.readings.c.table_id == table_id)

    def _one_reading(self, condition: Any) -> StoredReading | None:
        r, p = schema.readings, schema.pictures
        query = (
            select(r, p.c.reading_id.is_not(None).label("has_picture"))
            .join_from(r, p, r.c.id == p.c.reading_id, isouter=True)
            .where(condition)
            .order_by(r.c.place.desc())
            .limit(1)
        )
        with self.transaction() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else _stored_reading(row)

    def picture(self, table_id: str, reading_id: str) -> bytes | None:
        """The JPEG of a reading that this table was sent, or None (there was none, or it is no longer kept)."""
        r, p = schema.readings, schema.pictures
        query = (
            select(p.c.jpeg)
            .join_from(p, r, p.c.reading_id == r.c.id)
            .where(r.c.id == reading_id, r.c.table_id == table_id)
        )
        with self.transaction() as connection:
            return connection.execute(query).scalar_one_or_none()


def _next_place(connection: Connection, table: Any) -> int:
    return int(connection.scalar(select(func.coalesce(func.max(table.c.place), 0))) or 0) + 1


def _insert_answer(connection: Connection, answer: Answer) -> None:
    connection.execute(
        insert(schema.answers).values(
            message_id=answer.message,
            table_id=answer.table,
            sender=answer.sender,
            number=answer.number,
            slug=answer.slug,
            detail=answer.detail,
        )
    )


def _insert_entry(connection: Connection, entry: Entry) -> None:
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


def _drop_old_pictures(connection: Connection) -> None:
    place = schema.pictures.c.place
    oldest_kept = connection.scalar(select(place).order_by(place.desc()).offset(PICTURES_KEPT - 1).limit(1))
    if oldest_kept is not None:
        connection.execute(delete(schema.pictures).where(place < oldest_kept))


def _stored_reading(row: Row[Any]) -> StoredReading:
    dice: list[JsonObject] = row.dice
    unread: list[JsonObject] = row.unread
    return StoredReading(
        row.id,
        row.table_id,
        row.expect,
        tuple(dice),
        tuple(unread),
        row.status,
        row.detail,
        row.at,
        bool(row.has_picture),
    )
