"""Whether the device grows with time: ``python -m tests.benchmarks soak`` shows it 200,000 frames.

The recorded film again and again, as fast as it can be dealt with, through watcher, reader, counting and outbox; each
reading is acknowledged and something new awaited, as a host does. 200,000 frames are 2 h 47 min at 20 a second.
"""

import gc
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from device.camera import Frame
from device.expectation import Expectation
from device.loop import DeviceLoop
from device.outbox import Outbox
from device.recording_folder import load_recording
from device.trained import trained_reader
from tests.device.program import RECORDING

FRAMES = 200_000
SHORT = 5_000
WARM_UP = 0.1
"""Of the frames, after which allocators and SQLite's log have their lasting size."""

MOST_GROWTH_MB = 16
"""Allocators keep some of what they got; a leak of one small picture (19 kB) a frame would be 3,500 MB."""


@dataclass(frozen=True)
class Soaked:
    """What the process was at the warm-up's end, and at the end. Memory is resident, in MB."""

    frames: int
    readings: int
    seconds: float
    memory_mb: tuple[float, float]
    files: tuple[int, int]
    threads: tuple[int, int]
    disk_kb: tuple[float, float]

    @property
    def has_grown(self) -> bool:
        """Whether anything got larger that should not."""
        return (
            self.memory_mb[1] > self.memory_mb[0] + MOST_GROWTH_MB
            or self.files[1] > self.files[0]
            or self.threads[1] > self.threads[0]
            or self.disk_kb[1] > 2 * self.disk_kb[0] + 1000
        )


def main(short: bool) -> str:
    """Soak, and return the section of the report."""
    soaked = soak(SHORT if short else FRAMES)
    lines = [
        f"{soaked.frames:,} frames with {soaked.readings:,} readings in {soaked.seconds / 60:.1f} min.",
        "",
        "| | after a tenth | at the end |",
        "|---|---|---|",
        f"| memory, MB | {soaked.memory_mb[0]:.0f} | {soaked.memory_mb[1]:.0f} |",
        f"| open files | {soaked.files[0]} | {soaked.files[1]} |",
        f"| threads | {soaked.threads[0]} | {soaked.threads[1]} |",
        f"| device.db with its log, kB | {soaked.disk_kb[0]:.0f} | {soaked.disk_kb[1]:.0f} |",
        "",
        "It has grown." if soaked.has_grown else "It has not grown.",
    ]
    return "\n".join(lines)


def soak(frames: int) -> Soaked:
    """Show that many frames."""
    film = load_recording(RECORDING)
    pictures = [film.pixels(frame) for frame in film.frames]
    times = [*(frame.t for frame in film.frames), film.frames[-1].t + 0.5]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        outbox = Outbox(Path(folder) / "device.db")
        awaited, readings, shown, period = 0, 0, 0, 1 / film.fps
        loop = DeviceLoop(
            trained_reader(),
            outbox,
            lambda: Expectation(f"t.{awaited}", "t", "open", ("chance-cube",), {"chance-cube": 1}),
        )
        at_warm_up = None
        while shown < frames:
            for place, pixels in enumerate(pictures):
                for _ in range(max(1, round((times[place + 1] - times[place]) / period))):
                    shown += 1
                    loop.step(Frame(pixels, shown * period))
                    for message in outbox.waiting:
                        outbox.acknowledge(message, is_settled=True)
                        awaited, readings = awaited + 1, readings + 1
            if at_warm_up is None and shown >= WARM_UP * frames:
                at_warm_up = _size(Path(folder))
        start, end = at_warm_up or _size(Path(folder)), _size(Path(folder))
        outbox.close()
    pairs = tuple(zip(start, end, strict=True))
    seconds = time.monotonic() - began
    return Soaked(shown, readings, seconds, pairs[0], pairs[1], pairs[2], pairs[3])  # type: ignore[arg-type]


def _size(folder: Path) -> tuple[float, int, int, float]:
    gc.collect()
    process = psutil.Process()
    disk = sum(path.stat().st_size for path in folder.iterdir()) / 1000
    return process.memory_info().rss / 1e6, process.num_fds(), threading.active_count(), disk
