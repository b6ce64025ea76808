"""The device's loop on the recorded film's own pictures, with the real reader and a real outbox."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.camera import CameraEnded, Frame
from device.expectation import Expectation, Mode
from device.loop import CHANGED, DeviceLoop
from device.outbox import Outbox, OutboxError
from device.recording_camera import RecordingCamera
from device.recording_folder import load_recording
from device.situation import Situation
from device.states import State
from device.trained import trained_reader
from device.tray import Message, Tray
from device.tray_news import LENS_DIRTY, LIGHT_CHANGED, POSE_TAKEN_ANEW
from device.watcher import TrayState
from tests.device.program import RECORDING
from tests.device.scene import FRAME_S
from vision.profile import Profile, assumed_camera
from vision.reader import Reader
from vision.reading import Pixels

MOST_JPEG_BYTES = 20_000


@cache
def film(number: int) -> Pixels:
    """A picture of the film: 9 shows an empty tray, 59 a red die at rest, 194 a blue one elsewhere."""
    recording = load_recording(RECORDING)
    return recording.pixels(next(frame for frame in recording.frames if frame.number == number))


EMPTY, RED, BLUE = 71, 59, 194
BLUE_PLACE = (slice(280, 400), slice(290, 410))


def red_and_blue() -> Pixels:
    """The red die where it lay, and the blue one, cut out of its own picture, where that lay."""
    both = film(RED).copy()
    both[BLUE_PLACE] = film(BLUE)[BLUE_PLACE]
    return both


def with_a_hand(pixels: Pixels, further: int = 0) -> Pixels:
    """An arm comes in from the right; its colour is nobody's skin."""
    hidden = pixels.copy()
    hidden[100:350, 200 + further :] = (120, 200, 90)
    return hidden


def with_a_cup(pixels: Pixels) -> Pixels:
    """A leather cup stands over the place of the red die."""
    hidden = pixels.copy()
    cv2.circle(hidden, (502, 231), 95, (40, 60, 90), -1, cv2.LINE_AA)
    cv2.circle(hidden, (502, 231), 80, (50, 75, 110), 6, cv2.LINE_AA)
    return hidden


class Bench:
    """A device on a table: its tray shows pictures, its host awaits what the test says."""

    def __init__(self, folder: Path, most_pages: int | None = None, **hooks: Any) -> None:
        self.folder = folder
        self.hooks = hooks
        self.awaited = Expectation("t.1", "t", "open", ("chance-cube",), {"chance-cube": 1})
        self.now = 0.0
        self.outbox = Outbox(folder / "device.db", most_pages)
        self.loop = self._loop()

    def _loop(self) -> DeviceLoop:
        return DeviceLoop(Reader(), self.outbox, lambda: self.awaited, **self.hooks)

    def expect(self, name: str, mode: Mode = "open", kind: str = "chance-cube") -> None:
        self.awaited = Expectation(name, "t", mode, (kind,), {kind: 1} if mode == "open" else {})

    def show(self, pixels: Pixels, seconds: float = 0.6) -> None:
        """Show a picture for so long; each frame a little other than the last, as a camera's are."""
        for frame in range(round(seconds / FRAME_S)):
            self.now += FRAME_S
            fresh = pixels.copy()
            fresh[0, 0] = frame
            self.loop.step(Frame(fresh, self.now))

    def sent(self, is_settled: bool = True) -> list[str]:
        """The faces in each reading that waits; all of them are then acknowledged."""
        faces = []
        for message in self.outbox.waiting:
            faces.append(" ".join(die["face"] for die in message.body["dice"]))
            self.outbox.acknowledge(message, is_settled)
        return faces

    def restart(self) -> None:
        """The device is killed and starts again."""
        self.outbox.close()
        self.outbox = Outbox(self.folder / "device.db")
        self.now = 0.0
        self.loop = self._loop()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.outbox.close()


def test_a_throw_is_reported_once_with_its_picture(bench: Bench) -> None:
    bench.show(film(EMPTY))
    bench.show(film(RED), 3.0)
    (message,) = bench.outbox.waiting
    assert message.expect == "t.1"
    (die,) = message.body["dice"]
    assert set(die) == {"kind", "body", "face", "confidence", "center_px", "center_mm"}
    assert (die["kind"], die["face"]) == ("chance-cube", "red")
    assert message.jpeg is not None
    assert message.jpeg.startswith(b"\xff\xd8")
    assert len(message.jpeg) <= MOST_JPEG_BYTES


def test_from_the_last_movement_to_the_reading_it_takes_300_ms(bench: Bench) -> None:
    bench.show(film(EMPTY))
    bench.show(film(RED), FRAME_S)
    landed = bench.now
    while bench.outbox.is_empty:
        bench.show(film(RED), FRAME_S)
    assert bench.now - landed == pytest.approx(0.3)


def test_an_empty_tray_reports_nothing(bench: Bench) -> None:
    bench.show(film(EMPTY), 3.0)
    assert bench.sent() == []
    assert not bench.loop.is_settling


def test_idle_nothing_is_read(bench: Bench) -> None:
    bench.expect("t.1", "idle")
    bench.show(film(RED), 2.0)
    assert bench.sent() == []
    bench.expect("t.2")
    bench.show(film(RED))
    assert bench.sent() == ["red"]


def test_guarded_only_that_a_cube_lies_uncovered_is_told(bench: Bench) -> None:
    bench.expect("t.1", "guarded")
    bench.show(film(RED), 2.0)
    (message,) = bench.outbox.waiting
    assert message == Message(message.id, "t.1", {"dice": [], "unread": []}, None)
    assert bench.outbox.tray == Tray()
    bench.sent(is_settled=False)
    bench.expect("t.2")
    bench.show(film(RED))
    assert bench.sent() == ["red"]


def test_a_die_left_lying_does_not_count_again(bench: Bench) -> None:
    bench.show(film(RED))
    assert bench.sent() == ["red"]
    bench.expect("t.2")
    bench.show(with_a_hand(film(RED)), 0.1)
    bench.show(film(RED))
    assert bench.sent() == []
    bench.show(red_and_blue())
    assert bench.sent() == ["blue"]


def test_a_die_picked_up_while_nothing_was_read_shields_no_new_one(bench: Bench) -> None:
    bench.show(film(RED))
    assert bench.sent() == ["red"]
    bench.expect("t.2", "idle")
    bench.show(film(EMPTY))
    bench.expect("t.3")
    bench.show(film(RED))
    assert bench.sent() == ["red"]


def test_a_throw_that_fell_before_the_news_of_another_game_came_is_read_for_that_game(bench: Bench) -> None:
    bench.expect("t.1", kind="rig-die")
    bench.show(film(EMPTY))
    bench.show(film(RED))
    assert "red" not in bench.sent()
    bench.expect("u.1")
    bench.show(film(RED))
    assert bench.sent() == ["red"]
    bench.expect("v.1", kind="rig-die")
    bench.show(film(RED))
    bench.expect("w.1")
    bench.show(film(RED))
    assert bench.sent() == []


def test_after_a_restart_lying_dice_have_still_counted(bench: Bench) -> None:
    bench.show(film(RED))
    assert bench.sent() == ["red"]
    bench.restart()
    bench.expect("t.2")
    bench.show(film(RED), 2.0)
    assert bench.sent() == []


def test_a_reading_on_its_way_is_not_made_again_after_a_restart(bench: Bench) -> None:
    bench.show(film(RED))
    (before,) = bench.outbox.waiting
    bench.restart()
    bench.show(film(RED), 2.0)
    assert bench.outbox.waiting == (replace(before, jpeg=None),)


def test_too_few_dice_are_read_again_with_those_that_join_them(bench: Bench) -> None:
    bench.show(film(RED))
    assert bench.sent(is_settled=False) == ["red"]
    bench.show(film(RED), 2.0)
    assert bench.sent() == []
    bench.show(red_and_blue())
    assert bench.sent() == ["red blue"]


def test_dice_that_were_entered_by_hand_are_used_up(bench: Bench) -> None:
    bench.show(film(RED))
    assert bench.sent(is_settled=False) == ["red"]
    bench.expect("t.2")
    bench.show(film(RED), 2.0)
    assert bench.sent() == []
    bench.show(red_and_blue())
    assert bench.sent() == ["blue"]


def test_on_a_full_disk_the_reading_waits_in_memory(tmp_path: Path) -> None:
    bench = Bench(tmp_path, most_pages=160)
    filler = Message("filler", "t.0", {"dice": [], "unread": [], "text": "x" * 60_000}, None)
    bench.outbox.put(filler, Tray())
    with pytest.raises(OutboxError):
        bench.outbox.put(Message("too much", "t.0", {"text": "x" * 100_000}, None), Tray())
    for size in (1_000, 10):  # until not even the smallest fits
        with suppress(OutboxError):
            for place in range(1_000):
                bench.outbox.put(Message(f"{size} {place}", "t.0", {"text": "x" * size}, None), Tray())
            pytest.fail("the disk never got full")
    full = bench.outbox.waiting
    bench.show(film(RED), 2.0)
    assert bench.outbox.waiting == full
    assert bench.loop.is_settling
    bench.show(film(EMPTY), 2.0)
    bench.outbox.acknowledge(filler, is_settled=False)
    bench.show(film(EMPTY), 2.0)
    assert [message.body["dice"][0]["face"] for message in bench.outbox.waiting[len(full) - 1 :]] == ["red"]
    bench.outbox.close()


def test_pictures_are_shown_as_they_are(bench: Bench) -> None:
    before = film(RED).copy()
    bench.show(film(RED))
    assert np.array_equal(before, film(RED))


def test_a_hand_is_told_and_nothing_is_read_under_it(bench: Bench) -> None:
    bench.show(film(EMPTY))
    bench.show(with_a_hand(film(RED)), 0.15)
    assert bench.loop.situation.state is State.HAND
    bench.show(with_a_hand(film(RED)), 1.0)
    assert bench.loop.situation.state is State.HAND
    assert bench.sent() == []
    bench.show(film(RED))
    assert (bench.sent(), bench.loop.situation.state) == (["red"], State.READ)


def test_a_cup_over_the_dice_is_no_reading(bench: Bench) -> None:
    bench.show(film(EMPTY))
    bench.show(with_a_cup(film(RED)), 2.0)
    assert all(not message.body["dice"] for message in bench.outbox.waiting)
    bench.sent(is_settled=False)
    bench.show(film(RED), 1.0)
    assert bench.sent() == ["red"]


def test_read_again_reports_anew_what_was_reported(bench: Bench) -> None:
    bench.show(film(RED))
    assert bench.sent(is_settled=False) == ["red"]
    bench.loop.read_again()
    bench.show(film(RED))
    assert bench.sent(is_settled=True) == ["red"]
    bench.expect("t.2")
    bench.loop.read_again()
    bench.show(film(RED))
    assert bench.sent() == [], "what has counted does not count again"


def test_dice_touched_after_they_were_read_are_told_of(bench: Bench) -> None:
    bench.show(red_and_blue())
    assert bench.sent(is_settled=False) == ["red blue"]
    assert bench.loop.situation == Situation(State.READ)
    bench.show(film(RED), 0.8)
    assert bench.loop.situation == Situation(State.READ, CHANGED)
    assert bench.sent(is_settled=False) == ["red"], "a die that is gone is shown"
    bench.show(red_and_blue(), 0.8)
    assert bench.loop.situation.detail == CHANGED
    assert bench.sent(is_settled=False) == ["red blue"], "and one that was added"


def slid(pixels: Pixels, right_px: float) -> Pixels:
    """The same with mat and dice further to the right; 3 px are a millimetre."""
    step = np.array([[1.0, 0.0, right_px], [0.0, 1.0, 0.0]])
    size = (pixels.shape[1], pixels.shape[0])
    return np.asarray(cv2.warpAffine(pixels, step, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


@pytest.mark.parametrize("right_px", [2.0, 24.0])
def test_dice_that_slide_with_their_mat_have_not_been_thrown(bench: Bench, right_px: float) -> None:
    bench.show(film(RED))
    assert bench.sent() == ["red"]
    bench.expect("t.2")
    bench.show(slid(film(RED), right_px), 0.8)
    bench.show(slid(film(RED), right_px), 0.8)
    assert bench.sent() == []
    bench.show(slid(film(EMPTY), right_px), 0.8)
    bench.show(slid(film(RED), right_px), 0.8)
    assert bench.sent() == ["red"], "the same place is no shield once its die was taken away"


def test_a_mat_that_slid_is_told_of_until_the_next_reading(bench: Bench) -> None:
    bench.show(film(RED))
    assert bench.sent() == ["red"]
    assert bench.loop.situation == Situation(State.READ)
    bench.show(slid(film(RED), 24), 0.8)
    assert bench.loop.situation == Situation(State.READ, POSE_TAKEN_ANEW)
    bench.show(slid(film(EMPTY), 24), 0.8)
    assert bench.loop.situation == Situation(State.EMPTY)


def test_over_a_tray_of_ones_own_a_camera_that_was_knocked_is_told_of_and_another_light(bench: Bench) -> None:
    tray = film(EMPTY)
    size = (tray.shape[1], tray.shape[0])
    bench.show(film(RED))
    assert bench.sent() == ["red"]
    bench.loop.use(trained_reader(Profile(size, assumed_camera(size, 300.0), True, tray, None)))
    bench.show(tray)
    assert bench.loop.situation == Situation(State.EMPTY)
    bench.show(slid(tray, 24))
    assert bench.loop.situation == Situation(State.CAMERA_MOVED)
    bench.show(np.asarray(tray // 2, np.uint8))
    assert bench.loop.situation == Situation(State.EMPTY, LIGHT_CHANGED)
    bench.show(np.asarray(cv2.GaussianBlur(tray, (0, 0), 6.0), np.uint8))
    assert bench.loop.situation.detail == LENS_DIRTY


def test_the_exposure_is_held_from_the_first_movement_to_the_reading(tmp_path: Path) -> None:
    holds: list[tuple[bool, float]] = []
    bench = Bench(tmp_path, hold_exposure=lambda is_held: holds.append((is_held, bench.now)))
    bench.show(film(EMPTY))
    holds.clear()
    bench.show(film(RED), FRAME_S)
    moved_at = bench.now
    bench.show(film(RED), 1.0)
    assert [is_held for is_held, _ in holds] == [True, False]
    assert holds[0][1] == moved_at
    assert holds[1][1] - moved_at == pytest.approx(0.3)
    bench.outbox.close()


def test_the_small_picture_of_the_camera_is_watched_where_there_is_one(bench: Bench) -> None:
    small = cv2.cvtColor(cv2.resize(film(EMPTY), (320, 240), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    for place in range(12):
        # The large picture changes wildly; the small one says that nothing moves.
        pixels = np.full_like(film(EMPTY), 20 * place)
        bench.expect("t.1", "idle")
        bench.loop.step(Frame(pixels, place * FRAME_S, watched=np.asarray(small + 0, np.uint8)))
    assert not bench.loop.is_settling


def test_every_throw_of_the_film_is_read_within_half_a_second(tmp_path: Path) -> None:
    seen: list[tuple[float, bool]] = []
    bench = Bench(tmp_path, on_reading=lambda frame, reading: seen.append((frame.captured_at, bool(reading.dice))))
    moved_at, waits = 0.0, []
    with RecordingCamera(load_recording(RECORDING), speed=None) as camera:
        while True:
            try:
                frame = camera.next_frame()
            except CameraEnded:
                break
            if bench.loop.step(frame) in (TrayState.MOVING, TrayState.HAND):
                moved_at = frame.captured_at if bench.loop.still_for_s == 0 else moved_at
            if seen:
                waits.append(seen.pop())
                if waits[-1][1]:
                    waits[-1] = (waits[-1][0] - moved_at, True)
    dice = sorted(wait for wait, has_dice in waits if has_dice)
    assert len(dice) >= 9
    assert dice[len(dice) // 2] == pytest.approx(0.3, abs=0.051)
    assert dice[-1] <= 0.5 + 1e-6
    bench.outbox.close()
