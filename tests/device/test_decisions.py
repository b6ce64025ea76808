"""What players said instead of what was read, sent as far as it is still needed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.decisions import Decisions
from device.host_client import HostClient
from device.recording import Decision
from tests.host.running import OpenTable, RunningHost

PLACE = {"confidence": 0.99, "center_px": [30.0, 40.0], "center_mm": None}
RED = {"kind": "chance-cube", "body": "red", "face": "red"}
BLUE = {"kind": "chance-cube", "body": "blue", "face": "blue"}
ROLL = {"type": "roll", "player": "Vee", "dice": [{"kind": "chance-cube", "face": "blue"}]}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[OpenTable]:
    """Vee has staked; her roll is awaited."""
    host = RunningHost(tmp_path / "host")
    table = host.open("Vee", "Ann", "Bob", rounds=1)
    assert table.act("stake", "Vee", amount=1).status == 200
    yield table
    host.kill()


def send(table: OpenTable, action: dict[str, Any], place: int = 0) -> str | None:
    client = HostClient(table.host.address, table.host.token("owner"))
    return Decisions(client, table.id, "play").send(Decision(1, action, corrects=True), place)


def favor(table: OpenTable) -> list[str]:
    return [line["text"] for line in table.seen()["log"] if "roll" in line["text"] and not line["undone"]]


def test_a_roll_that_is_read_right_by_now_is_not_sent(table: OpenTable) -> None:
    table.host.read({**BLUE, **PLACE})
    before = table.seen()
    assert send(table, ROLL) is None
    assert table.seen() == before


def test_a_roll_that_is_read_wrong_again_is_amended_once(table: OpenTable) -> None:
    table.host.read({**RED, **PLACE})
    first = send(table, ROLL)
    number = table.seen()["number"]
    assert table.seen()["log"][-1]["kind"] == "amend"
    assert "blue" in " ".join(favor(table))
    assert first is not None
    assert table.host.expect()["expect"] == first
    send(table, ROLL)
    assert table.seen()["number"] == number


def test_a_roll_that_is_not_read_again_is_sent_as_it_was_said(table: OpenTable) -> None:
    table.host.read({**RED, **PLACE}, {**BLUE, **PLACE})
    assert table.seen()["reading"]["status"] == "unmatched"
    assert send(table, ROLL) is not None
    assert table.seen()["log"][-1]["by"] == "owner"
    assert "blue" in " ".join(favor(table))


def test_what_was_read_is_taken_back_and_nothing_else(table: OpenTable) -> None:
    assert send(table, {"type": "undo"}) is None
    assert table.seen()["number"] == 1
    table.host.read({**RED, **PLACE})
    assert send(table, {"type": "undo"}, 1) is not None
    assert table.seen()["log"][1]["undone"]
    assert not table.seen()["log"][0]["undone"]
