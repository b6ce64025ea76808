"""What watching costs: ``python -m tests.benchmarks watching``.

Processor time of one core for the watcher on the camera's small picture, 20 frames a second: of a tray at rest, of
one in which dice move, and of one with a hand in it. The reference is ``cv2.imdecode`` of one picture in the same
run. Then how many frames a film loses on its way through the feed.
"""

import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from device.camera import CameraEnded, Frame, Grey
from device.expectation import Expectation
from device.frame_feed import FrameFeed
from device.loop import DeviceLoop
from device.outbox import Outbox
from device.recording_camera import RecordingCamera
from device.recording_folder import load_recording
from device.states import State
from device.trained import trained_reader
from device.watcher import Watcher, shrink
from tests.device.program import RECORDING
from tests.device.scene import Tray as DrawnTray

FPS = 20

SHORT_FILM, LONG_FILM = 100, 10_000
"""Frames; the long one takes eight minutes and a half."""


def main(short: bool) -> str:
    """Measure, and return the section of the report."""
    cv2.setNumThreads(1)
    frames = 200 if short else 1000
    return f"{_watching(frames)}\n\n{_lost(SHORT_FILM if short else LONG_FILM)}"


def _watching(frames: int) -> str:
    film = load_recording(RECORDING)
    data = np.frombuffer((RECORDING / film.frames[0].image).read_bytes(), np.uint8)
    decode_ms = _cpu_ms(lambda: cv2.imdecode(data, cv2.IMREAD_COLOR), 100)
    lines = [
        f"| tray | ms a frame | of one core at {FPS} frames/s | decoding one picture is |",
        "|---|---|---|---|",
    ]
    for name, hand, speed in (("at rest", None, 0.0), ("dice move", None, 1.5), ("a hand moves", 0, 1.5)):
        pictures = _pictures(64, hand, speed)
        watcher = Watcher()
        place = iter(range(10**9))

        def see(pictures: list[Grey] = pictures, watcher: Watcher = watcher, place: object = place) -> None:
            number = next(place)  # type: ignore[call-overload]
            watcher.see(shrink(pictures[number % len(pictures)]), number / FPS)

        ms = _cpu_ms(see, frames)
        lines.append(f"| {name} | {ms:.2f} | {ms * FPS / 10:.1f} % | {decode_ms / ms:.1f} times as long |")
    return "\n".join(lines)


def _pictures(count: int, hand: int | None, speed: float) -> list[Grey]:
    """Small pictures as the camera delivers them, 320 x 240, of a tray with two dice."""
    tray = DrawnTray()
    tray.dice = [(60.0, 60.0), (100.0, 40.0)]
    tray.hand_x = hand
    made = []
    for _ in range(count):
        tray.dice = [(10 + (x + speed - 10) % 130, y) for x, y in tray.dice]
        if tray.hand_x is not None:
            tray.hand_x = int(tray.hand_x + 2) % 40
        made.append(np.asarray(cv2.resize(tray.picture(), (320, 240)), np.uint8))
    return made


def _lost(frames: int) -> str:
    """The film at its own pace, again and again, through feed and loop: frames that came too soon after another."""
    film = load_recording(RECORDING)
    awaited = Expectation("t.1", "t", "open", ("chance-cube",), {"chance-cube": 1})
    taken = lost = reading = 0
    with tempfile.TemporaryDirectory() as folder:
        outbox = Outbox(Path(folder) / "device.db")
        loop = DeviceLoop(trained_reader(), outbox, lambda: awaited)
        loop.step(Frame(film.pixels(film.frames[0]), -1.0))
        while taken < frames:
            feed = FrameFeed(lambda: RecordingCamera(film, 1.0), is_file=True)
            feed.start()
            with suppress(CameraEnded):
                while taken + feed.taken < frames:
                    reading += _lost_to_reading(feed, loop)
            taken, lost = taken + feed.taken, lost + feed.lost
            feed.close()
        outbox.close()
    return (
        f"Of {taken:,} frames at {FPS} a second, {reading:,} were passed over while dice at rest were being read, and"
        f" of the others {lost - reading:,} lost: {10_000 * (lost - reading) / taken:.0f} of 10,000."
    )


def _lost_to_reading(feed: FrameFeed, loop: DeviceLoop) -> int:
    """Deal with the next frame; how many were passed over meanwhile because dice were being read."""
    frame = feed.next_frame(0.5)
    if frame is None:
        return 0
    is_read, before = loop.situation.state is State.READING, feed.lost
    loop.step(frame)
    time.sleep(0)
    is_read = is_read or loop.situation.state in (State.READING, State.READ)
    return feed.lost - before if is_read else 0


def _cpu_ms(run: Callable[[], object], times: int) -> float:
    run()
    before = time.process_time()
    for _ in range(times):
        run()
    return (time.process_time() - before) * 1000 / times
