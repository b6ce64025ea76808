"""``croupier record``: a game kept as it was played, as players corrected it, and nothing while a die is secret."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.profile_file import MeasuredProfile, write_profile
from device.camera import Frame
from device.decode import decode_picture
from device.expectation import Expectation
from device.host_client import HostClient
from device.recorder import Recorder
from device.recording import Recording
from device.recording_folder import load_recording
from device.recording_origin import Origin
from device.tray import Message
from tests.device.program import RECORDING, run, running, wait_for
from tests.device.scene import die, reading
from tests.host.running import RunningHost
from vision.profile import Profile, assumed_camera
from vision.reading import Reading

CUBE = {"kind": "chance-cube", "body": "red", "face": "red"}
BLUE = {"kind": "chance-cube", "body": "blue", "face": "blue"}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[RunningHost]:
    host = RunningHost(tmp_path / "host")
    yield host
    host.kill()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


class Evening:
    """A recorder beside a real host; frames and readings are shown to it as the loop does."""

    def __init__(self, host: RunningHost, folder: Path, profile: Path | None = None) -> None:
        self.host = host
        self.folder = folder
        self.client = HostClient(host.address, host.token("device"))
        self.now = 0.0
        self.grey = 0
        self.recorder = Recorder(
            folder, self.client, self.awaited, Origin("rendered", profile=profile), is_patient=True
        )
        self.recorder.start()

    def awaited(self) -> Expectation:
        return Expectation.from_json(self.client.get("/device/expect"))

    def show(self, is_resting: bool, seen: Reading | None = None) -> None:
        self.now += 0.1
        self.grey += 1
        frame = Frame(np.full((576, 768, 3), self.grey, np.uint8), self.now)
        if seen is not None:
            self.recorder.note_reading(frame, seen)
        self.recorder.see(frame, is_resting)

    def throw(self, *dice: Any) -> str:
        """Dice roll, lie, are read and sent; the reading's id."""
        self.show(False)
        self.show(True)
        self.show(True, seen := reading(*dice))
        sent = [{key: value for key, value in d.to_json().items() if key != "outline_px"} for d in seen.dice]
        body = self.host.reading(*sent)
        self.client.post("/device/readings", body)
        self.recorder.note_answer(Message(body["id"], body["expect"], {"dice": sent, "unread": []}, None))
        self.show(True)
        return str(body["id"])

    def recorded(self) -> Recording:
        self.recorder.close()
        return load_recording(self.folder)


def labels(recording: Recording) -> list[str]:
    """The faces of each label, each label once for as long as it holds."""
    told = ["none" if f.dice is None else " ".join(str(d["face"]) for d in f.dice) for f in recording.frames]
    return [label for place, label in enumerate(told) if place == 0 or told[place - 1] != label]


def test_a_game_that_is_recorded_plays_again_to_the_same_end(host: RunningHost, tmp_path: Path) -> None:
    source = load_recording(RECORDING)
    table = host.open(*source.players, **source.options)
    out = tmp_path / "out"
    arguments = (
        *("--host", host.address, "--camera", f"recording:{RECORDING}", "--data", tmp_path / "device"),
        *("--token-file", host.data / "device-token", "--owner-token-file", host.data / "owner-token"),
        *("--unpaced", "--play-table", table.id, "--record", out),
    )
    ended = run("device", *arguments)
    assert ended.status == 0, ended.err
    recorded = load_recording(out)
    assert (recorded.source, recorded.players, recorded.kinds) == ("rendered", source.players, ("chance-cube",))
    assert [d.action for d in recorded.decisions] == [d.action for d in source.decisions]
    assert recorded.expected == table.seen()["state"]
    replayed = run("replay", "--json", out)
    assert replayed.status == 0, replayed.err + replayed.out
    assert replayed.json["games"] == {"as_expected": 1, "played": 1}
    assert replayed.json["dice"]["right"] >= 8 and replayed.json["dice"]["wrong"] == 0


def test_after_a_kill_it_is_sound_and_goes_on_where_it_was(host: RunningHost, tmp_path: Path) -> None:
    host.open("Vee", "Ann", "Bob", rounds=1)
    out = tmp_path / "out"
    arguments = ("--host", host.address, "--token-file", host.data / "device-token", "--record", out, "--unpaced")
    with running("device", *arguments, "--camera", f"recording:{RECORDING}", "--data", tmp_path / "a") as device:
        wait_for(lambda: (out / "frames.jsonl").exists() and len(lines(out / "frames.jsonl")) > 20)
        device.kill()
        device.communicate()
    broken_off = load_recording(out)
    assert broken_off.game == "vigos-favor"
    # What a power cut may leave: half a line, and a picture that nothing speaks of.
    with (out / "frames.jsonl").open("a") as file:
        file.write('{"image": "frames/0')
    evening = Evening(host, out)
    evening.show(True)
    gone_on = evening.recorded()
    assert len(gone_on.frames) == len(broken_off.frames) + 1
    assert gone_on.frames[-1].t == pytest.approx(broken_off.frames[-1].t + 1.0)


def test_what_is_corrected_becomes_the_label_and_the_roll(host: RunningHost, tmp_path: Path) -> None:
    table = host.open("Vee", "Ann", "Bob", rounds=1)
    evening = Evening(host, tmp_path / "out")
    evening.show(True)
    assert table.act("stake", "Vee", amount=1).status == 200
    evening.throw(die("red", 0, 0))
    read = next(line["number"] for line in table.seen()["log"] if line["reading"])
    body = {"id": "amended", "number": None, "dice": [BLUE], "drop": True}
    answer = host.post(f"/tables/{table.id}/entries/{read}/amend", body, host.token("owner"))
    assert answer.status == 200, answer.json
    evening.show(False)
    evening.show(True)
    recorded = evening.recorded()
    assert labels(recorded) == ["none", "blue", "none"]
    label = next(frame.dice for frame in recorded.frames if frame.dice)
    assert label[0]["center_px"] == [0, 0]
    assert [(d.action["type"], d.corrects) for d in recorded.decisions] == [("stake", False), ("roll", True)]
    assert recorded.decisions[1].action["dice"][0]["face"] == "blue"
    assert recorded.expected == table.seen()["state"]


def test_a_reading_that_was_answered_by_a_person_is_a_label_and_a_decision(host: RunningHost, tmp_path: Path) -> None:
    table = host.open("Vee", "Ann", "Bob", rounds=1)
    evening = Evening(host, tmp_path / "out")
    evening.show(True)
    table.act("stake", "Vee", amount=1)
    asked = evening.throw(die("red", 0, 0), die("blue", 30, 0))
    body = {"id": "told", "number": None, "dice": [{**BLUE, "center_px": [90.0, 0.0]}]}
    answer = host.post(f"/tables/{table.id}/readings/{asked}/confirm", body, host.token("owner"))
    assert answer.status == 200, answer.json
    recorded = evening.recorded()
    assert "blue" in labels(recorded)
    assert recorded.decisions[1].corrects and recorded.decisions[1].action["dice"][0]["face"] == "blue"


def test_what_was_taken_back_is_taken_back_again_in_the_recording(host: RunningHost, tmp_path: Path) -> None:
    table = host.open("Vee", "Ann", "Bob", rounds=1)
    evening = Evening(host, tmp_path / "out")
    evening.show(True)
    table.act("stake", "Vee", amount=1)
    evening.throw(die("red", 0, 0))
    assert table.undo().status == 200
    recorded = evening.recorded()
    assert labels(recorded) == ["none"]
    assert [d.action["type"] for d in recorded.decisions] == ["stake", "undo"]


def test_nothing_is_kept_while_a_die_is_secret(host: RunningHost, tmp_path: Path) -> None:
    table = host.open("Ana", "Bo", game="val-des")
    evening = Evening(host, tmp_path / "out")
    evening.show(True)
    assert table.act("set", "Bo").status == 200
    assert evening.awaited().mode == "guarded"
    for is_resting in (False, True, True):
        evening.show(is_resting, reading(die("red", 0, 0)) if is_resting else None)
    assert table.act("call", "Ana", call="val").status == 200
    evening.show(True, reading(die("red", 0, 0)))
    while_secret = [path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.suffix in (".jsonl", ".jpg")]
    assert not any(b"red" in data or b"val" in data for data in while_secret)
    assert table.act("call", "Bo", call="des").status == 200
    evening.show(False)
    recorded = evening.recorded()
    # The first frame, and the one after the last call.
    assert len(list((tmp_path / "out/frames").iterdir())) == len(recorded.frames) == 2
    assert [d.action["type"] for d in recorded.decisions] == ["set", "call", "call"]


def test_the_next_game_gets_a_folder_of_its_own(host: RunningHost, tmp_path: Path) -> None:
    evening = Evening(host, tmp_path / "out")
    evening.show(True)
    for _ in range(2):
        host.open("Vee", "Ann", "Bob", rounds=1)
        evening.show(True)
    evening.recorder.close()
    tables = [load_recording(tmp_path / name).frames for name in ("out", "out-2")]
    assert [len(frames) for frames in tables] == [1, 1]


def test_the_empty_tray_that_dice_are_read_above_goes_with_the_recording(host: RunningHost, tmp_path: Path) -> None:
    empty = np.full((576, 768, 3), (40, 90, 60), np.uint8)
    tray = Profile((768, 576), assumed_camera((768, 576), 350.0), False, empty, None)
    own = tmp_path / "profile.json"
    own.write_text(write_profile(MeasuredProfile(tray, "2026-01-02T03:04:05+00:00", {}, "assumed")))
    evening = Evening(host, tmp_path / "out", own)
    host.open("Vee", "Ann", "Bob", rounds=1)
    evening.show(True)
    evening.recorder.close()
    kept = decode_picture(tmp_path / "out" / "empty.jpg")
    assert kept.shape == empty.shape and np.abs(kept.astype(int) - empty).max() <= 3
    assert (tmp_path / "out" / "profile.json").read_bytes() == own.read_bytes()
