"""The room in which an evening is played: both halves as processes, the wires to the host, a disk for their data."""

import http.client
import json
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

from tests.faults.disk import Disk
from tests.faults.wire import Wire
from tests.host.phones import Phone
from tests.host.running import Answer, RunningHost

PATIENCE_S = 90
"""Within which anything must have happened, on a machine that is busy with other things, too."""

PORTS = range(20_000, 32_000)
"""Below those that systems give to connections: a killed host finds its own still free when it comes back."""

GRID_MM, SHIFT_MM = 16, 7
"""Dice fall apart from one another, and never where one of the throw before lies: that is somebody else's test."""


class Room:
    """Host, device, and what people see of them. ``folder`` is where faults are told to them, ``disk`` their data."""

    def __init__(self, folder: Path, disk: Disk, chance: Random):
        self.faults = folder / "faults"
        self.faults.mkdir(parents=True)
        self.disk = disk
        # Of their own, since threads draw from them: what the evening draws stays the same.
        self._chance, *wires = (Random(chance.random()) for _ in range(3))
        self._throws = 0
        self.checked = 0
        self.refused: Counter[str] = Counter()
        """How often somebody was told to try again, by the problem's slug."""
        self.failures: list[BaseException] = []
        """What went wrong while a fault was dealt out; nobody is answered after that."""
        self.throw()
        log = folder / "host.log"
        command = ("sh", "-c", 'log=$1; shift; exec "$@" 2>>"$log"', "sh", str(log))
        half = (sys.executable, "-m", "tests.faults.halves", "host", str(self.faults))
        self.host = RunningHost(disk.folder / "host", command=(*command, *half), port=free_port())
        self._port = urlsplit(self.host.address).port or 0
        shutil.copy(self.host.data / "device-token", self.faults / "device-token")
        self.phones_wire = Wire(self._port, ("POST",), wires[0])
        self.device_wire = Wire(self._port, ("POST", "/device/expect"), wires[1])
        self._device_log = (folder / "device.log").open("ab")
        self.start_device()

    def close(self) -> None:
        """End both halves."""
        for wire in (self.phones_wire, self.device_wire):
            wire.close()
        self.kill_device()
        self._device_log.close()
        if self.host.process.poll() is None:
            self.host.kill()

    @property
    def pids(self) -> list[int]:
        """Of both halves."""
        return [self.host.process.pid, self.device.pid]

    # Processes -----------------------------------------------------------------------------------------------------

    def start_host(self) -> None:
        """Start the host where it was."""
        self.host.start(str(self._port))

    def start_device(self) -> None:
        """Start the device; it is under way once this returns."""
        address = f"http://127.0.0.1:{self.device_wire.port}"
        data = str(self.disk.folder / "device")
        self.device = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.halves", "device", str(self.faults), address, data],
            stdout=subprocess.PIPE,
            stderr=self._device_log,
        )
        assert self.device.stdout is not None
        assert self.device.stdout.readline() == b"device\n"

    def kill_device(self) -> None:
        """End it without warning."""
        if self.device.poll() is None:
            self.device.send_signal(signal.SIGKILL)
        self.device.wait(PATIENCE_S)
        if self.device.stdout is not None:
            self.device.stdout.close()

    def check(self, name: str) -> None:
        """SQLite's own check of a database whose process is dead, on a copy: the process itself is to mend it."""
        database = self.disk.folder / name
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / database.name
            for ending in ("", "-wal"):
                if Path(f"{database}{ending}").exists():
                    shutil.copy(f"{database}{ending}", f"{copy}{ending}")
            with closing(sqlite3.connect(copy)) as connection:
                found = connection.execute("PRAGMA integrity_check").fetchall()
        assert found == [("ok",)], f"{name}: {found}"
        self.checked += 1

    # The tray ------------------------------------------------------------------------------------------------------

    def throw(self, *dice: dict[str, Any]) -> None:
        """Take up what lies in the tray and throw these dice."""
        self._throws += 1
        shift = SHIFT_MM * (self._throws % 2)
        places = [(x + shift, y + shift) for x in range(15, 130, GRID_MM) for y in range(22, 98, GRID_MM)]
        fallen = [
            {"kind": die["kind"], "face": die["face"], "body": die.get("body"), "x": x, "y": y}
            for die, (x, y) in zip(dice, self._chance.sample(places, len(dice)), strict=True)
        ]
        new = self.faults / "tray.new"
        new.write_text(json.dumps(fallen), encoding="utf-8")
        new.replace(self.faults / "tray")

    def told(self) -> str:
        """What the device last said of itself, for whoever looks for the fault."""
        tray = (self.faults / "tray").read_text()
        return f"expected: {self.host.expect()}; tray: {tray}; device: {self._last_of('device.log')}"

    def _last_of(self, log: str) -> list[str]:
        path = self.faults.parent / log
        return path.read_text(encoding="utf-8").splitlines()[-8:] if path.exists() else []

    # People --------------------------------------------------------------------------------------------------------

    def phone(self) -> Phone:
        """A phone on the wire."""
        return Phone(Line(self.host, self.phones_wire.port))  # type: ignore[arg-type]

    def insist(self, ask: Callable[[], Answer]) -> Any:
        """Send the same message until it is answered; what was answered."""
        until = time.monotonic() + PATIENCE_S
        while True:
            if self.failures:
                raise self.failures[0]
            assert time.monotonic() < until, f"a message was never answered; host: {self._last_of('host.log')}"
            try:
                answer = ask()
            except (OSError, http.client.HTTPException):
                time.sleep(0.03)
                continue
            if answer.status < 500:
                assert answer.status in (200, 201), (answer.status, answer.body)
                return answer.json
            self.refused[answer.json["slug"]] += 1
            time.sleep(0.03)


def free_port() -> int:
    """One of ``PORTS`` at which nobody listens."""
    while True:
        port = secrets.choice(PORTS)
        with closing(socket.socket()) as tried:
            if tried.connect_ex(("127.0.0.1", port)):
                return port


class Line:
    """A running host as it is reached through a wire. Pages think that they are at the host itself."""

    def __init__(self, host: RunningHost, port: int):
        self._host = host
        self._port = port

    @property
    def address(self) -> str:
        """Where the host is."""
        return self._host.address

    def token(self, kind: str) -> str:
        """The owner's or the device's token."""
        return self._host.token(kind)

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        token: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """One request, as ``RunningHost.call`` makes it."""
        sent = {"Host": urlsplit(self.address).netloc, **(headers or {})}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        if body is not None:
            sent["Content-Type"] = "application/json"
        with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)) as connection:
            connection.request(method, path, None if body is None else json.dumps(body).encode(), sent)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())

    def post(self, path: str, body: Any, token: str | None = None) -> Answer:
        """POST /api/v1…"""
        return self.call("POST", f"/api/v1{path}", body, token)
