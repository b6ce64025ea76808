"""The game of docs/adding-a-game.md at a real host: opened, called, read by the device, and won."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.running import RunningHost, die

COMMAND = (
    sys.executable,
    "-c",
    "from host.commands.host import host_command; from tests.games.sixth_game import sixth_registry; "
    "host_command(sixth_registry())()",
)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[RunningHost]:
    running = RunningHost(tmp_path, command=COMMAND)
    yield running
    running.stop()


def test_the_page_is_all_that_a_table_needs(host: RunningHost) -> None:
    games = [game["id"] for game in host.get("/games").json["games"]]
    assert games[-1] == "odds-and-evens" and len(games) == 6
    table = host.open("Ana", "Bo", game="odds-and-evens", rounds=1)
    table.act("call", "Ana", call="odd")
    assert "odd" not in str(table.seen()["state"].get("calls")), "a call is secret until the die is rolled"
    table.act("call", "Bo", call="even")
    expected = host.expect()
    assert (expected["mode"], expected["kinds"]) == ("open", ["pip-die"])
    assert host.read(die("pip-die", "3", "white")).json["status"] == "applied"
    seen = table.seen()
    assert seen["state"]["winners"] == ["Ana"]
    page = host.call("GET", f"/tables/{table.id}").body.decode()
    assert "Odds and Evens" in page and "Made up for Croupier" in page
