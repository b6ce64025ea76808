"""Phones that were reloaded, offline or put away: back in their seats and up to date once they are looked at."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Gathers
from tests.browser.party import Party, set_visible
from tests.browser.playing import up_to_date

pytestmark = pytest.mark.browser


@pytest.fixture
def party(gather: Gathers) -> Party:
    """A table at which Vera is to name the stake."""
    return gather("vigos-favor", ("Vera",), ("Ana",))


def assert_is_vera(page: Page, number: int, asks: str) -> None:
    """The phone is in Vera's seat, at the state of this number, and asks her for this."""
    up_to_date(page, number)
    expect(page.locator("#controls form h2")).to_have_text(asks)
    expect(page.locator("#controls form .whose")).to_have_text("Vera")
    expect(page.locator("#lost")).to_be_hidden()


def test_reloaded(party: Party) -> None:
    page = party.pages["Vera"]
    page.get_by_role("button", name="5", exact=True).tap()
    page.get_by_role("button", name="Set the stake").tap()
    page.reload()
    assert_is_vera(page, 1, "Your roll")


def test_offline_and_online_again(party: Party) -> None:
    page = party.pages["Vera"]
    page.context.set_offline(True)
    page.get_by_role("button", name="Set the stake").tap()
    expect(page.locator("form .sentence")).to_contain_text("Sending again; it counts once.")
    assert party.seen()["number"] == 0
    page.context.set_offline(False)
    assert_is_vera(page, 1, "Your roll")
    page.context.set_offline(True)
    party.act("roll", "Vera", dice=[{"kind": "chance-cube", "face": "red"}])
    party.act("roll", "Ana", dice=[{"kind": "chance-cube", "face": "blue"}])
    # The stream is opened anew as soon as the phone is online, and begins with the table as it is.
    with page.expect_request("**/events"), page.expect_response("**/board"), page.expect_response("**/controls?*"):
        page.context.set_offline(False)
    up_to_date(page, 3)
    expect(page.locator("#headline")).to_have_text("Ana names the stake.")


def test_put_away_and_looked_at_again(party: Party) -> None:
    page = party.pages["Vera"]
    asked: list[str] = []
    session = page.context.new_cdp_session(page)
    set_visible(page, "hidden")
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    party.act("stake", "Vera", amount=3)
    session.send("Page.setWebLifecycleState", {"state": "active"})
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2].partition("?")[0]))
    with page.expect_response("**/board"), page.expect_response("**/controls?*"):
        set_visible(page, "visible")
    assert_is_vera(page, 1, "Your roll")
    # One question for each part of the page, or a second one where the stream told of the change meanwhile.
    assert max(map(asked.count, asked)) <= 2, asked


def test_two_pages_of_one_seat_are_told_so(party: Party) -> None:
    page = party.pages["Vera"]
    expect(page.locator("#twice")).to_be_hidden()
    second = page.context.new_page()
    second.goto(page.url)
    for one in (page, second):
        expect(one.locator("#twice")).to_have_text("This seat is open on another page, too. Close one of the two.")
    second.close(run_before_unload=True)
    expect(page.locator("#twice")).to_be_hidden()
    expect(party.pages["Ana"].locator("#twice")).to_be_hidden()
