"""Tells systemd how this service is doing: sd_notify's protocol, a datagram to the socket that it named."""

import os
import socket
import time
from collections.abc import Callable

FED_EVERY_S = 1.0
"""The unit's watchdog waits 30 s; feeding it oftener than this would only cost."""

_TOLD_WITHIN_S = 0.2
"""A listener that is behind holds nothing up: the watchdog is fed again in a second."""


class Notifier:
    """Speaks to the socket ``address`` (a path, or a name after ``@``); without one nobody is told.

    >>> Notifier(None).ready()
    """

    def __init__(self, address: str | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._address = address
        self._clock = clock
        self._fed_at = -FED_EVERY_S
        self._fed_for = -1
        self._owes_ready = False

    @classmethod
    def from_environment(cls) -> "Notifier":
        """For the service that systemd started, if it did."""
        return cls(os.environ.get("NOTIFY_SOCKET"))

    def ready(self) -> None:
        """The service is at work."""
        self._owes_ready = not self._send("READY=1")

    def status(self, text: str) -> None:
        """What it is doing, in one line; ``systemctl status`` shows it."""
        self._send(f"STATUS={' '.join(text.split())}")

    def feed(self, steps: int) -> None:
        """Feed the watchdog if there is progress: if ``steps`` is not what it was when it was last fed."""
        now = self._clock()
        if steps != self._fed_for and now - self._fed_at >= FED_EVERY_S:
            self._fed_for, self._fed_at = steps, now
            if self._owes_ready:
                self.ready()
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The service is ending."""
        self._send("STOPPING=1")

    def _send(self, text: str) -> bool:
        """Whether it was told, or nobody is to be told."""
        if not self._address:
            return True
        name = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
                line.settimeout(_TOLD_WITHIN_S)
                line.connect(name)
                line.sendall(text.encode())
        except OSError:
            # Whoever asked to be told has gone or is behind; that is no reason to stop watching the tray.
            return False
        return True
