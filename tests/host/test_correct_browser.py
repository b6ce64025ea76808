"""A correction on the phones: an unread die is answered by a tap, a reading is objected to, the owner amends it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.host.phones import Phone, setup_code
from tests.host.running import RunningHost, cube
from tests.host.tapping import TappedTable

pytestmark = pytest.mark.browser

COCKED = {"reason": "cocked", "center_px": [100.0, 200.0], "likely": [{"kind": "chance-cube", "face": "red"}]}


@pytest.fixture
def table(own_host: RunningHost, browser: Browser) -> Iterator[TappedTable]:
    """Vera's phone is the owner's; Ana and Bo have their own."""
    code = setup_code(own_host.data)
    opened = TappedTable(own_host, browser, "vigos-favor", ("Vera",), ("Ana",), ("Bo",))
    assert opened.phones["Vera"].claim(code).status == 200
    opened.pages["Vera"] = opened.opened("Vera")
    yield opened
    opened.close()


def question_of(page: Page) -> Page:
    """The page, once it asks."""
    expect(page.locator(".question h2")).to_have_text("What do the dice show?")
    return page


def test_a_correction_from_the_unread_die_to_the_amended_roll(table: TappedTable) -> None:
    host = table.host
    phone: Phone = table.phones["Vera"]
    assert phone.act(table.id, "stake", "Vera", amount=5).status == 200
    assert host.read(cube("red")).json["status"] == "applied"
    vera, ana, bo = (table.pages[player] for player in ("Vera", "Ana", "Bo"))
    for closing, commands in (("Nothing was rolled", []), ("Roll again", ["read-again"])):
        assert host.read(unread=[COCKED]).json["status"] == "unmatched"
        question_of(ana).get_by_role("button", name=closing).tap()
        for page in (vera, ana, bo):
            expect(page.locator(".question")).to_have_count(0)
        assert [command["type"] for command in host.expect()["commands"]] == commands

    assert host.read(unread=[COCKED]).json["status"] == "unmatched"
    question_of(bo)
    expect(bo.locator(".question form")).to_have_count(0)
    expect(bo.locator(".question .waiting")).to_have_text("Ana is asked what they show.")
    expect(question_of(vera).locator(".question form[data-send$=confirm]")).to_have_count(1)
    confirm = question_of(ana).get_by_role("button", name="That is what they show")
    expect(confirm).to_be_disabled()
    assert ana.evaluate("document.documentElement.scrollWidth") <= 360
    ana.locator(".question .tile", has_text="red").tap()
    confirm.tap()
    for page in (vera, ana, bo):
        expect(page.locator(".question")).to_have_count(0)
        expect(page.locator("#headline")).to_contain_text("Bo")
    expect(bo.locator(".throw .chip").first).to_have_text("Corrected")
    assert table.seen["log"][-1]["by"] == "seat:Ana"

    assert host.read(cube("blue")).json["status"] == "applied"
    bo.get_by_role("button", name="Read wrong? Object").tap()
    for page in (vera, ana, bo):
        expect(page.locator(".objection .note")).to_have_text("Bo objects to the reading of line 6.")
    expect(ana.locator(".objection button")).to_have_count(0)
    vera.get_by_role("link", name="Correct line 6").tap()
    expect(vera.locator(".told")).to_contain_text("Bo")
    vera.locator(".control .tile", has_text="red").tap()
    vera.get_by_role("button", name="Correct it", exact=True).tap()
    expect(vera.get_by_text("Corrected by line 8")).to_be_visible()
    expect(bo.locator(".objection")).to_have_count(0)
    assert table.seen["state"]["in_favor"] == ["Ana", "Bo"]


def test_the_owner_is_asked_before_lines_are_dropped(table: TappedTable) -> None:
    host, vera = table.host, table.pages["Vera"]
    assert table.phones["Vera"].act(table.id, "stake", "Vera", amount=5).status == 200
    for face in ("red", "red", "blue"):
        host.read(cube(face))
    assert table.phones["Ana"].act(table.id, "decide", "Ana", choice="claim").status == 200
    vera.goto(f"{host.address}/tables/{table.id}/log/4")
    vera.locator(".control .tile", has_text="red").tap()
    drop = vera.get_by_role("button", name="Correct it and drop them")
    expect(drop).to_be_hidden()
    vera.get_by_role("button", name="Correct it", exact=True).tap()
    expect(vera.get_by_text("1 later lines no longer fit, from line 5 on.")).to_be_visible()
    drop.tap()
    expect(vera.get_by_text("Corrected by line 6")).to_be_visible()
    ana = table.pages["Ana"]
    expect(ana.locator(".log em", has_text="corrected")).to_have_count(1)
    expect(ana.locator(".log del")).to_have_count(1)
