"""Rematches: the same seats at a new table, opened by the owner or by all, and the phones are led there."""

import pytest
from playwright.sync_api import Browser, expect

from tests.host.phones import Owner, Phone
from tests.host.running import RunningHost, following, new_id


def stopped(host: RunningHost, *players: str, **changes: str) -> tuple[str, list[Phone]]:
    """A game with a phone for each player, which the owner has ended."""
    table, phones = Owner(host).seated(*players, **changes)
    assert Owner(host).post(f"/tables/{table}/end", {"id": new_id(), "number": None}).status == 200
    return table, phones


def test_the_owner_opens_one_and_every_phone_keeps_its_seat(shared_host: RunningHost) -> None:
    table, (ana, bo) = stopped(shared_host, "Ana", "Bo")
    message = {"id": new_id()}
    with following(shared_host, table) as stream:
        assert stream.next()["event"] == "table"
        told = Owner(shared_host).post(f"/tables/{table}/rematch", message).json
        assert stream.next()["data"] == told
    again = Owner(shared_host).post(f"/tables/{table}/rematch", message).json
    assert again == told == shared_host.get(f"/tables/{table}/rematch").json
    assert (table, "Ana") in ana.seats and (told["next"], "Ana") in ana.seats
    assert ana.act(told["next"], "stake", "Ana", amount=1).status == 200
    assert (told["next"], "Bo") in bo.seats
    # Whoever was asleep meanwhile is told once they follow again.
    with following(shared_host, table) as stream:
        assert [stream.next()["event"], stream.next()["event"]] == ["table", "rematch"]


def test_the_players_open_one_once_all_have_asked(shared_host: RunningHost) -> None:
    table, (ana, bo) = stopped(shared_host, "Ana", "Bo")
    asked = ana.post(f"/tables/{table}/rematch", {"id": new_id()}).json
    assert (asked["next"], asked["asked"], asked["missing"]) == (None, ["Ana"], ["Bo"])
    assert "Missing: Bo" in ana.page(f"/tables/{table}/rematch").body.decode()
    assert "<form" not in ana.page(f"/tables/{table}/rematch").body.decode()
    assert bo.post(f"/tables/{table}/rematch", {"id": new_id()}).json["next"] is not None


def test_it_survives_a_restart(own_host: RunningHost) -> None:
    table, (ana, _) = stopped(own_host, "Ana", "Bo")
    wished = ana.post(f"/tables/{table}/rematch", {"id": new_id()}).json
    own_host.kill()
    own_host.start()
    assert own_host.get(f"/tables/{table}/rematch").json == wished and wished["asked"] == ["Ana"]
    told = Owner(own_host).post(f"/tables/{table}/rematch", {"id": new_id()}).json
    own_host.kill()
    own_host.start()
    assert own_host.get(f"/tables/{table}/rematch").json == told
    assert (told["next"], "Ana") in ana.seats


def test_who_may_not_ask(shared_host: RunningHost) -> None:
    table, (ana, _) = Owner(shared_host).seated("Ana", "Bo")
    body = {"id": new_id()}
    assert ana.post(f"/tables/{table}/rematch", body).outcome == (409, "game-not-over")
    assert ana.page(f"/tables/{table}/rematch").body.strip() == b""
    over, _ = stopped(shared_host, "Cy", "Dan")
    assert ana.post(f"/tables/{over}/rematch", body).outcome == (403, "not-your-seat")
    assert Phone(shared_host).post(f"/tables/{over}/rematch", body).outcome == (401, "no-token")
    assert shared_host.get("/tables/nowhere/rematch").outcome == (404, "unknown-table")


@pytest.mark.browser
def test_pages_follow_without_a_tap(shared_host: RunningHost, browser: Browser) -> None:
    table, phones = stopped(shared_host, "Ana", "Bo")
    size = {"width": 360, "height": 740}
    pages = []
    for phone in (*phones, None):
        context = browser.new_context(viewport=size, has_touch=True)  # type: ignore[arg-type]
        if phone is not None and phone.cookie is not None:
            cookie = {"name": "croupier-phone", "value": phone.cookie, "url": shared_host.address}
            context.add_cookies([cookie])  # type: ignore[list-item]
        page = context.new_page()
        page.goto(f"{shared_host.address}/tables/{table}")
        pages.append(page)
    ana, bo, tv = pages
    ana.get_by_role("button", name="Rematch").tap()
    expect(bo.locator("#rematch")).to_contain_text("Missing: Bo")
    bo.get_by_role("button", name="Rematch").tap()
    for page in (ana, bo, tv):
        expect(page.locator("#headline")).to_have_text("Ana names the stake.")
        assert not page.url.endswith(table)
    # Who looks at the end of the old game afterwards stays there.
    tv.goto(f"{shared_host.address}/tables/{table}")
    expect(tv.get_by_role("link", name="To the rematch")).to_be_visible()
    for page in pages:
        page.context.close()
