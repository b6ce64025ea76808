"""The whole appliance on one machine: host and device as processes under one supervisor, data in one folder."""

import json
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from device.host_client import HostAway, HostClient, HostRefused, read_token
from device.recording import Recording
from device.supervisor import Child, Supervisor, child_arguments

JsonObject = dict[str, Any]

HOST = "host"
DEVICE = "device"

_PATIENCE_S = 60.0
"""How long a host that dies again and again is asked the same thing."""

Answer = TypeVar("Answer")

_CLAIM = "croupier host has no owner yet"


class ApplianceError(RuntimeError):
    """The appliance cannot do what was asked; the message is one line."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game to open a table for."""

    game: str
    players: Sequence[str]
    options: Mapping[str, Any]


class Appliance:
    """Both halves, run by ``supervisor``; everything they keep is in ``data``.

    ``is_owned``: nobody is asked to claim it, since the game that it plays has all its decisions already.
    """

    def __init__(self, supervisor: Supervisor, data: Path, is_owned: bool = False) -> None:
        self._supervisor = supervisor
        self._data = data
        self._unsaid = (_CLAIM,) if is_owned else ()
        self._address = ""

    @property
    def address(self) -> str:
        """Where the host listens, http://host:port."""
        return self._address

    def start_host(self, port: int, listen: str = "127.0.0.1", *further: str) -> HostClient:
        """Start the host and wait until it is well; a client that may do what the owner may.

        ``further`` are options of `croupier host`.
        Raises ``ChildFailed`` where it cannot start (it has said why), ``ApplianceError`` where its data is unusable.
        """
        try:
            self._data.mkdir(parents=True, exist_ok=True)
            (self._data / "address").unlink(missing_ok=True)
            self._supervisor.start(self._host(port, listen, *further))
        except OSError as error:
            raise ApplianceError(f"{self._data}: cannot keep data there ({error.strerror})") from error
        self._supervisor.wait(self._is_well)
        if port == 0:
            # Started again it is to listen where the pages and the device look for it.
            self._supervisor.replace(self._host(int(self._address.rpartition(":")[2]), listen, *further))
        return HostClient(self._address, read_token(self._data / "owner-token", ""))

    def insist(self, ask: Callable[[], Answer]) -> Answer:
        """Ask the host, again if it is just being started again; raises ``HostAway`` if it stays away."""
        until = time.monotonic() + _PATIENCE_S
        while True:
            try:
                return ask()
            except HostAway:
                if time.monotonic() > until:
                    raise
            self._supervisor.wait(self._is_well)

    def start_device(self, camera: str, extra: Sequence[str] = (), is_patient: bool = False) -> None:
        """Start the device with that camera (as on the command line)."""
        paths = ("--data", self._data, "--token-file", self._data / "device-token")
        arguments = child_arguments(DEVICE, "--host", self._address, "--camera", camera, *paths, *extra)
        self._supervisor.start(Child(DEVICE, arguments, is_patient))

    def start_player(self, recording: Recording, table: str, speed: float | None, extra: Sequence[str] = ()) -> None:
        """Start the device with a recording that also sends its players' decisions to ``table``."""
        pace = ("--unpaced",) if speed is None else ("--speed", f"{speed:g}")
        owner = ("--owner-token-file", str(self._data / "owner-token"))
        self.start_device(f"recording:{recording.folder}", (*pace, "--play-table", table, *owner, *extra))

    def _host(self, port: int, listen: str, *further: str) -> Child:
        arguments = child_arguments(HOST, "--data", self._data, "--port", str(port), "--listen", listen, *further)
        return Child(HOST, arguments, unsaid=self._unsaid)

    def _is_well(self) -> bool:
        try:
            self._address = (self._data / "address").read_text(encoding="ascii").strip()
            HostClient(self._address).get("/health")
        except (OSError, HostAway, HostRefused):
            return False
        return True


def open_table(client: HostClient, game: Game, message: str) -> str:
    """Open a table, or find the one that the same message opened before; its id.

    Raises ``ApplianceError`` where that cannot be, ``HostAway`` where nobody knows whether it was done.
    """
    body = {"id": message, "game": game.game, "players": list(game.players), "options": dict(game.options)}
    try:
        return str(client.post("/tables", body)["table"])
    except HostRefused as error:
        raise ApplianceError(f"the table cannot be opened: {error}") from error


def table_of_recording(client: HostClient, recording: Recording, data: Path) -> str:
    """The table at which ``recording`` is played: a game that was broken off goes on, else a new one begins."""
    note = data / "playing.json"
    mine = str(recording.folder.resolve())
    game = Game(recording.game or "", recording.players, recording.options)
    try:
        before = json.loads(note.read_text(encoding="utf-8"))
        if before["recording"] == mine:
            table = open_table(client, game, before["message"])
            if client.get(f"/tables/{table}")["state"]["phase"] != "over":
                return table
    except (OSError, ValueError, KeyError, TypeError):
        pass
    message = str(uuid.uuid4())
    try:
        note.write_text(json.dumps({"recording": mine, "message": message}), encoding="utf-8")
    except OSError as error:
        raise ApplianceError(f"{note}: cannot be written ({error.strerror})") from error
    return open_table(client, game, message)
