"""Commands of the host: each carried out once, and its result told.

A command that was begun is written down before anything is done, so that a device that is killed in the middle does
not do it twice; what came of it is written down, too, so that a repetition is answered the same.
"""

import logging
import queue
import threading
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from device.host_client import HostAway, HostClient, HostRefused
from device.outbox import Outbox, OutboxError

log = logging.getLogger("croupier.device")

_DELAY_S = 1.0
_TRIES = 30
"""Half a minute; the host has forgotten a command of which it has heard nothing for longer."""


@dataclass(frozen=True, slots=True)
class Command:
    """What the host asks for: ``type`` is one of those in docs/device.md, ``body`` holds its further keys."""

    id: str
    type: str
    body: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> "Command":
        """From the host's answer; raises ``KeyError`` or ``TypeError`` if it is none.

        >>> Command.from_json({"id": "c1", "type": "light", "percent": 40}).body
        {'percent': 40}
        """
        body = {key: value for key, value in entry.items() if key not in ("id", "type")}
        return cls(str(entry["id"]), str(entry["type"]), body)


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a command: a sentence, further figures, a JPEG."""

    detail: str = ""
    result: Mapping[str, Any] = field(default_factory=dict)
    jpeg: bytes | None = None


class CommandFailed(Exception):
    """A command cannot be carried out; the message is one sentence for the person who asked for it."""


Handler = Callable[[Command], Done]
"""Carries a command out, in the thread of the commands. Raises ``CommandFailed``."""


class HostCommands:
    """Carries out what ``take`` is given, one after another, from ``start`` to ``close``. ``handlers`` by type.

    ``only_looks`` says of a command that it changes nothing: it is not written down, and is done again if it comes
    again.
    """

    def __init__(
        self,
        client: HostClient,
        outbox: Outbox,
        handlers: Mapping[str, Handler],
        only_looks: Callable[[Command], bool] = lambda command: False,
    ) -> None:
        self._client = client
        self._outbox = outbox
        self._handlers = dict(handlers)
        self._only_looks = only_looks
        self._waiting: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
        self._known: set[str] = set()
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="commands", daemon=True)

    def start(self) -> None:
        """Begin to carry out."""
        self._thread.start()

    def close(self) -> None:
        """Stop after the command that is under way."""
        self._stopping.set()
        self._waiting.put(None)
        self._thread.join(timeout=2.0)

    def take(self, entries: Iterable[Mapping[str, Any]]) -> None:
        """The commands of a host's answer, as JSON; those that are under way already are not taken twice."""
        for entry in entries:
            try:
                command = Command.from_json(entry)
            except (KeyError, TypeError):
                log.warning("the host sent a command that is none")
                continue
            with self._lock:
                if command.id in self._known:
                    continue
                self._known.add(command.id)
            self._waiting.put(command)

    def _run(self) -> None:
        while (command := self._waiting.get()) is not None and not self._stopping.is_set():
            try:
                self._acknowledge(command, self._carry_out(command))
            finally:
                with self._lock:
                    self._known.discard(command.id)

    def _carry_out(self, command: Command) -> tuple[str, Done]:
        """How it ended ("done" or "failed") and what came of it; of a command seen before, what came of it then."""
        if self._only_looks(command):
            return self._try(command)
        try:
            before = self._outbox.begin_command(command.id)
        except OutboxError as error:
            return "failed", Done(str(error))
        if before is not None:
            return before[0], Done(before[1])
        status, done = self._try(command)
        try:
            self._outbox.end_command(command.id, status, done.detail)
        except OutboxError as error:
            log.error("%s", error)
        return status, done

    def _try(self, command: Command) -> tuple[str, Done]:
        handler = self._handlers.get(command.type)
        if handler is None:
            return "failed", Done("This device cannot do that.")
        try:
            return "done", handler(command)
        except CommandFailed as failure:
            return "failed", Done(str(failure))
        except Exception as mistake:
            log.exception("command %s", command.type)
            return "failed", Done(f"The device made a mistake ({type(mistake).__name__}); its journal says more.")

    def _acknowledge(self, command: Command, outcome: tuple[str, Done]) -> None:
        status, done = outcome
        body: dict[str, Any] = {"status": status, "detail": done.detail, "result": dict(done.result)}
        if done.jpeg is not None:
            body["jpeg"] = b64encode(done.jpeg).decode("ascii")
        for _ in range(_TRIES):
            try:
                self._client.post(f"/device/commands/{command.id}", body)
                return
            except HostRefused as refusal:
                log.warning("the host does not take the result of %s: %s", command.type, refusal)
                return
            except HostAway:
                if self._stopping.wait(_DELAY_S):
                    return
