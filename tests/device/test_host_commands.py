"""Commands of a real host: each carried out once, also by a device that was killed in between."""

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.host_client import HostClient, read_token
from device.host_commands import Command, CommandFailed, Done, HostCommands
from device.outbox import COMMANDS_KEPT, Outbox
from device.situation import Situation
from device.state_report import StateReport
from device.states import State
from device.uplink import Uplink
from tests.device.program import wait_for
from tests.host.running import TINY_JPEG, RunningHost


class Bench:
    """A device's uplink and its commands against a host of their own."""

    def __init__(self, folder: Path) -> None:
        self.host = RunningHost(folder / "host")
        self.folder = folder
        self.done: list[Command] = []
        self.owner = HostClient(self.host.address, read_token(folder / "host/owner-token", ""))
        self.device = HostClient(self.host.address, read_token(folder / "host/device-token", ""))

    def start(self) -> None:
        self.outbox = Outbox(self.folder / "device.db")
        handlers = {"light": self.light, "read-again": self.fail, "calibration-picture": self.picture}
        self.commands = HostCommands(self.device, self.outbox, handlers)
        self.uplink = Uplink(self.device, self.outbox, on_commands=self.commands.take)
        self.commands.start()
        self.uplink.start()

    def stop(self) -> None:
        self.uplink.close()
        self.commands.close()
        self.outbox.close()

    def light(self, command: Command) -> Done:
        self.done.append(command)
        return Done("The light is on.", {"percent": 100})

    def fail(self, command: Command) -> Done:
        self.done.append(command)
        raise CommandFailed("There is nothing to read.")

    def picture(self, command: Command) -> Done:
        return Done("The tray.", jpeg=TINY_JPEG)

    def ask(self, type: str, name: str | None = None, **further: Any) -> dict[str, Any]:
        """Ask as the owner does, and wait for what comes of it."""
        name = name or str(uuid.uuid4())
        self.owner.post("/device/commands", {"id": name, "type": type, **further})
        wait_for(lambda: self.owner.get(f"/device/commands/{name}")["status"] != "waiting")
        return self.owner.get(f"/device/commands/{name}")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    bench.start()
    yield bench
    bench.stop()
    bench.host.kill()


def test_commands_are_carried_out_and_told(bench: Bench) -> None:
    lit = bench.ask("light", is_lit=True)
    assert (lit["status"], lit["detail"], lit["result"]) == ("done", "The light is on.", {"percent": 100})
    assert bench.done[0].body == {"is_lit": True}
    failed = bench.ask("read-again")
    assert (failed["status"], failed["detail"]) == ("failed", "There is nothing to read.")
    assert bench.ask("calibration-picture")["picture"].endswith("/picture.jpg")
    assert bench.ask("adopt-profile")["detail"] == "This device cannot do that."


def test_a_command_that_comes_again_is_answered_as_before_and_not_done_again(bench: Bench) -> None:
    bench.ask("light", "c1", is_lit=True)
    bench.stop()
    # The host forgets its commands when it is started anew, and the owner asks once more.
    bench.host.kill()
    bench.host.start(bench.host.address.rpartition(":")[2])
    bench.start()
    assert bench.ask("light", "c1", is_lit=True)["detail"] == "The light is on."
    assert [command.id for command in bench.done] == ["c1"]


def test_a_command_that_was_interrupted_is_not_done_twice(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "device.db")
    assert outbox.begin_command("c1") is None
    outbox.close()
    again = Outbox(tmp_path / "device.db")
    before = again.begin_command("c1")
    assert before is not None and before[0] == "failed"
    for place in range(COMMANDS_KEPT):
        again.begin_command(f"later {place}")
    assert again.begin_command("c1") is None
    again.close()


def test_the_newest_state_reaches_the_host(bench: Bench) -> None:
    report = StateReport(bench.device)
    report.start()
    for state in (State.EMPTY, State.HAND, State.MOVING, State.READ):
        report.show(Situation(state))
    wait_for(lambda: bench.owner.get("/device/state")["state"] == "read")
    bench.host.kill()
    report.show(Situation(State.CAMERA_MISSING, "plug it in"))
    bench.host.start(bench.host.address.rpartition(":")[2])
    report.show(Situation(State.EMPTY))
    wait_for(lambda: bench.owner.get("/device/state")["state"] == "empty")
    report.close()
