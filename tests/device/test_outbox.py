"""The outbox keeps what was written, whatever is killed and however full the disk is."""

import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from device.counting import LyingDie
from device.outbox import Outbox, OutboxError
from device.tray import Message, Played, Tray
from tests.device.scene import die
from vision.reading import Unread

RED = LyingDie.of(die("red", 0, 0))
BLUE = LyingDie.of(die("blue", 40, 0))
TOLD = Tray(lying=(RED,), told=(BLUE,), unread_told=(Unread("cocked", (3.0, 4.0)),), expect="t.4")


def message(name: str, expect: str = "t.4") -> Message:
    return Message(name, expect, {"dice": [], "unread": []}, b"\xff\xd8jpeg")


def test_what_is_put_is_there_again_after_a_restart(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "device.db")
    outbox.put(message("one"), TOLD)
    outbox.put(message("two"), TOLD)
    outbox.close()
    again = Outbox(tmp_path / "device.db")
    assert again.waiting == (replace(message("one"), jpeg=None), replace(message("two"), jpeg=None))
    assert again.tray == TOLD
    again.close()


def test_settled_dice_lie_counted_and_others_are_still_told(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "device.db")
    outbox.put(message("one"), TOLD)
    outbox.acknowledge(message("one"), is_settled=False)
    assert outbox.is_empty
    assert outbox.tray == TOLD
    outbox.put(message("two"), TOLD)
    outbox.acknowledge(message("two"), is_settled=True)
    assert outbox.tray == Tray(lying=(RED, BLUE))
    outbox.close()


def test_an_old_acknowledgement_settles_nothing_new(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "device.db")
    outbox.put(message("one", "t.3"), replace(TOLD, expect="t.3"))
    outbox.put(message("two", "t.4"), TOLD)
    outbox.acknowledge(message("one", "t.3"), is_settled=True)
    assert outbox.tray == TOLD
    assert outbox.first == message("two")
    outbox.close()


def test_it_remembers_how_far_a_recording_was_played(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "device.db")
    assert outbox.played("a") == Played()
    outbox.keep_played("a", Played(12, 3))
    outbox.keep_played("a", Played(13, 3))
    outbox.close()
    again = Outbox(tmp_path / "device.db")
    assert again.played("a") == Played(13, 3)
    again.close()


WRITER = """
import sys
from pathlib import Path
from device.outbox import Outbox
from device.tray import Message, Tray
outbox = Outbox(Path(sys.argv[1]))
for number in range(100_000):
    outbox.put(Message(f"{sys.argv[2]}-{number}", "t.1", {"dice": [], "unread": []}, bytes(20_000)), Tray())
    print(number, flush=True)
"""


@pytest.mark.parametrize("lines", [1, 7, 30])
def test_a_writer_that_is_killed_has_lost_nothing(tmp_path: Path, lines: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path / "device.db"), "w"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    written = [process.stdout.readline() for _ in range(lines)]
    process.send_signal(signal.SIGKILL)
    written += process.stdout.readlines()
    process.wait()
    process.stdout.close()
    outbox = Outbox(tmp_path / "device.db")
    kept = [waiting.id for waiting in outbox.waiting]
    outbox.close()
    whole = [f"w-{int(line)}" for line in written if line.endswith("\n")]
    assert kept[: len(whole)] == whole
    assert len(kept) <= len(whole) + 1


def test_a_full_disk_is_said_in_one_line_and_nothing_is_lost(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "device.db", most_pages=40)
    count = 0
    with pytest.raises(OutboxError, match=r"the disk is full: .* make room"):
        for count in range(1000):
            outbox.put(message(str(count)) if count < 3 else big(count), TOLD)
    assert len(outbox.waiting) == count
    outbox.acknowledge(outbox.waiting[0], is_settled=True)
    outbox.close()
    again = Outbox(tmp_path / "device.db")
    assert len(again.waiting) == count - 1
    again.put(big(count), TOLD)
    again.close()


def big(number: int) -> Message:
    return Message(str(number), "t.4", {"dice": [], "unread": []}, bytes(20_000))


def test_what_waits_in_an_older_file_is_still_sent(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "device.db") as connection:
        connection.executescript(
            """CREATE TABLE readings (
                place INTEGER NOT NULL PRIMARY KEY, id VARCHAR NOT NULL UNIQUE, expect VARCHAR NOT NULL,
                body VARCHAR NOT NULL);
            INSERT INTO readings VALUES (4, 'one', 't.4', '{"dice": [], "unread": []}');
            INSERT INTO readings VALUES (9, 'two', 't.4', '{"dice": [], "unread": []}');
            PRAGMA user_version = 1;"""
        )
    connection.close()
    for _ in range(2):
        outbox = Outbox(tmp_path / "device.db")
        assert outbox.waiting == (replace(message("one"), jpeg=None), replace(message("two"), jpeg=None))
        outbox.close()


def test_a_reading_makes_no_file_longer_and_writes_no_index_of_the_log(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "device.db")
    files = {file.name: file.stat().st_size for file in tmp_path.iterdir()}
    assert set(files) == {"device.db", "device.db-wal"}
    for number in range(300):
        outbox.put(message(str(number)), TOLD)
        outbox.acknowledge(message(str(number)), is_settled=True)
    assert {file.name for file in tmp_path.iterdir()} == set(files)
    assert (tmp_path / "device.db-wal").stat().st_size == files["device.db-wal"]
    outbox.close()


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "device.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(OutboxError, match="from a newer version"):
        Outbox(tmp_path / "device.db")


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutboxError, match="cannot keep data in"):
        Outbox(tmp_path / "file" / "device.db")


def test_a_file_that_is_no_database_is_said(tmp_path: Path) -> None:
    (tmp_path / "device.db").write_text("not a database, but long enough to be looked into" * 40)
    with pytest.raises(OutboxError, match="cannot be used"):
        Outbox(tmp_path / "device.db")
