"""Clients that are slow on purpose, and many of them; hosts whose patience is short, so that a test sees its end."""

import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from urllib.parse import urlsplit

from tests.host.running import ANSWER_S, RunningHost

HASTY = "import host.connections as c; c.HEAD_S = 1; c.BODY_S = 1; c.SILENT_CLIENT_S = 5; c.LEAST_BYTES_A_S = 10**9"
HASTY_HOST = (sys.executable, "-c", f"{HASTY}; from device.cli import main; main()", "host")
"""A host that waits seconds where others wait longer."""


@contextmanager
def connected(host: RunningHost) -> Iterator[socket.socket]:
    """A connection that says nothing yet."""
    place = urlsplit(host.address)
    with socket.create_connection((place.hostname, place.port), timeout=ANSWER_S) as connection:
        yield connection


def many(host: RunningHost, count: int, stack: ExitStack, says: bytes = b"") -> list[socket.socket]:
    """So many connections, each of which says this and nothing more."""
    opened = []
    for _ in range(count):
        connection = stack.enter_context(connected(host))
        connection.sendall(says)
        opened.append(connection)
    return opened


def trickled(connection: socket.socket, text: bytes, every_s: float = 0.3) -> bytes:
    """Send a byte at a time, never silent for long, until the host hangs up; what it said before that."""
    connection.settimeout(every_s)
    said = b""
    for place in range(len(text)):
        try:
            connection.sendall(text[place : place + 1])
            got = connection.recv(65_536)
        except TimeoutError:
            continue
        except OSError:
            break
        if not got:
            break
        said += got
    else:
        raise AssertionError("the host waited to the end")
    return said
