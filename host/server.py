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
from host.backup import finish_restore
from host.changes import Changes
from host.claim import new_setup_code
from host.clock import Clock, written
from host.crowd import CONNECTIONS_A_PHONE, DOOR, MOST_PHONES, Crowd
from host.games.registry import Registry
from host.keeping import Keeping
from host.pictures import Pictures
from host.seating import open_seating
from host.store import Store, open_store, sqlite_url
from host.tables import Tables
from host.tokens import Tokens, new_token, sha256, token_in
from host.web import create_app

log = logging.getLogger("croupier.host")

FILES_BESIDE_CONNECTIONS = 100

ANSWERING_S = 0.2
"""What an answer under way gets before the host stops in order to begin anew."""

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
        most_phones: int = MOST_PHONES,
        pictures: Path | None = None,
    ):
        self._data = data
        self._database_url, self._games, self._clock = database_url, games, clock
        self._listen, self._public_address, self._most_phones = listen, public_address, most_phones
        self._pictures = pictures or data.directory / "pictures"
        self._begins_anew = False
        finish_restore(data.directory, self._pictures)
        self._store: Store = open_store(database_url, written(clock()))
        for kind in ("owner", "device"):
            self._store.set_token(kind, sha256(data.token(f"{kind}-token")))
        tokens = Tokens(self._store.holders())
        self._changes = Changes()
        seat_key = data.token("seat-key")
        kept = _open_pictures(self._pictures)
        tables = Tables(self._store, games, clock, self._changes, tokens, seat_key, kept)
        tables.readings.take_over_pictures()
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
        wanted = most_phones * CONNECTIONS_A_PHONE
        files = _allow_open_files(wanted + DOOR + FILES_BESIDE_CONNECTIONS)
        crowd = Crowd(most_phones, max(1, min(wanted, files - DOOR - FILES_BESIDE_CONNECTIONS)))
        is_own = database_url == data.database_url
        keeping = Keeping(data.directory if is_own else None, self._pictures, games, clock, self._begin_anew)
        app = create_app(
            self._store,
            tables,
            games,
            self._changes,
            tokens,
            seating,
            Addresses(listen, public_address),
            crowd,
            keeping,
        )
        self._server = PatientServer((listen, port), app, crowd)
        try:
            self._server.init_socket()
        except (OSError, OverflowError) as error:
            in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
            reason = "it is in use; choose another --port" if in_use else str(error)
            raise CannotStart(f"cannot listen on {listen} port {port}: {reason}") from error
        self.address = f"http://{reachable(listen)}:{self._server.socket.getsockname()[1]}"
        data.write_address(self.address)

    def serve(self) -> bool:
        """Serve until SIGTERM or SIGINT, then let open requests end; True: it is to begin anew, with other data."""
        for number in (signal.SIGTERM, signal.SIGINT):
            gevent.signal_handler(number, self._stop)
        self._server.serve_forever()
        return self._begins_anew

    def begun_anew(self) -> "Host":
        """A host in the place of this one, which is closed: at the same address, with what is stored now."""
        return Host(
            self._data,
            self._database_url,
            self._games,
            self._clock,
            self._listen,
            int(self.address.rpartition(":")[2]),
            self._public_address,
            self._most_phones,
            self._pictures,
        )

    def _begin_anew(self) -> None:
        self._begins_anew = True
        # The answer to whoever asked for it goes out first.
        gevent.spawn_later(ANSWERING_S, self._stop)

    def _stop(self) -> None:
        self._changes.close()
        self._server.stop(timeout=CLOSING_S)

    def close(self) -> None:
        """Close the database. The data directory is let go of by whoever holds it."""
        self._store.close()


class DiscreetHandler(WSGIHandler):  # type: ignore[misc]
    """gevent's handler, which would write a malformed request into the log as it came, tokens and all."""

    def log_error(self, msg: str, *args: Any) -> None:
        """Say that there was one, and nothing of what it said."""
        log.warning("a malformed request was refused")


class PatientServer(WSGIServer):  # type: ignore[misc]
    """gevent's server, patient with idle clients but not for ever."""

    handler_class = DiscreetHandler

    def __init__(self, listen: tuple[str, int], app: Any, crowd: Crowd):
        super().__init__(listen, app, log=None, error_log=log, spawn=crowd.most_connections + DOOR)
        self._crowd = crowd

    def handle(self, sock: Any, address: Any) -> None:
        """Serve one connection."""
        sock.settimeout(SILENT_CLIENT_S)
        # A client that hangs up is no fault of ours, and gevent would print its request with the traceback.
        with suppress(OSError), self._crowd.connected():
            super().handle(sock, address)


def _allow_open_files(count: int) -> int:
    """Let this process have so many files open, or as many as it may; how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def _open_pictures(directory: Path) -> Pictures:
    try:
        return Pictures(directory)
    except OSError as error:
        raise CannotStart(f"cannot use the directory for pictures {directory}: {error.strerror}") from error


def reachable(listen: str) -> str:
    """An address under which this machine itself reaches what listens there.

    >>> reachable("0.0.0.0"), reachable("::1")
    ('127.0.0.1', '[::1]')
    """
    if listen in ("0.0.0.0", "::", ""):  # noqa: S104 (compared, not listened on)
        return "127.0.0.1"
    return f"[{listen}]" if ":" in listen else listen
