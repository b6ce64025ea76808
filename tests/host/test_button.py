"""The box's button: a long press shows the setup code on the page for two minutes, as long as nobody owns the box."""

import pytest

from host.claim import SHOWN_S, Claim
from host.guesses import Guesses
from host.problems import Problem
from host.seat_store import SeatStore
from host.seating import Seating
from host.store import Store
from tests.host.conftest import SetClock
from tests.host.phones import Phone, setup_code
from tests.host.running import Answer, RunningHost, new_id


def press(host: RunningHost, token: str | None) -> Answer:
    return host.post("/device/button", {"id": new_id(), "press": "long"}, token)


def test_the_page_shows_the_code_once_the_button_was_pressed(own_host: RunningHost) -> None:
    phone, code = Phone(own_host), setup_code(own_host.data)
    assert code not in phone.page("/claim").body.decode()
    answer = press(own_host, own_host.token("device"))
    assert (answer.status, answer.json) == (200, {"open_s": SHOWN_S})
    page = phone.page("/claim")
    assert f'value="{code}"' in page.body.decode()
    assert page.headers["Cache-Control"] == "no-store"
    assert phone.claim(code).json["owner"] is True
    assert code not in Phone(own_host).page("/claim").body.decode()
    assert press(own_host, own_host.token("device")).outcome == (409, "already-claimed")


def test_only_the_box_itself_presses_its_button(shared_host: RunningHost) -> None:
    assert press(shared_host, None).outcome == (401, "no-token")
    assert press(shared_host, shared_host.token("owner")).outcome == (403, "not-allowed")


def test_the_code_is_shown_for_two_minutes_from_the_last_press_on(
    seated_store: Store, seating: Seating, clock: SetClock
) -> None:
    now = 1000.0
    guesses = Guesses(SeatStore(seated_store), clock)
    claim = Claim(seating.phones, guesses, "1234-5678", lambda: None, lambda: now)
    assert claim.shown_code is None
    assert claim.show() == SHOWN_S
    now += SHOWN_S - 1
    assert claim.shown_code == "1234-5678"
    claim.show()
    now += SHOWN_S - 1
    assert claim.shown_code == "1234-5678"
    now += 1
    assert claim.shown_code is None


def test_a_box_with_an_owner_shows_nothing(seated_store: Store, seating: Seating, clock: SetClock) -> None:
    claim = Claim(seating.phones, Guesses(SeatStore(seated_store), clock), None, lambda: None)
    with pytest.raises(Problem):
        claim.show()
    assert claim.shown_code is None
