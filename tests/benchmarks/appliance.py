"""How long the scoreboard takes after a throw, and how much memory the two halves need.

Plays the recorded worked example at its own pace and times each throw from its first frame at rest (as labelled) to
the moment at which the scoreboard's page in a real browser has the new state; then reads the peak resident memory of
host and device, each a process of its own, from one ``croupier demo``.
"""

import statistics
import tempfile
import time
import uuid
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import psutil
from playwright.sync_api import Browser, sync_playwright

from device.appliance import Appliance, Game, open_table
from device.camera import Frame
from device.host_client import HostClient, read_token
from device.loop import DeviceLoop
from device.outbox import Outbox
from device.playback import Player
from device.recording import Recording
from device.recording_folder import load_recording
from device.supervisor import Supervisor
from device.trained import trained_reader
from device.uplink import Uplink
from device.watcher import TrayState
from tests.chromium import ARGUMENTS, find
from tests.device.program import RECORDING, end, start

_MB = 1024 * 1024


_NOTE_ARRIVALS = """
const arrivals = [], seen = new Set();
window.arrivals = arrivals;
window.EventSource = class extends EventSource {
  constructor(...where) {
    super(...where);
    this.addEventListener("table", (event) => {
      const reading = JSON.parse(event.data).reading;
      if (reading && reading.status === "applied" && !seen.has(reading.id)) {
        seen.add(reading.id);
        arrivals.push(Date.now());
      }
    });
  }
};
"""


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


def latencies(recording: Recording, browser: Browser) -> list[float]:
    """Seconds from each throw's first frame at rest to the scoreboard's event in a browser."""
    with tempfile.TemporaryDirectory() as folder, Supervisor(Path(folder)) as supervisor:
        data = Path(folder)
        appliance = Appliance(supervisor, data, is_owned=True)
        owner = appliance.start_host(0)
        table = open_table(owner, Game(recording.game or "", recording.players, recording.options), str(uuid.uuid4()))

        page = browser.new_page()
        page.add_init_script(_NOTE_ARRIVALS)
        page.goto(f"{appliance.address}/tables/{table}")
        # The browser tells the time of day, the loop the monotonic clock.
        ahead_s = time.time() - time.monotonic()
        outbox = Outbox(data / "device.db")
        uplink = Uplink(HostClient(appliance.address, read_token(data / "device-token", "")), outbox)
        loop = TimedLoop(trained_reader(), outbox, lambda: uplink.expectation)
        uplink.start()
        Player(recording, 1.0, loop, outbox, uplink, owner, table).run()
        time.sleep(0.5)
        arrived_ms: list[float] = page.evaluate("arrivals")
        uplink.close()
        outbox.close()
    events = [ms / 1000 - ahead_s for ms in arrived_ms]
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


def beginning(recording: Recording, throws: int) -> Recording:
    """The recording up to the end of so many throws."""
    until = [b.t for a, b in pairwise(recording.frames) if a.dice and not b.dice][throws - 1]
    frames = tuple(frame for frame in recording.frames if frame.t < until)
    decisions = tuple(decision for decision in recording.decisions if decision.after <= frames[-1].number)
    return replace(recording, frames=frames, decisions=decisions)


def main(short: bool) -> str:
    """The figures as Markdown."""
    recording = load_recording(RECORDING)
    played = beginning(recording, 3) if short else recording
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=ARGUMENTS)
        taken = [1000 * seconds for seconds in latencies(played, browser)]
        browser.close()
    memory = peaks()
    median = statistics.median(taken)
    lines = [
        "| what | figure |",
        "|---|---|",
        f"| first frame at rest to event in a browser, {len(taken)} throws, median | {median:.0f} ms |",
        f"| the longest of them | {max(taken):.0f} ms |",
        *(f"| peak resident memory of {name} | {memory[name]:.0f} MB |" for name in ("device", "host")),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(main(short=False))
