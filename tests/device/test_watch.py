"""What the device tells while a camera works and fails: states to people, progress to systemd."""

import socket as sockets
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.expectation import Expectation
from device.frame_feed import FrameFeed
from device.loop import DeviceLoop
from device.notify import Notifier
from device.outbox import Outbox
from device.situation import Announcer, Situation
from device.states import State
from device.watch import Watch
from tests.device.faulty import Socket
from tests.device.program import wait_for
from vision.reader import Reader


class Systemd:
    """The end of a notify socket that systemd would hold."""

    def __init__(self, path: Path) -> None:
        self._line = sockets.socket(sockets.AF_UNIX, sockets.SOCK_DGRAM)
        self._line.bind(str(path))
        self._line.setblocking(False)

    def heard(self) -> list[str]:
        messages = []
        while True:
            try:
                messages.append(self._line.recv(4096).decode())
            except BlockingIOError:
                return messages

    def close(self) -> None:
        self._line.close()


class Box:
    """The watching half of a device, its camera in a socket, its host away or not."""

    def __init__(self, folder: Path) -> None:
        self.socket = Socket()
        self.systemd = Systemd(folder / "notify")
        self.trouble = ""
        self.told: list[Situation] = []
        self.outbox = Outbox(folder / "device.db")
        self.feed = FrameFeed(self.socket.camera, hung_s=1.0)
        awaited = Expectation("t.1", "t", "open", ("chance-cube",), {"chance-cube": 1})
        self.now = 0.0
        self.watch = Watch(
            self.feed,
            DeviceLoop(Reader(), self.outbox, lambda: awaited),
            Announcer([self.told.append]),
            Notifier(str(folder / "notify"), lambda: self.now),
            lambda: self.trouble,
        )
        self.feed.start()

    def look_until(self, state: State) -> Situation:
        def is_told() -> bool:
            self.look()
            return bool(self.told) and self.told[-1].state is state

        wait_for(is_told, 20)
        return self.told[-1]

    def look(self) -> None:
        self.now += 1.0
        self.watch.look(0.05)

    def close(self) -> None:
        self.socket.hang.set()
        self.feed.close()
        self.outbox.close()
        self.systemd.close()


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    box = Box(tmp_path)
    yield box
    box.close()


def test_states_follow_the_camera_and_the_host(box: Box) -> None:
    box.look_until(State.MOVING)
    box.socket.is_plugged_in = False
    assert "plug it in" in box.look_until(State.CAMERA_MISSING).detail
    box.socket.is_busy = box.socket.is_plugged_in = True
    box.look_until(State.CAMERA_BUSY)
    box.socket.is_busy = False
    box.look_until(State.MOVING)
    box.trouble = "the host is away"
    assert box.look_until(State.NO_HOST).detail == "the host is away"
    box.trouble = ""
    box.look_until(State.EMPTY)


def test_a_systemd_that_does_not_listen_holds_nothing_up(box: Box) -> None:
    box.look_until(State.MOVING)
    for _ in range(30):  # more than a socket's queue holds
        box.look()
    box.socket.is_plugged_in = False
    box.look_until(State.CAMERA_MISSING)


def test_systemd_hears_ready_once_and_is_fed_while_there_is_progress(box: Box) -> None:
    box.look_until(State.MOVING)
    for _ in range(5):
        box.look()
    heard = box.systemd.heard()
    assert heard.count("READY=1") == 1
    assert heard.count("WATCHDOG=1") >= 3
    box.socket.is_plugged_in = False
    box.look_until(State.CAMERA_MISSING)
    box.systemd.heard()
    steps = box.feed.steps
    wait_for(lambda: box.feed.steps > steps, 10)
    box.look()
    assert "WATCHDOG=1" in box.systemd.heard()


def test_a_camera_that_hangs_starves_the_watchdog(box: Box) -> None:
    box.look_until(State.MOVING)
    box.socket.hang.clear()
    wait_for(lambda: box.watch.look(0.02) is None and box.feed.next_frame(0.1) is None, 10)
    box.look()
    box.systemd.heard()
    for _ in range(5):
        box.look()
    assert "WATCHDOG=1" not in box.systemd.heard()
