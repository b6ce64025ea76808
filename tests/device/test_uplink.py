"""The uplink against a real host: what is awaited, and readings sent until acknowledged."""

import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from device.appliance import Game, open_table
from device.host_client import HostAway, HostClient, HostRefused, TokenError, read_token
from device.outbox import Outbox
from device.tray import Message, Tray
from device.uplink import Uplink
from tests.device.program import start, wait_for

GAME = Game("vigos-favor", ["Ann", "Bob"], {})
STAKE = {"type": "stake", "player": "Ann", "amount": 1}


class Place:
    """A folder with a host's data and a device's outbox."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0

    @contextmanager
    def host(self) -> Iterator[str]:
        """A host on this folder's data, always on the same port; its address."""
        address = self.folder / "address"
        address.unlink(missing_ok=True)
        process = start("host", "--data", self.folder, "--port", str(self.port))
        try:
            wait_for(lambda: address.exists() or process.poll() is not None)
            assert process.poll() is None, process.communicate()
            self.port = int(address.read_text().strip().rpartition(":")[2])
            yield address.read_text().strip()
        finally:
            _end(process)

    def client(self, who: str) -> HostClient:
        return HostClient(f"http://127.0.0.1:{self.port}", read_token(self.folder / f"{who}-token", ""))

    @contextmanager
    def uplink(self) -> Iterator[tuple[Uplink, Outbox, list[tuple[str, str]]]]:
        """An uplink at work, its outbox, and what became of each reading (id, status)."""
        outbox = Outbox(self.folder / "device.db")
        became: list[tuple[str, str]] = []
        uplink = Uplink(
            self.client("device"), outbox, lambda message, status, detail: became.append((message.id, status))
        )
        uplink.start()
        try:
            yield uplink, outbox, became
        finally:
            uplink.close()
            outbox.close()

    def act(self, table: str, action: dict[str, object]) -> str:
        """An action by the owner; what is awaited afterwards."""
        message = {"id": str(uuid.uuid4()), "number": None, "action": action}
        return str(self.client("owner").post(f"/tables/{table}/actions", message)["expect"])


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def red(name: str, expect: str) -> Message:
    die = {"kind": "chance-cube", "body": "red", "face": "red", "confidence": 0.9, "center_px": [1, 2]}
    return Message(name, expect, {"dice": [{**die, "center_mm": None}], "unread": []}, None)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_it_follows_what_is_awaited_and_sends_what_was_read(place: Place) -> None:
    with place.host(), place.uplink() as (uplink, outbox, became):
        uplink.wait_until_heard()
        assert uplink.expectation.mode == "idle"
        table = open_table(place.client("owner"), GAME, "a-table")
        expect = place.act(table, STAKE)
        uplink.wait_until_known(expect)
        assert (uplink.expectation.mode, uplink.expectation.kinds) == ("open", ("chance-cube",))
        outbox.put(red("one", expect), Tray(expect=expect))
        assert uplink.wait_until_sent(10)
        wait_for(lambda: became)
        assert became == [("one", "applied")]
        assert uplink.expectation.id != expect
        assert place.client("owner").get(f"/tables/{table}")["state"]["favor"] == "red"


def test_a_reading_waits_for_an_absent_host_and_counts_once(place: Place) -> None:
    with place.host():
        table = open_table(place.client("owner"), GAME, "a-table")
        expect = place.act(table, STAKE)
    with place.uplink() as (uplink, outbox, became):
        outbox.put(red("one", expect), Tray(expect=expect))
        wait_for(lambda: uplink.trouble)
        assert outbox.first is not None
        with place.host():
            assert uplink.wait_until_sent(20)
            wait_for(lambda: became)
            assert became == [("one", "applied")]
            again = {"id": "one", "expect": expect, **red("one", expect).body, "jpeg": None}
            assert place.client("device").post("/device/readings", again)["status"] == "applied"
            assert len(place.client("owner").get(f"/tables/{table}")["log"]) == 2
            wait_for(lambda: not uplink.trouble)


def test_a_late_reading_is_settled_and_not_applied(place: Place) -> None:
    with place.host(), place.uplink() as (uplink, outbox, became):
        table = open_table(place.client("owner"), GAME, "a-table")
        early = place.act(table, STAKE)
        place.act(table, {"type": "roll", "player": "Ann", "dice": [{"kind": "chance-cube", "face": "blue"}]})
        outbox.put(red("one", early), Tray(expect=early))
        assert uplink.wait_until_sent(10)
        wait_for(lambda: became)
        assert became == [("one", "late")]
        assert place.client("owner").get(f"/tables/{table}")["state"]["favor"] == "blue"


def test_a_reading_that_the_host_can_never_take_does_not_block_the_rest(place: Place) -> None:
    with place.host(), place.uplink() as (uplink, outbox, became):
        table = open_table(place.client("owner"), GAME, "a-table")
        expect = place.act(table, STAKE)
        outbox.put(Message("bad", expect, {"dice": "none"}, None), Tray())
        outbox.put(red("good", expect), Tray())
        assert uplink.wait_until_sent(10)
        wait_for(lambda: len(became) == 2)
        assert became == [("bad", "refused"), ("good", "applied")]


def test_the_hosts_refusals_and_absence_are_told_apart(place: Place) -> None:
    with place.host(), pytest.raises(HostRefused, match="poker"):
        place.client("owner").post("/tables", {"id": "x", "game": "poker", "players": ["A", "B"]})
    with pytest.raises(HostAway):
        place.client("owner").get("/health")


def test_tokens_come_from_a_file_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "token").write_text("abc\n")
    assert read_token(tmp_path / "token", "SOME_TOKEN") == "abc"
    with pytest.raises(TokenError, match="--token-file, or set SOME_TOKEN"):
        read_token(None, "SOME_TOKEN")
    monkeypatch.setenv("SOME_TOKEN", "def")
    assert read_token(None, "SOME_TOKEN") == "def"
    with pytest.raises(TokenError, match="no token can be read there"):
        read_token(tmp_path / "missing", "SOME_TOKEN")
