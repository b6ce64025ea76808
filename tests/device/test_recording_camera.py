"""A recording in place of a camera, on a clock of the test's own."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.camera import CameraEnded
from device.recording import Recording
from device.recording_camera import RecordingCamera
from device.recording_folder import load_recording


class Clock:
    """A clock that only sleeping moves on."""

    def __init__(self) -> None:
        self.now = 100.0

    def read(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    """Four frames at 10 frames a second, the third one at rest for half a second."""
    times = (0.0, 0.1, 0.2, 0.7)
    for number in range(1, 5):
        cv2.imwrite(str(tmp_path / f"{number:06d}.jpg"), np.full((12, 16, 3), 10 * number, np.uint8))
    lines = [{"image": f"{n:06d}.jpg", "t": t, "rest": True, "dice": []} for n, t in enumerate(times, 1)]
    (tmp_path / "frames.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "recording.toml").write_text("fps = 10\n")
    return load_recording(tmp_path)


def play(camera: RecordingCamera, clock: Clock) -> list[tuple[str | None, float, float]]:
    """Every frame's name, its own time, and when it was shown."""
    shown = []
    with camera:
        while True:
            try:
                frame = camera.next_frame()
            except CameraEnded:
                return shown
            shown.append((frame.name, round(frame.captured_at, 3), round(clock.now - 100.0, 3)))


def test_the_last_frame_is_repeated_until_the_next_ones_time(recording: Recording) -> None:
    clock = Clock()
    shown = play(RecordingCamera(recording, 1.0, clock=clock.read, sleep=clock.sleep), clock)
    names = ["000001.jpg", "000002.jpg", *["000003.jpg"] * 5, "000004.jpg"]
    assert shown == [(name, round(0.1 * n, 3), round(0.1 * n, 3)) for n, name in enumerate(names)]


def test_speed_changes_the_pace_and_not_the_frames_own_time(recording: Recording) -> None:
    clock = Clock()
    shown = play(RecordingCamera(recording, 4.0, clock=clock.read, sleep=clock.sleep), clock)
    assert shown[-1] == ("000004.jpg", 0.7, 0.175)
    shown = play(RecordingCamera(recording, None, clock=clock.read, sleep=clock.sleep), clock)
    assert {at for _, _, at in shown} == {shown[0][2]}


def test_a_held_frame_puts_everything_after_it_off(recording: Recording) -> None:
    clock = Clock()
    camera = RecordingCamera(recording, 1.0, clock=clock.read, sleep=clock.sleep)
    camera.next_frame()
    assert camera.is_turning
    held = camera.hold_frame()
    assert (held.name, round(held.captured_at, 3)) == ("000001.jpg", 0.1)
    assert camera.is_turning
    assert [name for name, _, _ in play(camera, clock)].count("000003.jpg") == 5
    assert round(clock.now - 100.0, 3) == 0.8


def test_it_can_begin_in_the_middle(recording: Recording) -> None:
    clock = Clock()
    camera = RecordingCamera(recording, 1.0, start=2, clock=clock.read, sleep=clock.sleep)
    assert [name for name, _, _ in play(camera, clock)] == ["000003.jpg"] * 5 + ["000004.jpg"]


def test_one_that_falls_far_behind_does_not_hurry(recording: Recording) -> None:
    clock = Clock()
    camera = RecordingCamera(recording, 1.0, clock=clock.read, sleep=clock.sleep)
    camera.next_frame()
    clock.now += 60.0
    camera.next_frame()
    before = clock.now
    for _ in range(5):
        camera.next_frame()
    assert clock.now - before > 0.1


def test_it_may_be_closed_twice(recording: Recording) -> None:
    camera = RecordingCamera(recording)
    camera.close()
    camera.close()
