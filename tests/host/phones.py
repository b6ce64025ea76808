"""Phones, as tests see them: a cookie jar that speaks HTTP with a running host."""

import secrets
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

from tests.host.running import Answer, RunningHost, new_id


class Phone:
    """A phone. It keeps the cookie that the host gives it and sends it along, as a page of the host would."""

    def __init__(self, host: RunningHost, cookie: str | None = None):
        self.host = host
        self.cookie = cookie
        self.set_cookie = ""

    def post(self, path: str, body: Any, **headers: str) -> Answer:
        """POST /api/v1… ``headers`` replace those of the host's own page."""
        origin = {"Origin": self.host.address, "Sec-Fetch-Site": "same-origin"}
        return self._take(
            self.host.call("POST", f"/api/v1{path}", body, headers=self._with_cookie(headers or origin))
        )

    def get(self, path: str) -> Answer:
        """GET /api/v1…"""
        return self.page(f"/api/v1{path}")

    def page(self, path: str) -> Answer:
        """GET a page."""
        return self._take(self.host.call("GET", path, headers=self._with_cookie({})))

    def _with_cookie(self, headers: dict[str, str]) -> dict[str, str]:
        return {**headers, "Cookie": f"croupier-phone={self.cookie}"} if self.cookie else headers

    def _take(self, answer: Answer) -> Answer:
        for header in answer.headers.get_all("Set-Cookie", []):
            self.set_cookie = header
            self.cookie = SimpleCookie(header)["croupier-phone"].value
        return answer

    # What people do with it ----------------------------------------------------------------------------------------

    def join(self, code: str, player: str, message: str | None = None) -> Answer:
        """Take a seat by a join link."""
        return self.post("/joins", {"id": message or new_phone_id(), "code": code, "player": player})

    def take_over(self, code: str, message: str | None = None) -> Answer:
        """Take over a seat by the owner's code."""
        return self.post("/handovers", {"id": message or new_phone_id(), "code": code})

    def claim(self, code: str, message: str | None = None) -> Answer:
        """Become the owner."""
        return self.post("/claim", {"id": message or new_phone_id(), "code": code})

    def who(self) -> dict[str, Any]:
        """What the host says that this phone is."""
        told: dict[str, Any] = self.get("/phone").json
        return told

    @property
    def seats(self) -> list[tuple[str, str]]:
        """The seats that it holds."""
        return [(seat["table"], seat["player"]) for seat in self.who()["seats"]]

    def act(self, table: str, kind: str, player: str, **fields: Any) -> Answer:
        """An action of a player."""
        body = {"id": new_id(), "number": None, "action": {"type": kind, "player": player, **fields}}
        return self.post(f"/tables/{table}/actions", body)


class Owner:
    """What the owner does, by the token that lies in the data directory."""

    def __init__(self, host: RunningHost):
        self.host = host

    def post(self, path: str, body: Any) -> Answer:
        """POST /api/v1…"""
        return self.host.post(path, body, self.host.token("owner"))

    def lobby(self, game: str = "vigos-favor", **options: Any) -> str:
        """A new lobby; its id."""
        return str(self.post("/lobbies", {"id": new_id(), "game": game, "options": options}).json["table"])

    def start(self, lobby: str) -> Answer:
        """Start a lobby's game."""
        return self.post(f"/lobbies/{lobby}/start", {"id": new_id()})

    def code(self, table: str, player: str) -> str:
        """A fresh code for a seat."""
        return str(self.post(f"/tables/{table}/seats/code", {"player": player}).json["code"])

    def seated(self, *players: str, game: str = "vigos-favor") -> tuple[str, list[Phone]]:
        """A game with a phone for each of its players; the table and the phones."""
        lobby = self.lobby(game)
        phones = [Phone(self.host) for _ in players]
        for phone, player in zip(phones, players, strict=True):
            assert phone.join(link(self.host, lobby), player).status == 200
        assert self.start(lobby).status == 201
        return lobby, phones


def link(host: RunningHost, table: str) -> str:
    """What a table's join link ends in."""
    return str(host.get(f"/tables/{table}/joining").json["code"])


def seats(host: RunningHost, table: str) -> dict[str, str]:
    """Who sits at a table: free, taken or locked."""
    shown = host.get(f"/tables/{table}/seats").json["seats"]
    return {seat["player"]: "locked" if seat["locked"] else "taken" if seat["taken"] else "free" for seat in shown}


def setup_code(data: Path) -> str:
    """The code that the console shows."""
    return (data / "setup-code").read_text(encoding="ascii").strip()


def new_phone_id() -> str:
    """A message id with 128 bits of chance."""
    return secrets.token_urlsafe(16)
