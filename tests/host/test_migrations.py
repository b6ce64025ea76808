"""A database of an older version is brought to this version's schema, and nothing in it is lost."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection

from host.migrations import MIGRATIONS, migrate
from host.pictures import Pictures
from host.reading_store import ReadingStore
from host.records import Answer, Entry, Holder
from host.store import Store, engine_for, open_store, sqlite_url

NOW = "2026-05-04T20:15:00.000Z"
STAKE = """{"type": "stake", "player": "Ana", "amount": 2}"""
ROLL = """{"type": "roll", "player": "Ana", "dice": [{"kind": "d6", "face": 3, "body": null}]}"""
DIE = """{"kind": "d6", "body": null, "face": 3, "confidence": 0.9, "center_px": [1.5, 2], "center_mm": null}"""
TOLD = """[{"slug": "reading/read", "template": "Read: {faces}.", "values": {"faces": "3"}}]"""

ROWS = (
    "INSERT INTO tables VALUES ('old', 1, 'vigos-favor', '[\"Ana\", \"Bo\"]', '{\"rounds\": 2}', :now)",
    "INSERT INTO tables VALUES ('new', 2, 'vigos-favor', '[\"Ana\", \"Bo\"]', '{}', :now)",
    # Places count over all tables: the readings of two that were played side by side take turns.
    "INSERT INTO readings (id, place, table_id, expect, dice, unread, status, detail, told, at)"
    " VALUES ('r-new', 1, 'new', 'new.0', :die, '[]', 'applied', 'Read: 3.', :told, :now)",
    "INSERT INTO readings (id, place, table_id, expect, dice, unread, status, detail, at)"
    " VALUES ('r-old', 2, 'old', 'old.0', '[]', '[{\"reason\": \"cocked\"}]', 'unmatched', 'Cocked {}.', :now)",
    "INSERT INTO readings (id, place, table_id, expect, dice, unread, status, detail, at)"
    " VALUES ('r-none', 3, NULL, 'none', '[]', '[]', 'refused', 'Nothing.', :now)",
    "INSERT INTO pictures VALUES ('r-new', 1, :jpeg)",
    "INSERT INTO entries VALUES ('new', 1, 'action', :roll, 'device', :now, NULL, 'r-new')",
    # Two entries of one message, which the first of them named.
    "INSERT INTO entries VALUES ('old', 1, 'action', :stake, 'seat:Ana', :now, 'm1', 'r-old')",
    "INSERT INTO entries VALUES ('old', 2, 'undo', NULL, 'seat:Ana', :now, NULL, 'r-old')",
    "INSERT INTO answers VALUES ('m0', 'old', 'owner', 0, NULL, NULL, NULL)",
    "INSERT INTO answers VALUES ('m1', 'old', 'seat:Ana', 2, NULL, NULL, NULL)",
    "INSERT INTO answers VALUES ('m2', 'old', 'owner', 2, 'amend-drops', 'Ask again.', '{\"from\": 2}')",
    "INSERT INTO corrections VALUES (7, 'old', 1, 'r-old', '[{\"kind\": \"d6\", \"face\": 4}]')",
    "INSERT INTO tokens VALUES ('abc', 'seat', 'old', 'Ana')",
    "INSERT INTO tokens VALUES ('def', 'owner', NULL, NULL)",
)
"""As the version before wrote them."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database of the version that wrote each row into more pages."""
    file = tmp_path / "croupier.db"
    engine = engine_for(sqlite_url(file))
    with engine.connect() as connection:
        migrate(connection, NOW, MIGRATIONS[:6])
        values = {"now": NOW, "die": f"[{DIE}]", "told": TOLD, "jpeg": b"jpeg", "roll": ROLL, "stake": STAKE}
        with connection.begin():
            for row in ROWS:
                connection.exec_driver_sql(row, values)
    engine.dispose()
    return file


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """It, opened by this version."""
    opened = open_store(sqlite_url(path), NOW)
    yield opened
    opened.close()


def test_games_and_their_logs_are_what_they_were(store: Store) -> None:
    assert [table.id for table in store.tables()] == ["new", "old"]
    assert store.tables()[1].options == {"rounds": 2}
    assert store.entries("new") == (Entry("new", 1, "action", json.loads(ROLL), "device", NOW, None, "r-new"),)
    assert store.entries("old") == (
        Entry("old", 1, "action", json.loads(STAKE), "seat:Ana", NOW, "m1", "r-old"),
        Entry("old", 2, "undo", None, "seat:Ana", NOW, None, "r-old"),
    )
    assert store.log_lengths() == {"new": (1, NOW), "old": (2, NOW)}
    assert store.holders() == {"abc": Holder("seat", "old", "Ana"), "def": Holder("owner")}


def test_messages_are_answered_as_before_and_logs_go_on(store: Store) -> None:
    assert store.answer("m0") == Answer("m0", "old", "owner", 0)
    assert store.answer("m1") == Answer("m1", "old", "seat:Ana", 2)
    assert store.answer("m2") == Answer("m2", "old", "owner", 2, "amend-drops", "Ask again.", {"from": 2})
    third = Entry("old", 3, "action", json.loads(STAKE), "seat:Ana", NOW, "m3")
    store.record(Answer("m3", "old", "seat:Ana", 3), [third])
    assert store.entries("old")[2:] == (third,) and len(store.entries("new")) == 1
    assert store.answer("m3") == Answer("m3", "old", "seat:Ana", 3)


def test_readings_corrections_and_pictures_are_what_they_were(store: Store, tmp_path: Path) -> None:
    rows = ReadingStore(store, Pictures(tmp_path / "pictures", kept=3))
    assert rows.take_over_pictures() == 1
    read = rows.reading("r-new", "new")
    assert read == rows.last_reading("new")
    assert read is not None and read.dice == (json.loads(DIE),) and read.detail == "Read: 3."
    assert rows.picture("new", "r-new") == b"jpeg"
    unread = rows.last_reading("old")
    assert unread is not None and unread.unread == ({"reason": "cocked"},) and unread.detail == "Cocked {}."
    assert rows.reading("r-none", None) is not None
    (labelled,) = rows.corrections(after=0, most=10)
    assert (labelled.place, labelled.reading.id, labelled.correction.number) == (7, "r-old", 1)
    assert labelled.correction.confirmed == ({"kind": "d6", "face": 4},) and labelled.by == "seat:Ana"


def test_the_file_is_sound_and_holds_nothing_else(store: Store, path: Path) -> None:
    store.close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    assert not [name for name in names if "old" in name]


def test_a_power_cut_in_the_middle_leaves_the_version_before(path: Path) -> None:
    def cut(connection: Connection) -> None:
        MIGRATIONS[6](connection)
        raise InterruptedError

    engine = engine_for(sqlite_url(path))
    with engine.connect() as connection, pytest.raises(InterruptedError):
        migrate(connection, NOW, [*MIGRATIONS[:6], cut])
    engine.dispose()
    store = open_store(sqlite_url(path), NOW)
    assert len(store.entries("old")) == 2
    store.close()
