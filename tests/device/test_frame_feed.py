"""The feed's promises: the newest frame, named faults, a camera that comes back, never a hang."""

from collections.abc import Iterator

import pytest

from device.camera import CameraEnded, CameraError, Frame
from device.frame_feed import MOST_REOPENINGS, CameraStuck, FrameFeed
from device.states import State
from device.video_camera import VideoCamera
from tests.device.faulty import Socket
from tests.device.program import wait_for


@pytest.fixture
def socket() -> Iterator[Socket]:
    socket = Socket()
    yield socket
    socket.hang.set()


@pytest.fixture
def feed(socket: Socket) -> Iterator[FrameFeed]:
    feed = FrameFeed(socket.camera, hung_s=1.0)
    yield feed
    socket.hang.set()
    feed.close()


def a_frame(feed: FrameFeed) -> Frame:
    found: list[Frame] = []

    def look() -> bool:
        frame = feed.next_frame(0.1)
        if frame is not None:
            found.append(frame)
        return bool(found)

    wait_for(look, 10)
    return found[0]


def state(feed: FrameFeed) -> State | None:
    return None if feed.fault is None else feed.fault.state


def test_it_gives_the_newest_frame_and_counts_those_that_nobody_took(feed: FrameFeed) -> None:
    feed.start()
    first = a_frame(feed)
    wait_for(lambda: feed.taken >= 20, 10)
    newest = a_frame(feed)
    assert newest.captured_at - first.captured_at >= 0.5
    assert feed.lost >= 10


def test_a_camera_that_is_unplugged_is_named_and_comes_back(feed: FrameFeed, socket: Socket) -> None:
    feed.start()
    a_frame(feed)
    socket.is_plugged_in = False
    wait_for(lambda: state(feed) is State.CAMERA_MISSING, 10)
    assert socket.closed == socket.opened == 1
    steps = feed.steps
    wait_for(lambda: feed.steps > steps + 1, 10)
    socket.is_plugged_in = True
    wait_for(lambda: feed.fault is None, 10)
    assert a_frame(feed).pixels.any()


def test_a_camera_that_another_program_uses_is_named(feed: FrameFeed, socket: Socket) -> None:
    socket.is_busy = True
    feed.start()
    wait_for(lambda: state(feed) is State.CAMERA_BUSY, 10)
    assert feed.next_frame(0.01) is None
    socket.is_busy = False
    wait_for(lambda: feed.fault is None, 10)


def test_a_stalled_camera_is_opened_again_and_given_up_in_the_end(feed: FrameFeed, socket: Socket) -> None:
    feed.start()
    a_frame(feed)
    socket.is_silent = True
    wait_for(lambda: state(feed) is State.CAMERA_STALLED and socket.opened >= 2, 10)

    def is_given_up() -> bool:
        try:
            feed.next_frame(0.05)
        except CameraStuck as stuck:
            return "did not help" in str(stuck)
        return False

    wait_for(is_given_up, 30)
    assert socket.opened >= 1 + MOST_REOPENINGS


def test_a_stall_that_passes_is_forgotten(feed: FrameFeed, socket: Socket) -> None:
    feed.start()
    for _ in range(MOST_REOPENINGS + 2):
        socket.is_silent = True
        wait_for(lambda: state(feed) is State.CAMERA_STALLED, 10)
        socket.is_silent = False
        wait_for(lambda: feed.fault is None, 10)
    assert a_frame(feed) is not None


def test_a_driver_that_hangs_keeps_nobody_waiting(feed: FrameFeed, socket: Socket) -> None:
    feed.start()
    a_frame(feed)
    socket.hang.clear()

    def is_stuck() -> bool:
        try:
            feed.next_frame(0.05)
        except CameraStuck as stuck:
            return "has not answered" in str(stuck)
        return False

    wait_for(is_stuck, 10)


def test_the_exposure_is_held_in_the_cameras_own_thread(feed: FrameFeed, socket: Socket) -> None:
    feed.start()
    a_frame(feed)
    feed.hold_exposure(True)
    wait_for(lambda: socket.holds == [True], 10)
    feed.hold_exposure(False)
    wait_for(lambda: socket.holds == [True, False], 10)


def test_a_film_that_is_not_there_is_told_once_and_for_all() -> None:
    feed = FrameFeed(lambda: VideoCamera("/nowhere/film.mp4"), is_file=True)
    feed.start()
    with pytest.raises(CameraError, match="cannot be opened"):
        while True:
            feed.next_frame(1.0)
    feed.close()


def test_a_film_ends(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("film")
    pictures = [folder / f"{place:03}.png" for place in range(3)]
    import cv2
    import numpy as np

    for place, path in enumerate(pictures):
        cv2.imwrite(str(path), np.full((48, 64, 3), 40 * place, np.uint8))
    feed = FrameFeed(lambda: VideoCamera(str(folder / "%03d.png")), is_file=True)
    feed.start()
    with pytest.raises(CameraEnded):
        while True:
            feed.next_frame(1.0)
    assert feed.taken == 3
    feed.close()
