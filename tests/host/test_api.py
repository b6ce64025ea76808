"""Tables, actions and undo over HTTP, and what is answered to those who may not."""

from itertools import product
from typing import Any

import pytest

from tests.host.running import TINY_JPEG, OpenTable, RunningHost, cube, following, new_id

FOUR = ("Vera", "Ana", "Bo", "Chen")


def seeking(host: RunningHost) -> OpenTable:
    """A table where Ana is to roll and needs red; three entries are in its log."""
    table = host.open("Vera", "Ana", "Bo")
    table.act("stake", "Vera", amount=5)
    host.read(cube("red"))
    return table


def test_games_are_listed_with_credit_and_options(shared_host: RunningHost) -> None:
    games = {game["id"]: game for game in shared_host.get("/games").json["games"]}
    assert "Shoya Haa'runi" in games["vigos-favor"]["credit"]
    assert [option["name"] for option in games["vigos-favor"]["options"]][:2] == ["rounds", "vigo"]
    assert games["vigos-favor"]["kinds"] == ["chance-cube"]


def test_health(shared_host: RunningHost) -> None:
    health = shared_host.get("/health").json
    assert health["status"] == "ok" and health["version"] and health["schema"] >= 1


def test_opening_a_table_twice_by_one_message_gives_one_table(shared_host: RunningHost) -> None:
    owner = shared_host.token("owner")
    body = {"id": new_id(), "game": "vigos-favor", "players": list(FOUR), "options": {"mercy": True}}
    first, again = (shared_host.post("/tables", body, owner) for _ in range(2))
    assert (first.status, again.status) == (201, 200)
    assert first.json == again.json
    assert [seat["player"] for seat in first.json["seats"]] == list(FOUR)
    assert len({seat["token"] for seat in first.json["seats"]}) == 4
    assert first.json["number"] == 0 and first.json["state"]["options"]["mercy"] is True
    listed = shared_host.get("/tables").json["tables"]
    assert [table["table"] for table in listed].count(first.json["table"]) == 1
    assert listed[0]["table"] == first.json["table"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "poker"},
        {"players": ["Ana"]},
        {"players": ["Ana", "Ana"]},
        {"players": [f"P{n}" for n in range(13)]},
        {"players": ["Ana", "x" * 25]},
        {"options": {"rounds": 0}},
        {"options": {"no such": 1}},
    ],
)
def test_a_table_that_cannot_be_opened(shared_host: RunningHost, wrong: dict[str, Any]) -> None:
    before = shared_host.get("/tables").json
    body = {"id": new_id(), "game": "vigos-favor", "players": ["Ana", "Bo"], "options": {}, **wrong}
    assert shared_host.post("/tables", body, shared_host.token("owner")).outcome == (422, "bad-setup")
    assert shared_host.get("/tables").json == before


def test_an_action_changes_number_state_log_and_expectation(shared_host: RunningHost) -> None:
    table = shared_host.open(*FOUR)
    before = table.seen()
    assert (before["number"], before["log"], before["reading"]) == (0, [], None)
    assert before["prompt"] == ["Vera names the stake."]
    answer = table.act("stake", "Vera", amount=2, number=0)
    assert answer.status == 200
    assert answer.json["number"] == 1 and answer.json["state"]["stake"] == 2
    assert answer.json["expect"] == shared_host.expect()["expect"]
    (line,) = table.seen()["log"]
    assert line["text"] == "Vera sets the stake at 2." and line["by"] == "seat:Vera" and not line["undone"]
    assert line["at"].endswith("Z")


def test_a_message_counts_once_and_is_answered_alike(shared_host: RunningHost) -> None:
    table = shared_host.open(*FOUR)
    message = new_id()
    first = table.act("stake", "Vera", amount=2, number=0, message=message)
    shared_host.read(cube("blue"))
    again = table.act("stake", "Vera", amount=2, number=0, message=message)
    assert again.status == 200
    assert (again.json["number"], again.json["state"]) == (first.json["number"], first.json["state"])
    assert table.seen()["number"] == 2


def test_a_refused_message_stays_refused(shared_host: RunningHost) -> None:
    table = shared_host.open(*FOUR)
    message = new_id()
    roll = {"dice": [{"kind": "chance-cube", "face": "red"}]}
    first = table.act("roll", "Vera", message=message, **roll)
    assert first.outcome == (422, "not-awaited")
    assert "Vera names the stake" in first.json["detail"]
    table.act("stake", "Vera", amount=2)
    assert table.act("roll", "Vera", message=message, **roll).json == first.json
    assert table.seen()["number"] == 1


def test_a_stale_number_is_told_the_fresh_state(shared_host: RunningHost) -> None:
    table = shared_host.open(*FOUR)
    table.act("stake", "Vera", amount=2)
    stale = table.act("roll", "Vera", number=0, dice=[{"kind": "chance-cube", "face": "red"}])
    assert stale.outcome == (409, "stale-number")
    assert stale.json["number"] == 1 and stale.json["state"] == table.seen()["state"]
    assert table.act("roll", "Vera", number=2, dice=[]).outcome == (409, "stale-number")


def test_a_message_id_belongs_to_its_sender(shared_host: RunningHost) -> None:
    table, other = shared_host.open(*FOUR), shared_host.open(*FOUR)
    message = new_id()
    table.act("stake", "Vera", amount=2, message=message)
    assert table.undo(message=message).outcome == (409, "message-id-taken")
    assert other.act("stake", "Vera", amount=2, message=message).outcome == (409, "message-id-taken")
    body = {"id": message, "game": "vigos-favor", "players": ["Ana", "Bo"]}
    assert shared_host.post("/tables", body, shared_host.token("owner")).outcome == (409, "message-id-taken")


def test_undo_takes_back_one_action_at_a_time_and_deletes_nothing(shared_host: RunningHost) -> None:
    table = shared_host.open(*FOUR)
    opening = table.seen()["state"]
    table.act("stake", "Vera", amount=2)
    staked = table.seen()["state"]
    shared_host.read(cube("red"))
    undone = table.undo(number=2)
    assert undone.status == 200 and undone.json["state"] == staked and undone.json["number"] == 3
    assert table.undo().json["state"] == opening
    assert table.undo().outcome == (422, "nothing-to-undo")
    table.act("stake", "Vera", amount=7)
    log = table.seen()["log"]
    assert [line["undone"] for line in log] == [True, True, False, False, False]
    assert log[2]["text"].startswith("Taken back: Vera rolls red") and log[2]["by"] == "owner"


def test_an_undo_counts_once(shared_host: RunningHost) -> None:
    table = seeking(shared_host)
    message = new_id()
    first, again = table.undo(message=message), table.undo(message=message)
    assert first.json["state"] == again.json["state"] and table.seen()["number"] == 3


def test_tokens_open_only_their_own_doors(shared_host: RunningHost) -> None:
    table, other = shared_host.open(*FOUR), shared_host.open(*FOUR)
    tokens = {
        None: "no-token",
        "nobody's": "unknown-token",
        shared_host.token("device"): "not-allowed",
        table.tokens["Ana"]: "not-your-seat",
        other.tokens["Vera"]: "not-your-seat",
    }
    for token, slug in tokens.items():
        status = 403 if slug.startswith("not-") else 401
        assert table.act("stake", "Vera", amount=1, token=token).outcome == (status, slug)
    seat = table.tokens["Vera"]
    undo = {"id": new_id(), "number": None}
    assert shared_host.post(f"/tables/{table.id}/undo", undo, seat).outcome == (403, "not-allowed")
    assert shared_host.post("/tables", {}, seat).outcome == (403, "not-allowed")
    for token, path in product((seat, shared_host.token("owner")), ("/device/expect",)):
        assert shared_host.get(path, token).outcome == (403, "not-allowed")
    assert shared_host.post("/device/readings", {}, seat).outcome == (403, "not-allowed")
    assert shared_host.get(f"/tables/{table.id}", "nobody's").outcome == (401, "unknown-token")
    assert table.seen()["number"] == 0
    assert table.act("stake", "Vera", amount=1, token=shared_host.token("owner")).status == 200


def test_an_unknown_table(shared_host: RunningHost) -> None:
    owner = shared_host.token("owner")
    action = {"id": new_id(), "action": {"type": "stake", "player": "Vera", "amount": 1}}
    assert shared_host.get("/tables/nowhere").outcome == (404, "unknown-table")
    assert shared_host.get("/tables/nowhere/events").outcome == (404, "unknown-table")
    assert shared_host.post("/tables/nowhere/actions", action, owner).outcome == (404, "unknown-table")
    assert shared_host.post("/tables/nowhere/undo", {"id": new_id()}, owner).outcome == (404, "unknown-table")


def test_a_secret_is_shown_to_its_owner_alone(shared_host: RunningHost) -> None:
    players = ("Ana", "Bo", "Chen")
    table = shared_host.open(*players, game="victim")
    for face in ("6", "3", "1"):
        assert shared_host.read({**cube("red"), "kind": "pip-die", "body": "yellow", "face": face}).status == 200
    supporter = table.seen()["state"]["roles"]["supporter"]
    done = table.act("intent", supporter, target="left", die="neutral")
    assert done.json["state"]["intent"] == {"target": "left", "die": "neutral"}
    with (
        following(shared_host, table.id) as anybody,
        following(shared_host, table.id, table.tokens[supporter]) as themselves,
    ):
        assert anybody.next()["data"]["state"]["intent"] == "hidden"
        assert themselves.next()["data"]["state"]["intent"] == {"target": "left", "die": "neutral"}
    for player in (None, *players):
        expected = {"target": "left", "die": "neutral"} if player == supporter else "hidden"
        assert table.seen(player)["state"]["intent"] == expected
    owners = shared_host.get(f"/tables/{table.id}", shared_host.token("owner")).json
    assert owners["state"]["intent"] == "hidden"
    assert "neutral" not in shared_host.call("GET", f"/tables/{table.id}").body.decode()


def test_events_begin_with_a_snapshot_and_follow_each_change(shared_host: RunningHost) -> None:
    table = shared_host.open(*FOUR)
    with following(shared_host, table.id) as stream:
        snapshot = stream.next()
        assert (snapshot["id"], snapshot["event"]) == ("0", "table")
        assert snapshot["data"] == table.seen()
        table.act("stake", "Vera", amount=2)
        assert stream.next()["data"] == table.seen()
        shared_host.read(cube("red"), cube("blue"))
        unmatched = stream.next()
        assert unmatched["id"] == "1" and unmatched["data"]["reading"]["status"] == "unmatched"
        shared_host.read(cube("red"))
        assert (stream.next()["id"], table.undo().status) == ("2", 200)
        last = stream.next()
        assert last["id"] == "3" and last["data"] == table.seen()


def test_events_of_one_table_are_not_those_of_another(shared_host: RunningHost) -> None:
    table, other = shared_host.open(*FOUR), shared_host.open(*FOUR)
    with following(shared_host, table.id) as stream:
        stream.next()
        other.act("stake", "Vera", amount=9)
        table.act("stake", "Vera", amount=2)
        assert stream.next()["data"]["state"]["stake"] == 2


def test_pictures_are_served_as_they_came(shared_host: RunningHost) -> None:
    table = seeking(shared_host)
    reading = table.seen()["reading"]
    assert reading["status"] == "applied" and table.seen()["log"][-1]["reading"] == reading["id"]
    picture = shared_host.call("GET", reading["picture"])
    assert picture.body == TINY_JPEG and picture.headers.get_content_type() == "image/jpeg"
    assert picture.headers["X-Content-Type-Options"] == "nosniff"
    other = shared_host.open(*FOUR)
    assert shared_host.get(f"/tables/{other.id}/readings/{reading['id']}.jpg").outcome == (404, "unknown-picture")
    without = shared_host.read(cube("red"), jpeg=None, expect=f"{table.id}.2")
    assert without.status == 200 and other.seen()["reading"]["picture"] is None


def test_the_owner_ends_a_game_and_may_take_that_back(shared_host: RunningHost) -> None:
    table = shared_host.open("Vera", "Ana")
    table.act("stake", "Vera", amount=2)
    end, body = f"/tables/{table.id}/end", {"id": new_id()}
    assert shared_host.post(end, body, table.tokens["Vera"]).outcome == (403, "not-allowed")
    first = shared_host.post(end, body, shared_host.token("owner"))
    assert first.status == 200 and shared_host.post(end, body, shared_host.token("owner")).json == first.json
    seen = table.seen()
    assert seen["ended"] and seen["prompt"] == ["The owner has ended the game."] and seen["state"]["winners"] is None
    assert shared_host.expect()["mode"] == "idle"
    assert shared_host.read(cube("red")).json["status"] == "refused"
    assert table.act("roll", "Vera", dice=[{"kind": "chance-cube", "face": "red"}]).outcome == (409, "game-ended")
    assert shared_host.post(end, {"id": new_id()}, shared_host.token("owner")).outcome == (409, "game-ended")
    assert table.undo().status == 200
    assert not table.seen()["ended"] and shared_host.expect()["mode"] == "open"
    assert [line["undone"] for line in table.seen()["log"]] == [False, True, False]
