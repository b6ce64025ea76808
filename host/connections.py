"""Connections as gevent serves them, patient with idle clients but not for ever: slowness holds no place."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from typing import Any

import gevent
from gevent.pywsgi import WSGIHandler, WSGIServer

from host.crowd import DOOR, Crowd

log = logging.getLogger("croupier.host")

SILENT_CLIENT_S = 60
"""A client that neither sends nor takes a byte for so long, or asks for nothing, is let go: four heartbeats."""

HEAD_S = 10
"""What a request's head gets to arrive in once it has begun, and the handshake of TLS. A phone at the edge of the
Wi-Fi needs one."""

BODY_S = 20
LEAST_BYTES_A_S = 50_000
"""A body gets ``BODY_S``, and more where it is long: a backup of 64 MB may take 22 minutes."""

MOST_BODY_BYTES = 64 * 2**20
"""No body may be longer than a backup: what is announced beyond that earns no more time."""


class DiscreetHandler(WSGIHandler):  # type: ignore[misc]
    """gevent's handler, with an end to its patience. It would write a malformed request into the log as it came,
    tokens and all."""

    def read_requestline(self) -> str:
        """The first line of the next request."""
        with self._patience(SILENT_CLIENT_S):
            line: str = super().read_requestline()
            return line

    def read_request(self, raw_requestline: str) -> bool:
        """The rest of its head. Raises ``ValueError`` for what is none, or not there in time."""
        try:
            with self._patience(HEAD_S):
                return bool(super().read_request(raw_requestline))
        except OSError as error:
            raise ValueError("too slow") from error

    def get_environ(self) -> dict[str, Any]:
        """What the application is given; the body's bytes are waited for no longer than they may take."""
        environ: dict[str, Any] = super().get_environ()
        allowed_s = BODY_S + min(self.content_length or 0, MOST_BODY_BYTES) / LEAST_BYTES_A_S
        self.wsgi_input.rfile = _Body(self, time.monotonic() + allowed_s)
        return environ

    @contextmanager
    def _patience(self, seconds: float) -> Iterator[None]:
        """Raises ``OSError`` where the client takes longer in this block, or its place is needed."""
        waiter = gevent.getcurrent()

        def hang_up() -> None:
            gevent.kill(waiter, ConnectionAbortedError("its place is needed"))

        with self.server.crowd.waiting(hang_up), gevent.Timeout(seconds, TimeoutError("too slow")):
            yield

    def log_error(self, msg: str, *args: Any) -> None:
        """Say that there was one, and nothing of what it said."""
        log.warning("a malformed request was refused")


class _Body:
    """The bytes that a client sends, until ``end`` (s, ``time.monotonic``); after that the connection is closed."""

    def __init__(self, handler: DiscreetHandler, end: float):
        self._handler = handler
        self._end = end

    def read(self, *size: int) -> bytes:
        """As a file's."""
        return self._taken("read", *size)

    def readline(self, *size: int) -> bytes:
        """As a file's."""
        return self._taken("readline", *size)

    def _taken(self, how: str, *size: int) -> bytes:
        left_s = self._end - time.monotonic()
        try:
            with self._handler._patience(max(left_s, 0.001)):
                taken: bytes = getattr(self._handler.rfile, how)(*size)
                return taken
        except OSError:
            self._handler.close_connection = True
            raise


class PatientServer(WSGIServer):  # type: ignore[misc]
    """gevent's server. It takes as many connections as its crowd allows."""

    handler_class = DiscreetHandler
    wrap_socket: Callable[..., Any]

    def __init__(self, listen: tuple[str, int], app: Any, crowd: Crowd, **secure: Any):
        super().__init__(listen, app, log=None, error_log=log, spawn=crowd.most_connections + 2 * DOOR, **secure)
        self.crowd = crowd
        if self.ssl_enabled:
            self.wrap_socket = partial(_shake_hands, self.wrap_socket)

    def wrap_socket_and_handle(self, client_socket: Any, address: Any) -> None:
        """Shake hands over TLS, then serve."""
        client_socket.settimeout(SILENT_CLIENT_S)
        # A phone that does not trust the certificate hangs up in the middle.
        with suppress(OSError), self.crowd.connected():
            super().wrap_socket_and_handle(client_socket, address)

    def handle(self, sock: Any, address: Any) -> None:
        """Serve one connection."""
        sock.settimeout(SILENT_CLIENT_S)
        counted = nullcontext() if self.ssl_enabled else self.crowd.connected()
        # A client that hangs up is no fault of ours, and gevent would print its request with the traceback.
        with suppress(OSError), counted:
            super().handle(sock, address)


def _shake_hands(wrap_socket: Callable[..., Any], client_socket: Any, **secure: Any) -> Any:
    """What ``wrap_socket`` does, unless it takes too long."""
    with gevent.Timeout(HEAD_S, TimeoutError("too slow")):
        return wrap_socket(client_socket, **secure)
