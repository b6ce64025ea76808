"""``croupier device`` as systemd runs it: a fault is a named state, progress is told, nothing hangs."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.host_client import HostClient, read_token
from tests.device.program import end, running, wait_for
from tests.device.test_watch import Systemd
from tests.host.running import RunningHost


@pytest.fixture
def host(tmp_path: Path) -> Iterator[RunningHost]:
    host = RunningHost(tmp_path / "host")
    yield host
    host.kill()


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Systemd]:
    systemd = Systemd(tmp_path / "notify")
    monkeypatch.setitem(os.environ, "NOTIFY_SOCKET", str(tmp_path / "notify"))
    yield systemd
    systemd.close()


def test_a_camera_that_is_not_there_is_told_on_the_phones_and_to_systemd(
    host: RunningHost, systemd: Systemd, tmp_path: Path
) -> None:
    owner = HostClient(host.address, read_token(host.data / "owner-token", ""))
    heard: list[str] = []
    arguments = ("--camera", "usb:63", "--data", tmp_path / "device", "--token-file", host.data / "device-token")
    with running("device", "--host", host.address, *arguments) as device:
        wait_for(lambda: owner.get("/device/state")["state"] == "camera-missing")
        wait_for(lambda: heard.extend(systemd.heard()) or heard.count("WATCHDOG=1") >= 2)
        owner.post("/device/commands", {"id": "c1", "type": "calibration-picture"})
        wait_for(lambda: owner.get("/device/commands/c1")["status"] != "waiting")
        assert owner.get("/device/commands/c1")["detail"] == "The camera gives no pictures now."
        assert device.poll() is None
        device.terminate()
        assert end(device).status == 130
    assert heard.count("READY=1") == 1
    assert any(line.startswith("STATUS=camera-missing usb:63: no such camera") for line in heard)
