"""From the join link to a seat, and from one phone to another."""

import resource
from datetime import timedelta

import pytest

from host.problems import Problem
from host.seating import Seating
from tests.host.conftest import SetClock
from tests.host.phones import Owner, Phone, link, new_phone_id, seats
from tests.host.running import RunningHost, following, new_id


@pytest.fixture
def owner(shared_host: RunningHost) -> Owner:
    return Owner(shared_host)


def test_friends_join_a_lobby_and_play(shared_host: RunningHost, owner: Owner) -> None:
    lobby = owner.lobby(rounds=1)
    code = link(shared_host, lobby)
    vera, ana = Phone(shared_host), Phone(shared_host)
    assert vera.join(code, " Vera ").json == {"table": lobby, "player": "Vera"}
    assert ana.join(code, "Ana").status == 200
    assert seats(shared_host, lobby) == {"Vera": "taken", "Ana": "taken"}
    assert shared_host.get(f"/tables/{lobby}").outcome == (404, "unknown-table"), "the game has not begun"
    started = owner.start(lobby)
    assert started.status == 201 and started.json["table"] == lobby
    assert started.json["state"]["players"] == ["Vera", "Ana"] and started.json["state"]["options"]["rounds"] == 1
    assert vera.seats == [(lobby, "Vera")]
    assert vera.act(lobby, "stake", "Vera", amount=3).status == 200
    assert shared_host.get(f"/tables/{lobby}").json["log"][0]["by"] == "seat:Vera"


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(shared_host: RunningHost, owner: Owner) -> None:
    phone = Phone(shared_host)
    phone.join(link(shared_host, owner.lobby()), "Ana")
    parts = {part.strip() for part in phone.set_cookie.split(";")}
    assert {"HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=34560000"} <= parts
    assert phone.cookie is not None and len(phone.cookie) >= 43


def test_a_join_whose_answer_was_lost_can_be_sent_again(shared_host: RunningHost, owner: Owner) -> None:
    code, message = link(shared_host, owner.lobby()), new_phone_id()
    lost, again = Phone(shared_host), Phone(shared_host)
    assert lost.join(code, "Ana", message).status == again.join(code, "Ana", message).status == 200
    assert again.cookie == lost.cookie and len(again.seats) == 1


def test_one_phone_holds_several_seats_and_acts_for_each(shared_host: RunningHost, owner: Owner) -> None:
    lobby = owner.lobby()
    code = link(shared_host, lobby)
    family, other = Phone(shared_host), Phone(shared_host)
    for name in ("Vera", "Ana"):
        family.join(code, name)
    other.join(code, "Bo")
    owner.start(lobby)
    assert family.seats == [(lobby, "Ana"), (lobby, "Vera")]
    assert family.act(lobby, "stake", "Vera", amount=1).status == 200
    assert family.act(lobby, "roll", "Vera", dice=[{"kind": "chance-cube", "face": "red"}]).status == 200
    assert family.act(lobby, "roll", "Ana", dice=[{"kind": "chance-cube", "face": "red"}]).status == 200
    assert family.act(lobby, "roll", "Bo", dice=[]).outcome == (403, "not-your-seat")
    assert family.get(f"/tables/{lobby}?as=Ana").status == family.get(f"/tables/{lobby}?as=Vera").status == 200
    assert family.get(f"/tables/{lobby}?as=Bo").outcome == (403, "not-your-seat")
    assert Phone(shared_host).get(f"/tables/{lobby}?as=Bo").outcome == (403, "not-your-seat")


def test_a_secret_is_shown_to_its_seat_alone(shared_host: RunningHost, owner: Owner) -> None:
    table, (ana, bo) = owner.seated("Ana", "Bo", game="val-des")
    asked = shared_host.get(f"/tables/{table}").json["state"]["awaiting"][0]
    assert ana.get(f"/tables/{table}?as=Ana").json["state"]["awaiting"][0] == asked
    assert bo.get(f"/tables/{table}/events?as=Ana").outcome == (403, "not-your-seat")


def test_nobody_takes_a_seat_that_is_taken_locked_or_closed(shared_host: RunningHost, owner: Owner) -> None:
    lobby = owner.lobby()
    code = link(shared_host, lobby)
    ana, thief = Phone(shared_host), Phone(shared_host)
    assert ana.join(code, "Ana").status == ana.join(code, "Ana").status == 200
    assert thief.join(code, "Ana").outcome == (409, "seat-taken") and thief.cookie is None
    owner.post(f"/tables/{lobby}/seats/lock", {"player": "Ana", "locked": True})
    assert seats(shared_host, lobby) == {"Ana": "locked"}
    assert thief.join(code, "Ana").outcome == (403, "seat-locked")
    assert ana.seats == [(lobby, "Ana")]
    owner.post(f"/tables/{lobby}/joining", {"open": False})
    assert thief.join(code, "Bo").outcome == (403, "joining-closed")
    assert shared_host.get(f"/tables/{lobby}/joining").json == {"open": False, "code": None, "url": None}
    renewed = owner.post(f"/tables/{lobby}/joining", {"open": True, "new_link": True}).json
    assert thief.join(code, "Bo").outcome == (403, "wrong-code")
    assert thief.join(renewed["code"], "Bo").status == 200
    assert renewed["url"] == f"{shared_host.address}/join/{renewed['code']}"


def test_names_and_numbers_of_players(shared_host: RunningHost, owner: Owner) -> None:
    lobby = owner.lobby("king-of-roulette")
    code = link(shared_host, lobby)
    for name in ("", "   ", "x" * 25, "a\nb", "a\u2028b"):
        assert Phone(shared_host).join(code, name).outcome == (422, "bad-name"), repr(name)
    assert owner.start(lobby).outcome == (422, "bad-setup"), "seven play it"
    plan = shared_host.get(f"/tables/{lobby}/seats").json
    for number in range(plan["most_players"]):
        assert Phone(shared_host).join(code, f"Player {number}").status == 200
    assert Phone(shared_host).join(code, "One more").outcome == (409, "table-full")
    assert owner.start(lobby).status == 201


def test_the_owner_seats_people_until_the_game_begins(shared_host: RunningHost, owner: Owner) -> None:
    lobby = owner.lobby()
    code = link(shared_host, lobby)
    ana, bo, cy = (Phone(shared_host) for _ in range(3))
    for phone, name in ((ana, "Ana"), (bo, "Bo"), (cy, "Cy")):
        phone.join(code, name)
    order = f"/tables/{lobby}/seats/order"
    assert owner.post(order, {"players": ["Cy", "Ana"]}).outcome == (422, "wrong-players")
    assert ana.post(order, {"players": ["Cy", "Ana", "Bo"]}).outcome == (403, "not-allowed")
    assert owner.post(order, {"players": ["Cy", "Ana", "Bo"]}).status == 200
    free = f"/tables/{lobby}/seats/free"
    assert ana.post(free, {"player": "Bo"}).outcome == (403, "not-your-seat")
    assert bo.post(free, {"player": "Bo"}).status == 200 and bo.seats == []
    assert list(seats(shared_host, lobby)) == ["Cy", "Ana"]
    owner.start(lobby)
    assert owner.post(order, {"players": ["Ana", "Cy"]}).outcome == (409, "already-started")
    assert owner.start(lobby).outcome == (409, "already-started")
    assert owner.post(free, {"player": "Ana"}).status == 200
    assert seats(shared_host, lobby) == {"Cy": "taken", "Ana": "free"}
    assert bo.join(code, "Ana").status == 200, "a free seat of a game is taken by its name"
    assert bo.join(code, "Dora").outcome == (404, "unknown-seat")


def test_options_of_the_start_go_before_the_lobbys(shared_host: RunningHost, owner: Owner) -> None:
    lobby = owner.lobby(rounds=1, mercy=True)
    for name in ("Ana", "Bo"):
        Phone(shared_host).join(link(shared_host, lobby), name)
    bad = owner.post(f"/lobbies/{lobby}/start", {"id": new_id(), "options": {"rounds": 0}})
    assert bad.outcome == (422, "bad-setup")
    state = owner.post(f"/lobbies/{lobby}/start", {"id": new_id(), "options": {"rounds": 5}}).json["state"]
    assert (state["options"]["rounds"], state["options"]["mercy"]) == (5, True)


def test_a_disk_that_takes_no_more_seats_nobody(own_host: RunningHost) -> None:
    owner = Owner(own_host)
    lobby = owner.lobby()
    code, message, phone = link(own_host, lobby), new_phone_id(), Phone(own_host)
    resource.prlimit(own_host.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    assert phone.join(code, "Ana", message).outcome == (503, "storage-failed") and phone.cookie is None
    assert seats(own_host, lobby) == {}
    resource.prlimit(own_host.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    assert phone.join(code, "Ana", message).status == 200
    own_host.kill()
    own_host.start()
    assert seats(own_host, lobby) == {"Ana": "taken"} and phone.seats == [(lobby, "Ana")]


def test_opening_and_starting_count_once(shared_host: RunningHost, owner: Owner) -> None:
    body = {"id": new_id(), "game": "vigos-favor"}
    first, again = owner.post("/lobbies", body), owner.post("/lobbies", body)
    assert (first.status, again.status) == (201, 200) and again.json == first.json
    lobby = first.json["table"]
    assert lobby in {entry["table"] for entry in shared_host.get("/lobbies").json["lobbies"]}
    for name in ("Ana", "Bo"):
        Phone(shared_host).join(link(shared_host, lobby), name)
    start = {"id": new_id()}
    first, again = owner.post(f"/lobbies/{lobby}/start", start), owner.post(f"/lobbies/{lobby}/start", start)
    assert (first.status, again.status) == (201, 200) and again.json == first.json
    assert lobby not in {entry["table"] for entry in shared_host.get("/lobbies").json["lobbies"]}


def test_a_table_that_was_opened_with_names_is_joined_by_them(shared_host: RunningHost) -> None:
    table = shared_host.open("Ana", "Bo")
    phone = Phone(shared_host)
    assert seats(shared_host, table.id) == {"Ana": "free", "Bo": "free"}
    assert phone.join(link(shared_host, table.id), "Bo").status == 200
    assert phone.act(table.id, "roll", "Ana", dice=[]).outcome == (403, "not-your-seat")
    assert table.act("stake", "Ana", amount=1).status == 200, "the seat's token goes on to work"


# Handing a seat over ------------------------------------------------------------------------------------------------


def test_a_dead_phones_seat_goes_to_another(shared_host: RunningHost, owner: Owner) -> None:
    table, (dead, _) = owner.seated("Ana", "Bo")
    code, fresh = owner.code(table, "Ana"), Phone(shared_host)
    with following(shared_host, table, query="as=Ana", cookie=dead.cookie) as stream:
        assert stream.next()["event"] == "table"
        assert fresh.take_over(code).json == {"table": table, "player": "Ana"}
        assert stream.ends(), "the older phone sees the seat's view no more"
    assert fresh.seats == [(table, "Ana")] and dead.seats == []
    assert dead.act(table, "stake", "Ana", amount=1).outcome in {(401, "no-token"), (403, "not-allowed")}
    assert dead.get(f"/tables/{table}?as=Ana").outcome == (403, "not-your-seat")
    assert fresh.act(table, "stake", "Ana", amount=1).status == 200
    assert Phone(shared_host).take_over(code).outcome == (403, "wrong-code"), "it works once"


def test_a_fresh_code_makes_the_one_before_void(shared_host: RunningHost, owner: Owner) -> None:
    table, (_, bo) = owner.seated("Ana", "Bo")
    first, second = owner.code(table, "Ana"), owner.code(table, "Ana")
    assert bo.take_over(first).outcome == (403, "wrong-code")
    assert bo.take_over(second.replace(" ", "")).status == 200
    assert bo.seats == [(table, "Ana"), (table, "Bo")]
    assert bo.post(f"/tables/{table}/seats/code", {"player": "Ana"}).outcome == (403, "not-allowed")


def test_everybody_is_told_who_sits_where(shared_host: RunningHost, owner: Owner) -> None:
    lobby = owner.lobby()
    with following(shared_host, lobby) as stream:
        assert stream.next()["data"]["seats"] == []
        for name in ("Ana", "Bo"):
            Phone(shared_host).join(link(shared_host, lobby), name)
            event = stream.next()
        assert event["event"] == "seats" and [seat["player"] for seat in event["data"]["seats"]] == ["Ana", "Bo"]
        owner.start(lobby)
        assert stream.next()["event"] == "table"
        Phone(shared_host).take_over(owner.code(lobby, "Bo"))
        assert stream.next()["event"] == "seats"


def test_codes_end_with_their_time(seating: Seating, clock: SetClock) -> None:
    table = _lobby_with(seating, "Ana")
    code = seating.join.new_seat_code(table, "Ana").code
    clock.now += timedelta(minutes=5, seconds=1)
    with pytest.raises(Problem) as refused:
        seating.join.hand_over(code, None, new_phone_id())
    assert refused.value.slug == "wrong-code"
    code = seating.join.new_seat_code(table, "Ana").code
    clock.now -= timedelta(days=1)
    with pytest.raises(Problem):
        seating.join.hand_over(code, None, new_phone_id())


def _lobby_with(seating: Seating, *players: str) -> str:
    lobby, _ = seating.lobbies.open(new_id(), "vigos-favor", {})
    for player in players:
        seating.join.join(seating.join.code(lobby.id), player, None, new_phone_id(), "test")
    return lobby.id
