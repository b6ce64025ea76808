"""What the device is told, and what becomes of what it reads."""

import threading
from base64 import b64encode
from typing import Any

import pytest

from tests.host.running import ANSWER_S, TINY_JPEG, OpenTable, RunningHost, cube, die, new_id


def awaiting_favor(host: RunningHost) -> OpenTable:
    """A table where Vera is to roll the favor."""
    table = host.open("Vera", "Ana", "Bo")
    table.act("stake", "Vera", amount=5)
    return table


def test_without_a_table_nothing_is_expected(own_host: RunningHost) -> None:
    nothing = {"expect": "none", "table": None, "mode": "idle", "kinds": [], "dice": [], "commands": []}
    assert own_host.expect() == nothing
    assert own_host.read(cube("red"), expect="none").json["status"] == "refused"


def test_what_is_expected_follows_the_newest_table(shared_host: RunningHost) -> None:
    table = shared_host.open("Vera", "Ana", "Bo")
    idle = shared_host.expect()
    assert (idle["table"], idle["mode"], idle["kinds"], idle["dice"]) == (table.id, "idle", [], [])
    table.act("stake", "Vera", amount=5)
    awaited = shared_host.expect()
    assert awaited["mode"] == "open" and awaited["kinds"] == ["chance-cube"]
    assert awaited["dice"] == [{"kind": "chance-cube", "body": None, "count": 1}]
    table.undo()
    again = shared_host.expect()
    assert again["mode"] == "idle"
    assert len({idle["expect"], awaited["expect"], again["expect"]}) == 3
    newer = shared_host.open("Vera", "Ana", "Bo")
    assert shared_host.expect()["table"] == newer.id


def test_a_poll_waits_until_something_else_is_awaited(shared_host: RunningHost) -> None:
    table = shared_host.open("Vera", "Ana", "Bo")
    before = shared_host.expect()["expect"]
    assert shared_host.expect(after="another", wait=20)["expect"] == before
    assert shared_host.expect(after=before, wait=0.05)["expect"] == before
    heard: list[dict[str, Any]] = []
    poll = threading.Thread(target=lambda: heard.append(shared_host.expect(after=before, wait=25)))
    poll.start()
    table.act("stake", "Vera", amount=5)
    poll.join(timeout=ANSWER_S)
    assert [expected["mode"] for expected in heard] == ["open"]


def test_a_poll_may_not_wait_for_ever(shared_host: RunningHost) -> None:
    device = shared_host.token("device")
    for wait in ("26", "-1", "nan", "soon"):
        assert shared_host.get(f"/device/expect?wait={wait}", device).outcome == (422, "wrong-form")


def test_a_reading_that_matches_is_applied_once(shared_host: RunningHost) -> None:
    table = awaiting_favor(shared_host)
    reading = shared_host.reading(cube("red"), unread=[{"reason": "not-a-die", "center_px": [9, 9]}])
    device = shared_host.token("device")
    first, again = (shared_host.post("/device/readings", reading, device) for _ in range(2))
    assert first.json == again.json
    assert first.json["status"] == "applied" and first.json["id"] == reading["id"]
    assert first.json["expect"] == shared_host.expect()["expect"] != reading["expect"]
    seen = table.seen()
    assert seen["number"] == 2 and seen["state"]["favor"] == "red"
    assert seen["log"][-1]["by"] == "device" and seen["log"][-1]["reading"] == reading["id"]
    assert seen["reading"]["dice"] == reading["dice"] and seen["reading"]["unread"] == reading["unread"]


def test_a_reading_of_an_older_state_is_late_and_shown(shared_host: RunningHost) -> None:
    table = awaiting_favor(shared_host)
    older = shared_host.expect()["expect"]
    shared_host.read(cube("red"))
    late = shared_host.read(cube("blue"), expect=older)
    assert late.json["status"] == "late" and late.json["expect"] == shared_host.expect()["expect"]
    assert table.seen()["number"] == 2 and table.seen()["reading"]["status"] == "late"


def test_a_reading_for_an_older_table_is_shown_as_late_where_they_play_now(shared_host: RunningHost) -> None:
    older = awaiting_favor(shared_host)
    newest = awaiting_favor(shared_host)
    late = shared_host.read(cube("red"), expect=f"{older.id}.1").json
    assert late["status"] == "late" and late["expect"] == shared_host.expect()["expect"]
    assert older.seen()["number"] == newest.seen()["number"] == 1
    assert older.seen()["reading"] is None
    assert newest.seen()["reading"]["id"] == late["id"] and newest.seen()["reading"]["status"] == "late"
    # Under a cup may lie what was read for another game a moment before.
    cup = shared_host.open("Vera", "Ana", game="val-des")
    assert shared_host.read(cube("red"), expect=f"{older.id}.1").json["status"] == "late"
    assert cup.seen()["reading"]["dice"] == [] and cup.seen()["reading"]["picture"] is None


def test_undo_makes_readings_on_the_way_late(shared_host: RunningHost) -> None:
    table = awaiting_favor(shared_host)
    shared_host.read(cube("red"))
    on_the_way = shared_host.reading(cube("red"))
    table.undo()
    late = shared_host.post("/device/readings", on_the_way, shared_host.token("device"))
    assert late.json["status"] == "late" and table.seen()["state"]["favor"] is None


@pytest.mark.parametrize("expect", ["none", "nonsense", "nowhere.3", "nowhere.-1", ".1", "x." + "9" * 60])
def test_a_reading_that_answers_nothing_is_refused(shared_host: RunningHost, expect: str) -> None:
    awaiting_favor(shared_host)
    reading = shared_host.reading(cube("red"), expect=expect)
    device = shared_host.token("device")
    answers = [shared_host.post("/device/readings", reading, device).json for _ in range(2)]
    assert [answer["status"] for answer in answers] == ["refused", "refused"]


@pytest.mark.parametrize(
    ("dice", "unread", "detail"),
    [
        ([], [], "None of the awaited dice was seen."),
        ([cube("red"), cube("red")], [], "Too many dice for Vera: 2 instead of 1."),
        ([cube("red")], ["cocked"], "One thing could not be read (cocked)."),
        ([die("pip-die", "4")], [], "None of the awaited dice was seen."),
    ],
)
def test_a_reading_that_does_not_match_changes_nothing(
    shared_host: RunningHost, dice: list[dict[str, Any]], unread: list[str], detail: str
) -> None:
    table = awaiting_favor(shared_host)
    things = [{"reason": reason, "center_px": [1, 2]} for reason in unread]
    before = shared_host.expect()
    answer = shared_host.read(*dice, unread=things)
    assert (answer.json["status"], answer.json["detail"]) == ("unmatched", detail)
    assert shared_host.expect() == before and table.seen()["number"] == 1
    assert table.seen()["reading"]["detail"] == detail
    assert shared_host.read(cube("blue")).json["status"] == "applied"


def test_what_is_not_awaited_is_named_and_does_not_block(shared_host: RunningHost) -> None:
    awaiting_favor(shared_host)
    outside = [{"reason": "outside", "center_px": [1, 2]}, {"reason": "not-a-die", "center_px": [1, 2]}]
    answer = shared_host.read(cube("red"), die("pip-die", "4", "white"), unread=outside)
    assert answer.json["status"] == "applied"
    assert answer.json["detail"] == "Read: red. Left aside: 4."


def test_a_cube_whose_body_is_not_its_face_is_refused(shared_host: RunningHost) -> None:
    table = awaiting_favor(shared_host)
    answer = shared_host.read(die("chance-cube", "blue", "red"))
    assert answer.json["status"] == "refused" and table.seen()["number"] == 1


def test_no_roll_is_taken_while_none_is_awaited(shared_host: RunningHost) -> None:
    table = shared_host.open("Vera", "Ana")
    assert shared_host.read(cube("red")).json["status"] == "refused"
    assert table.seen()["number"] == 0


def test_guarded_readings_leave_neither_face_nor_picture(shared_host: RunningHost) -> None:
    table = shared_host.open("Ana", "Bo", game="val-des")
    assert shared_host.expect()["mode"] == "idle"
    table.act("set", "Bo")
    guarded = shared_host.expect()
    assert guarded["mode"] == "guarded" and guarded["dice"] == []
    first = shared_host.read(cube("blue"))
    assert first.json["status"] == "refused" and "cover it" in first.json["detail"]
    during_calls = shared_host.expect()["expect"]
    shared_host.read(cube("blue"), expect=guarded["expect"])
    table.act("call", "Ana", call="val")
    table.act("call", "Bo", call="val")
    assert shared_host.expect()["mode"] == "open"
    shared_host.read(cube("blue"), expect=during_calls)
    seen = table.seen()
    assert (seen["reading"]["status"], seen["reading"]["dice"]) == ("late", [])
    assert seen["reading"]["unread"] == [] and seen["reading"]["picture"] is None
    page = shared_host.call("GET", f"/tables/{table.id}").body.decode()
    assert "blue chance cube" not in page
    assert shared_host.read(cube("red")).json["status"] == "applied"


def test_one_reading_may_carry_rolls_that_follow_one_another(shared_host: RunningHost) -> None:
    table = shared_host.open("Ana", "Bo", "Chen", game="victim")
    for face in ("6", "3", "1"):
        assert shared_host.read(die("pip-die", face, "yellow")).json["status"] == "applied"
    table.act("intent", "Bo", target="left", die="support")
    for faces in (("5", "4"), ("2", "2")):
        assert shared_host.read(*(die("pip-die", face, "white") for face in faces)).json["status"] == "applied"
    before = table.seen()["number"]
    number_missing = [{"reason": "unsure", "center_px": [1, 2]}]
    assert shared_host.read(die("action-die", "green", "blue"), unread=number_missing).json["status"] == "unmatched"
    assert table.seen()["number"] == before
    both = shared_host.read(die("number-die", "7", "blue"), die("action-die", "green", "blue"))
    assert both.json["status"] == "applied"
    assert table.seen()["number"] == before + 2
    assert table.seen()["state"]["last_turn"]["number"] == 7


def test_of_players_with_equal_dice_one_is_named_at_a_time(shared_host: RunningHost) -> None:
    table = shared_host.open("Ana", "Bo", "Chen", game="victim")
    assert shared_host.expect()["dice"] == [{"kind": "pip-die", "body": "yellow", "count": 1}]
    assert table.seen()["prompt"][-1] == "The next throw counts for Ana."
    assert (
        shared_host.read(die("pip-die", "6", "yellow"), die("pip-die", "5", "yellow")).json["status"] == "unmatched"
    )
    shared_host.read(die("pip-die", "2"))
    assert table.seen()["state"]["first_rolls"] == {"Ana": 2}


def test_dice_that_can_be_told_apart_are_rolled_together(shared_host: RunningHost) -> None:
    table = shared_host.open("Ana", "Bo", game="rig")
    awaited = [{"kind": "rig-die", "body": body, "count": 4} for body in ("black", "white")]
    assert shared_host.expect()["dice"] == awaited
    black = [die("rig-die", face, "black") for face in ("red +", "green +", "purple +", "black +")]
    white = [die("rig-die", face, "white") for face in ("red -", "green -", "purple -", "blue blank")]
    assert shared_host.read(*black, *white[:3]).json["status"] == "unmatched"
    assert table.seen()["number"] == 0
    assert shared_host.read(*white, *black).json["status"] == "applied"
    seen = table.seen()
    assert seen["number"] == 2 and seen["state"]["first"] == "Ana"
    assert len({line["reading"] for line in seen["log"]}) == 1


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({"jpeg": "no base64!"}, (422, "bad-picture")),
        ({"jpeg": b64encode(b"GIF89a").decode()}, (422, "bad-picture")),
        ({"jpeg": b64encode(TINY_JPEG[:-2]).decode()}, (422, "bad-picture")),
        ({"jpeg": b64encode(TINY_JPEG[:4] + bytes(20_000) + TINY_JPEG[-2:]).decode()}, (413, "picture-too-large")),
        ({"jpeg": "A" * 70_000}, (413, "too-large")),
        ({"dice": [cube("red")] * 25}, (422, "wrong-form")),
        ({"dice": [{"kind": "chance-cube"}]}, (422, "wrong-form")),
        ({"unread": [{"reason": "tired", "center_px": [1, 2]}]}, (422, "wrong-form")),
        ({"id": "a b"}, (422, "wrong-form")),
        ({"surprise": 1}, (422, "wrong-form")),
    ],
)
def test_a_reading_of_the_wrong_form_is_not_stored(
    shared_host: RunningHost, changes: dict[str, Any], outcome: tuple[int, str]
) -> None:
    table = awaiting_favor(shared_host)
    reading = {**shared_host.reading(cube("red")), **changes}
    assert shared_host.post("/device/readings", reading, shared_host.token("device")).outcome == outcome
    assert table.seen()["reading"] is None


def test_the_largest_picture_fits(shared_host: RunningHost) -> None:
    table = awaiting_favor(shared_host)
    jpeg = TINY_JPEG[:4] + bytes(20_000 - 6) + TINY_JPEG[-2:]
    assert shared_host.read(cube("red"), jpeg=b64encode(jpeg).decode()).json["status"] == "applied"
    assert shared_host.call("GET", table.seen()["reading"]["picture"]).body == jpeg


def test_a_reading_id_is_answered_alike_after_other_readings(shared_host: RunningHost) -> None:
    awaiting_favor(shared_host)
    reading = shared_host.reading(cube("red"), id=new_id())
    device = shared_host.token("device")
    shared_host.post("/device/readings", reading, device)
    shared_host.read(cube("blue"))
    again = shared_host.post("/device/readings", reading, device).json
    assert again["status"] == "applied" and again["expect"] == shared_host.expect()["expect"]
