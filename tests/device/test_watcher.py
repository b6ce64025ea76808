"""The watcher, on synthetic frames and on the recorded film."""

from collections.abc import Iterable

from device.recording_folder import load_recording
from device.watcher import TrayState, Watcher, shrink
from tests.device.program import RECORDING
from tests.device.scene import FRAME_S, Tray


class Watch:
    """A watcher that is shown a tray twenty times a second."""

    def __init__(self, tray: Tray) -> None:
        self.tray = tray
        self.watcher = Watcher()
        self.now = 0.0

    def look(self, frames: int = 1) -> list[TrayState]:
        states = []
        for _ in range(frames):
            self.now += FRAME_S
            states.append(self.watcher.see(self.tray.picture(), self.now))
        return states

    def settle(self) -> None:
        assert self.look(20)[-1] is not TrayState.MOVING


def settled_after(states: Iterable[TrayState]) -> float:
    """Seconds from the last movement until something was at rest."""
    states = list(states)
    last = max(place for place, state in enumerate(states) if state is TrayState.MOVING)
    assert states[last + 1] is TrayState.AT_REST
    return (last + 1) * FRAME_S


def test_an_empty_tray_comes_to_rest_and_is_marked_empty() -> None:
    watch = Watch(Tray())
    watch.settle()
    watch.watcher.mark_read(is_empty=True)
    assert watch.look(200) == [TrayState.EMPTY] * 200


def test_a_thrown_die_moves_rests_and_is_read() -> None:
    watch = Watch(Tray())
    watch.settle()
    for step in range(12):
        watch.tray.dice = [(10.0 + 9 * step, 60.0)]
        assert watch.look() == [TrayState.MOVING]
    assert 0.15 <= settled_after(watch.look(20)) <= 0.3
    watch.watcher.mark_read(is_empty=False)
    assert set(watch.look(100)) == {TrayState.READ}


def test_a_die_that_rolls_on_very_slowly_is_not_at_rest() -> None:
    watch = Watch(Tray())
    watch.tray.dice = [(50.0, 60.0)]
    watch.settle()
    states = []
    for _ in range(40):
        watch.tray.dice = [(watch.tray.dice[0][0] + 0.15, 60.0)]
        states += watch.look()
    assert states[5:].count(TrayState.MOVING) == 35


def test_a_hand_is_told_from_dice_and_its_leaving_is_movement() -> None:
    watch = Watch(Tray())
    watch.tray.dice = [(70.0, 60.0)]
    watch.settle()
    watch.watcher.mark_read(is_empty=False)
    states = []
    for right in (10, 30, 50, 90):
        watch.tray.hand_x = right - 50
        states += watch.look()
    assert states[1:3] == [TrayState.HAND] * 2
    watch.tray.hand_x = None
    assert watch.look() == [TrayState.MOVING]
    watch.settle()
    assert watch.watcher.state is TrayState.AT_REST


def test_a_hand_that_is_held_still_is_a_hand_and_what_is_put_down_is_not() -> None:
    watch = Watch(Tray())
    watch.settle()
    watch.tray.hand_x = 0
    held = watch.look(50)
    assert set(held[1:]) == {TrayState.HAND}
    assert watch.look(20)[-1] is TrayState.AT_REST
    watch.watcher.mark_read(is_empty=False)
    watch.tray.dice = [(80.0, 10.0)]
    assert watch.look() == [TrayState.MOVING]


def test_dice_that_come_in_over_the_border_are_no_hand() -> None:
    watch = Watch(Tray())
    watch.settle()
    for step in range(10):
        watch.tray.dice = [(-4.0 + 8 * step, 20.0 + 12 * place) for place in range(6)]
        assert watch.look() == [TrayState.MOVING]


def test_slow_light_and_noise_are_no_movement() -> None:
    watch = Watch(Tray(noise=4.0))
    watch.tray.dice = [(70.0, 60.0)]
    watch.settle()
    watch.watcher.mark_read(is_empty=False)
    for _ in range(400):
        watch.tray.light += 0.1
        assert watch.look() == [TrayState.READ]


def test_the_smallest_nudge_is_noticed() -> None:
    watch = Watch(Tray())
    watch.tray.dice = [(70.0, 60.0)]
    watch.settle()
    watch.tray.dice = [(71.0, 60.0)]
    assert watch.look() == [TrayState.MOVING]


def test_unread_rest_can_be_asked_for_but_not_while_it_moves() -> None:
    watch = Watch(Tray())
    watch.watcher.mark_read(is_empty=True)
    assert watch.watcher.state is TrayState.MOVING
    watch.settle()
    watch.watcher.mark_read(is_empty=True)
    watch.watcher.mark_unread()
    assert watch.look() == [TrayState.AT_REST]


def test_a_clock_that_goes_back_begins_anew() -> None:
    watch = Watch(Tray())
    watch.settle()
    watch.now -= 10.0
    assert watch.look() == [TrayState.MOVING]
    watch.settle()


def test_every_throw_of_the_film_rests_soon_after_its_last_movement() -> None:
    recording = load_recording(RECORDING)
    watcher = Watcher()
    rests: list[tuple[float, bool]] = []
    before = TrayState.MOVING
    for frame, following in zip(recording.frames, (*recording.frames[1:], None), strict=True):
        until = frame.t + 0.2 if following is None else following.t
        small = shrink(recording.pixels(frame))
        for tick in range(max(1, round((until - frame.t) / FRAME_S))):
            state = watcher.see(small, frame.t + tick * FRAME_S)
            if state is TrayState.AT_REST and before is TrayState.MOVING:
                rests.append((frame.t + tick * FRAME_S, bool(frame.dice)))
            before = state
    firsts = [f.t for f, b in zip(recording.frames[1:], recording.frames, strict=False) if f.dice and not b.dice]
    assert len(firsts) == 9
    for first in firsts:
        assert any(first - 2.0 <= at <= first + 0.3 for at, _ in rests), first
