"""A new user's walk: what the README says is done, from the first command to a finished game."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import Popen

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.party import PHONE, TV, scanned
from tests.device.program import running

pytestmark = pytest.mark.browser

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")

NewPage = Callable[[dict[str, int]], Page]


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """Browsers of their own; those as narrow as a phone have touch."""
    contexts: list[BrowserContext] = []

    def opened(size: dict[str, int]) -> Page:
        is_phone = size == PHONE
        contexts.append(
            browser.new_context(
                viewport=size,  # type: ignore[arg-type]
                has_touch=is_phone,
                is_mobile=is_phone,
                locale="en-GB",
            )
        )
        return contexts[-1].new_page()

    yield opened
    for context in contexts:
        context.close()


def command(name: str) -> list[str]:
    """The words after ``./start`` of the first command in the README that begins so.

    A test listens on this machine alone, and keeps away from a port that somebody may use.
    """
    found = re.search(rf"\./start ({name}\b[^`#\n]*)", README)
    assert found, f"the README says no more how to {name}"
    return [*found.group(1).replace("0.0.0.0", "127.0.0.1").split(), "--port", "0"]  # noqa: S104


def told(program: Popen[str], pattern: str) -> str:
    """What the program prints, once it does."""
    assert program.stderr is not None
    for line in program.stderr:
        if found := re.search(pattern, line):
            return found.group(1)
    raise AssertionError(f"it ended without saying {pattern}")


def test_the_demo_is_watched_to_its_end(new_page: NewPage, tmp_path: Path) -> None:
    with running(*command("demo"), "--speed", "100", "--data", tmp_path) as program:
        page = new_page(PHONE)
        page.goto(told(program, r"(http://\S+)"))
        expect(page.locator("#headline")).to_contain_text("wins", timeout=60_000)
        expect(page.locator(".throw img")).to_be_attached()


def test_a_table_is_claimed_opened_joined_and_played_to_its_end(new_page: NewPage, tmp_path: Path) -> None:
    arguments = command("run --listen")
    assert arguments[:2] == ["run", "--listen"]
    with running(*arguments, "--data", tmp_path) as program:
        code = told(program, r"enter (\d{4}-\d{4}) at http")
        address = (tmp_path / "address").read_text(encoding="ascii").strip()
        vera, ana, tv = new_page(PHONE), new_page(PHONE), new_page(TV)
        claim_and_open(vera, address, code)
        tv.goto(address)
        expect(tv.locator("#said")).not_to_be_empty()
        link = scanned(tv)
        for page, name in ((vera, "Vera"), (ana, "Ana")):
            page.goto(link)
            page.get_by_label(re.compile("name")).fill(name)
            page.get_by_role("button", name="Take a seat").tap()
            page.wait_for_url("**/tables/*")
        vera.get_by_text("Options").tap()
        vera.get_by_label("Rounds to play").fill("1")
        vera.get_by_role("button", name="Start the game").tap()
        for page in (vera, ana):
            expect(page.locator("#twice")).to_be_attached()
        vera.get_by_role("button", name="Set the stake").tap()
        roll(vera, "red")
        roll(ana, "blue")
        for page in (vera, ana, tv):
            expect(page.locator("#headline")).to_have_text("Vera wins.")
            expect(page.locator(".seat.winner .name")).to_have_text("Vera")


def claim_and_open(page: Page, address: str, code: str) -> None:
    """The first phone becomes the owner's, and opens a table for Vigo's Favor."""
    page.goto(address)
    page.get_by_role("link", name="Claim it").tap()
    page.get_by_label(re.compile("Setup code")).fill(code)
    page.get_by_role("button", name="Claim it").tap()
    page.wait_for_url("**/new")
    page.locator("form", has_text="Vigo's Favor").get_by_role("button").tap()
    page.wait_for_url("**/tables/*")


def roll(page: Page, face: str) -> None:
    """The cube is thrown on a table without a camera, and tapped in."""
    expect(page.locator("#controls form h2")).to_have_text("Your roll")
    page.locator("#controls .tile", has_text=face).first.tap()
    page.get_by_role("button", name="Enter the roll").tap()
