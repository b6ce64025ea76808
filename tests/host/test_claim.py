"""The appliance and its owner: claimed once, by the code on the console, however patiently somebody guesses."""

import stat
import subprocess
from datetime import timedelta

import pytest

from host.guesses import FREE_TRIES, LONGEST_WAIT_S
from host.problems import Problem
from host.seating import Seating
from host.store import Store
from tests.host.conftest import SetClock, reopened
from tests.host.phones import Phone, link, new_phone_id, setup_code
from tests.host.running import ANSWER_S, COMMAND, RunningHost, new_id


def test_the_code_on_the_console_makes_an_owner_once(own_host: RunningHost) -> None:
    file = own_host.data / "setup-code"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    code, message = setup_code(own_host.data), new_phone_id()
    owner, again, late = (Phone(own_host) for _ in range(3))
    assert not owner.who()["owner"]
    assert owner.claim(code.replace("-", ""), message).json["owner"] is True
    assert owner.who()["owner"] is True
    assert again.claim(code, message).status == 200 and again.cookie == owner.cookie, "its answer was lost"
    assert late.claim(code).outcome == (409, "already-claimed") and late.cookie is None
    assert not file.exists()
    own_host.kill()
    own_host.start()
    assert owner.who()["owner"] is True and not file.exists()
    assert late.claim(code).outcome == (409, "already-claimed")


def test_what_the_owners_phone_may_do(own_host: RunningHost) -> None:
    owner, guest = Phone(own_host), Phone(own_host)
    owner.claim(setup_code(own_host.data))
    lobby = owner.post("/lobbies", {"id": new_id(), "game": "vigos-favor"}).json["table"]
    owner.join(link(own_host, lobby), "Vera")
    guest.join(link(own_host, lobby), "Ana")
    assert owner.who()["owner"] and owner.seats == [(lobby, "Vera")]
    assert guest.post(f"/lobbies/{lobby}/start", {"id": new_id()}).outcome == (403, "not-allowed")
    assert owner.post(f"/lobbies/{lobby}/start", {"id": new_id()}).status == 201
    assert owner.act(lobby, "stake", "Vera", amount=1).status == 200
    assert owner.post(f"/tables/{lobby}/undo", {"id": new_id()}).status == 200
    assert guest.post(f"/tables/{lobby}/undo", {"id": new_id()}).outcome == (403, "not-allowed")
    assert guest.get("/phones").outcome == (403, "not-allowed")
    assert owner.get(f"/tables/{lobby}?as=Ana").outcome == (403, "not-your-seat"), "an owner sees nobody's secrets"
    listed = {phone["seats"][0]["player"]: phone for phone in owner.get("/phones").json["phones"]}
    assert listed["Vera"]["owner"] and not listed["Ana"]["owner"]
    assert owner.post(f"/phones/{listed['Ana']['phone']}/revoke", {}).status == 200
    assert guest.seats == [] and guest.act(lobby, "stake", "Ana", amount=1).outcome == (401, "no-token")


def test_claiming_gives_a_phone_a_new_cookie(own_host: RunningHost) -> None:
    phone = Phone(own_host)
    lobby = own_host.post("/lobbies", {"id": new_id(), "game": "vigos-favor"}, own_host.token("owner")).json["table"]
    phone.join(link(own_host, lobby), "Ana")
    planted = Phone(own_host, phone.cookie)
    assert phone.claim(setup_code(own_host.data)).status == 200
    assert phone.seats == [(lobby, "Ana")] and phone.who()["owner"]
    assert planted.who() == {"phone": None, "owner": False, "seats": []}


def test_a_lost_owners_phone_is_revoked_at_the_machine(own_host: RunningHost) -> None:
    first, second = setup_code(own_host.data), Phone(own_host)
    phone = Phone(own_host)
    phone.claim(first)
    own_host.post(f"/phones/{phone.who()['phone']}/revoke", {}, own_host.token("owner"))
    assert not phone.who()["owner"]
    own_host.kill()
    own_host.start()
    assert setup_code(own_host.data) != first
    assert second.claim(setup_code(own_host.data)).status == 200


def test_the_console_says_the_code(own_host: RunningHost) -> None:
    own_host.stop()
    started = subprocess.Popen(
        [*COMMAND, "--data", str(own_host.data), "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert started.stdout is not None and started.stderr is not None
    assert "listens on" in started.stdout.readline()
    line = started.stderr.readline()
    assert setup_code(own_host.data) in line and "/claim" in line
    started.terminate()
    started.communicate(timeout=ANSWER_S)


# Guessing -----------------------------------------------------------------------------------------------------------


def test_guesses_are_slowed_down_and_a_restart_does_not_help(own_host: RunningHost) -> None:
    phone, code = Phone(own_host), setup_code(own_host.data)
    wrong = f"{(int(code.replace('-', '')) + 1) % 10**8:08}"
    for _ in range(FREE_TRIES):
        assert phone.claim(wrong).outcome == (403, "wrong-code")
    refused = phone.claim(code)
    assert refused.outcome == (429, "too-many-guesses"), "not even the right one is looked at"
    assert 0 < int(refused.headers["Retry-After"]) == refused.json["retry_after_s"]
    own_host.kill()
    own_host.start()
    assert Phone(own_host).claim(code).outcome == (429, "too-many-guesses")


def test_join_and_seat_codes_are_not_guessed_either(own_host: RunningHost) -> None:
    table = own_host.open("Ana", "Bo")
    code = link(own_host, table.id)
    for end in "abcde":
        assert (
            Phone(own_host).join(code[:-1] + ("x" if code[-1] != "x" else "y"), "Ana").outcome[1] == "wrong-code"
        ), end
    assert Phone(own_host).join(code, "Ana").outcome == (429, "too-many-guesses")
    for guess in range(FREE_TRIES):
        assert Phone(own_host).take_over(f"00000{guess}").outcome == (403, "wrong-code")
    own_host.kill()
    own_host.start()
    shown = own_host.post(f"/tables/{table.id}/seats/code", {"player": "Ana"}, own_host.token("owner")).json["code"]
    assert Phone(own_host).take_over(shown).outcome == (429, "too-many-guesses")


def guess(seating: Seating, code: str = "0000-0000") -> str:
    """What the host says to a guess."""
    with pytest.raises(Problem) as refused:
        seating.claim.take(code, None, new_phone_id())
    return refused.value.slug


def test_waits_double_up_to_five_minutes_and_end(seating: Seating, clock: SetClock) -> None:
    for _ in range(FREE_TRIES):
        assert guess(seating) == "wrong-code"
    waits = []
    for _ in range(8):
        start = clock.now
        while guess(seating) == "too-many-guesses":
            clock.now += timedelta(seconds=5)
        waits.append((clock.now - start).total_seconds())
    assert waits == sorted(waits) and waits[0] >= 15 and waits[-1] <= LONGEST_WAIT_S + 5
    clock.now += timedelta(seconds=LONGEST_WAIT_S + 1)
    assert seating.claim.take("12345678", None, new_phone_id()).phone.is_owner


def test_a_clock_that_jumps_neither_helps_nor_locks_out(
    seating: Seating, seated_store: Store, clock: SetClock
) -> None:
    for _ in range(FREE_TRIES):
        guess(seating)
    clock.now -= timedelta(days=365)
    again = reopened(seated_store, clock)
    assert guess(again, "1234-5678") == "too-many-guesses"
    clock.now += timedelta(days=366)
    assert again.claim.take("1234-5678", None, new_phone_id()).phone.is_owner


def test_yesterdays_mistakes_are_forgotten(seating: Seating, clock: SetClock) -> None:
    for _ in range(FREE_TRIES + 2):
        guess(seating)
        clock.now += timedelta(seconds=LONGEST_WAIT_S)
    clock.now += timedelta(days=2)
    for _ in range(FREE_TRIES):
        assert guess(seating) == "wrong-code"
