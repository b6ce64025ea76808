"""Recordings run through the code that reads live frames, as fast as it goes, and scored."""

import tempfile
import threading
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from calibration.profile_file import ProfileError
from device.appliance import Appliance, Game, open_table
from device.camera import Frame
from device.decode import Undecodable
from device.host_client import HostClient, read_token
from device.loop import DeviceLoop
from device.outbox import Outbox
from device.playback import Player
from device.recording import JsonObject, RecordedFrame, Recording, RecordingError
from device.scoring import Judged, Score, differences, judge_dice, judge_frames, total
from device.supervisor import Supervisor
from device.trained import profile_beside, trained_reader
from device.uplink import Uplink
from vision.profile import Profile
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one recording. ``amiss`` says where the game did not end as expected; None for single pictures.

    ``judged`` are the dice of each picture that was compared, by its name.
    """

    recording: str
    score: Score
    amiss: tuple[str, ...] | None
    judged: Mapping[str, tuple[Judged, ...]] = field(default_factory=dict)

    @property
    def is_good(self) -> bool:
        """Whether nothing was read wrong, and a game ended as expected."""
        return not self.score.wrong and not self.amiss

    def to_json(self) -> JsonObject:
        """As ``croupier replay --json`` prints it."""
        game = None if self.amiss is None else {"as_expected": not self.amiss, "differences": list(self.amiss)}
        return {"recording": self.recording, "dice": self.score.to_json(), "game": game}


def replay(recording: Recording) -> Outcome:
    """Play a recorded game against a host of its own, or read a set of single pictures."""
    return _play(recording) if recording.is_game else _read_pictures(recording)


def _read_pictures(recording: Recording) -> Outcome:
    """Each picture by a reader of its own: nothing says that one camera took them all."""
    judged: dict[str, tuple[Judged, ...]] = {}
    profile = profile_of(recording)
    for frame in recording.frames:
        if frame.dice is None:
            continue
        reading = trained_reader(profile).read(recording.pixels(frame), kinds_in(recording, frame))
        judged[frame.image] = judge_dice(frame.dice, reading.dice)
    return _outcome(recording, judged, None)


def kinds_in(recording: Recording, frame: RecordedFrame) -> Sequence[str] | None:
    """The kinds of dice that may be in a picture: those of the recording, else those of its label; None: any."""
    return recording.kinds or sorted({str(die.get("kind")) for die in frame.dice or ()}) or None


def _outcome(
    recording: Recording, judged: Mapping[str, tuple[Judged, ...]], amiss: tuple[str, ...] | None
) -> Outcome:
    return Outcome(str(recording.folder), total(chain.from_iterable(judged.values())), amiss, judged)


def profile_of(recording: Recording) -> Profile | None:
    """That of the recording's tray, where one is with it."""
    try:
        return profile_beside(recording.folder)
    except ProfileError as error:
        raise RecordingError(str(error)) from error
    except Undecodable as error:
        raise RecordingError(f"{recording.folder / 'empty.jpg'}: {error}") from error


def _play(recording: Recording) -> Outcome:
    if recording.expected is None:
        raise RecordingError(f"{recording.folder / 'expected.json'}: missing, so no end of the game is expected")
    readings: list[tuple[str, Reading]] = []

    def note(frame: Frame, reading: Reading) -> None:
        readings.append((frame.name or "", reading))

    with tempfile.TemporaryDirectory(prefix="croupier-replay-") as folder:
        data = Path(folder)
        with Supervisor(data) as supervisor:
            appliance = Appliance(supervisor, data, is_owned=True)
            owner = appliance.start_host(0)
            table = open_table(
                owner, Game(recording.game or "", recording.players, recording.options), str(uuid.uuid4())
            )
            outbox = Outbox(data / "device.db")
            uplink = Uplink(HostClient(appliance.address, read_token(data / "device-token", "")), outbox)
            loop = DeviceLoop(trained_reader(profile_of(recording)), outbox, lambda: uplink.expectation, note)
            playing = _Playing(Player(recording, None, loop, outbox, uplink, owner, table))
            uplink.start()
            try:
                playing.start()
                supervisor.wait(lambda: not playing.is_alive())
            finally:
                uplink.close()
            outbox.close()
            if playing.failure is not None:
                raise playing.failure
            state = owner.get(f"/tables/{table}")["state"]
    amiss = tuple(differences(recording.expected, state))
    return _outcome(recording, judge_frames(recording.frames, readings), amiss)


class _Playing(threading.Thread):
    """Plays beside the supervisor, which must not be kept waiting."""

    def __init__(self, player: Player) -> None:
        super().__init__(name="player", daemon=True)
        self._player = player
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            self._player.run()
        except Exception as failure:
            self.failure = failure
