"""The device's memory: readings not yet acknowledged, the dice that lie, and how far a recording was played.

One SQLite file, without pictures: they would wear an SD card out, so they are kept in memory, and a reading that is
sent after a power cut goes without. A reading is written here, with its id, before it is sent. That it was
acknowledged, and which dice have been taken up since, is written with the next one, which wears the card a third as
much. Whatever is killed before then, the reading is sent once more, answered the same, and counts once; and dice that
are gone are seen to be gone.
"""

import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.exc import DBAPIError

from device.outbox_file import engine_of, lay_out_log
from device.tray import Message, Played, Tray

SCHEMA_VERSION = 2

_metadata = sa.MetaData()

_readings = sa.Table(
    "readings",
    _metadata,
    sa.Column("place", sa.Integer, primary_key=True),
    sa.Column("id", sa.String, nullable=False),
    sa.Column("expect", sa.String, nullable=False),
    sa.Column("body", sa.String, nullable=False),
)
"""Readings on their way, oldest first. They are few, and an index of their ids would be a page more for each."""

_lying = sa.Table("lying", _metadata, sa.Column("name", sa.String, primary_key=True), sa.Column("value", sa.String))
"""One row: what lies in the tray, as JSON."""

_played = sa.Table(
    "played",
    _metadata,
    sa.Column("play", sa.String, primary_key=True),
    sa.Column("frame", sa.Integer, nullable=False),
    sa.Column("decisions", sa.Integer, nullable=False),
)
"""For each recording that was played at a table: the last frame dealt with, and how many decisions were sent."""


_commands = sa.Table(
    "commands",
    _metadata,
    sa.Column("place", sa.Integer, primary_key=True),
    sa.Column("id", sa.String, nullable=False, unique=True),
    sa.Column("status", sa.String, nullable=False),
    sa.Column("detail", sa.String, nullable=False),
)
"""Commands of the host that were begun, and how they ended."""

PICTURES_KEPT = 20
"""Of readings that wait while the host is away: 400 kB of memory."""

COMMANDS_KEPT = 100
"""The host repeats a command for a minute at most."""

_INTERRUPTED = ("failed", "The device was switched off in the middle of it.")


class OutboxError(RuntimeError):
    """The outbox cannot be opened or written; the message is one line that says what to do."""


class Outbox:
    """The outbox in the file ``path``, of at most ``most_pages`` pages; safe to use from several threads.

    Raises ``OutboxError`` where the file cannot be opened or written (a full disk): nothing is lost then, and the
    same call may be made again.
    """

    def __init__(self, path: Path, most_pages: int | None = None) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._acknowledged: list[str] = []
        self._tray = self._written = Tray()
        self.changed = threading.Condition(self._lock)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutboxError(f"cannot keep data in {path.parent}: {error.strerror}") from error
        self._engine = engine_of(path, most_pages)
        try:
            self._open()
        except OutboxError:
            self.close()
            raise

    def close(self) -> None:
        """Close the file; what was acknowledged is struck out, if it can be."""
        with self._lock, suppress(OutboxError):
            if self._acknowledged or self._tray != self._written:
                with self._writing(is_flushed=False) as connection:
                    self._write_tray(connection, self._tray)
        self._engine.dispose()

    def _open(self) -> None:
        with self._writing() as connection:
            version = connection.execute(sa.text("PRAGMA user_version")).scalar_one()
            if version > SCHEMA_VERSION:
                raise OutboxError(f"{self._path} is from a newer version of croupier; update, or use another --data")
            if version == 1:
                _drop_index_of_ids(connection)
            _metadata.create_all(connection)
            connection.execute(sa.text(f"PRAGMA user_version = {SCHEMA_VERSION}"))
            text = connection.execute(sa.select(_lying.c.value).where(_lying.c.name == "tray")).scalar_one_or_none()
            self._tray = self._written = Tray() if text is None else Tray.from_text(text)
            self._waiting = [
                Message(row.id, row.expect, json.loads(row.body), None)
                for row in connection.execute(sa.select(_readings).order_by(_readings.c.place))
            ]
        lay_out_log(self._path)

    # Readings ------------------------------------------------------------------------------------------------

    @property
    def tray(self) -> Tray:
        """What is known of the dice in the tray."""
        with self._lock:
            return self._tray

    @property
    def first(self) -> Message | None:
        """The oldest reading that is not acknowledged yet."""
        with self._lock:
            return self._waiting[0] if self._waiting else None

    @property
    def waiting(self) -> tuple[Message, ...]:
        """The readings that are not acknowledged yet, oldest first."""
        with self._lock:
            return tuple(self._waiting)

    @property
    def is_empty(self) -> bool:
        """Whether every reading has been acknowledged."""
        return self.first is None

    def put(self, message: Message, tray: Tray) -> None:
        """Write a reading down, and with it what it says of the tray; from now on it is sent until acknowledged."""
        with self.changed:
            with self._writing() as connection:
                # On a full disk what is struck out makes room for what comes.
                self._write_tray(connection, tray)
                connection.execute(
                    sa.insert(_readings).values(
                        id=message.id, expect=message.expect, body=json.dumps(message.body, separators=(",", ":"))
                    )
                )
            self._acknowledged.clear()
            self._written = tray
            self._waiting = [
                *_without_pictures(self._waiting[:-PICTURES_KEPT]),
                *self._waiting[-PICTURES_KEPT:],
                message,
            ]
            self._tray = tray
            self.changed.notify_all()

    def acknowledge(self, message: Message, is_settled: bool) -> None:
        """Strike a reading out. ``is_settled``: its dice have counted (applied, or late) and may stay lying."""
        with self.changed:
            if is_settled and self._tray.expect == message.expect:
                self._tray = self._tray.settled()
            self._acknowledged.append(message.id)
            self._waiting = [other for other in self._waiting if other.id != message.id]
            self.changed.notify_all()

    def keep_tray(self, tray: Tray) -> None:
        """What is known of the dice in the tray; it is written down with the next reading."""
        with self.changed:
            if tray != self._tray:
                self._tray = tray
                self.changed.notify_all()

    # Recordings ----------------------------------------------------------------------------------------------

    def played(self, play: str) -> Played:
        """How far the recording was played under that name."""
        with self._lock, self._writing() as connection:
            row = connection.execute(sa.select(_played).where(_played.c.play == play)).one_or_none()
            return Played() if row is None else Played(row.frame, row.decisions)

    def keep_played(self, play: str, played: Played) -> None:
        """Write down how far the recording was played."""
        with self._lock, self._writing(is_flushed=False) as connection:
            _put_row(connection, _played, {"play": play, "frame": played.frame, "decisions": played.decisions})

    # Commands ------------------------------------------------------------------------------------------------

    def begin_command(self, command: str) -> tuple[str, str] | None:
        """Write down that a command is begun; its status and detail if it was begun before."""
        with self._lock, self._writing() as connection:
            row = connection.execute(sa.select(_commands).where(_commands.c.id == command)).one_or_none()
            if row is not None:
                return row.status, row.detail
            status, detail = _INTERRUPTED
            place = connection.execute(
                sa.insert(_commands).values(id=command, status=status, detail=detail)
            ).inserted_primary_key
            if place is not None:
                connection.execute(sa.delete(_commands).where(_commands.c.place <= place[0] - COMMANDS_KEPT))
            return None

    def end_command(self, command: str, status: str, detail: str) -> None:
        """Write down how a command ended."""
        with self._lock, self._writing(is_flushed=False) as connection:
            connection.execute(
                sa.update(_commands).where(_commands.c.id == command).values(status=status, detail=detail)
            )

    def _write_tray(self, connection: sa.Connection, tray: Tray) -> None:
        """What the tray is from now on, and with it that what was acknowledged waits no more."""
        if self._acknowledged:
            connection.execute(sa.delete(_readings).where(_readings.c.id.in_(self._acknowledged)))
        _put_row(connection, _lying, {"name": "tray", "value": tray.to_text()})

    def _writing(self, is_flushed: bool = True) -> "_Transaction":
        return _Transaction(self._engine, self._path, is_flushed)


class _Transaction:
    """One transaction, with SQLite's failures told in one line.

    ``is_flushed``: it is on the disk before it returns. Otherwise a power cut (not a kill) may undo it, with all that
    came after it: right for what is only found out or answered once more then, and half as much to write.
    """

    def __init__(self, engine: sa.Engine, path: Path, is_flushed: bool) -> None:
        self._begin = engine.begin()
        self._path = path
        self._synchronous = "FULL" if is_flushed else "NORMAL"

    def __enter__(self) -> sa.Connection:
        try:
            connection = self._begin.__enter__()
            connection.exec_driver_sql(f"PRAGMA synchronous = {self._synchronous}")
            return connection
        except DBAPIError as error:
            raise self._told(error) from error

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            self._begin.__exit__(kind, error, trace)
        except DBAPIError as failed:
            raise self._told(failed) from failed
        if isinstance(error, DBAPIError):
            raise self._told(error) from error

    def _told(self, error: DBAPIError) -> OutboxError:
        reason = str(error.orig)
        if "full" in reason:
            return OutboxError(
                f"the disk is full: {self._path} cannot be written; make room, nothing is lost meanwhile"
            )
        return OutboxError(f"{self._path} cannot be used: {reason}")


def _without_pictures(messages: Iterable[Message]) -> Iterator[Message]:
    return (replace(message, jpeg=None) for message in messages)


def _drop_index_of_ids(connection: sa.Connection) -> None:
    """What the first version kept with each reading, which only a table without it can be without."""
    # Python's sqlite3 begins no transaction before such statements: all of them, or none.
    for statement in (
        "BEGIN IMMEDIATE",
        "ALTER TABLE readings RENAME TO old_readings",
        """CREATE TABLE readings (
            place INTEGER PRIMARY KEY, id TEXT NOT NULL, expect TEXT NOT NULL, body TEXT NOT NULL)""",
        "INSERT INTO readings (place, id, expect, body) SELECT place, id, expect, body FROM old_readings",
        "DROP TABLE old_readings",
    ):
        connection.exec_driver_sql(statement)


def _put_row(connection: sa.Connection, table: sa.Table, row: dict[str, Any]) -> None:
    """Insert or change the row of that key. Deleted and inserted anew it would write the key's index, too."""
    keys = list(table.primary_key)
    others = {name: value for name, value in row.items() if table.c[name] not in keys}
    connection.execute(insert(table).values(row).on_conflict_do_update(index_elements=keys, set_=others))
