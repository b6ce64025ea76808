"""The pages as the server draws them, and as a real browser shows them."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.host.running import OpenTable, RunningHost, cube

PHONE = {"width": 360, "height": 740}
TV = {"width": 1920, "height": 1080}
MOST_BYTES_OF_FIRST_VIEW = 150_000


def text(page: str) -> str:
    """The words of a page."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def seeking(host: RunningHost, *players: str, stake: int = 5) -> OpenTable:
    """A table where the second player is to roll and needs red."""
    table = host.open(*(players or ("Vera", "Ana", "Bo")))
    table.act("stake", table.seen()["state"]["vigo"], amount=stake)
    host.read(cube("red"))
    return table


def test_without_a_table_the_page_waits_for_one(own_host: RunningHost) -> None:
    page = own_host.call("GET", "/")
    assert page.status == 200 and "No table is open yet" in text(page.body.decode())
    table = own_host.open("Ana", "Bo")
    sent_on = own_host.call("GET", "/")
    assert (sent_on.status, sent_on.headers["Location"]) == (303, f"/tables/{table.id}")


def test_the_scoreboard_says_what_the_table_is_at(shared_host: RunningHost) -> None:
    table = seeking(shared_host)
    page = text(shared_host.call("GET", f"/tables/{table.id}").body.decode())
    for words in (
        "Vigo&#39;s Favor",
        "Round 1 of 3",
        "Ana rolls and needs red.",
        "Pot 10",
        "Stake 5",
        "Favor red",
        "Shoya Haa&#39;runi",
        "Vera sets the stake at 5.",
        "Counts",
        "Read: red.",
    ):
        assert words in page, words
    assert page.index("Vera rolls red") < page.index("Vera sets the stake"), "newest first"
    assert page.index("Vera Vigo") < page.index("Ana to roll") < page.index("Bo to roll"), "clockwise"


def test_names_are_text_and_nothing_else(shared_host: RunningHost) -> None:
    table = seeking(shared_host, "<b>Ana</b>", "\"><script>x('", "&lt;{{7*1234567}}")
    for path in (f"/tables/{table.id}", f"/tables/{table.id}/board"):
        page = shared_host.call("GET", path).body.decode()
        assert "<b>" not in page and "x('" not in page and "8641969" not in page
        assert "&lt;b&gt;Ana&lt;/b&gt;" in page and "&amp;lt;{{7*1234567}}" in page


def test_pages_hold_no_script_or_style_of_their_own(shared_host: RunningHost) -> None:
    table = seeking(shared_host)
    page = shared_host.call("GET", f"/tables/{table.id}").body.decode()
    assert not re.search(r"\sstyle=|\son\w+=|<style|javascript:", page)
    assert set(re.findall(r"<script[^>]*>(.*?)</script>", page, re.S)) == {""}
    assert not re.search(r"(src|href)=\"(https?:)?//", page)


@pytest.mark.parametrize("game", ["val-des", "victim", "king-of-roulette", "rig"])
def test_every_game_has_a_scoreboard(shared_host: RunningHost, game: str) -> None:
    games = {entry["id"]: entry for entry in shared_host.get("/games").json["games"]}
    players = [f"Player {number}" for number in range(games[game]["fewest_players"])]
    table = shared_host.open(*players, game=game)
    page = text(shared_host.call("GET", f"/tables/{table.id}").body.decode())
    assert table.seen()["prompt"][0] in page
    assert all(player in page for player in players)


def test_the_winner_is_named(shared_host: RunningHost) -> None:
    table = shared_host.open("Vera", "Ana", rounds=1)
    table.act("stake", "Vera", amount=3)
    shared_host.read(cube("red"))
    shared_host.read(cube("blue"))
    page = text(shared_host.call("GET", f"/tables/{table.id}").body.decode())
    assert "Vera wins." in page and "winner" in page


# In a browser ---------------------------------------------------------------------------------------------------


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A phone's page that fails the test on any error in its console."""
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)  # type: ignore[arg-type]
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on(
        "console", lambda message: complaints.append(message.text) if "Security Policy" in message.text else None
    )
    yield opened
    context.close()
    assert complaints == []


@pytest.mark.browser
def test_the_scoreboard_follows_the_game_without_reloading(shared_host: RunningHost, page: Page) -> None:
    table = shared_host.open("Vera", "Ana", "Bo")
    page.goto(f"{shared_host.address}/tables/{table.id}")
    expect(page.locator("#headline")).to_have_text("Vera names the stake.")
    page.evaluate("window.sameDocument = true")
    table.act("stake", "Vera", amount=5)
    expect(page.locator("#headline")).to_have_text("Vera rolls for the favor.")
    shared_host.read(cube("blue"))
    expect(page.locator("#headline")).to_have_text("Ana rolls and needs blue.")
    expect(page.locator("#said")).to_have_text("Ana rolls and needs blue.")
    expect(page).to_have_title("Ana rolls and needs blue. · Vigo's Favor")
    expect(page.locator(".throw img")).to_have_attribute("alt", "The tray: blue chance cube.")
    expect(page.locator(".seat.awaited .name")).to_have_text("Ana")
    shared_host.read(cube("red"), cube("red"))
    expect(page.locator(".throw .outcome strong")).to_have_text("Not counted")
    table.undo()
    expect(page.locator(".log del")).to_have_count(1)
    assert page.evaluate("window.sameDocument") is True


@pytest.mark.browser
def test_a_lost_connection_is_shown_and_mends(own_host: RunningHost, page: Page) -> None:
    table = own_host.open("Vera", "Ana", "Bo")
    page.goto(f"{own_host.address}/tables/{table.id}")
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator("#said")).to_have_text("Vera names the stake.")
    port = own_host.address.rpartition(":")[2]
    own_host.kill()
    expect(page.locator("#lost")).to_be_visible()
    own_host.start(port)
    expect(page.locator("#lost")).to_be_hidden()
    table.act("stake", "Vera", amount=5)
    expect(page.locator("#headline")).to_have_text("Vera rolls for the favor.")


@pytest.mark.browser
def test_the_scoreboard_fits_phones_and_a_tv(shared_host: RunningHost, page: Page) -> None:
    names = [f"Maximilian der Große {number:02}" for number in range(1, 13)]
    table = seeking(shared_host, *names, stake=1_000_000_000)
    page.goto(f"{shared_host.address}/tables/{table.id}")
    for size in (PHONE, {"width": 820, "height": 1180}, TV, {"width": 1280, "height": 720}):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    page.set_viewport_size(TV)  # type: ignore[arg-type]
    boxes = [seat.bounding_box() for seat in page.locator(".seat").all()]
    assert len(boxes) == 12
    for box in boxes:
        assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= TV["height"]
    for one, box in enumerate(boxes):
        for other in boxes[one + 1 :]:
            assert box is not None and other is not None
            apart = (
                box["x"] + box["width"] <= other["x"]
                or other["x"] + other["width"] <= box["x"]
                or box["y"] + box["height"] <= other["y"]
                or other["y"] + other["height"] <= box["y"]
            )
            assert apart, "two seats lie on one another"


@pytest.mark.browser
def test_the_first_view_is_small(shared_host: RunningHost, page: Page) -> None:
    table = seeking(shared_host)
    sizes: list[int] = []
    page.on(
        "response",
        lambda answer: (
            None if answer.url.endswith("/events") else sizes.append(answer.request.sizes()["responseBodySize"])
        ),
    )
    page.goto(f"{shared_host.address}/tables/{table.id}", wait_until="load")
    expect(page.locator("#said")).not_to_be_empty()
    assert 0 < sum(sizes) + 20_000 < MOST_BYTES_OF_FIRST_VIEW, "a picture of the tray may come on top"
