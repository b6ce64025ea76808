"""Controls under a thumb: secrets that are held to be seen, shared phones, and messages that count once."""

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Gathers
from tests.browser.party import set_visible
from tests.browser.playing import up_to_date

pytestmark = pytest.mark.browser

OTHER_FIVE = ("Chen", "Dora", "Emil", "Fay", "Gus")


def test_what_was_chosen_is_seen_only_while_it_is_held(gather: Gathers) -> None:
    party = gather("king-of-roulette", ("Ana",), ("Bo", *OTHER_FIVE))
    page = party.pages["Ana"]
    expect(page.locator("#device")).to_be_hidden()  # there is no camera, and this game has no dice
    page.locator(".tile", has_text="Chen").tap()
    page.get_by_role("button", name="Vote").tap()
    hold = page.locator("[data-hold]")
    expect(hold).to_be_visible()
    expect(page.locator(".held")).to_be_hidden()
    assert "Chen" not in page.locator("#controls").inner_html()
    hold.dispatch_event("pointerdown")
    expect(page.locator(".held dd")).to_have_text("Chen")
    party.picture("held", page)
    page.dispatch_event("body", "pointerup")
    expect(page.locator(".held")).to_be_hidden()
    assert "Chen" not in page.locator("#controls").inner_html()
    expect(party.pages["Bo"].locator("[data-hold]")).to_have_count(0)


def test_a_phone_with_several_seats_asks_who_is_looking_before_it_shows_a_secret(gather: Gathers) -> None:
    party = gather("king-of-roulette", ("Ana", "Bo"), OTHER_FIVE)
    page = party.pages["Ana"]
    who = page.get_by_role("heading", name="Who is looking?")
    expect(who).to_be_visible()
    party.picture("who-is-looking", page)
    expect(page.locator("#controls form")).to_have_count(0)
    page.get_by_role("button", name="Bo").tap()
    expect(page.locator("#controls form .whose")).to_contain_text("Bo")
    page.locator("form .tile", has_text="Dora").tap()
    page.get_by_role("button", name="Vote").tap()
    expect(who).to_be_visible()
    expect(page.locator("[data-hold]")).to_have_count(0)
    page.get_by_role("button", name="Ana").tap()
    expect(page.locator("#controls form .whose")).to_contain_text("Ana")
    expect(page.locator("[data-hold]")).to_have_count(0)
    set_visible(page, "hidden")
    set_visible(page, "visible")
    expect(who).to_be_visible()
    assert party.seen()["state"]["committed"] == ["Bo"]


def test_a_double_tap_and_a_lost_answer_count_once(gather: Gathers) -> None:
    party = gather("vigos-favor", ("Vera",), ("Ana",))
    page = party.pages["Vera"]
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
    table = party.seen()
    assert lost and table["number"] == 1 and table["state"]["stake"] == 11


def test_a_stale_tap_is_told_why_and_sees_what_is_fresh(gather: Gathers) -> None:
    party = gather("vigos-favor", ("Vera",), ("Ana",))
    page = party.pages["Vera"]

    def overtaken(route: Route) -> None:
        party.act("stake", "Vera", amount=7)
        route.continue_()

    page.route("**/actions", overtaken, times=1)
    with page.expect_response("**/actions") as answered:
        page.get_by_role("button", name="Set the stake").tap()
    assert answered.value.status == 409
    fresh = answered.value.json()
    assert (fresh["slug"], fresh["number"], fresh["state"]["stake"]) == ("stale-number", 1, 7)
    expect(page.locator("#why")).to_have_text(
        "Something else happened first, so that was not taken. This is how things stand now."
    )
    expect(page.locator("#controls form h2")).to_have_text("Your roll")
    party.picture("overtaken", page)
    assert party.seen()["state"]["stake"] == 7


def test_what_is_tapped_in_stays_while_others_act(gather: Gathers) -> None:
    party = gather("king-of-roulette", ("Ana",), ("Bo", *OTHER_FIVE))
    page = party.pages["Ana"]
    page.locator(".tile", has_text="Dora").tap()
    party.act("vote", "Bo", **{"for": "Bo"})
    up_to_date(page, 1)
    expect(page.get_by_role("radio", name="Dora")).to_be_checked()
    page.get_by_role("button", name="Vote").tap()
    expect(page.locator("[data-hold]")).to_be_visible()
    assert party.seen()["state"]["committed"] == ["Ana", "Bo"]


def test_after_a_long_form_what_comes_next_is_seen_from_its_beginning(gather: Gathers) -> None:
    party = gather("rig", ("Ana",), ("Bo",))
    for player, *faces in (("Ana", "blue blank", "red +", "black +", "gold blank"), ("Bo", *["green +"] * 4)):
        page = party.pages[player]
        for face in faces:
            page.locator("[data-add]").filter(has_text=face.removesuffix(" blank")).tap()
        page.get_by_role("button", name="Enter the roll").tap()
    expect(page.get_by_role("heading", name="Collect tokens")).to_be_in_viewport()
    expect(page.locator("#board .prompt")).to_be_in_viewport()


def test_nothing_is_exchanged_under_a_finger(gather: Gathers) -> None:
    """Else the tap would be lost, or meet what was put in place of its target."""
    party = gather("king-of-roulette", ("Ana", "Bo"), OTHER_FIVE)
    page = party.pages["Ana"]
    seat = page.get_by_role("button", name="Ana")
    seat.dispatch_event("pointerdown")
    with page.expect_response("**/controls?*"):
        party.act("vote", "Bo", **{"for": "Bo"})
    expect(page.locator("#controls small")).to_have_count(2)
    page.dispatch_event("body", "pointerup")
    seat.dispatch_event("click")
    expect(page.locator("#controls form .whose")).to_contain_text("Ana")
    expect(page.locator("#controls small")).to_have_count(1)
