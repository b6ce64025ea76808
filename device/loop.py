"""What the device does with each frame: watch, read what has come to rest, count it, and write it into the outbox."""

import logging
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, Protocol

from device.camera import Frame, Grey
from device.counting import Agreement, Count, LyingDie, count_dice, is_told
from device.expectation import Expectation
from device.exposure_hold import ExposureHold
from device.outbox import Outbox, OutboxError
from device.places import remember, seen_anew, still_there
from device.situation import Situation
from device.states import State
from device.tray import Message, Tray
from device.tray_news import TrayNews
from device.tray_picture import tray_picture
from device.watcher import TrayState, Watcher, shrink
from vision.reading import Pixels, Reading, Unread
from vision.still_calibrated import Finding

log = logging.getLogger("croupier.device")

_RETRY_S = 1.0
"""Between tries to write a reading on a disk that is full."""

CHANGED = "Dice were moved, added or taken away after they had been read."

_MOST_UNREAD = 64
"""What one message to the host may hold."""


class FrameReader(Protocol):
    """What reads a frame; ``vision.reader.Reader`` does."""

    def read(
        self, frame: Pixels, kinds: Collection[str] | None = None, expect: Mapping[str, int] | None = None
    ) -> Reading:
        """What lies in the tray."""

    @property
    def last_findings(self) -> Collection[Finding]:
        """What the newest frame showed to have changed."""


class DeviceLoop:
    """Takes the frames of one camera, one after another.

    ``expectation`` says what the host awaits now; ``on_reading`` is told of every reading that a frame at rest was
    agreed to show, counted or not, and then ``on_frame`` of every frame: of none while a die is secret.
    ``hold_exposure`` is called when a throw begins (true) and once it has been read (false).
    """

    def __init__(
        self,
        reader: FrameReader,
        outbox: Outbox,
        expectation: Callable[[], Expectation],
        on_reading: Callable[[Frame, Reading], None] | None = None,
        on_frame: Callable[[Frame], None] | None = None,
        hold_exposure: Callable[[bool], None] | None = None,
    ) -> None:
        self._reader = reader
        self._outbox = outbox
        self._expectation = expectation
        self._on_reading = on_reading or (lambda frame, reading: None)
        self._on_frame = on_frame or (lambda frame: None)
        self._exposure = ExposureHold(hold_exposure or (lambda is_held: None))
        self._watcher = Watcher()
        self._agreement = Agreement()
        self._last_pixels: Pixels | None = None
        self._last_grey: Grey | None = None
        self._read_guarded = False
        self._kinds: tuple[str, ...] | None = None
        self._unwritten: tuple[Message, Tray] | None = None
        self._retry_at = 0.0
        self._newest: Frame | None = None
        self._is_asked_again = False
        self._is_gone = self._is_told_gone = self._has_changed = False
        self._tray_news = TrayNews()
        self._gone = Tray()

    @property
    def newest(self) -> Frame | None:
        """The last frame; None before the first one, and while a die is secret."""
        return self._newest

    @property
    def situation(self) -> Situation:
        """What the tray is doing, for people; it never tells what a die shows."""
        mode, state = self._expectation().mode, self._watcher.state
        if mode == "guarded":
            return Situation(State.GUARDED)
        if self._unwritten is not None:
            return Situation(State.READING, "the disk is full; make room, the reading is kept meanwhile")
        if mode == "idle" and not self._watcher.is_settling:
            return Situation(State.IDLE)
        if self.is_settling:
            return Situation(_STATES[state])
        return self._tray_news.added_to(Situation(_STATES[state], CHANGED if self._has_changed else ""))

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing moves in the tray, read or not."""
        return not self._watcher.is_settling

    @property
    def still_for_s(self) -> float:
        """Since when nothing has moved, in seconds before the last frame."""
        return self._watcher.still_for_s

    def read_again(self) -> None:
        """At the next frame, read anew what lies there, and report it even if it was reported just so before.

        May be called from any thread. Dice that were accepted stay accepted.
        """
        self._is_asked_again = True

    def use(self, reader: FrameReader) -> None:
        """Read by ``reader`` from the next frame on, also what lies there already. May be called from any thread."""
        self._reader = reader
        self._tray_news.forget()
        self._is_asked_again = True

    @property
    def is_settling(self) -> bool:
        """Whether a throw is still moving, being read, or not written down yet."""
        unread = self._watcher.state is TrayState.AT_REST and self._expectation().mode != "idle"
        return self._watcher.is_settling or unread or self._unwritten is not None

    @property
    def is_unwritten(self) -> bool:
        """Whether a reading is kept in memory because it could not be written (a full disk)."""
        return self._unwritten is not None

    def write_again(self) -> None:
        """Try once more to write what could not be written; frames do so by themselves now and then."""
        self._retry_at = 0.0
        self._write_if_due(0.0)

    def step(self, frame: Frame) -> TrayState:
        """Deal with one frame; what the tray is doing. A ``vision.reading.BadFrame`` passes through."""
        expectation = self._expectation()
        is_secret = expectation.mode == "guarded"
        self._newest = None if is_secret else frame
        is_repeated = frame.pixels is self._last_pixels
        grey = self._last_grey if is_repeated and self._last_grey is not None else _watched(frame)
        self._last_pixels, self._last_grey = frame.pixels, grey
        was_settling = self._watcher.is_settling
        self._watcher.see(grey, frame.captured_at)
        if self._watcher.is_settling and not was_settling:
            self._exposure.begin(frame.captured_at)
        if self._is_asked_again:
            self._begin_again()
        if self._unwritten is not None:
            self._write_if_due(frame.captured_at)
        elif self._watcher.is_settling:
            self._agreement.clear()
        else:
            if not is_repeated:
                self._forget_gone(grey, frame)
            if expectation.mode == "open" and self._was_read_for_else(expectation):
                self._agreement.clear()
                self._watcher.mark_unread()
            if self._watcher.state is TrayState.AT_REST and expectation.mode != "idle":
                self._read(frame, grey, expectation, is_repeated)
        self._exposure.end_if(not self.is_settling, frame.captured_at)
        if not is_secret:
            self._on_frame(frame)
        return self._watcher.state

    def _was_read_for_else(self, expectation: Expectation) -> bool:
        """Whether what lies was read while a die was secret, or for dice of another game.

        Of a throw that fell while the host's news were on their way nothing has counted then.
        """
        return self._read_guarded or (self._kinds is not None and self._kinds != expectation.kinds)

    def _begin_again(self) -> None:
        self._is_asked_again = False
        self._agreement.clear()
        self._watcher.mark_unread()
        with self._outbox.changed:
            tray = self._outbox.tray
            self._outbox.keep_tray(Tray(tray.lying, (), (), tray.expect))

    def _forget_gone(self, grey: Grey, frame: Frame) -> None:
        """A die seen to have left its place shields no new one there."""
        with self._outbox.changed:
            tray = self._outbox.tray
            width = frame.pixels.shape[1]
            lying, told = (still_there(dice, grey, width) for dice in (tray.lying, tray.told))
            left = Tray(lying, told, tray.unread_told, tray.expect)
            gone = tray.less(left)
            if gone.lying or gone.told:
                self._is_gone = True
                self._is_told_gone |= bool(gone.told)
                self._gone = gone.and_again(self._gone)
                self._outbox.keep_tray(left)

    def _read(self, frame: Frame, grey: Grey, expectation: Expectation, is_repeated: bool) -> None:
        self._read_guarded, self._kinds = expectation.mode == "guarded", expectation.kinds
        reading = self._agreement.last if is_repeated else None
        if reading is None:
            reading = self._reader.read(frame.pixels, expectation.kinds or None, expectation.dice or None)
            self._tray_news.note(self._reader.last_findings)
        agreed = self._agreement.add(reading)
        if agreed is None:
            return
        self._tray_news.agree()
        self._agreement.clear()
        is_gone, self._is_gone = self._is_gone, False
        is_told_gone, self._is_told_gone = self._is_told_gone, False
        is_empty = not agreed.dice and not agreed.unread
        # Who picks up all the dice that have counted is about to throw them.
        self._has_changed = is_told_gone or (is_gone and not is_empty)
        gone, self._gone = self._gone, Tray()
        self._watcher.mark_read(is_empty)
        if self._read_guarded:
            if agreed.dice:
                self._report_uncovered(expectation, frame.captured_at)
            return
        self._on_reading(frame, agreed)
        with self._outbox.changed:
            if self._tray_news.has_slid:
                self._put_back(gone, agreed, frame, grey)
                is_told_gone = False
            self._count(agreed, expectation, frame, grey, is_told_gone)

    def _put_back(self, gone: Tray, reading: Reading, frame: Frame, grey: Grey) -> None:
        """Every place looks otherwise on a mat that slid; dice that slid with it lie where they lay on it."""
        tray, width = self._outbox.tray.and_again(gone), frame.pixels.shape[1]
        lying, told = (seen_anew(dice, reading.dice, grey, width) for dice in (tray.lying, tray.told))
        self._outbox.keep_tray(replace(tray, lying=lying, told=told))

    def _count(
        self, reading: Reading, expectation: Expectation, frame: Frame, grey: Grey, is_told_gone: bool
    ) -> None:
        tray = self._outbox.tray
        if tray.expect != expectation.id:
            tray = tray.settled()
        # While a report is on its way its dice are not reported once more.
        is_pending = any(message.expect == expectation.id for message in self._outbox.waiting)
        count = count_dice(reading, (*tray.lying, *tray.told) if is_pending else tray.lying)
        lying = tuple(die for die in count.staying if die in tray.lying)
        kept = tuple(die for die in count.staying if die not in tray.lying)
        if not count.is_news:
            self._outbox.keep_tray(Tray(lying, kept, (), tray.expect))
        elif not is_pending and not is_told_gone and is_told(count, tray.told, tray.unread_told):
            self._outbox.keep_tray(Tray(lying, tray.told, tray.unread_told, tray.expect))
        else:
            self._has_changed |= bool(tray.told or tray.unread_told)
            width = frame.pixels.shape[1]
            fresh = tuple(remember(LyingDie.of(die), grey, width) for die in count.dice)
            message = Message(_new_id(), expectation.id, _body(count), tray_picture(frame.pixels, reading))
            self._write(message, Tray(lying, (*kept, *fresh), count.unread, expectation.id), frame.captured_at)

    def _report_uncovered(self, expectation: Expectation, now: float) -> None:
        """Only that a cube was seen: no face, no place, no picture."""
        message = Message(_new_id(), expectation.id, {"dice": [], "unread": []}, None)
        self._write(message, self._outbox.tray, now)

    def _write(self, message: Message, tray: Tray, now: float) -> None:
        try:
            self._outbox.put(message, tray)
        except OutboxError as error:
            if self._unwritten is None:
                log.error("%s", error)
            self._unwritten = (message, tray)
            self._retry_at = now + _RETRY_S
        else:
            self._unwritten = None

    def _write_if_due(self, now: float) -> None:
        if self._unwritten is not None and now >= self._retry_at:
            self._write(*self._unwritten, now)


def _new_id() -> str:
    """A reading's id: 80 bits of chance. It is stored with all that follows from the reading, so it is short."""
    return secrets.token_hex(10)


_STATES = {
    TrayState.EMPTY: State.EMPTY,
    TrayState.HAND: State.HAND,
    TrayState.MOVING: State.MOVING,
    TrayState.AT_REST: State.READING,
    TrayState.READ: State.READ,
}


def _watched(frame: Frame) -> Grey:
    return shrink(frame.pixels if frame.watched is None else frame.watched)


def _body(count: Count) -> dict[str, Any]:
    dice = [{key: value for key, value in die.to_json().items() if key != "outline_px"} for die in count.dice]
    return {"dice": dice, "unread": [_thing(thing) for thing in count.unread[:_MOST_UNREAD]]}


def _thing(thing: Unread) -> dict[str, Any]:
    if thing.is_beyond:  # for a throw it only matters that it lies outside, however it does
        thing = Unread("outside", thing.center_px)
    likely = [{"kind": kind, "body": body, "face": face} for kind, body, face in thing.likely]
    return thing.to_json() | ({"likely": likely} if likely else {})
