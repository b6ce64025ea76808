"""A real host in a process of its own, and a client that speaks HTTP with it."""

import http.client
import json
import signal
import subprocess
import sys
import uuid
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

COMMAND = (sys.executable, "-c", "from device.cli import main; main()", "host")
ANSWER_S = 50
"""How long anything is waited for: a busy machine takes ten times as long as a quiet one.

Shorter than the minute after which a host lets silent clients go: some tests say that nobody waits for that.
"""

TINY_JPEG = b"\xff\xd8\xff\xe0" + bytes(60) + b"\xff\xd9"
"""What a JPEG begins and ends with; the host looks at no more of it."""


class Answer:
    """An answer: its status, headers and body."""

    def __init__(self, status: int, headers: http.client.HTTPMessage, body: bytes):
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def outcome(self) -> tuple[int, str | None]:
        """The status, and the slug where there is a problem."""
        is_problem = self.headers.get_content_type() == "application/problem+json"
        return self.status, self.json["slug"] if is_problem else None


class RunningHost:
    """A host process on a data directory; it can be killed and started again."""

    def __init__(self, data: Path, *arguments: str, command: Sequence[str] = COMMAND, port: int = 0):
        self.data = data
        self._command = command
        self._arguments = arguments
        self.start(str(port))

    def start(self, port: str = "0") -> None:
        """Start, and wait for the line that says where it listens."""
        self.process = subprocess.Popen(
            [*self._command, "--data", str(self.data), "--port", port, *self._arguments],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("croupier host listens on http://127.0.0.1:"), line
        self.address = (self.data / "address").read_text(encoding="ascii").strip()

    def kill(self) -> None:
        """End it without warning."""
        self.process.send_signal(signal.SIGKILL)
        self._wait()

    def stop(self) -> int:
        """Ask it to end; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self._wait()

    def _wait(self) -> int:
        status = self.process.wait(timeout=ANSWER_S)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status

    def token(self, kind: str) -> str:
        """The owner's or the device's token."""
        return (self.data / f"{kind}-token").read_text(encoding="ascii").strip()

    @contextmanager
    def connection(self) -> Iterator[http.client.HTTPConnection]:
        """A connection of its own."""
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=ANSWER_S)
        try:
            yield connection
        finally:
            connection.close()

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        token: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """One request; ``body`` is sent as JSON, or as it is where it is bytes."""
        sent = {"Authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            sent["Content-Type"] = "application/json"
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        with self.connection() as connection:
            connection.request(method, path, body, {**sent, **(headers or {})})
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())

    def get(self, path: str, token: str | None = None) -> Answer:
        """GET /api/v1…"""
        return self.call("GET", f"/api/v1{path}", token=token)

    def post(self, path: str, body: Any, token: str | None = None) -> Answer:
        """POST /api/v1…"""
        return self.call("POST", f"/api/v1{path}", body, token)

    # The game, as tests tell it ------------------------------------------------------------------------------------

    def open(self, *players: str, game: str = "vigos-favor", **options: Any) -> "OpenTable":
        """A new table."""
        body = {"id": new_id(), "game": game, "players": list(players), "options": options}
        return OpenTable(self, self.post("/tables", body, self.token("owner")).json)

    def expect(self, after: str | None = None, wait: float = 0) -> dict[str, Any]:
        """What the device is told."""
        query = f"?after={after}&wait={wait}" if after else ""
        expected: dict[str, Any] = self.get(f"/device/expect{query}", self.token("device")).json
        return expected

    def read(self, *dice: dict[str, Any], **changes: Any) -> Answer:
        """A reading of the device, answering what is awaited now unless ``changes`` say otherwise."""
        return self.post("/device/readings", self.reading(*dice, **changes), self.token("device"))

    def reading(self, *dice: dict[str, Any], **changes: Any) -> dict[str, Any]:
        """The body of a reading."""
        expect = changes.pop("expect", None) or self.expect()["expect"]
        jpeg = b64encode(TINY_JPEG).decode()
        return {"id": new_id(), "expect": expect, "dice": list(dice), "unread": [], "jpeg": jpeg, **changes}


class OpenTable:
    """A table on a running host."""

    def __init__(self, host: RunningHost, opened: dict[str, Any]):
        self.host = host
        self.id: str = opened["table"]
        self.tokens: dict[str, str] = {seat["player"]: seat["token"] for seat in opened["seats"]}

    def act(self, kind: str, player: str, **fields: Any) -> Answer:
        """An action by the player's own seat. ``message``, ``number`` and ``token`` may be given."""
        token = fields.pop("token", self.tokens.get(player))
        body = {
            "id": fields.pop("message", None) or new_id(),
            "number": fields.pop("number", None),
            "action": {"type": kind, "player": player, **fields},
        }
        return self.host.post(f"/tables/{self.id}/actions", body, token)

    def undo(self, number: int | None = None, message: str | None = None) -> Answer:
        """The owner takes back the last action."""
        body = {"id": message or new_id(), "number": number}
        return self.host.post(f"/tables/{self.id}/undo", body, self.host.token("owner"))

    def seen(self, player: str | None = None) -> dict[str, Any]:
        """The table as ``player`` sees it, or as everybody does."""
        token = self.tokens[player] if player else None
        table: dict[str, Any] = self.host.get(f"/tables/{self.id}", token).json
        return table


def cube(face: str) -> dict[str, Any]:
    """A chance cube as the device reports it."""
    return die("chance-cube", face, face)


def die(kind: str, face: str, body: str | None = None) -> dict[str, Any]:
    """A die as the device reports it."""
    place = {"center_px": [640.0, 480.5], "center_mm": [3.5, -20.0]}
    return {"kind": kind, "body": body, "face": face, "confidence": 0.98, **place}


def new_id() -> str:
    """A message id of its own."""
    return str(uuid.uuid4())


class EventStream:
    """The server-sent events of a table, read line by line."""

    def __init__(self, answer: http.client.HTTPResponse):
        self.answer = answer

    def next(self) -> dict[str, Any]:
        """The next event: its id, its name and its data as JSON. Comments and retries are passed over."""
        event: dict[str, Any] = {}
        while True:
            line = self.answer.readline().decode().rstrip("\n")
            if not line and "data" in event:
                return event
            name, _, value = line.partition(": ")
            if name in ("id", "event", "data"):
                event[name] = json.loads(value) if name == "data" else value

    def ends(self) -> bool:
        """Whether the host closes the stream (what is still in it is passed over)."""
        while self.answer.readline():
            pass
        return True


@contextmanager
def following(
    host: RunningHost, table: str, token: str | None = None, query: str = "", cookie: str | None = None
) -> Iterator[EventStream]:
    """An open event stream of a table; ``cookie`` is a phone's."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if cookie:
        headers["Cookie"] = f"croupier-phone={cookie}"
    with host.connection() as connection:
        connection.request("GET", f"/api/v1/tables/{table}/events?{query}", headers=headers)
        answer = connection.getresponse()
        assert answer.status == 200
        yield EventStream(answer)
