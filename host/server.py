"""The host as a running program: one process, one writer to its data, a greenlet for each connection."""

import errno
import fcntl
import logging
import resource
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import gevent
from gevent.ssl import PROTOCOL_TLS_SERVER, SSLContext

from host.addresses import Addresses
from host.backup import finish_restore
from host.certificate import CertificateFiles, own_certificate
from host.changes import Changes
from host.claim import new_setup_code
from host.clock import Clock, written
from host.connections import PatientServer
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

    def write_address(self, address: str, name: str = "address") -> None:
        """Say where the host listens, for the supervisor and the device."""
        new = self.directory / f"{name}.new"
        new.write_text(address + "\n", encoding="ascii")
        new.replace(self.directory / name)

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
        https_port: int | None = None,
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
        files = _allow_open_files(wanted + 2 * DOOR + FILES_BESIDE_CONNECTIONS)
        crowd = Crowd(most_phones, max(1, min(wanted, files - 2 * DOOR - FILES_BESIDE_CONNECTIONS)))
        is_own = database_url == data.database_url
        keeping = Keeping(data.directory if is_own else None, self._pictures, games, clock, self._begin_anew)
        self._https_port = https_port
        addresses = Addresses(listen, public_address)
        app = create_app(
            self._store,
            tables,
            games,
            self._changes,
            tokens,
            seating,
            addresses,
            crowd,
            keeping,
        )
        self._server = PatientServer((listen, port), app, crowd)
        _listen(self._server, "--port")
        self._secure: PatientServer | None = None
        if https_port is not None:
            try:
                made = own_certificate(data.directory / "https", addresses.names(), clock())
                secure = PatientServer((listen, https_port), app, crowd, ssl_context=_context(made))
            except (OSError, ValueError) as error:
                raise CannotStart(
                    f"cannot make or read the certificate in {data.directory}/https: {error}"
                ) from error
            _listen(secure, "--https-port")
            self._secure = secure
            addresses.https_port, addresses.authority = secure.socket.getsockname()[1], made.authority
            data.write_address(f"https://{reachable(listen)}:{addresses.https_port}", "address-https")
        self.address = f"http://{reachable(listen)}:{self._server.socket.getsockname()[1]}"
        data.write_address(self.address)

    def serve(self) -> bool:
        """Serve until SIGTERM or SIGINT, then let open requests end; True: it is to begin anew, with other data."""
        for number in (signal.SIGTERM, signal.SIGINT):
            gevent.signal_handler(number, self._stop)
        if self._secure is not None:
            self._secure.start()
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
            self._https_port,
        )

    def _begin_anew(self) -> None:
        self._begins_anew = True
        # The answer to whoever asked for it goes out first.
        gevent.spawn_later(ANSWERING_S, self._stop)

    def _stop(self) -> None:
        self._changes.close()
        if self._secure is not None:
            self._secure.stop(timeout=CLOSING_S)
        self._server.stop(timeout=CLOSING_S)

    def close(self) -> None:
        """Close the database. The data directory is let go of by whoever holds it."""
        self._store.close()


def _listen(server: PatientServer, option: str) -> None:
    try:
        server.init_socket()
    except (OSError, OverflowError) as error:
        in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        reason = f"it is in use; choose another {option}" if in_use else str(error)
        listen, port = server.address
        raise CannotStart(f"cannot listen on {listen} port {port}: {reason}") from error


def _context(files: CertificateFiles) -> SSLContext:
    context = SSLContext(PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files.certificate, files.key)
    return context


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
