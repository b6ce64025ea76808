"""People at a table: a phone with touch for each of them, who come by the QR code, and a TV that everybody sees."""

import os
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.host.phones import Owner
from tests.host.running import RunningHost, new_id

PHONE = {"width": 360, "height": 740}
TV = {"width": 1920, "height": 1080}

ALBUM = os.environ.get("CROUPIER_ALBUM")
"""A folder into which the tests write a picture of each screen that they come upon first."""


class Party:
    """A table with its browsers: ``pages`` holds each player's phone, ``tv`` one that has no seat.

    ``looked_at`` names the kinds of decisions at which every screen has been looked at.
    """

    def __init__(self, host: RunningHost, browser: Browser, game: str, options: dict[str, Any]):
        self.host = host
        self.game = game
        self.owner = Owner(host)
        self.id = self.owner.lobby(game, **options)
        self.pages: dict[str, Page] = {}
        self.complaints: list[str] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.looked_at: set[str] = set()
        self._pictured: set[str] = set()
        self.tv = self.opened(TV, has_touch=False)

    def opened(self, size: dict[str, int], has_touch: bool = True) -> Page:
        """A browser with cookies of its own; what goes wrong on its pages is kept in ``complaints``."""
        context = self._browser.new_context(
            viewport=size,  # type: ignore[arg-type]
            has_touch=has_touch,
            is_mobile=has_touch,
            locale="en-GB",
        )
        self._contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda told: self.complaints.append(told.text) if "Policy" in told.text else None)
        return page

    def gather(self, *phones: tuple[str, ...]) -> None:
        """Everybody scans the code on the TV and takes a seat; then the game starts on all pages."""
        self.tv.goto(f"{self.host.address}/tables/{self.id}")
        expect(self.tv.locator("#said")).not_to_be_empty()  # it follows the table, and does not draw itself anew
        self.picture("lobby", self.tv)
        link = scanned(self.tv)
        assert re.fullmatch(re.escape(self.host.address) + r"/join/[a-z2-9]{18}", link)
        for players in phones:
            page = self.opened(PHONE)
            for player in players:
                page.goto(link)
                self.picture("join", page)
                page.get_by_label(re.compile("name")).fill(player)
                page.get_by_role("button", name="Take a seat").tap()
                page.wait_for_url("**/tables/*")
                self.pages[player] = page
        assert self.owner.start(self.id).status == 201
        for page in self.everybody:
            expect(page.locator("#board[data-board$='/board']")).to_be_attached()
            expect(page.locator("#said")).not_to_be_empty()
        for page in self.pages.values():
            expect(page.locator("#twice")).to_be_attached()  # the script of the controls is at work

    @property
    def everybody(self) -> tuple[Page, ...]:
        """Every phone once, and the TV."""
        return (*dict.fromkeys(self.pages.values()), self.tv)

    def close(self) -> None:
        """Put everything away; nothing may have gone wrong on any page."""
        for context in self._contexts:
            context.close()
        assert self.complaints == []

    def seen(self) -> dict[str, Any]:
        """The table as everybody sees it."""
        table: dict[str, Any] = self.host.get(f"/tables/{self.id}").json
        return table

    def act(self, kind: str, player: str, **fields: Any) -> None:
        """An action of a player, without their phone."""
        body = {"id": new_id(), "action": {"type": kind, "player": player, **fields}}
        answer = self.owner.post(f"/tables/{self.id}/actions", body)
        assert answer.status == 200, answer.json

    def picture(self, name: str, page: Page) -> None:
        """The first time that something of this name is come upon, its picture goes into the album."""
        name = f"{self.game}-{name}-{'tv' if page is self.tv else 'phone'}"
        if ALBUM and name not in self._pictured:
            self._pictured.add(name)
            Path(ALBUM).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=Path(ALBUM) / f"{name}.png", full_page=page is not self.tv)


SCAN_SCALES = (1.0, 0.7, 0.5, 1.4)
"""OpenCV's detector misses a code now and then; a phone, too, is held nearer or farther off until it reads."""

SCANS = 20


SHOW_CODE = """() => {
    const code = document.querySelector(".qr");
    code.scrollIntoView({ block: "nearest", behavior: "instant" });
    const { x, y, width, height } = code.getBoundingClientRect();
    return { x, y, width, height };
}"""
"""All at one moment: the code may be drawn anew meanwhile."""


def scanned(page: Page) -> str:
    """What a camera reads from the QR code on the page; like a phone's, it looks until it can read."""
    expect(page.locator(".qr")).to_be_visible()
    for _ in range(SCANS):
        taken = page.screenshot(clip=page.evaluate(SHOW_CODE))
        picture = cv2.imdecode(np.frombuffer(taken, np.uint8), cv2.IMREAD_GRAYSCALE)
        assert picture is not None
        for scale in SCAN_SCALES:
            size = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            for detector in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
                if text := str(detector.detectAndDecode(size)[0]):
                    return text
        page.wait_for_timeout(100)
    return ""


def set_visible(page: Page, state: str) -> None:
    """What a browser does when a phone is locked, or unlocked."""
    page.evaluate(
        """state => {
            Object.defineProperty(document, 'visibilityState', {value: state, configurable: true});
            document.dispatchEvent(new Event('visibilitychange'));
        }""",
        state,
    )
