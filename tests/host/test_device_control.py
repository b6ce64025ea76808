"""The device's states and commands over the API: told in words, handed out, carried out once, kept from strangers."""

import threading
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import pytest

from device.loop import CHANGED
from device.states import State
from device.tray_news import LENS_DIRTY, LIGHT_CHANGED, POSE_TAKEN_ANEW
from host.changes import Changes
from host.device_commands import COMMANDS_KEPT, FORGOTTEN_S, HANDED_OUT_AGAIN_S, DeviceCommands
from host.device_watch import DETAILS, NO_DEVICE, SENTENCES, DeviceNews, DeviceWatch
from host.problems import Problem
from tests.host.running import ANSWER_S, TINY_JPEG, Answer, EventStream, RunningHost, new_id

PICTURE = {"status": "done", "detail": "", "result": {"size": [640, 480]}, "jpeg": b64encode(TINY_JPEG).decode()}


@pytest.fixture
def host(own_host: RunningHost) -> Iterator[RunningHost]:
    yield own_host


def report(host: RunningHost, state: str, detail: str = "") -> Answer:
    body = {"id": new_id(), "state": state, "detail": detail}
    return host.post("/device/state", body, host.token("device"))


def ask(host: RunningHost, type: str, **further: Any) -> dict[str, Any]:
    asked: dict[str, Any] = host.post(
        "/device/commands", {"id": new_id(), "type": type, **further}, host.token("owner")
    ).json
    return asked


def test_a_state_is_told_in_a_sentence_and_to_those_who_watch(host: RunningHost) -> None:
    assert host.get("/device/state").json["state"] == NO_DEVICE
    table = host.open("Vera", "Ana")
    with host.connection() as connection:
        connection.request("GET", f"/api/v1/tables/{table.id}/events")
        stream = EventStream(connection.getresponse())
        stream.next()
        assert report(host, "moving").status == 200
        seen = stream.next()
    assert (seen["event"], seen["data"]["sentence"]) == ("device", "The dice are moving.")
    assert not seen["data"]["is_fault"]
    report(host, "camera-missing", "usb:0: no such camera; plug it in")
    told = host.get("/device/state").json
    assert told["is_fault"] and "plug it in" in told["sentence"]
    page = host.call("GET", f"/tables/{table.id}").body.decode()
    assert "The camera is not there" in page
    report(host, "read", "Dice were moved, added or taken away after they had been read.")
    assert host.get("/device/state").json["sentence"].startswith("Dice were moved")


def test_only_the_device_tells_states_and_only_those_that_there_are(host: RunningHost) -> None:
    body = {"id": new_id(), "state": "moving", "detail": ""}
    assert host.post("/device/state", body, host.token("owner")).outcome == (403, "not-allowed")
    for wrong in ("dancing", NO_DEVICE):
        assert report(host, wrong).outcome == (422, "wrong-form")
    assert report(host, "moving", "x" * 201).outcome == (422, "wrong-form")


def test_a_command_ends_the_poll_and_is_answered_once(host: RunningHost) -> None:
    heard: list[dict[str, Any]] = []
    poll = threading.Thread(target=lambda: heard.append(host.expect(after="none", wait=25)))
    poll.start()
    asked = ask(host, "light", is_lit=True)
    poll.join(timeout=ANSWER_S)
    assert heard[0]["commands"] == [{"id": asked["id"], "type": "light", "is_lit": True}]
    path, device, owner = f"/device/commands/{asked['id']}", host.token("device"), host.token("owner")
    assert host.get(path, owner).json["status"] == "waiting"
    assert host.post(path, {"status": "done", "detail": "The light is on."}, device).status == 200
    assert host.post(path, {"status": "failed"}, device).json["status"] == "done"
    assert host.get(path, owner).json["detail"] == "The light is on."
    assert host.expect()["commands"] == []


def test_the_same_command_again_asks_for_nothing_new(host: RunningHost) -> None:
    body = {"id": new_id(), "type": "read-again"}
    owner = host.token("owner")
    for _ in range(2):
        assert host.post("/device/commands", body, owner).status == 200
    assert len(host.expect()["commands"]) == 1
    other = {**body, "type": "light", "is_lit": True}
    assert host.post("/device/commands", other, owner).outcome == (409, "message-id-taken")
    assert host.post("/device/commands", body, host.token("device")).outcome == (403, "not-allowed")
    assert host.post("/device/commands", {"id": new_id(), "type": "dance"}, owner).outcome == (422, "wrong-form")


def test_a_calibration_picture_is_for_the_owner(host: RunningHost) -> None:
    asked = ask(host, "calibration-picture")
    path, device, owner = f"/device/commands/{asked['id']}", host.token("device"), host.token("owner")
    assert host.get(f"{path}/picture.jpg", owner).outcome == (404, "unknown-picture")
    large = {**PICTURE, "jpeg": b64encode(TINY_JPEG[:4] + bytes(300_000) + TINY_JPEG[-2:]).decode()}
    answer = host.post(path, large, device).json
    assert answer["result"] == {"size": [640, 480]}
    assert host.call("GET", answer["picture"], token=owner).body.endswith(b"\xff\xd9")
    assert host.call("GET", answer["picture"]).outcome == (401, "no-token")
    assert host.get("/device/commands/unheard-of", owner).outcome == (404, "unknown-command")


def test_while_a_die_is_secret_no_picture_is_taken(host: RunningHost) -> None:
    table = host.open("Ana", "Bo", game="val-des")
    table.act("set", "Bo")
    assert host.expect()["mode"] == "guarded"
    asked = ask(host, "calibration-picture")
    answer = host.post(f"/device/commands/{asked['id']}", PICTURE, host.token("device")).json
    assert (answer["status"], answer["picture"]) == ("failed", None)


# What time does, with a clock of the test's own


class Hours:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_an_answer_that_was_lost_is_repeated_and_an_old_command_forgotten() -> None:
    clock = Hours()
    commands = DeviceCommands(Changes(), clock)
    commands.ask("c1", "read-again", {})
    assert commands.has_news
    assert [command["id"] for command in commands.hand_out()] == ["c1"]
    assert not commands.has_news
    clock.now += HANDED_OUT_AGAIN_S
    assert commands.has_news
    clock.now += FORGOTTEN_S
    assert commands.hand_out() == []
    assert commands.command("c1").status == "failed"


def test_only_the_newest_commands_are_kept() -> None:
    commands = DeviceCommands(Changes(), Hours())
    for place in range(COMMANDS_KEPT + 3):
        commands.ask(f"c{place}", "read-again", {})
    with pytest.raises(Problem):
        commands.command("c2")
    assert commands.command("c3").status == "waiting"


def test_a_device_that_falls_silent_is_told_of() -> None:
    changes = Changes()
    watch = DeviceWatch(changes, lambda: "t", silent_s=0.05)
    with changes.listening("t") as listener:
        watch.report("empty", "")
        watch.report("empty", "")
        told = [listener.wait(5), listener.wait(5)]
    assert [news.state for news in told if isinstance(news, DeviceNews)] == ["empty", NO_DEVICE]


def test_every_state_of_the_device_has_a_sentence() -> None:
    assert set(SENTENCES) == {*(state.value for state in State), NO_DEVICE}
    assert set(DETAILS) == {CHANGED, POSE_TAKEN_ANEW, LENS_DIRTY, LIGHT_CHANGED}
