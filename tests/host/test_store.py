"""The database: a real SQLite file, its schema, and what happens where it cannot be written."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, event, inspect

from host import schema
from host.clock import utc_now
from host.games.sentence import Sentence, as_written
from host.migrations import MIGRATIONS, migrate
from host.pictures import Pictures
from host.reading_store import ReadingStore
from host.records import Answer, Entry, SeatedTable, StoredReading
from host.store import StorageFailed, Store, engine_for, open_store, sqlite_url

NOW = "2026-05-04T20:15:00.000Z"
DIE = {
    "kind": "chance-cube",
    "body": "red",
    "face": "blue",
    "confidence": 0.9486,
    "center_px": [350.05, 330.83],
    "center_mm": [-15.03, 18.72],
}
TABLE = SeatedTable("k3f9", "vigos-favor", ("Ana", "Bo"), {"rounds": 2}, NOW)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "croupier.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """A store with one table."""
    opened = open_store(sqlite_url(path), NOW)
    opened.add_table(TABLE, {}, Answer("m0", TABLE.id, "owner", 0))
    yield opened
    opened.close()


@pytest.fixture
def rows(store: Store, tmp_path: Path) -> ReadingStore:
    """The readings of that store, and a directory for their pictures."""
    return ReadingStore(store, Pictures(tmp_path / "pictures", kept=3))


def reading(number: int, table: str | None = TABLE.id) -> StoredReading:
    """The reading of that number, with a picture."""
    return StoredReading(f"r{number}", table, f"{table}.1", (), (), "unmatched", (), NOW, True)


def entry(number: int, message: str | None = None) -> Entry:
    """The entry of that number."""
    action = {"type": "stake", "player": "Ana", "amount": number}
    return Entry(TABLE.id, number, "action", action, "seat:Ana", NOW, message)


def crippled(path: Path, *pragmas: str) -> Store:
    """The store once more, on connections that SQLite itself holds back."""
    engine: Engine = engine_for(sqlite_url(path))

    @event.listens_for(engine, "connect")
    def hold_back(connection: sqlite3.Connection, _record: object) -> None:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    return Store(engine)


def test_migrations_make_what_the_queries_expect(store: Store, path: Path) -> None:
    made = inspect(engine_for(sqlite_url(path)))
    assert set(made.get_table_names()) == set(schema.metadata.tables)
    for name, table in schema.metadata.tables.items():
        columns = {column["name"]: column for column in made.get_columns(name)}
        assert set(columns) == {column.name for column in table.columns}
        assert made.get_pk_constraint(name)["constrained_columns"] == [c.name for c in table.primary_key]
        for column in table.columns:
            if not column.primary_key:
                assert columns[column.name]["nullable"] == column.nullable, f"{name}.{column.name}"


def test_migrations_are_recorded_and_run_once(path: Path) -> None:
    for moment in (NOW, "2027-01-01T00:00:00.000Z"):
        open_store(sqlite_url(path), moment).close()
    with sqlite3.connect(path) as connection:
        recorded = connection.execute("SELECT name, at FROM migrations").fetchall()
    connection.close()
    assert recorded == [(migration.__name__, NOW) for migration in MIGRATIONS]


def test_a_migration_that_fails_leaves_nothing_behind(path: Path) -> None:
    def half_way(connection: Connection) -> None:
        MIGRATIONS[0](connection)
        raise RuntimeError("half way")

    engine = engine_for(sqlite_url(path))
    with engine.connect() as connection, pytest.raises(RuntimeError):
        migrate(connection, NOW, [half_way])
    assert inspect(engine).get_table_names() == ["migrations"]
    engine.dispose()


def test_what_is_committed_is_on_the_disk(store: Store, path: Path) -> None:
    assert store.tables()
    with engine_for(sqlite_url(path)).connect() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000}


def written_between(before: bytes, after: bytes) -> int:
    """Bytes of the pages of a log, 536 each, that are not what they were. A log does not become longer."""
    assert len(before) == len(after)
    return sum(536 for at in range(32, len(after), 536) if before[at : at + 536] != after[at : at + 536])


def test_a_throw_and_a_line_of_the_log_write_little(store: Store, rows: ReadingStore, path: Path) -> None:
    log = path.with_name(path.name + "-wal")
    empty = log.read_bytes()
    for number in range(1, 41):
        store.record(Answer(f"m{number}", TABLE.id, "seat:Ana", number), [entry(number, f"m{number}")])
    lines = log.read_bytes()
    assert written_between(empty, lines) < 40 * 2_200
    for number in range(41, 81):
        rolled = replace(entry(number), reading=f"r{number}")
        rows.record(replace(reading(number), dice=(DIE,), status="applied"), None, [rolled])
    assert written_between(lines, log.read_bytes()) < 40 * 2_200


def test_the_index_of_the_log_is_written_nowhere(store: Store, path: Path) -> None:
    store.record(Answer("m1", TABLE.id, "seat:Ana", 1), [entry(1, "m1")])
    assert {file.name for file in path.parent.iterdir()} == {path.name, f"{path.name}-wal"}


def test_no_other_process_opens_the_file_meanwhile(store: Store, path: Path) -> None:
    opening = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('SELECT * FROM tables')"
    command = [sys.executable, "-c", opening, str(path)]
    other = subprocess.run(command, capture_output=True, text=True)
    assert "database is locked" in other.stderr
    store.close()
    assert subprocess.run(command).returncode == 0


def test_a_log_that_is_cut_off_and_laid_out_again_keeps_what_was_committed(store: Store, path: Path) -> None:
    store.record(Answer("m1", TABLE.id, "seat:Ana", 1), [entry(1, "m1")])
    left = path.parent / "as power failed"
    left.mkdir()
    for name in (path.name, f"{path.name}-wal"):
        shutil.copy(path.with_name(name), left / name)
    for number in (2, 3):
        again = open_store(sqlite_url(left / path.name), NOW)
        assert len(again.entries(TABLE.id)) == number - 1
        again.record(Answer(f"m{number}", TABLE.id, "seat:Ana", number), [entry(number, f"m{number}")])
        again.close()


def test_rows_come_back_as_they_were(store: Store, rows: ReadingStore) -> None:
    store.record(Answer("m1", TABLE.id, "seat:Ana", 1), [entry(1, "m1")])
    assert store.tables() == (TABLE,)
    assert store.entries(TABLE.id) == (entry(1, "m1"),)
    assert store.answer("m1") == Answer("m1", TABLE.id, "seat:Ana", 1)
    assert store.answer("m2") is None
    store.record(Answer("m3", TABLE.id, "owner", 1, "amend-drops", "Ask again.", {"from": 2}))
    assert store.answer("m3") == Answer("m3", TABLE.id, "owner", 1, "amend-drops", "Ask again.", {"from": 2})
    assert rows.record(reading(1), b"jpeg", []) == reading(1)
    told = (Sentence("reading/read", "Read: {faces}.", {"faces": "red"}),)
    full = replace(reading(2), dice=(DIE, {"kind": "d6"}), told=told, has_picture=False)
    assert rows.record(full, None, []) == full == rows.last_reading(TABLE.id)
    assert list(full.dice[0]) == list(rows.last_reading(TABLE.id).dice[0])  # type: ignore[union-attr]
    assert rows.reading("r1", TABLE.id) == reading(1)
    assert rows.picture(TABLE.id, "r1") == b"jpeg"
    assert rows.picture("other", "r1") is None and rows.reading("r3", TABLE.id) is None


def test_a_reading_is_found_at_its_table_and_from_older_ones(store: Store, rows: ReadingStore) -> None:
    store.add_table(replace(TABLE, id="next"), {}, Answer("m9", "next", "owner", 0))
    rows.record(reading(1, "next"), None, [])
    rows.record(reading(2, None), None, [])
    for since, found in ((TABLE.id, True), ("next", True), (None, False)):
        assert (rows.reading("r1", since) is not None) == found
    assert rows.reading("r2", None) is not None and rows.reading("r2", TABLE.id) is None
    assert rows.last_reading(TABLE.id) is None


def test_a_message_and_its_entry_are_stored_both_or_neither(store: Store, rows: ReadingStore) -> None:
    store.record(Answer("m1", TABLE.id, "seat:Ana", 1), [entry(1, "m1")])
    with pytest.raises(StorageFailed):
        store.record(Answer("m2", TABLE.id, "seat:Ana", 1), [entry(1, "m2")])
    assert store.answer("m2") is None
    with pytest.raises(StorageFailed):
        rows.record(reading(1), b"jpeg", [entry(2, "m3"), entry(2, "m4")])
    assert rows.reading("r1", TABLE.id) is None and rows.picture(TABLE.id, "r1") is None
    assert [stored.number for stored in store.entries(TABLE.id)] == [1]


def test_pictures_of_an_older_database_become_files(store: Store, rows: ReadingStore) -> None:
    for number in range(5):
        rows.record(reading(number), None, [])
        with store.transaction() as connection:
            values = {"reading_id": f"r{number}", "place": number, "jpeg": f"jpeg {number}".encode()}
            connection.execute(schema.pictures.insert().values(values))
    assert rows.take_over_pictures() == 5
    assert [rows.picture(TABLE.id, f"r{number}") for number in (1, 2, 4)] == [None, b"jpeg 2", b"jpeg 4"]
    last = rows.last_reading(TABLE.id)
    assert last is not None and last.has_picture
    assert rows.take_over_pictures() == 0


def test_a_database_that_was_being_made_when_power_failed_is_made(path: Path) -> None:
    half_made = (
        "import os, signal, sqlite3, sys\n"
        "connection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "for statement in ('PRAGMA cache_size=1', 'BEGIN', 'CREATE TABLE half (x)'):\n"
        "    connection.execute(statement)\n"
        "for _ in range(200):\n"
        "    connection.execute('INSERT INTO half VALUES (zeroblob(4096))')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", half_made, path], check=False)
    assert path.with_name(f"{path.name}-journal").stat().st_size
    store = open_store(sqlite_url(path), NOW)
    assert store.tables() == ()
    with store.transaction() as connection:
        assert "half" not in inspect(connection).get_table_names()
    store.close()


@pytest.mark.parametrize(
    ("pragma", "slug"), [("query_only=ON", "storage-read-only"), ("max_page_count=1", "storage-full")]
)
def test_a_database_that_cannot_be_written(store: Store, path: Path, pragma: str, slug: str) -> None:
    held_back = crippled(path, pragma)
    with pytest.raises(StorageFailed) as failure:
        ReadingStore(held_back).record(
            replace(reading(1), told=as_written("reading", "x" * 20_000)), None, [entry(1)]
        )
    assert failure.value.slug == slug and "nothing was changed" in str(failure.value)
    assert ReadingStore(store).reading("r1", TABLE.id) is None and store.entries(TABLE.id) == ()
    assert held_back.tables() == (TABLE,)
    held_back.close()


def test_the_clock_gives_utc() -> None:
    assert utc_now().utcoffset().total_seconds() == 0  # type: ignore[union-attr]
