"""The host tells systemd that it is well, over a notify socket of the test's own, and stops when it is stuck."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.watchdog import ASKED_EVERY_S, is_well

PATIENCE_S = 60


@pytest.fixture
def notified(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(PATIENCE_S)
        yield line


@pytest.fixture
def host(tmp_path: Path, notified: socket.socket) -> Iterator["subprocess.Popen[bytes]"]:
    told = os.environ | {"NOTIFY_SOCKET": str(tmp_path / "notify")}
    command = [sys.executable, "-m", "device", "host", "--data", str(tmp_path / "data"), "--port", "0"]
    process = subprocess.Popen(command, env=told, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    yield process
    process.kill()
    process.wait()


def test_it_is_ready_once_it_answers_and_says_when_it_ends(
    tmp_path: Path, notified: socket.socket, host: "subprocess.Popen[bytes]"
) -> None:
    assert notified.recv(1000) == b"READY=1\nWATCHDOG=1"
    assert is_well((tmp_path / "data" / "address").read_text().strip())
    assert notified.recv(1000) == b"WATCHDOG=1"
    host.terminate()
    heard = notified.recv(1000)
    while heard == b"WATCHDOG=1":
        heard = notified.recv(1000)
    assert heard == b"STOPPING=1"
    assert host.wait(PATIENCE_S) == 0


def test_a_host_that_is_stuck_feeds_no_watchdog(notified: socket.socket, host: "subprocess.Popen[bytes]") -> None:
    notified.recv(1000)
    host.send_signal(signal.SIGSTOP)
    notified.setblocking(False)
    while True:  # what was said before it got stuck
        try:
            notified.recv(1000)
        except BlockingIOError:
            break
    notified.settimeout(ASKED_EVERY_S + 2)
    with pytest.raises(TimeoutError):
        notified.recv(1000)


def test_nobody_is_well_where_nobody_listens() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        assert not is_well(f"http://127.0.0.1:{unused.getsockname()[1]}")
