"""The recording's player: shows a recording's frames to the device and sends the players' decisions in between."""

import logging
import time
from collections.abc import Callable, Iterator

from device.camera import CameraEnded, Frame
from device.decisions import Decisions
from device.host_client import HostAway, HostClient, HostRefused
from device.loop import DeviceLoop
from device.outbox import Outbox, OutboxError
from device.recording import Decision, Recording
from device.recording_camera import RecordingCamera
from device.tray import Played
from device.uplink import Uplink

log = logging.getLogger("croupier.device")

_FIRST_DELAY_S = 0.1
_LONGEST_DELAY_S = 2.0

_PATIENCE_S = 60.0
"""A recording is a job: where nothing gets through for so long (a killed host is back after three) it has failed."""


class PlaybackError(RuntimeError):
    """The recording cannot go on, in one line. Started again with the same data, it goes on from there."""


class Player:
    """Plays ``recording`` to ``loop``, once, from where ``outbox`` says that it was left.

    A decision is sent to ``table`` once its frame, or the last one before it, has been dealt with and its readings
    are acknowledged, and before the next frame is shown. While a throw at rest is still being read its frame is
    held, so that no decision overtakes it. Without a table only the frames are shown.
    """

    def __init__(
        self,
        recording: Recording,
        speed: float | None,
        loop: DeviceLoop,
        outbox: Outbox,
        uplink: Uplink,
        client: HostClient | None,
        table: str | None,
        sleep: Callable[[float], None] = time.sleep,
        on_step: Callable[[], None] | None = None,
    ) -> None:
        """``on_step`` is called after each frame that was shown."""
        self._on_step = on_step or (lambda: None)
        self._recording = recording
        self._loop = loop
        self._outbox = outbox
        self._uplink = uplink
        self._sleep = sleep
        self._play = f"{table or 'no table'} {recording.name}"
        self._played = outbox.played(self._play)
        self._sender = Decisions(client, table, self._play) if client is not None and table is not None else None
        self._decisions = recording.decisions if self._sender is not None else ()
        self._camera = RecordingCamera(recording, speed, start=max(self._played.frame, 0))
        self._is_resuming = self._played.frame >= 0

    def run(self) -> None:
        """Play to the end. Raises ``CameraError`` for a bad picture, ``PlaybackError`` where nothing gets through."""
        if not self._uplink.wait_until_heard(_PATIENCE_S):
            raise self._stuck(self._uplink.trouble)
        if not self._uplink.wait_until_sent(_PATIENCE_S):
            raise self._stuck(self._uplink.trouble)
        with self._camera:
            self._send_before(self._recording.frames[self._camera.index + 1].number)
            try:
                while True:
                    self._step(self._camera.next_frame())
                    if self._camera.is_turning:
                        self._turn()
            except CameraEnded:
                pass

    def _step(self, frame: Frame) -> None:
        """Show one frame, and wait until what was read in it is written down and acknowledged."""
        self._loop.step(frame)
        self._on_step()
        for delay in self._delays():
            if not self._loop.is_unwritten:
                break
            self._sleep(delay)
            self._loop.write_again()
        else:
            raise self._stuck("the disk is full; make room")
        if not self._uplink.wait_until_sent(_PATIENCE_S):
            raise self._stuck(self._uplink.trouble)

    def _turn(self) -> None:
        """All that is to happen between the last showing of one frame and the first of the next."""
        following = self._camera.index + 1
        frames = self._recording.frames
        is_last = following == len(frames)
        until = None if is_last else frames[following].number
        if self._camera.shown.rest and (is_last or self._is_due(until) or self._is_resuming):
            self._is_resuming = False
            self._hold_until_read()
        self._send_before(until)
        self._keep(Played(self._camera.index, self._played.decisions))

    def _hold_until_read(self) -> None:
        while self._loop.is_settling:
            self._step(self._camera.hold_frame())

    def _is_due(self, until: int | None) -> bool:
        """Whether a decision is to be made before frame number ``until`` (None: before the end)."""
        if self._played.decisions >= len(self._decisions):
            return False
        return until is None or self._decisions[self._played.decisions].after < until

    def _send_before(self, until: int | None) -> None:
        while self._is_due(until):
            self._send(self._decisions[self._played.decisions], self._played.decisions)
            self._keep(Played(self._played.frame, self._played.decisions + 1))

    def _send(self, decision: Decision, place: int) -> None:
        """Send one decision until it is acknowledged; its id makes it count once, however often it is sent."""
        if self._sender is None:
            return
        for delay in self._delays():
            try:
                awaited = self._sender.send(decision, place)
            except HostAway as away:
                trouble = str(away)
            except HostRefused as refusal:
                log.error("the table refused a recorded decision (after frame %06d): %s", decision.after, refusal)
                return
            else:
                if awaited is not None:
                    self._uplink.wait_until_known(awaited)
                return
            self._sleep(delay)
        raise self._stuck(trouble)

    def _keep(self, played: Played) -> None:
        """Write down how far it is; on a full disk nothing goes on until there is room again."""
        self._played = played
        trouble = ""
        for delay in self._delays():
            try:
                self._outbox.keep_played(self._play, played)
                return
            except OutboxError as error:
                if not trouble:
                    log.error("%s", error)
                trouble = str(error)
            self._sleep(delay)
        raise self._stuck(trouble)

    def _delays(self) -> Iterator[float]:
        """The pauses between tries, until patience is at its end."""
        waited, delay = 0.0, _FIRST_DELAY_S
        while waited < _PATIENCE_S:
            yield delay
            waited += delay
            delay = min(2 * delay, _LONGEST_DELAY_S)

    def _stuck(self, trouble: str) -> PlaybackError:
        return PlaybackError(f"nothing gets through any more: {trouble or 'the host does not answer'}")
