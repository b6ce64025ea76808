"""Keeps what the camera sees and what players decide as a recording, beside the game, without holding it up."""

import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from calibration.profile_file import ProfileError, empty_tray_jpeg
from device.camera import Frame
from device.expectation import Expectation
from device.host_client import HostAway, HostClient, HostRefused
from device.recording import JsonObject, RecordingError
from device.recording_origin import Origin
from device.recording_truth import decisions_of, labelled
from device.recording_writer import RecordingWriter
from device.tray import Message
from vision.reading import Reading

log = logging.getLogger("croupier.device")

_QUALITY = 92
"""JPEG: about 200 kB for 1296 x 972 px; readings are the same as of the picture itself."""

_MOVING_S = 0.1
"""Between frames that are kept while something moves: less than the 0.2 s of stillness that count as rest."""

_FRESH_S = 1.0
"""So long a throw at rest is kept as densely: it is read within that."""

_RESTING_S = 10.0

_MOST_WAITING = 64
"""Frames that the disk is behind with, 13 MB of JPEG; what comes on top is not kept."""

_GAP_S = 1.0
"""Between the last frame before a restart and the first one after it."""


@dataclass(frozen=True, slots=True)
class _Kept:
    expectation: Expectation
    jpeg: bytes
    size: tuple[int, int]
    t: float
    is_resting: bool
    reading: Reading | None


class Recorder:
    """Records into ``folder``, each game into one of its own, from ``start`` to ``close``.

    ``expectation`` is what the device knows of the table. While a die is secret nothing is kept. ``is_patient``: wait
    for the disk (a recording in place of the camera), instead of leaving frames out.
    """

    def __init__(
        self,
        folder: Path,
        client: HostClient,
        expectation: Callable[[], Expectation],
        origin: Origin,
        is_patient: bool = False,
    ) -> None:
        self._folder = folder
        self._client = client
        self._expectation = expectation
        self._origin = origin
        self._is_patient = is_patient
        self._reading: Reading | None = None
        self._last: tuple[Frame, bool, str] | None = None
        self._kept_at = self._changed_at = float("-inf")
        self._jobs: queue.Queue[_Kept | Message | None] = queue.Queue(_MOST_WAITING)
        self._writer: RecordingWriter | None = None
        self._table = ""
        self._about: dict[str, Any] = {}
        self._begin: float | None = None
        self._settled = ""
        self._trouble = ""
        self._corrections: dict[str, JsonObject] = {}
        self._place = 0
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def close(self) -> None:
        """Write what is there, and end."""
        self._jobs.put(None)
        self._thread.join(timeout=20.0)

    # What the device tells: quick, in its own threads ------------------------------------------------------------

    def note_reading(self, frame: Frame, reading: Reading) -> None:
        """What was read in the frame that ``see`` is told of next."""
        self._reading = reading

    def see(self, frame: Frame, is_resting: bool) -> None:
        """A frame has been dealt with; it is kept if it shows something new, and now and then if not."""
        reading, self._reading = self._reading, None
        expectation = self._expectation()
        if expectation.table is None or expectation.mode == "guarded" or not self._is_due(frame, is_resting, reading):
            return
        done, jpeg = cv2.imencode(".jpg", frame.pixels, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        # Asked again: the cup may have gone down while the picture was made.
        if not done or self._expectation().mode == "guarded":
            return
        height, width = frame.pixels.shape[:2]
        job = _Kept(expectation, jpeg.tobytes(), (width, height), frame.captured_at, is_resting, reading)
        self._kept_at = frame.captured_at
        try:
            self._jobs.put(job, block=self._is_patient)
            if self._is_patient:
                self._jobs.join()
        except queue.Full:
            self._tell("the disk is too slow: frames are left out of the recording")

    def note_answer(self, message: Message) -> None:
        """The host has acknowledged a reading."""
        try:
            self._jobs.put(message, timeout=1.0)
        except queue.Full:
            self._tell("the disk is too slow: a reading is left out of the recording")

    def _is_due(self, frame: Frame, is_resting: bool, reading: Reading | None) -> bool:
        """Frames that say the same: ten a second at first and while something moves, then one in ten seconds."""
        now, expect = frame.captured_at, self._expectation().id
        before, self._last = self._last, (frame, is_resting, expect)
        is_new = before is None or before[1:] != (is_resting, expect) or now < self._kept_at
        if is_new:
            self._changed_at = now
        if is_new or reading is not None:
            return True
        if before is not None and before[0].pixels is frame.pixels:
            return False
        is_fresh = not is_resting or now - self._changed_at <= _FRESH_S
        return now - self._kept_at >= (_MOVING_S if is_fresh else _RESTING_S) - 1e-6

    # The thread that writes ---------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            job = self._jobs.get()
            try:
                if isinstance(job, _Kept):
                    self._keep(job)
                elif job is not None:
                    self._name(job)
                if self._writer is not None and (job is None or self._jobs.empty()):
                    self._writer.flush()
                    self._settle(is_last=job is None)
            except (OSError, RecordingError) as error:
                reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
                self._tell(f"the recording cannot be written ({reason}); the game goes on without it")
            except (HostAway, HostRefused) as error:
                log.debug("what players decided is asked for later: %s", error)
            except Exception:
                # The game is worth more than its recording.
                log.exception("a frame could not be recorded")
            finally:
                self._jobs.task_done()
            if job is None:
                return

    def _keep(self, job: _Kept) -> None:
        if job.expectation.table != self._table:
            self._begin_recording(job)
        if self._writer is None:
            return
        if self._begin is None or job.t < self._begin:
            self._begin = job.t - (0.0 if self._writer.last_t is None else self._writer.last_t + _GAP_S)
        line: JsonObject = {"t": round(job.t - self._begin, 3), "rest": job.is_resting, "dice": None}
        line["number"] = _number(job.expectation)
        if job.reading is not None:
            line["read"] = [die.to_json() for die in job.reading.dice]
            line["unread"] = [thing.to_json() for thing in job.reading.unread]
        if job.expectation.kinds and "kinds" not in self._about:
            self._about["kinds"] = list(job.expectation.kinds)
            self._writer.describe(self._about)
        self._writer.keep(job.jpeg, line)

    def _begin_recording(self, job: _Kept) -> None:
        """A game begins: its table says who plays what."""
        table = str(job.expectation.table)
        if self._writer is not None:
            self._writer.flush()
            self._settle(is_last=True)
        self._writer, self._settled, self._begin = None, "", None
        game = self._client.get(f"/tables/{table}/export.json")
        self._about = {
            "name": f"{game['game']}, {str(game['opened_at'])[:10]}",
            "source": self._origin.source or None,
            "game": game["game"],
            "players": list(game["players"]),
            "options": dict(game["options"]),
            "fps": self._origin.fps,
            "table": table,
            "camera": {"size": list(job.size), **{k: v for k, v in self._origin.camera.items() if k != "size"}},
        }
        self._table = table
        self._writer = RecordingWriter(RecordingWriter.free_folder(self._folder, table), self._about)
        log.warning("recording into %s", self._writer.folder)
        if self._origin.profile is not None and self._origin.profile.is_file():
            profile = self._origin.profile.read_bytes()
            (self._writer.folder / "profile.json").write_bytes(profile)
            if (empty := _empty_tray(profile)) is not None:
                (self._writer.folder / "empty.jpg").write_bytes(empty)

    def _name(self, message: Message) -> None:
        """Find the frame that the reading was read in: the newest that has the same things in the same places."""
        if self._writer is None:
            return
        self._writer.flush()
        sent = [thing["center_px"] for thing in (*message.body["dice"], *message.body["unread"])]
        for line in reversed(self._writer.frames):
            places = [thing["center_px"] for thing in (*line.get("read", ()), *line.get("unread", ()))]
            if sent and all(center in places for center in sent):
                self._writer.name_reading(line["image"], message.id)
                self._settled = ""
                return

    def _settle(self, is_last: bool) -> None:
        """Ask what was decided and corrected, where something has changed, and write it down."""
        writer = self._writer
        if writer is None or not writer.frames:
            return
        expect = self._expectation().id
        if expect == self._settled and not is_last:
            return
        game = self._client.get(f"/tables/{self._table}/export.json")
        while page := self._client.get(f"/device/corrections?after={self._place}")["corrections"]:
            self._corrections.update({entry["reading"]: entry for entry in page})
            self._place = page[-1]["place"]
        frames = labelled(writer.frames, game["log"], self._corrections)
        writer.settle(frames, decisions_of(game["log"], frames), game["state"])
        self._settled = expect

    def _tell(self, trouble: str) -> None:
        if trouble != self._trouble:
            log.error("%s", trouble)
        self._trouble = trouble


def _empty_tray(profile: bytes) -> bytes | None:
    """A profile's picture of the empty tray (JPEG); None where it has none, or cannot be read."""
    try:
        return empty_tray_jpeg(profile)
    except ProfileError:
        return None


def _number(expectation: Expectation) -> int:
    """The state number of what is awaited: ``k3f9.12`` is 12."""
    number = expectation.id.rpartition(".")[2]
    return int(number) if number.isascii() and number.isdigit() else 0
