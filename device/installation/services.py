"""The two services: started, stopped, and asked whether they are well."""

import http.client
import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from device.installation.commands import run, succeeds

HOST = "croupier-host.service"
DEVICE = "croupier-device.service"
WIFI = "croupier-wifi.service"
FINISH = "croupier-update.service"
ALL = (HOST, DEVICE, WIFI, FINISH)

STEADY_S = 5.0
"""Well for so long, and it is no crash loop caught between two crashes."""


class Services:
    """The services of this machine, through systemd."""

    def __init__(self, port: int) -> None:
        self._port = port

    def start(self) -> None:
        """Start both, or say nothing: what became of them tells ``trouble``."""
        run("systemctl", "daemon-reload")
        run("systemctl", "reset-failed", *self._units())
        run("systemctl", "start", "--no-block", *self._units())

    def stop(self) -> None:
        """Stop both and wait until they have ended."""
        run("systemctl", "stop", DEVICE, HOST)

    def trouble(self) -> str | None:
        """What is not well, or None."""
        units = self._units()
        if HOST in units and (health := self._health()) is not None:
            return health
        for unit in units:
            if not succeeds("systemctl", "is-active", "--quiet", unit):
                return f"{unit} is not active"
        return None

    def restarts(self) -> int:
        """How often systemd has started them again."""
        said = run("systemctl", "show", "--property=NRestarts", "--value", HOST, DEVICE)
        return sum(int(word) for word in said.split())

    def _units(self) -> tuple[str, ...]:
        """Those that this machine runs: a half that lives on another machine is switched off here."""
        return tuple(unit for unit in (HOST, DEVICE) if succeeds("systemctl", "is-enabled", "--quiet", unit))

    def _health(self) -> str | None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=5)
        try:
            connection.request("GET", "/api/v1/health")
            answer = connection.getresponse()
            status = json.loads(answer.read()).get("status")
        except (OSError, http.client.HTTPException, ValueError, AttributeError):
            return "the host does not answer"
        finally:
            with suppress(OSError):
                connection.close()
        return None if answer.status == 200 and status == "ok" else f"the host is not well: {status}"


class Watched(Protocol):
    """Services whose health can be asked after."""

    def trouble(self) -> str | None:
        """What is not well, or None."""

    def restarts(self) -> int:
        """How often they were started again."""


def wait_until_well(
    services: Watched,
    patience_s: float,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> str | None:
    """Wait until they have been well for a while without a restart: None, or what still is the trouble at the end."""
    began = clock()
    steady_since, restarts = None, -1
    while True:
        now = clock()
        trouble = services.trouble()
        if trouble is None and services.restarts() != restarts:
            steady_since, restarts = now, services.restarts()
        if trouble is not None:
            steady_since, restarts = None, -1
        elif steady_since is not None and now - steady_since >= STEADY_S:
            return None
        if now - began >= patience_s:
            return trouble or "it keeps starting again"
        sleep(0.5)
