"""Corrections over HTTP: questions about readings, objections, corrected rolls, and labels for recordings."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from host.changes import Changes
from host.corrections import OBJECTION_S, Corrections, Message
from host.games.registry import GAMES
from host.pictures import Pictures
from host.problems import Problem
from host.readings import Readings, Report
from host.records import Holder
from host.store import Store
from host.tables import Tables
from host.tokens import Tokens
from tests.host.conftest import SetClock
from tests.host.running import TINY_JPEG, Answer, OpenTable, RunningHost, cube, die, new_id

COCKED = {"reason": "cocked", "center_px": [100.0, 200.0]}


def seeking(host: RunningHost, *players: str) -> OpenTable:
    """A table where the favor is red, and Ana is to roll."""
    table = host.open(*(players or ("Vera", "Ana", "Bo")))
    table.act("stake", "Vera", amount=5)
    host.read(cube("red"))
    return table


def asked(host: RunningHost, table: OpenTable, *dice: dict[str, Any], **changes: Any) -> str:
    """A reading that does not match what is awaited; its id."""
    answer = host.read(*dice, **{"unread": [COCKED], **changes}).json
    assert answer["status"] == "unmatched"
    assert table.seen()["reading"]["question"] is not None
    return str(answer["id"])


def say(table: OpenTable, path: str, player: str | None = None, **fields: Any) -> Answer:
    """A message about corrections, by a player's seat or by the owner."""
    token = table.tokens[player] if player else table.host.token("owner")
    body = {"id": new_id(), **({"player": player} if player else {}), **fields}
    return table.host.post(f"/tables/{table.id}/{path}", body, token)


RED, BLUE = {"kind": "chance-cube", "face": "red"}, {"kind": "chance-cube", "face": "blue"}


def test_an_unread_die_is_answered_by_the_player_whose_roll_it_is(shared_host: RunningHost) -> None:
    table = seeking(shared_host)
    likely = [{"kind": "chance-cube", "body": "blue", "face": "blue"}]
    reading = asked(shared_host, table, unread=[{**COCKED, "likely": likely}])
    question = table.seen()["reading"]["question"]
    assert question["players"] == ["Ana"]
    (unread,) = question["dice"]
    assert (unread["read"], unread["reason"], unread["center_px"]) == (None, "cocked", [100.0, 200.0])
    assert unread["likely"] == likely and [other["face"] for other in unread["others"]] == ["red"]
    path = f"readings/{reading}/confirm"
    assert say(table, path, "Bo", dice=[RED]).outcome == (403, "not-your-roll")
    assert say(table, path, "Ana", dice=[RED, RED]).outcome == (422, "dice-unmatched")
    assert say(table, path, "Ana", dice=[{"kind": "chance-cube", "face": "7"}]).outcome == (422, "dice-unmatched")
    before = shared_host.expect()["expect"]
    message = {"id": new_id(), "player": "Ana", "dice": [{**RED, "center_px": [100.0, 200.0]}]}
    answers = [shared_host.post(f"/tables/{table.id}/{path}", message, table.tokens["Ana"]) for _ in range(2)]
    assert answers[0].json == answers[1].json and answers[0].status == 200
    assert answers[0].json["expect"] != before
    seen = table.seen()
    assert seen["number"] == 3 and seen["state"]["to_roll"] == ["Bo"]
    assert seen["log"][-1]["by"] == "seat:Ana" and seen["log"][-1]["reading"] == reading
    assert seen["reading"]["status"] == "unmatched" and seen["reading"]["question"] is None
    assert seen["reading"]["unread"] == [{**COCKED, "likely": likely}], "what was read is kept beside"
    assert [one["face"] for one in seen["reading"]["confirmed"]] == ["red"]
    assert say(table, path, "Ana", dice=[RED]).outcome == (409, "no-question")


def test_a_question_names_what_is_missing_and_keeps_what_was_read(shared_host: RunningHost) -> None:
    table = shared_host.open("Ana", "Bo", game="rig")
    dice = [die("rig-die", "red +", "black"), die("rig-die", "blue blank", "black")]
    asked(shared_host, table, *dice, unread=[COCKED])
    question = table.seen()["reading"]["question"]
    assert question["players"] == ["Ana", "Bo"]
    assert [one["read"] and one["read"]["face"] for one in question["dice"][:3]] == ["red +", "blue blank", None]
    assert [one["reason"] for one in question["dice"]] == [None, None, "cocked", *["missing"] * 5]
    assert all(len(one["likely"]) <= 4 for one in question["dice"])
    assert {other["body"] for other in question["dice"][0]["others"]} == {"black"}


def test_nothing_was_rolled_and_roll_again_close_the_question(shared_host: RunningHost) -> None:
    table = seeking(shared_host)
    for why in ("nothing-rolled", "roll-again"):
        reading = asked(shared_host, table)
        before = shared_host.expect()["expect"]
        path = f"readings/{reading}/void"
        assert say(table, path, "Bo", why=why).outcome == (403, "not-your-roll")
        assert say(table, path, "Ana", why=why).status == 200
        commands = shared_host.expect()["commands"]
        assert [command["type"] for command in commands] == (["read-again"] if why == "roll-again" else [])
        seen = table.seen()
        assert seen["reading"]["question"] is None and seen["log"][-1]["kind"] == "void"
        assert seen["log"][-1]["by"] == "seat:Ana"
        assert shared_host.expect()["expect"] == before, "the same throw is awaited"
        assert say(table, path, "Ana").outcome == (409, "no-question")
    shared_host.post(f"/device/commands/{commands[0]['id']}", {"status": "done"}, shared_host.token("device"))
    assert table.seen()["number"] == 4 and table.seen()["state"]["to_roll"] == ["Ana", "Bo"]
    assert shared_host.read(cube("red")).json["status"] == "applied"


def test_a_question_that_play_has_passed_is_none_any_more(shared_host: RunningHost) -> None:
    table = seeking(shared_host)
    reading = asked(shared_host, table)
    table.act("roll", "Ana", dice=[BLUE])
    assert table.seen()["reading"]["question"] is None
    assert say(table, f"readings/{reading}/confirm", dice=[RED]).outcome == (409, "no-question")


def test_any_seat_objects_and_the_owner_amends(shared_host: RunningHost) -> None:
    table = seeking(shared_host)
    reading = shared_host.read(cube("blue")).json["id"]
    before = shared_host.expect()["expect"]
    path = f"readings/{reading}/objection"
    assert say(table, path, "Ana", number=2).outcome == (409, "stale-number")
    assert say(table, path, "Ana").status == 200
    assert say(table, path, "Bo").outcome == (409, "already-objected")
    assert say(table, f"readings/{new_id()}/objection", "Bo").outcome == (404, "unknown-reading")
    assert shared_host.expect()["expect"] == before, "a reading on its way still counts"
    seen = table.seen()
    assert seen["objection"]["by"] == "seat:Ana" and seen["objection"]["of"] == [3]
    assert seen["log"][-1]["text"] == "Ana objects to the reading of line 3."
    assert say(table, "objections/4/dismiss", "Ana").outcome in [(403, "not-allowed"), (422, "wrong-form")]
    assert say(table, "entries/3/amend", dice=[RED]).status == 200
    seen = table.seen()
    assert seen["objection"] is None and seen["state"]["in_favor"] == ["Ana", "Bo"]
    assert shared_host.expect()["expect"] != before
    line = seen["log"][2]
    assert (
        line["changed_by"] == 5
        and line["text"] == "Ana matches red and stays in favor."
        and line["was"] != line["text"]
    )
    assert seen["log"][4]["text"] == "Ana's roll of line 3 is corrected: blue becomes red."
    assert [one["face"] for one in seen["reading"]["confirmed"]] == ["red"]
    assert [one["face"] for one in seen["reading"]["dice"]] == ["blue"]


def test_the_owner_dismisses_an_objection(shared_host: RunningHost) -> None:
    table = seeking(shared_host)
    reading = shared_host.read(cube("blue")).json["id"]
    say(table, f"readings/{reading}/objection", "Bo")
    assert say(table, "objections/4/dismiss").status == 200
    assert say(table, "objections/4/dismiss").outcome == (409, "no-objection")
    assert table.seen()["objection"] is None and table.seen()["log"][-1]["kind"] == "dismissal"
    assert say(table, f"readings/{reading}/objection", "Ana").status == 200


def test_nobody_objects_after_the_next_reading(shared_host: RunningHost) -> None:
    table = seeking(shared_host)
    reading = shared_host.read(cube("red")).json["id"]
    shared_host.read(cube("blue"))
    assert say(table, f"readings/{reading}/objection", "Ana").outcome == (409, "objection-late")
    taken_back = shared_host.read(unread=[COCKED]).json["id"]
    assert say(table, f"readings/{taken_back}/objection", "Ana").outcome == (404, "unknown-reading")


def test_amending_asks_before_it_drops_what_no_longer_fits(shared_host: RunningHost) -> None:
    table = seeking(shared_host, "Vera", "Ana")
    shared_host.read(cube("red"))
    table.act("decide", "Ana", choice="claim")
    finished = table.seen()
    assert finished["state"]["round"] == 2
    message = {"id": new_id(), "dice": [BLUE]}
    path = f"/tables/{table.id}/entries/3/amend"
    answers = [shared_host.post(path, message, shared_host.token("owner")) for _ in range(2)]
    for answer in answers:
        assert answer.outcome == (409, "amend-drops")
        assert (answer.json["from"], answer.json["drops"]) == (4, 1)
    assert table.seen() == finished
    assert say(table, "entries/3/amend", dice=[BLUE], drop=True).status == 200
    seen = table.seen()
    assert seen["log"][3]["undone"] and seen["log"][3]["undone_by"] == 5
    assert seen["state"]["last_round"]["outcome"] == "vigo"
    assert say(table, "entries/4/amend", dice=[RED]).outcome == (409, "not-standing")
    table.undo()
    assert table.seen()["state"] == finished["state"], "what was dropped is there again"
    assert table.seen()["log"][4]["undone_by"] == 6 and not table.seen()["log"][3]["undone"]


def test_amending_after_the_end_and_after_a_restart(own_host: RunningHost) -> None:
    table = own_host.open("Ana", "Bo", game="val-des", sets=1)
    table.act("set", "Bo")
    table.act("call", "Ana", call="val")
    table.act("call", "Bo", call="des")
    table.act("roll", "Bo", dice=[RED])
    assert table.seen()["state"]["winners"] == ["Ana"]
    message = {"id": new_id(), "number": 4, "dice": [BLUE]}
    path = f"/tables/{table.id}/entries/4/amend"
    first = own_host.post(path, message, own_host.token("owner"))
    assert first.json["state"]["winners"] == ["Bo"]
    before = table.seen()
    own_host.kill()
    own_host.start()
    assert table.seen() == before
    assert own_host.post(path, message, own_host.token("owner")).json == first.json
    assert table.seen() == before
    assert say(table, "entries/4/void").json["state"]["awaiting"][0]["type"] == "roll"


def test_only_rolls_that_stand_are_amended_and_only_by_the_owner(shared_host: RunningHost) -> None:
    table = seeking(shared_host)
    assert say(table, "entries/2/amend", "Ana", dice=[BLUE]).status in (403, 422)
    ana = table.tokens["Ana"]
    body = {"id": new_id(), "dice": [BLUE]}
    assert shared_host.post(f"/tables/{table.id}/entries/2/amend", body, ana).outcome == (403, "not-allowed")
    assert say(table, "entries/1/amend", dice=[BLUE]).outcome == (422, "not-a-roll")
    assert say(table, "entries/9/amend", dice=[BLUE]).outcome == (404, "unknown-entry")
    assert say(table, "entries/2/amend", dice=[BLUE, BLUE]).outcome[0] == 422
    assert say(table, "entries/2/amend", dice=[{"kind": "cat", "face": "x"}]).outcome == (422, "dice-unmatched")
    table.undo()
    assert say(table, "entries/2/void").outcome == (409, "not-standing")


def test_a_reading_of_several_rolls_is_voided_as_one(shared_host: RunningHost) -> None:
    table = shared_host.open("Ana", "Bo", game="rig")
    black = [die("rig-die", face, "black") for face in ("red +", "green +", "purple +", "black +")]
    white = [die("rig-die", face, "white") for face in ("red -", "green -", "purple -", "blue blank")]
    reading = shared_host.read(*black, *white).json["id"]
    assert table.seen()["reading"]["rolls"] == [1, 2]
    assert say(table, f"readings/{reading}/void", "Ana").outcome == (403, "not-allowed")
    assert say(table, f"readings/{reading}/void").status == 200
    seen = table.seen()
    assert seen["state"]["dice"] == {"Ana": None, "Bo": None} and seen["reading"]["rolls"] == []
    assert [line["undone_by"] for line in seen["log"]] == [3, 3, None]


def test_a_line_opens_into_its_picture_its_rule_and_its_sum(shared_host: RunningHost) -> None:
    table = seeking(shared_host, "Vera", "Ana")
    line = shared_host.get(f"/tables/{table.id}/entries/2").json
    assert line["text"].startswith("Vera rolls") and line["dice"] == [
        {"kind": "chance-cube", "face": "red", "body": "red"}
    ]
    assert "favor" in line["rule"] and line["picture"].endswith(".jpg")
    assert {"what": "pot", "player": None, "before": 0, "change": 5, "after": 5} in line["sums"]
    assert {"what": "balances", "player": "Ana", "before": 0, "change": -5, "after": -5} in line["sums"]
    assert shared_host.call("GET", line["picture"]).body == TINY_JPEG
    say(table, "entries/2/amend", dice=[BLUE])
    line = shared_host.get(f"/tables/{table.id}/entries/2").json
    assert [one["face"] for one in line["dice"]] == ["blue"] and line["changed_by"] == 3
    assert [one["face"] for one in line["dice_at_first"]] == ["red"] == [one["face"] for one in line["read"]]
    assert shared_host.get(f"/tables/{table.id}/entries/3").json["rule"]
    assert shared_host.get(f"/tables/{table.id}/entries/4").outcome == (404, "unknown-entry")


def test_corrections_are_labels_for_a_recording(own_host: RunningHost) -> None:
    table = seeking(own_host)
    confirmed = asked(own_host, table)
    say(table, f"readings/{confirmed}/confirm", dice=[{**RED, "center_px": [100.0, 200.0]}])
    nothing = asked(own_host, table)
    say(table, f"readings/{nothing}/void", why="nothing-rolled")
    again = asked(own_host, table)
    say(table, f"readings/{again}/void", why="roll-again")
    amended = own_host.read(cube("blue")).json["id"]
    by_hand = own_host.token("owner")
    say(table, "entries/6/amend", dice=[RED])
    path = "/device/corrections"
    assert own_host.get(path, by_hand).outcome == (403, "not-allowed")
    known = own_host.get(path, own_host.token("device")).json["corrections"]
    assert [(one["reading"], [said["face"] for said in one["confirmed"]]) for one in known] == [
        (confirmed, ["red"]),
        (nothing, []),
        (amended, ["red"]),
    ]
    assert known[0]["unread"] == [COCKED] and known[0]["confirmed"][0]["center_px"] == [100.0, 200.0]
    assert [one["face"] for one in known[2]["read"]] == ["blue"] and known[2]["by"] == "owner"
    assert own_host.call("GET", known[0]["picture"]).body == TINY_JPEG
    later = own_host.get(f"{path}?after={known[1]['place']}", own_host.token("device")).json["corrections"]
    assert later == known[2:]
    assert own_host.get(f"{path}?after={2**63 - 1}", own_host.token("device")).json["corrections"] == []
    assert own_host.get(f"{path}?after={2**63}", own_host.token("device")).status == 422


@pytest.mark.parametrize("name", ["..%2f..%2fowner-token", "%2e%2e%2fowner-token", "x%00", "nowhere"])
def test_pictures_are_those_of_the_table_alone(shared_host: RunningHost, name: str) -> None:
    table, other = seeking(shared_host), seeking(shared_host)
    assert shared_host.get(f"/tables/{table.id}/readings/{name}.jpg").status == 404
    picture = other.seen()["reading"]["picture"]
    assert shared_host.call("GET", picture).status == 200
    assert shared_host.call("GET", picture.replace(other.id, table.id)).outcome == (404, "unknown-picture")


def test_pictures_lie_where_they_are_told_to(tmp_path: Path) -> None:
    host = RunningHost(tmp_path / "data", "--pictures", str(tmp_path / "memory"))
    seeking(host)
    (picture,) = (tmp_path / "memory").iterdir()
    assert picture.read_bytes() == TINY_JPEG and not (tmp_path / "data" / "pictures").exists()
    host.kill()


def test_choices_still_secret_are_dropped_whatever_they_are(shared_host: RunningHost) -> None:
    """Else an owner who plays could find out by amending whether they fit."""
    told = []
    for secret in ("support", "neutral"):
        table = shared_host.open("Ana", "Bo", "Chen", game="victim")
        for player, face in (("Ana", "6"), ("Bo", "2"), ("Chen", "1")):
            table.act("roll", player, dice=[{"kind": "pip-die", "face": face}])
        table.act("intent", "Bo", target="left", die=secret)
        table.act("roll", "Ana", dice=[{"kind": "pip-die", "face": "2"}, {"kind": "pip-die", "face": "3"}])
        answer = say(table, "entries/2/amend", dice=[{"kind": "pip-die", "face": "3"}])
        assert (answer.json["slug"], answer.json["from"], answer.json["drops"]) == ("amend-drops", 4, 2)
        told.append(answer.json["detail"])
        inner = say(
            table, "entries/5/amend", dice=[{"kind": "pip-die", "face": "4"}, {"kind": "pip-die", "face": "3"}]
        )
        assert inner.status == 200 and inner.json["state"]["intent"] == "hidden"
        lines = shared_host.get(f"/tables/{table.id}/entries/4").body.decode()
        assert secret not in lines.replace("supporter", "")
    assert told[0] == told[1]


def test_an_objection_comes_within_thirty_seconds(seated_store: Store, clock: SetClock, tmp_path: Path) -> None:
    pictures = Pictures(tmp_path / "pictures")
    tables = Tables(seated_store, GAMES, clock, Changes(), Tokens({}), "key", pictures)
    table, _ = tables.open("open", "vigos-favor", ["Vera", "Ana"], {})
    owner = Holder("owner")
    tables.act(table.seated.id, "stake", None, {"type": "stake", "player": "Vera", "amount": 1}, owner)
    Readings(tables).take(Report("r1", tables.expectation().id, (cube("red"),), (), TINY_JPEG))
    clock.now += timedelta(seconds=OBJECTION_S + 1)
    corrections = Corrections(tables)
    with pytest.raises(Problem) as late:
        corrections.object_to(table.seated.id, Message("m1", None, owner), "Ana", "r1")
    assert late.value.slug == "objection-late"
    clock.now -= timedelta(seconds=1)
    corrections.object_to(table.seated.id, Message("m2", None, owner), "Ana", "r1")
    assert table.objection() is not None
