"""How long the scoreboard takes, and how much memory the two halves need.

    python -m tests.benchmarks.appliance [--json]

Plays the recorded worked example at its own pace. Printed: the time from the first frame at rest (as labelled) to the
moment at which a client of the scoreboard's events has the new state, for each throw; then, of one ``croupier
demo`` in processes of its own, the peak resident memory of host and device.
"""

import argparse
import json
import statistics
import tempfile
import threading
import time
import uuid
from itertools import pairwise
from pathlib import Path

import psutil

from device.appliance import Appliance, Game, open_table
from device.camera import Frame
from device.host_client import HostAway, HostClient, read_token
from device.loop import DeviceLoop
from device.outbox import Outbox
from device.playback import Player
from device.recording import Recording, load_recording
from device.supervisor import Supervisor
from device.uplink import Uplink
from device.watcher import TrayState
from tests.device.program import RECORDING, end, start
from vision.reader import Reader

_MB = 1024 * 1024


class TimedLoop(DeviceLoop):
    """A loop that notes when each picture was shown first (seconds of the monotonic clock)."""

    shown_at: dict[str | None, float]

    def step(self, frame: Frame) -> TrayState:
        self.__dict__.setdefault("shown_at", {}).setdefault(frame.name, time.monotonic())
        return super().step(frame)


def first_at_rest(recording: Recording) -> list[str]:
    """The first picture at rest of every throw."""
    frames = recording.frames
    return [b.image for a, b in pairwise(frames) if b.rest and b.dice and not a.dice]


def latencies(recording: Recording) -> list[float]:
    """Seconds from each throw's first frame at rest to the event that a client receives."""
    events: list[float] = []
    with tempfile.TemporaryDirectory() as folder, Supervisor(Path(folder)) as supervisor:
        data = Path(folder)
        appliance = Appliance(supervisor, data)
        owner = appliance.start_host(0)
        table = open_table(owner, Game(recording.game or "", recording.players, recording.options), str(uuid.uuid4()))

        def listen() -> None:
            seen: set[str] = set()
            try:
                for view in HostClient(appliance.address).events(f"/tables/{table}/events"):
                    reading = view["reading"]
                    if reading and reading["id"] not in seen and reading["status"] == "applied":
                        seen.add(reading["id"])
                        events.append(time.monotonic())
            except HostAway:
                pass

        threading.Thread(target=listen, daemon=True).start()
        outbox = Outbox(data / "device.db")
        uplink = Uplink(HostClient(appliance.address, read_token(data / "device-token", "")), outbox)
        loop = TimedLoop(Reader(), outbox, lambda: uplink.expectation)
        uplink.start()
        Player(recording, 1.0, loop, outbox, uplink, owner, table).run()
        time.sleep(0.5)
        uplink.close()
        outbox.close()
    return [event - loop.shown_at[name] for event, name in zip(events, first_at_rest(recording), strict=True)]


def peaks() -> dict[str, float]:
    """Peak resident memory in MB of host and device during one demo."""
    most: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        demo = start("demo", "--once", "--speed", "4", "--data", folder)
        while demo.poll() is None:
            for name in ("host", "device"):
                try:
                    process = psutil.Process(int((Path(folder) / f"{name}.pid").read_text()))
                    most[name] = max(most.get(name, 0.0), process.memory_info().rss / _MB)
                except (OSError, ValueError, psutil.Error):
                    continue
            time.sleep(0.02)
        assert end(demo).status == 0
    return most


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    as_json = parser.parse_args().json
    taken, memory = latencies(load_recording(RECORDING)), peaks()
    if as_json:
        print(json.dumps({"rest_to_event_s": taken, "peak_rss_mb": memory}))
        return
    print(
        f"first frame at rest to scoreboard event, {len(taken)} throws: "
        f"median {statistics.median(taken) * 1000:.0f} ms, longest {max(taken) * 1000:.0f} ms"
    )
    for name, megabytes in memory.items():
        print(f"peak resident memory of {name}: {megabytes:.0f} MB")


if __name__ == "__main__":
    main()
