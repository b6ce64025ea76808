"""The host's HTTP API as a client sees it: JSON in, JSON out, and the host's refusals as exceptions."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import urllib3
from urllib3.exceptions import HTTPError

JsonObject = dict[str, Any]

_CONNECT_S = 3.0
_READ_S = 10.0
"""Generous for a Pi that is busy; the host answers within milliseconds."""

OWNER_TOKEN_VARIABLE = "CROUPIER_OWNER_TOKEN"  # noqa: S105
DEVICE_TOKEN_VARIABLE = "CROUPIER_DEVICE_TOKEN"  # noqa: S105 - the name of a variable, no token


class HostAway(Exception):
    """The host does not answer, or not as a host does: try again later."""


class HostRefused(Exception):
    """The host has understood and refuses; the message is its own words."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status


class TokenError(RuntimeError):
    """There is no token to speak to the host with; the message says where it was looked for."""


def read_token(file: Path | None, variable: str) -> str:
    """A token from ``file``, else from the environment; never from the command line, where others can see it."""
    if file is None:
        token = os.environ.get(variable, "").strip()
        if not token:
            raise TokenError(f"no token: name its file with --token-file, or set {variable}")
        return token
    try:
        token = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise TokenError(f"{file}: no token can be read there ({error})") from error
    if not token:
        raise TokenError(f"{file}: this file is to hold a token, and is empty")
    return token


class HostClient:
    """Speaks to the host at ``address`` (http://host:port) with one token. Safe to use from several threads."""

    def __init__(self, address: str, token: str | None = None) -> None:
        self._base = address.rstrip("/") + "/api/v1"
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._pool = urllib3.PoolManager(retries=False, maxsize=4)

    def get(self, path: str, wait_s: float = 0.0) -> JsonObject:
        """GET ``path`` below /api/v1; ``wait_s`` is how long the host may take its time on purpose.

        Raises ``HostAway`` and ``HostRefused``, as ``post`` does.
        """
        return self._ask("GET", path, None, wait_s)

    def post(self, path: str, body: JsonObject) -> JsonObject:
        """POST ``body`` as JSON."""
        return self._ask("POST", path, body, 0.0)

    def events(self, path: str, name: str) -> Iterator[JsonObject]:
        """The data of server-sent events of that name, until the host goes away (``HostAway``)."""
        timeout = urllib3.Timeout(connect=_CONNECT_S, read=60.0)
        try:
            response = self._pool.request(
                "GET", self._base + path, headers=self._headers, preload_content=False, timeout=timeout
            )
            if response.status != 200:
                raise _refusal(response.status, response.read())
            data: list[str] = []
            event = ""
            for line in _lines(response):
                if line.startswith("data:"):
                    data.append(line[5:].removeprefix(" "))
                elif line.startswith("event:"):
                    event = line[6:].strip()
                elif not line:
                    if data and event == name:
                        yield json.loads("\n".join(data))
                    data, event = [], ""
        except (HTTPError, OSError, ValueError) as error:
            raise HostAway(_in_one_line(error)) from error
        raise HostAway("the host has ended the stream")

    def close(self) -> None:
        """Close the connections."""
        self._pool.clear()

    def _ask(self, method: str, path: str, body: JsonObject | None, wait_s: float) -> JsonObject:
        timeout = urllib3.Timeout(connect=_CONNECT_S, read=_READ_S + wait_s)
        try:
            response = self._pool.request(
                method, self._base + path, headers=self._headers, json=body, timeout=timeout
            )
        except (HTTPError, OSError) as error:
            raise HostAway(_in_one_line(error)) from error
        if not 200 <= response.status < 300:
            raise _refusal(response.status, response.data)
        try:
            answer = json.loads(response.data)
        except ValueError as error:
            raise HostAway("what answers is no croupier host") from error
        if not isinstance(answer, dict):
            raise HostAway("what answers is no croupier host")
        return answer


def _lines(response: urllib3.BaseHTTPResponse) -> Iterator[str]:
    rest = b""
    while chunk := response.read1(65536):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode("utf-8").rstrip("\r")


def _refusal(status: int, data: bytes) -> Exception:
    """Errors of the host itself (5xx), and "slow down", are worth trying again; the rest is a refusal."""
    try:
        detail = str(json.loads(data)["detail"])
    except (ValueError, KeyError, TypeError):
        detail = f"HTTP status {status}"
    return HostAway(detail) if status >= 500 or status in (408, 429) else HostRefused(status, detail)


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
