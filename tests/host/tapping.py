"""Thumbs: phones in a real browser whose controls are answered by taps."""

from random import Random
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.host.phones import Owner, Phone, link
from tests.host.running import RunningHost

PHONE = {"width": 360, "height": 740}

FIRST_OF_ALL = ("vote", "condemn", "name-king")
"""Where random answers would tie for long, everybody takes the first one."""


class TappedTable:
    """A table whose players each have a phone in the browser, or share some of them."""

    def __init__(self, host: RunningHost, browser: Browser, game: str, *phones: tuple[str, ...], **options: Any):
        self.host = host
        self.complaints: list[str] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        owner = Owner(host)
        self.id = owner.lobby(game, **options)
        self.phones: dict[str, Phone] = {}
        for players in phones:
            phone = Phone(host)
            for player in players:
                assert phone.join(link(host, self.id), player).status == 200
                self.phones[player] = phone
        assert owner.start(self.id).status == 201
        self.pages = {player: page for players in phones for page in [self.opened(players[0])] for player in players}

    def opened(self, player: str | None = None) -> Page:
        """The table in a browser of its own: that player's phone, or somebody's who only looks on."""
        context = self._browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)  # type: ignore[arg-type]
        self._contexts.append(context)
        if player is not None:
            cookie = self.phones[player].cookie
            assert cookie
            context.add_cookies([{"name": "croupier-phone", "value": cookie, "url": self.host.address}])
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda told: self.complaints.append(told.text) if "Policy" in told.text else None)
        page.goto(f"{self.host.address}/tables/{self.id}")
        return page

    def close(self) -> None:
        """Put the phones away; nothing may have gone wrong on any of their pages."""
        for context in self._contexts:
            context.close()
        assert self.complaints == [], self.complaints[:3]

    @property
    def seen(self) -> dict[str, Any]:
        """The table as everybody sees it."""
        table: dict[str, Any] = self.host.get(f"/tables/{self.id}").json
        return table

    def fresh(self, player: str, number: int | None = None) -> Page:
        """The player's page, once it shows the controls of the present state."""
        page = self.pages[player]
        wanted = self.seen["number"] if number is None else number
        expect(page.locator(f"#controls [data-number='{wanted}']")).to_have_count(1)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], "wider than the phone"
        return page

    def play(self, rng: Random, most: int = 300) -> list[str]:
        """Answer whatever is awaited by taps until the game is over; the winners."""
        for _ in range(most):
            table = self.seen
            if table["state"]["winners"] is not None:
                winners: list[str] = table["state"]["winners"]
                return winners
            entry = rng.choice([each for each in table["state"]["awaiting"] if each["type"] != "buy-double"])
            page = self.fresh(entry["player"], table["number"])
            take_up(page, entry["player"])
            tap_answer(page, entry["type"], rng)
        raise AssertionError("the game does not end")


def take_up(page: Page, player: str) -> None:
    """Say who is looking, where the phone has several seats."""
    seat = page.locator(f"[data-look-as='{player}']")
    if seat.count() and seat.get_attribute("aria-pressed") == "false":
        seat.tap()
    if seat.count():
        expect(seat).to_have_attribute("aria-pressed", "true")


def tap_answer(page: Page, kind: str, rng: Random) -> None:
    """Fill in one control and send it."""
    form = page.locator(f"#controls form[data-control='{kind}']")
    for part in form.locator(".part").all():
        tap_part(part, kind, rng)
    buttons = form.locator(".send:not([disabled])")
    with page.expect_response("**/actions") as answered:
        buttons.nth(rng.randrange(buttons.count())).tap()
    assert answered.value.status == 200, answered.value.text()


def tap_part(part: Locator, kind: str, rng: Random) -> None:
    """Fill in one part of a control."""

    def tap_one_of(tiles: Locator) -> None:
        tiles.nth(0 if kind in FIRST_OF_ALL else rng.randrange(tiles.count())).tap()

    match part.get_attribute("data-kind"):
        case "pick":
            for _ in range(int(part.get_attribute("data-count") or 1)):
                tap_one_of(part.locator(".tile:has(input:not(:disabled, :checked))"))
        case "ordered":
            for _ in range(int(part.get_attribute("data-least") or 0)):
                tap_one_of(part.locator("[data-add]:not([disabled])"))
        case "amount":
            tap_one_of(part.locator("[data-preset]"))
