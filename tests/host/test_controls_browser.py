"""Controls under a thumb: whole games by taps, secrets that are held to be seen, and messages that count once."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.host.phones import Owner
from tests.host.running import RunningHost, new_id
from tests.host.tapping import TappedTable, tap_answer

pytestmark = pytest.mark.browser

Opening = Callable[..., TappedTable]

SEVEN = ("Ana", "Bo", "Chen", "Dora", "Emil", "Fay", "Gus")


@pytest.fixture
def tapped(shared_host: RunningHost, browser: Browser) -> Iterator[Opening]:
    """Opens tables with phones; they are put away at the end."""
    tables: list[TappedTable] = []

    def opened(game: str, *phones: tuple[str, ...], **options: Any) -> TappedTable:
        tables.append(TappedTable(shared_host, browser, game, *phones, **options))
        return tables[-1]

    yield opened
    for table in tables:
        table.close()


def test_vigos_favor_is_played_to_its_end_by_taps(tapped: Opening) -> None:
    table = tapped("vigos-favor", ("Vera",), ("Ana",), ("Bo",), rounds=2, mercy=True)
    winners = table.play(Random(3))
    for page in table.pages.values():
        expect(page.locator("#headline")).to_contain_text(winners[0])
        expect(page.locator(".seat.winner .name").first).to_have_text(winners[0])
        expect(page.locator("#controls form")).to_have_count(0)


def test_king_of_roulette_is_played_to_its_end_by_taps(tapped: Opening) -> None:
    table = tapped("king-of-roulette", *((player,) for player in SEVEN[:3]), SEVEN[3:])
    winners = table.play(Random(5))
    expect(table.pages["Ana"].locator("#headline")).to_contain_text("win" if winners else "nobody wins")
    expect(table.pages["Ana"].locator(".rounds-played li")).to_have_count(7)


def test_what_was_chosen_is_seen_only_while_it_is_held(tapped: Opening) -> None:
    table = tapped("king-of-roulette", *((player,) for player in SEVEN[:2]), SEVEN[2:])
    page = table.pages["Ana"]
    page.get_by_role("radio", name="Chen").check(force=True)
    page.get_by_role("button", name="Vote").tap()
    hold = page.locator("[data-hold]")
    expect(hold).to_be_visible()
    expect(page.locator(".held")).to_be_hidden()
    assert "Chen" not in page.locator("#controls").inner_html()
    hold.dispatch_event("pointerdown")
    expect(page.locator(".held dd")).to_have_text("Chen")
    page.dispatch_event("body", "pointerup")
    expect(page.locator(".held")).to_be_hidden()
    assert "Chen" not in page.locator("#controls").inner_html()
    expect(table.pages["Bo"].locator("[data-hold]")).to_have_count(0)


def test_a_phone_with_several_seats_asks_who_is_looking(tapped: Opening) -> None:
    table = tapped("victim", ("Ana", "Bo"), ("Chen",))
    page = table.pages["Ana"]
    expect(page.get_by_role("heading", name="Who is looking?")).to_be_visible()
    expect(page.locator("#controls form")).to_have_count(0)
    page.get_by_role("button", name="Bo").tap()
    expect(page.locator("#controls form .whose")).to_have_text("Bo")
    tap_answer(page, "roll", Random(1))
    expect(page.get_by_role("heading", name="Who is looking?")).to_be_visible()
    expect(page.locator("#controls form")).to_have_count(0)
    assert table.seen["state"]["first_rolls"].keys() == {"Bo"}


def test_a_double_tap_and_a_lost_answer_count_once(tapped: Opening) -> None:
    table = tapped("vigos-favor", ("Vera",), ("Ana",))
    page = table.pages["Vera"]
    lost: list[str] = []

    def lose_the_first_answer(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().text())
        route.abort()

    page.route("**/actions", lose_the_first_answer)
    page.get_by_role("button", name="10", exact=True).tap()
    page.get_by_role("button", name="One more").tap()
    page.get_by_role("button", name="Set the stake").dblclick()
    expect(page.locator("#controls form h2")).to_have_text("Your roll")
    table_now = table.seen
    assert lost and table_now["number"] == 1 and table_now["state"]["stake"] == 11


def test_a_stale_tap_is_told_why_and_sees_what_is_fresh(tapped: Opening, shared_host: RunningHost) -> None:
    table = tapped("vigos-favor", ("Vera",), ("Ana",))
    page = table.pages["Vera"]

    def overtaken(route: Route) -> None:
        action = {"type": "stake", "player": "Vera", "amount": 7}
        path = f"/tables/{table.id}/actions"
        assert Owner(shared_host).post(path, {"id": new_id(), "action": action}).status == 200
        route.continue_()

    page.route("**/actions", overtaken, times=1)
    page.get_by_role("button", name="Set the stake").tap()
    expect(page.locator("#why")).to_have_text("The table is at number 1, not 0.")
    expect(page.locator("#controls form h2")).to_have_text("Your roll")
    assert table.seen["state"]["stake"] == 7


def test_what_is_tapped_in_stays_while_others_act(tapped: Opening) -> None:
    table = tapped("king-of-roulette", *((player,) for player in SEVEN[:2]), SEVEN[2:])
    ana, bo = table.pages["Ana"], table.pages["Bo"]
    ana.get_by_role("radio", name="Dora").check(force=True)
    bo.get_by_role("radio", name="Bo").check(force=True)
    bo.get_by_role("button", name="Vote").tap()
    table.fresh("Ana", 1)
    expect(ana.get_by_role("radio", name="Dora")).to_be_checked()
    ana.get_by_role("button", name="Vote").tap()
    expect(ana.locator("[data-hold]")).to_be_visible()
    assert table.seen["state"]["committed"] == ["Ana", "Bo"]
