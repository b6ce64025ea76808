"""What the device does with each frame: watch, read what has come to rest, count it, and write it into the outbox."""

import logging
import uuid
from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol

from device.camera import Frame
from device.counting import Agreement, Count, LyingDie, count_dice, is_told
from device.expectation import Expectation
from device.outbox import Outbox, OutboxError
from device.places import remember, still_there
from device.tray import Message, Tray
from device.tray_picture import tray_picture
from device.watcher import Grey, TrayState, Watcher, shrink
from vision.reading import Pixels, Reading

log = logging.getLogger("croupier.device")

_RETRY_S = 1.0
"""Between tries to write a reading on a disk that is full."""

_MOST_UNREAD = 64
"""What one message to the host may hold."""


class FrameReader(Protocol):
    """What reads a frame; ``vision.reader.Reader`` does."""

    def read(
        self, frame: Pixels, kinds: Collection[str] | None = None, expect: Mapping[str, int] | None = None
    ) -> Reading:
        """What lies in the tray."""


class DeviceLoop:
    """Takes the frames of one camera, one after another.

    ``expectation`` says what the host awaits now; ``on_reading`` is told of every reading that a frame at rest was
    agreed to show, counted or not.
    """

    def __init__(
        self,
        reader: FrameReader,
        outbox: Outbox,
        expectation: Callable[[], Expectation],
        on_reading: Callable[[Frame, Reading], None] | None = None,
    ) -> None:
        self._reader = reader
        self._outbox = outbox
        self._expectation = expectation
        self._on_reading = on_reading or (lambda frame, reading: None)
        self._watcher = Watcher()
        self._agreement = Agreement()
        self._last_pixels: Pixels | None = None
        self._last_grey: Grey | None = None
        self._read_guarded = False
        self._unwritten: tuple[Message, Tray] | None = None
        self._retry_at = 0.0

    @property
    def is_settling(self) -> bool:
        """Whether a throw is still moving, being read, or not written down yet."""
        state = self._watcher.state
        unread = state is TrayState.AT_REST and self._expectation().mode != "idle"
        return state is TrayState.MOVING or unread or self._unwritten is not None

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
        is_repeated = frame.pixels is self._last_pixels
        grey = self._last_grey if is_repeated and self._last_grey is not None else shrink(frame.pixels)
        self._last_pixels, self._last_grey = frame.pixels, grey
        state = self._watcher.see(grey, frame.captured_at)
        if self._unwritten is not None:
            self._write_if_due(frame.captured_at)
        elif state is TrayState.MOVING:
            self._agreement.clear()
        else:
            if not is_repeated:
                self._forget_gone(grey, frame)
            if self._read_guarded and expectation.mode == "open":
                self._watcher.mark_unread()
            if self._watcher.state is TrayState.AT_REST and expectation.mode != "idle":
                self._read(frame, grey, expectation, is_repeated)
        return self._watcher.state

    def _forget_gone(self, grey: Grey, frame: Frame) -> None:
        """A die seen to have left its place shields no new one there."""
        with self._outbox.changed:
            tray = self._outbox.tray
            width = frame.pixels.shape[1]
            lying = still_there(tray.lying, grey, width)
            told = still_there(tray.told, grey, width)
            if len(lying) + len(told) < len(tray.lying) + len(tray.told):
                self._keep(Tray(lying, told, tray.unread_told, tray.expect))

    def _read(self, frame: Frame, grey: Grey, expectation: Expectation, is_repeated: bool) -> None:
        last = self._agreement.last if is_repeated else None
        reading = last or self._reader.read(frame.pixels, expectation.kinds or None, expectation.dice or None)
        agreed = self._agreement.add(reading)
        if agreed is None:
            return
        self._agreement.clear()
        self._watcher.mark_read(is_empty=not agreed.dice and not agreed.unread)
        self._read_guarded = expectation.mode == "guarded"
        if self._read_guarded:
            if agreed.dice:
                self._report_uncovered(expectation, frame.captured_at)
            return
        self._on_reading(frame, agreed)
        with self._outbox.changed:
            self._count(agreed, expectation, frame, grey)

    def _count(self, reading: Reading, expectation: Expectation, frame: Frame, grey: Grey) -> None:
        tray = self._outbox.tray
        if tray.expect != expectation.id:
            tray = tray.settled()
        # While a report is on its way its dice are not reported once more.
        is_pending = any(message.expect == expectation.id for message in self._outbox.waiting)
        count = count_dice(reading, (*tray.lying, *tray.told) if is_pending else tray.lying)
        lying = tuple(die for die in count.staying if die in tray.lying)
        kept = tuple(die for die in count.staying if die not in tray.lying)
        if not count.is_news:
            self._keep(Tray(lying, kept, (), tray.expect))
        elif not is_pending and is_told(count, tray.told, tray.unread_told):
            self._keep(Tray(lying, tray.told, tray.unread_told, tray.expect))
        else:
            width = frame.pixels.shape[1]
            fresh = tuple(remember(LyingDie.of(die), grey, width) for die in count.dice)
            message = Message(str(uuid.uuid4()), expectation.id, _body(count), tray_picture(frame.pixels, reading))
            self._write(message, Tray(lying, (*kept, *fresh), count.unread, expectation.id), frame.captured_at)

    def _report_uncovered(self, expectation: Expectation, now: float) -> None:
        """Only that a cube was seen: no face, no place, no picture."""
        message = Message(str(uuid.uuid4()), expectation.id, {"dice": [], "unread": []}, None)
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

    def _keep(self, tray: Tray) -> None:
        try:
            self._outbox.keep_tray(tray)
        except OutboxError as error:
            # What is kept here is found again by the next reading.
            log.error("%s", error)


def _body(count: Count) -> dict[str, Any]:
    dice = [{key: value for key, value in die.to_json().items() if key != "outline_px"} for die in count.dice]
    return {"dice": dice, "unread": [thing.to_json() for thing in count.unread[:_MOST_UNREAD]]}
