"""Tells systemd that the host is well, for as long as it answers its own health request.

A thread of its own asks: a host that is stuck answers nobody, itself included, and is started again.
"""

import http.client
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

ASKED_EVERY_S = 5.0
"""The unit's watchdog waits 30 s: several answers in a row may come late on a busy machine."""

UNREADY_EVERY_S = 0.2

ANSWER_S = 10.0


@contextmanager
def watched_over(address: str, notify_socket: str | None = None) -> Iterator[None]:
    """While the block runs, tell the socket named by NOTIFY_SOCKET (or ``notify_socket``) how the host is.

    ``READY=1`` after the first answer of the host at ``address``, ``WATCHDOG=1`` after each, ``STOPPING=1`` at the
    end. Without a socket nobody asks.
    """
    name = notify_socket or os.environ.get("NOTIFY_SOCKET")
    if not name:
        yield
        return
    ended = threading.Event()
    asking = threading.Thread(
        target=_ask, args=(address, lambda text: _tell(name, text), ended), name="watchdog", daemon=True
    )
    asking.start()
    try:
        yield
    finally:
        ended.set()
        _tell(name, "STOPPING=1")


def _ask(address: str, tell: Callable[[str], None], ended: threading.Event) -> None:
    is_ready = False
    while not ended.is_set():
        if is_well(address):
            tell("WATCHDOG=1" if is_ready else "READY=1\nWATCHDOG=1")
            is_ready = True
        ended.wait(ASKED_EVERY_S if is_ready else UNREADY_EVERY_S)


def is_well(address: str) -> bool:
    """Whether the host there answers its health request with 200 in time."""
    place = urlsplit(address)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=ANSWER_S)
    try:
        connection.request("GET", "/api/v1/health")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _tell(name: str, text: str) -> None:
    path = f"\0{name[1:]}" if name.startswith("@") else name
    # Whoever asked to be told may have gone; the tables go on.
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.settimeout(ANSWER_S)
        line.sendto(text.encode(), path)
