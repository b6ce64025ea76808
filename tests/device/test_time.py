"""The device goes by clocks that never jump: a Pi without one of its own is told the time in the middle of a game."""

import ast
from pathlib import Path

from device.outbox import Outbox
from device.tray import Message, Tray
from tests.device.test_loop import EMPTY, RED, Bench, film

DEVICE = Path(__file__).parents[2] / "device"
DATED = ("worked_example.py", "settings_page.py", "calibrating.py")
"""They write the date into files that people read; nothing is ordered by it."""
AT_WORK = [path for path in DEVICE.glob("*.py") if path.name not in DATED]
WALL_CLOCKS = {"time", "time_ns", "now", "utcnow", "today", "localtime", "gmtime", "strftime"}


def test_nothing_that_watches_reads_or_sends_looks_at_the_time_of_day() -> None:
    for path in AT_WORK:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                owner = node.func.value
                name = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
                is_clock = name in ("time", "datetime", "date") and node.func.attr in WALL_CLOCKS
                assert not is_clock, f"{path.name}:{node.lineno} asks for the time of day"


def test_readings_keep_the_order_in_which_they_were_made(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "device.db")
    # Ids say nothing of order, and nothing else in a message could.
    for name in ("b", "c", "a"):
        outbox.put(Message(name, "t.1", {}, None), Tray())
    outbox.close()
    again = Outbox(tmp_path / "device.db")
    assert [message.id for message in again.waiting] == ["b", "c", "a"]
    again.close()


def test_a_camera_whose_own_clock_starts_anew_loses_no_throw(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.now = 5000.0
    bench.show(film(EMPTY))
    bench.now = 0.0  # it was opened again
    bench.show(film(RED), 1.0)
    assert bench.sent() == ["red"]
    bench.outbox.close()
