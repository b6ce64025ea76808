"""The database: what was acknowledged is in here, and nothing is acknowledged that is not.

SQLite by default; the URL may name another database that SQLAlchemy knows (PostgreSQL). One process writes.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Engine,
    ScalarSelect,
    Table,
    create_engine,
    delete,
    event,
    func,
    insert,
    literal,
    select,
)
from sqlalchemy.exc import ArgumentError, DBAPIError

from host import schema, sqlite_file
from host.games.sentence import Sentence
from host.migrations import MIGRATIONS, migrate, refuse_newer
from host.records import Answer, Correction, Entry, Holder, SeatedTable


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
    """An engine whose transactions are real ones (DDL included) and, on SQLite, on the disk once committed.

    A SQLite file belongs to this process for as long as the engine has it open.
    """
    engine = create_engine(url, json_serializer=_compact)
    if engine.dialect.name == "sqlite":
        if sqlite_file.is_file(engine.url):
            event.listen(engine, "do_connect", sqlite_file.connect_alone)
        event.listen(engine, "connect", sqlite_file.prepare)
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return engine


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def open_store(url: str, at: str) -> "Store":
    """The store behind ``url``, brought to this version's schema. ``at`` is the time, UTC, ISO 8601.

    Raises ``NewerDatabase`` (the file is then untouched) and ``StorageFailed``.
    """
    with _named_failures():
        engine = engine_for(url)
        path = Path(engine.url.database or "") if sqlite_file.is_file(engine.url) else None
        if engine.dialect.name != "sqlite":
            with engine.connect() as connection:
                refuse_newer(connection)
        elif path and path.exists():
            sqlite_file.roll_back(path)
            # Looked at through a read-only connection, since a writing one may already change the file.
            looking = create_engine(f"sqlite:///{sqlite_file.uri(path, mode='ro')}&uri=true")
            with looking.connect() as connection:
                refuse_newer(connection)
            looking.dispose()
        with engine.connect() as connection:
            if engine.dialect.name == "sqlite":
                sqlite_file.make_log(connection)
            migrate(connection, at)
        if path:
            sqlite_file.lay_out_log(path)
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

    def set_token(self, kind: Literal["owner", "device"], sha256: str) -> None:
        """The one token of the owner or of the device is now this one."""
        t = schema.tokens
        with self.transaction() as connection:
            if list(connection.scalars(select(t.c.sha256).where(t.c.kind == kind))) == [sha256]:
                return
            connection.execute(delete(t).where(t.c.kind == kind))
            _insert_tokens(connection, {sha256: Holder(kind)})

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
            _insert_tokens(connection, seats)
            insert_answer(connection, answer)

    def tables(self) -> tuple[SeatedTable, ...]:
        """Every table, newest first."""
        with self.transaction() as connection:
            rows = connection.execute(select(schema.tables).order_by(schema.tables.c.place.desc())).all()
        return tuple(SeatedTable(r.id, r.game, tuple(r.players), r.options, r.opened_at) for r in rows)

    # The log -----------------------------------------------------------------------------------------------------

    def entries(self, table_id: str) -> tuple[Entry, ...]:
        """A table's log, oldest first."""
        e, r = schema.entries, schema.readings
        query = select(e, r.c.id.label("reading_id")).join_from(e, r, r.c.place == e.c.reading, isouter=True)
        with self.transaction() as connection:
            rows = connection.execute(query.where(*at_table(e, table_id)).order_by(e.c.place)).all()
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
        a, e = schema.answers, schema.entries
        with self.transaction() as connection:
            row = connection.execute(select(a).where(a.c.message_id == message_id)).one_or_none()
            if row is not None:
                return Answer(row.message_id, row.table_id, row.sender, row.number, row.slug, row.detail, row.extras)
            entry = connection.execute(select(e).where(e.c.message_id == message_id)).one_or_none()
        return None if entry is None else Answer(message_id, entry.table_id, entry.by, entry.number)

    def record(self, answer: Answer, entries: Sequence[Entry] = (), correction: Correction | None = None) -> None:
        """A message's answer, the entries that it brought about, and what they say of a reading: all or none.

        Where the last entry names the message it is the answer, too, which is written once then.
        """
        with self.transaction() as connection:
            if not entries or entries[-1].message != answer.message:
                insert_answer(connection, answer)
            for entry in entries:
                insert_entry(connection, entry)
            if correction is not None:
                connection.execute(
                    insert(schema.corrections).values(
                        place=next_place(connection, schema.corrections),
                        table_id=correction.table,
                        number=correction.number,
                        reading=place_of_reading(correction.table, correction.reading),
                        confirmed=list(correction.confirmed),
                    )
                )


def next_place(connection: Connection, table: Any) -> int:
    """The place after the last one that a row of this table has."""
    return int(connection.scalar(select(func.coalesce(func.max(table.c.place), 0))) or 0) + 1


def first_place(table_id: str | None) -> ColumnElement[int]:
    """Where the places of a game table's entries and readings begin; None: those of readings that are no table's."""
    of_table = select(schema.tables.c.place).where(schema.tables.c.id == table_id).scalar_subquery()
    return literal(0, BigInteger) if table_id is None else of_table * literal(schema.ROOM, BigInteger)


def at_table(rows: Table, table_id: str | None) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """That entries or readings are those of a game table."""
    first = first_place(table_id)
    return rows.c.place >= first, rows.c.place < first + schema.ROOM


def place_of_reading(table_id: str, reading_id: str) -> ScalarSelect[int]:
    """The place of a reading that a game table was sent."""
    r = schema.readings
    return select(func.max(r.c.place)).where(*at_table(r, table_id), r.c.id == reading_id).scalar_subquery()


def _insert_tokens(connection: Connection, holders: dict[str, Holder]) -> None:
    first = next_place(connection, schema.tokens)
    for place, (sha256, holder) in enumerate(holders.items(), first):
        connection.execute(
            insert(schema.tokens).values(
                place=place, sha256=sha256, kind=holder.kind, table_id=holder.table, player=holder.player
            )
        )


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
            place=first_place(entry.table) + entry.number,
            table_id=entry.table,
            number=entry.number,
            kind=entry.kind,
            action=entry.action,
            by=entry.by,
            at=entry.at,
            message_id=entry.message,
            reading=None if entry.reading is None else place_of_reading(entry.table, entry.reading),
        )
    )
