"""Joining as people do it, in a real browser on a phone: from the QR code's link to a seat and a first action."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.party import scanned
from tests.host.phones import Owner, Phone, link, setup_code
from tests.host.running import RunningHost

PHONE = {"width": 360, "height": 740}
TV = {"width": 1920, "height": 1080}

NewPage = Callable[[], Page]


@pytest.fixture
def contexts(browser: Browser) -> Iterator[list[BrowserContext]]:
    """Contexts that are closed at the end."""
    opened: list[BrowserContext] = []
    yield opened
    for context in opened:
        context.close()


@pytest.fixture
def new_phone(browser: Browser, contexts: list[BrowserContext]) -> Iterator[NewPage]:
    """Phones, each with its own cookies; any error on their pages fails the test."""
    complaints: list[str] = []

    def phone() -> Page:
        context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda told: complaints.append(told.text) if "Security Policy" in told.text else None)
        return page

    yield phone
    assert complaints == []


def join(page: Page, address: str, name: str) -> None:
    """Open the link, type a name, take the seat."""
    page.goto(address)
    page.get_by_label(re.compile("name", re.IGNORECASE)).fill(name)
    page.get_by_role("button", name="Take a seat").tap()
    page.wait_for_url("**/tables/*")


@pytest.mark.browser
def test_from_the_claim_to_the_first_stake(own_host: RunningHost, new_phone: NewPage) -> None:
    vera, ana, tv = new_phone(), new_phone(), new_phone()
    vera.goto(own_host.address)
    vera.get_by_role("link", name="Claim it").tap()
    vera.get_by_label(re.compile("Setup code")).fill("1111 1111")
    vera.get_by_role("button", name="Claim it").tap()
    expect(vera.get_by_role("alert")).to_contain_text("not the setup code")
    vera.get_by_label(re.compile("Setup code")).fill(setup_code(own_host.data))
    vera.get_by_role("button", name="Claim it").tap()
    vera.wait_for_url("**/new")
    vera.locator("form", has_text="Vigo's Favor").get_by_role("button").tap()
    vera.wait_for_url("**/tables/*")

    tv.set_viewport_size(TV)  # type: ignore[arg-type]
    tv.goto(own_host.address)
    expect(tv.locator("#headline")).to_have_text("Waiting for 2 more players.")
    address = scanned(tv)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/join/[a-z2-9]{18}", address)
    join(vera, address, "Vera")
    join(ana, address, "Ana")
    expect(tv.locator(".place .name")).to_have_text(["Vera", "Ana"])
    vera.get_by_role("button", name="Move Ana up").tap()
    expect(tv.locator(".place .name")).to_have_text(["Ana", "Vera"])

    vera.get_by_text("Options").tap()
    vera.get_by_label("Rounds to play").fill("3")
    vera.get_by_role("button", name="Start the game").tap()
    for page in (vera, ana, tv):
        expect(page.locator("#headline")).to_have_text("Ana names the stake.")
    expect(tv.locator(".subtitle")).to_contain_text("of 3")
    ana.reload()
    ana.locator("#controls").get_by_role("button", name="Set the stake").tap()
    expect(tv.locator("#headline")).to_have_text("Ana rolls for the favor.")
    assert "Set-Cookie" not in str(ana.evaluate("document.cookie")) and ana.evaluate("document.cookie") == ""


@pytest.mark.browser
def test_a_name_that_is_taken_and_a_second_one_on_the_same_phone(
    shared_host: RunningHost, new_phone: NewPage
) -> None:
    lobby = Owner(shared_host).lobby()
    address = f"{shared_host.address}/join/{link(shared_host, lobby)}"
    first, second = new_phone(), new_phone()
    join(first, address, "Ana")
    second.goto(address)
    expect(second.locator(".welcome")).to_contain_text("Ana")
    second.get_by_label("Your name").fill("Ana")
    second.get_by_role("button", name="Take a seat").tap()
    expect(second.get_by_role("alert")).to_contain_text("another phone")
    first.get_by_role("link", name="Take another seat").tap()
    first.get_by_label("Another name on this phone").fill("Cy")
    first.get_by_role("button", name="Take a seat").tap()
    first.wait_for_url("**/tables/*")
    expect(first.locator(".place.mine .name")).to_have_text(["Ana", "Cy"])


@pytest.mark.browser
def test_what_is_sent_before_the_script_is_there_stands_in_no_address(
    shared_host: RunningHost, browser: Browser, contexts: list[BrowserContext]
) -> None:
    contexts.append(browser.new_context(java_script_enabled=False))
    page = contexts[-1].new_page()
    page.goto(f"{shared_host.address}/join")
    page.get_by_label(re.compile("Six digits")).fill("123 456")
    page.keyboard.press("Enter")
    expect(page.get_by_label(re.compile("Six digits"))).to_have_value("123 456")
    assert page.url == f"{shared_host.address}/join"


@pytest.mark.browser
def test_a_seat_is_handed_to_another_phone_and_both_are_told(shared_host: RunningHost, new_phone: NewPage) -> None:
    owner = Owner(shared_host)
    lobby = owner.lobby()
    address = f"{shared_host.address}/join/{link(shared_host, lobby)}"
    dead, fresh = new_phone(), new_phone()
    join(dead, address, "Ana")
    Phone(shared_host).join(link(shared_host, lobby), "Bo")
    owner.start(lobby)
    expect(dead.locator("#headline")).to_have_text("Ana names the stake.")
    expect(dead.locator("#said")).not_to_be_empty()
    fresh.goto(address)
    expect(fresh.get_by_text("No seat is free")).to_be_visible()
    fresh.get_by_text("I have a code for a seat").tap()
    fresh.get_by_label(re.compile("Six digits")).fill(owner.code(lobby, "Ana"))
    fresh.get_by_role("button", name="Take over the seat").tap()
    fresh.wait_for_url("**/tables/*")
    expect(fresh.locator("#controls")).to_be_visible()
    expect(dead.locator("#moved")).to_contain_text("Ana")
    expect(dead.locator("#controls")).to_have_count(0)


@pytest.mark.browser
def test_the_pages_fit_a_phone_and_a_tv(own_host: RunningHost, new_phone: NewPage) -> None:
    page = new_phone()
    page.goto(f"{own_host.address}/claim")
    page.get_by_label(re.compile("Setup code")).fill(setup_code(own_host.data))
    page.get_by_role("button", name="Claim it").tap()
    page.wait_for_url("**/new")
    lobby = Owner(own_host).lobby()
    code = link(own_host, lobby)
    for number in range(12):
        Phone(own_host).join(code, f"Maximilian der Große {number:02}")
    for path in ("/claim", "/new", f"/join/{code}", "/join", f"/tables/{lobby}", f"/tables/{lobby}/seats"):
        for size in (PHONE, {"width": 820, "height": 1180}, TV):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.goto(f"{own_host.address}{path}")
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], (path, size)
            for button in page.get_by_role("button").all():
                box = button.bounding_box()
                assert box is None or box["height"] >= 44, (path, size, button.inner_text())


def test_what_people_typed_is_text_on_every_page(shared_host: RunningHost) -> None:
    owner = Owner(shared_host)
    lobby = owner.lobby()
    code = link(shared_host, lobby)
    phone = Phone(shared_host)
    for name in ("<b>Ana</b>", "\"><script>x('", "{{7*1234567}}", "'><img src=x>"):
        assert phone.join(code, name).status == 200
    for path in (f"/join/{code}", f"/tables/{lobby}", f"/tables/{lobby}/seats", f"/tables/{lobby}/seats/parts"):
        page = phone.page(path).body.decode()
        assert "<b>Ana" not in page and "<script>x" not in page and "<img" not in page and "8641969" not in page
        assert not re.search(r"\sstyle=|\son\w+=|<style|javascript:", page), path


def test_what_only_the_owner_sees(shared_host: RunningHost) -> None:
    owner = Owner(shared_host)
    table, (ana, _) = owner.seated("Ana", "Bo")
    page = ana.page(f"/tables/{table}/seats").body.decode()
    assert "this phone" in page and "revoke" not in page and "Code for another phone" not in page
    assert ana.who()["phone"] not in page
    assert ana.page("/new").status == 403 and ana.page("/tables/nowhere").status == 404
    wrong = ana.page(f"/join/{table}aaaaaaaaaa")
    assert wrong.status == 403 and "Scan the one on the table again" in wrong.body.decode()
