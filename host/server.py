"""The host as a running program: one process, one writer to its data, a greenlet for each connection."""

import errno
import fcntl
import logging
import resource
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

import gevent
from gevent.pywsgi import WSGIHandler, WSGIServer

from host.addresses import Addresses
from host.changes import Changes
from host.claim import new_setup_code
from host.clock import Clock, written
from host.games.registry import Registry
from host.seating import open_seating
from host.store import Store, open_store, sqlite_url
from host.tables import Tables
from host.tokens import Tokens, new_token, sha256, token_in
from host.web import create_app

log = logging.getLogger("croupier.host")

MOST_CONNECTIONS = 4_000
"""Open at a time; whoever comes then waits. 1,000 phones, each with a stream and two requests under way, fit."""

FILES_BESIDE_CONNECTIONS = 100

CLOSING_S = 2
"""What open requests get to end in once the host is told to stop."""

SILENT_CLIENT_S = 60
"""A client that neither sends nor takes a byte for so long is let go: four heartbeats."""


class CannotStart(Exception):
    """The host does not start; the text is one line that says what to do."""


class HeldData:
    """The data directory, held by this process alone until it ends."""

    def __init__(self, directory: Path):
        self.directory = directory
        try:
            directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock: TextIO = (directory / "lock").open("a")
        except OSError as error:
            raise CannotStart(f"cannot use the data directory {directory}: {error.strerror}") from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CannotStart(
                f"another croupier host is using {directory}: stop it, or choose another --data"
            ) from error
        self.address_file.unlink(missing_ok=True)

    @property
    def database_url(self) -> str:
        """The database that belongs to this directory."""
        return sqlite_url(self.directory / "croupier.db")

    @property
    def address_file(self) -> Path:
        """Where the address stands while the host listens."""
        return self.directory / "address"

    def token(self, name: str, new: Callable[[], str] = new_token) -> str:
        """The token in the file of that name, made where there is none yet."""
        try:
            return token_in(self.directory / name, new)
        except (OSError, ValueError) as error:
            raise CannotStart(f"cannot read or write {self.directory / name}: {error}") from error

    def write_address(self, address: str) -> None:
        """Say where the host listens, for the supervisor and the device."""
        new = self.address_file.with_name("address.new")
        new.write_text(address + "\n", encoding="ascii")
        new.replace(self.address_file)

    def close(self) -> None:
        """Let go of the directory."""
        self.address_file.unlink(missing_ok=True)
        self._lock.close()


class Host:
    """A host that listens on its port, all ready to serve.

    Raises ``NewerDatabase``, ``StorageFailed`` and ``CannotStart``. ``port`` 0 takes any free one.
    ``public_address`` is shown to phones instead of one that is found out.
    """

    def __init__(
        self,
        data: HeldData,
        database_url: str,
        games: Registry,
        clock: Clock,
        listen: str,
        port: int,
        public_address: str | None = None,
    ):
        self._data = data
        self._store: Store = open_store(database_url, written(clock()))
        for kind in ("owner", "device"):
            self._store.set_token(kind, sha256(data.token(f"{kind}-token")))
        tokens = Tokens(self._store.holders())
        self._changes = Changes()
        seat_key = data.token("seat-key")
        tables = Tables(self._store, games, clock, self._changes, tokens, seat_key)
        tables.expectation()  # a log that cannot be replayed is better found before anybody sits down
        setup_file = data.directory / "setup-code"
        seating = open_seating(
            self._store,
            tables,
            games,
            clock,
            self._changes,
            seat_key,
            setup_code=lambda: data.token(setup_file.name, new_setup_code),
            forget_setup_code=lambda: setup_file.unlink(missing_ok=True),
        )
        self.setup_code = seating.claim.code
        app = create_app(
            self._store, tables, games, self._changes, tokens, seating, Addresses(listen, public_address)
        )
        _allow_open_files(MOST_CONNECTIONS + FILES_BESIDE_CONNECTIONS)
        self._server = PatientServer((listen, port), app, log=None, error_log=log, spawn=MOST_CONNECTIONS)
        try:
            self._server.init_socket()
        except (OSError, OverflowError) as error:
            in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
            reason = "it is in use; choose another --port" if in_use else str(error)
            raise CannotStart(f"cannot listen on {listen} port {port}: {reason}") from error
        self.address = f"http://{reachable(listen)}:{self._server.socket.getsockname()[1]}"
        data.write_address(self.address)

    def serve(self) -> None:
        """Serve until SIGTERM or SIGINT, then let open requests end."""
        for number in (signal.SIGTERM, signal.SIGINT):
            gevent.signal_handler(number, self._stop)
        self._server.serve_forever()

    def _stop(self) -> None:
        self._changes.close()
        self._server.stop(timeout=CLOSING_S)

    def close(self) -> None:
        """Close the database and let go of the data directory."""
        self._store.close()
        self._data.close()


class DiscreetHandler(WSGIHandler):  # type: ignore[misc]
    """gevent's handler, which would write a malformed request into the log as it came, tokens and all."""

    def log_error(self, msg: str, *args: Any) -> None:
        """Say that there was one, and nothing of what it said."""
        log.warning("a malformed request was refused")


class PatientServer(WSGIServer):  # type: ignore[misc]
    """gevent's server, patient with idle clients but not for ever."""

    handler_class = DiscreetHandler

    def handle(self, sock: Any, address: Any) -> None:
        """Serve one connection."""
        sock.settimeout(SILENT_CLIENT_S)
        # A client that hangs up is no fault of ours, and gevent would print its request with the traceback.
        with suppress(OSError):
            super().handle(sock, address)


def _allow_open_files(count: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def reachable(listen: str) -> str:
    """An address under which this machine itself reaches what listens there.

    >>> reachable("0.0.0.0"), reachable("::1")
    ('127.0.0.1', '[::1]')
    """
    if listen in ("0.0.0.0", "::", ""):  # noqa: S104 (compared, not listened on)
        return "127.0.0.1"
    return f"[{listen}]" if ":" in listen else listen
