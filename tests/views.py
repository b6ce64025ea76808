"""Every view of the program, on a host of its own with games under way, for what has to hold on all of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from host.games.protocol import Game
from host.games.registry import GAMES
from tests.games.lawful import Played, play
from tests.host.phones import Owner, Phone, link, setup_code
from tests.host.running import RunningHost, new_id

PHONE: ViewportSize = {"width": 360, "height": 740}
TV: ViewportSize = {"width": 1920, "height": 1080}
SCREENS = {"phone": PHONE, "tv": TV}

MOVES = {"vigos-favor": 9, "val-des": 8, "victim": 10, "king-of-roulette": 17, "rig": 14}
"""How far each game has come: into its second round or turn, with a history to show."""

MOMENTS = {
    "king-of-roulette": ("bets", "succession", "condemn", "over"),
    "rig": ("place", "over"),
    "victim": ("over",),
    "val-des": ("over",),
    "vigos-favor": ("over",),
}
"""Phases that a table is seldom in, and yet a phone has a page for."""


@dataclass(frozen=True)
class View:
    """A page, and whose phone looks at it: the owner's, who sits at a table, a player's, or nobody's."""

    name: str
    path: str
    who: str = "nobody"


class Views:
    """A host with a lobby and the five games, and the pages to look at."""

    def __init__(self, data: Path):
        self.host = RunningHost(data, "--https", "--https-port", "0")
        self.phones = {"owner": Phone(self.host), "player": Phone(self.host)}
        assert self.phones["owner"].claim(setup_code(data)).status == 200
        self.owner = Owner(self.host)
        self.tables = {game_id: self._played(game_id, count) for game_id, count in MOVES.items()}
        self.lobby = self.owner.lobby("victim")
        self.link = link(self.host, self.lobby)
        assert self.phones["player"].join(self.link, "Maximiliane").status == 200
        assert self.phones["owner"].join(self.link, "Bo").status == 200

    def close(self) -> None:
        """Stop the host."""
        assert self.host.stop() == 0

    def _played(self, game_id: str, count: int) -> str:
        """A game with both phones at it, after so many moves of random play."""
        played = play(GAMES.game(game_id), Random(11), most_actions=count)
        return self._seated(played, count, {played.players[0]: "owner"})

    def _seated(self, played: Played, count: int, whose: dict[str, str]) -> str:
        """A table after so many moves; who is not named in ``whose`` sits on the player's phone."""
        table = self.owner.lobby(played.game.id, **dict(played.states[0].options))
        for player in played.players:
            phone = self.phones[whose.get(player, "player")]
            assert phone.join(link(self.host, table), player).status == 200
        assert self.owner.start(table).status == 201
        for action in played.actions[:count]:
            answer = self.owner.post(f"/tables/{table}/actions", {"id": new_id(), "number": None, "action": action})
            assert answer.status == 200, answer.json
        return table

    def moments(self) -> Iterator[View]:
        """Every game in the phases that are seldom seen: as everybody sees it, and on the phone of who is awaited."""
        for game_id, phases in MOMENTS.items():
            for phase in phases:
                played, count = _come_to(GAMES.game(game_id), phase)
                state = played.states[count]
                awaited = [entry.player for entry in played.game.awaiting(state)]
                one = awaited[-1] if awaited else played.players[0]
                table = self._seated(played, count, {p: "owner" for p in played.players if p != one})
                yield View(f"{game_id}-{phase}", f"/tables/{table}")
                yield View(f"{game_id}-{phase}-player", f"/tables/{table}", "player")
                if phase == "over":
                    yield View(f"{game_id}-{phase}-owner", f"/tables/{table}", "owner")

    def all(self) -> Iterator[View]:
        """Every view."""
        yield View("claim", "/claim")
        yield View("new", "/new", "owner")
        yield View("join-code", "/join")
        yield View("join", f"/join/{self.link}")
        yield View("join-again", f"/join/{self.link}", "player")
        yield View("lobby", f"/tables/{self.lobby}")
        yield View("lobby-player", f"/tables/{self.lobby}", "player")
        yield View("lobby-owner", f"/tables/{self.lobby}", "owner")
        yield View("tv-lobby", "/tv")
        for game_id, table in self.tables.items():
            yield View(game_id, f"/tables/{table}")
            yield View(f"{game_id}-player", f"/tables/{table}", "player")
            yield View(f"{game_id}-owner", f"/tables/{table}", "owner")
        rolled = self.tables["victim"]
        yield View("seats", f"/tables/{rolled}/seats", "owner")
        yield View("log-line", f"/tables/{rolled}/log/2", "owner")
        yield View("history", "/history", "owner")
        yield View("history-game", f"/history/{rolled}")
        yield View("statistics", "/history/statistics")
        yield View("https", "/https")
        yield View("no-such-page", "/nowhere")

    @contextmanager
    def screen(self, browser: Browser, viewport: ViewportSize, language: str) -> Iterator["Screen"]:
        """A screen that looks at one view after another in one language."""
        opened = Screen(self, browser, viewport, language)
        try:
            yield opened
        finally:
            opened.close()


def _come_to(game: Game[Any], phase: str) -> tuple[Played, int]:
    """A game that comes to a phase, and after how many moves; where the king is to rule, the others have bet."""
    for seed in range(200):
        played = play(game, Random(seed), most_actions=400)
        for count, state in enumerate(played.states):
            awaited = {entry.type for entry in game.awaiting(state)}
            if state.phase == phase and (phase != "bets" or awaited == {"rule"}):
                return played, count
    raise AssertionError(f"no game of {game.id} came to {phase}")


class Screen:
    """One page for each of those who look."""

    def __init__(self, views: Views, browser: Browser, viewport: ViewportSize, language: str):
        self._views = views
        self.language = language
        self._contexts: list[BrowserContext] = []
        self._pages = {who: self._page(browser, viewport, who) for who in ("nobody", *views.phones)}

    def _page(self, browser: Browser, viewport: ViewportSize, who: str) -> Page:
        context = browser.new_context(viewport=viewport, locale=self.language, reduced_motion="reduce")
        self._contexts.append(context)
        phone = self._views.phones.get(who)
        if phone is not None and phone.cookie is not None:
            context.add_cookies([{"name": "croupier-phone", "value": phone.cookie, "url": self._views.host.address}])
        return context.new_page()

    def look(self, view: View) -> Page:
        """The page with that view."""
        page = self._pages[view.who]
        page.goto(f"{self._views.host.address}{view.path}")
        return page

    def close(self) -> None:
        """Put it away."""
        for context in self._contexts:
            context.close()
