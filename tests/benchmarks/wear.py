"""What a throw costs an SD card: ``python -m tests.benchmarks wear``.

The recorded game is played at a host and a device whose databases lie on a disk and whose pictures lie in memory, as
on a box. What the kernel is given to write is counted (``write_bytes`` of the process; it writes pages of 4096
bytes): once with throws that follow one another, and once with all that may wait written after each throw. So it is
on a box where ten minutes lie between two throws. What a start lays out before the first throw is told beside.
"""

import os
import tempfile
import uuid
from contextlib import ExitStack
from pathlib import Path

from device import outbox_file
from device.appliance import Appliance, Game, open_table
from device.host_client import HostClient, read_token
from device.loop import DeviceLoop
from device.outbox import Outbox
from device.playback import Player
from device.recording_folder import load_recording
from device.supervisor import Supervisor
from device.trained import trained_reader
from device.uplink import Uplink
from host import sqlite_file
from tests.device.program import RECORDING

THROWS, DECISIONS = 9, 5
"""In one recorded game."""

GAMES = 20
ON_DISK, IN_MEMORY = "/var/tmp", "/dev/shm"  # noqa: S108 - folders of their own in there

FILES = {"host": "croupier.db", "device": "device.db"}

Bytes = dict[str, int]

LAID_OUT: Bytes = {"host": sqlite_file.LOG_BYTES, "device": outbox_file.LOG_BYTES}


def main(short: bool) -> str:
    """The section of the report."""
    games = 1 if short else GAMES
    rows = [
        "| throws | host, kB a throw | device, kB a throw |",
        "|---|---|---|",
    ]
    for name, is_flushed in (("follow one another", False), ("all is written after each one", True)):
        written = wear(games, is_flushed)
        figures = " | ".join(f"{written[half] / games / THROWS / 1000:.1f}" for half in FILES)
        rows.append(f"| {name} | {figures} |")
    throws = f"{games} games of {THROWS} throws and {DECISIONS} decisions" if games > 1 else "One game"
    rows += ["", f"{throws}; decisions and the opening of tables are counted with the throws."]
    laid_out = " and ".join(f"{size / 1000:.0f} kB of the {half}" for half, size in LAID_OUT.items())
    rows += ["", f"A start after a stop in peace lays out logs: {laid_out}."]
    return "\n".join(rows)


def wear(games: int, is_flushed: bool) -> Bytes:
    """Bytes that each half had written during so many games."""
    recording = load_recording(RECORDING)
    with ExitStack() as closing:
        data, memory = (
            Path(closing.enter_context(tempfile.TemporaryDirectory(dir=where))) for where in (ON_DISK, IN_MEMORY)
        )
        appliance = Appliance(closing.enter_context(Supervisor(data)), data, is_owned=True)
        owner = appliance.start_host(0, "127.0.0.1", "--pictures", str(memory / "pictures"))
        # How far the recording was played is nothing that a box writes down.
        outbox, progress = Outbox(data / FILES["device"]), Outbox(memory / "progress.db")
        flush = Flush(data) if is_flushed else NoFlush()
        client = HostClient(appliance.address, read_token(data / "device-token", ""))
        uplink = Uplink(client, outbox, on_status=flush.note)
        for part in (outbox, progress, uplink):
            closing.callback(part.close)
        loop = DeviceLoop(trained_reader(), outbox, lambda: uplink.expectation)
        uplink.start()
        processes = {"host": int((data / "host.pid").read_text()), "device": os.getpid()}
        before = {half: written_by(process) for half, process in processes.items()}
        for _ in range(games):
            game = Game(recording.game or "", recording.players, recording.options)
            table = open_table(owner, game, str(uuid.uuid4()))
            Player(recording, None, loop, progress, uplink, owner, table, on_step=flush.flush).run()
        return {half: written_by(process) - before[half] for half, process in processes.items()}


class NoFlush:
    """Leaves it to the kernel when to write."""

    def note(self, *answer: object) -> None:
        """A reading was acknowledged."""

    def flush(self) -> None:
        """A frame was dealt with."""


class Flush(NoFlush):
    """Has everything written after each reading that was acknowledged."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._is_due = False

    def note(self, *answer: object) -> None:
        self._is_due = True

    def flush(self) -> None:
        if self._is_due:
            self._is_due = False
            for file in (file for name in FILES.values() for file in self._data.glob(f"{name}*")):
                descriptor = os.open(file, os.O_RDWR)
                os.fsync(descriptor)
                os.close(descriptor)


def written_by(process: int) -> int:
    """Bytes that the kernel was given to write by it; files in memory do not count."""
    lines = Path(f"/proc/{process}/io").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith("write_bytes")).split()[1])
