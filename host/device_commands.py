"""Commands for the device: queued by the owner, handed out with what is awaited, each carried out once.

They live in memory: whoever asks for one waits for it, and sends it again, under its id, to a host that was started
anew. The device knows the ids that it has carried out, and answers a repetition as it did the first time.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from host.changes import Changes
from host.problems import Problem
from host.records import JsonObject

CommandType = Literal["read-again", "light", "calibration-picture", "adopt-profile", "calibrate", "teach"]
CommandStatus = Literal["waiting", "done", "failed"]

COMMANDS_KEPT = 20
"""The newest; a picture has 1.5 MB at most, so all of them 30 MB."""

HANDED_OUT_AGAIN_S = 10.0
"""An answer that was lost on its way is repeated after that; a command takes the device a second or two."""

FORGOTTEN_S = 60.0
"""A command that no device has fetched for so long is not carried out any more: nobody waits for it."""


@dataclass(frozen=True, slots=True)
class DeviceCommand:
    """A command and what came of it. Times are seconds of the monotonic clock."""

    id: str
    type: CommandType
    body: JsonObject
    asked_at: float
    status: CommandStatus = "waiting"
    detail: str = ""
    result: JsonObject | None = None
    jpeg: bytes | None = None
    handed_out_at: float | None = None


@dataclass(frozen=True, slots=True)
class CommandNews:
    """Wakes the device's poll; no table's stream is told of it."""

    table_id: str = ""


class DeviceCommands:
    """The commands of one host. ``clock`` in seconds; it never jumps."""

    def __init__(self, changes: Changes, clock: Callable[[], float] = time.monotonic) -> None:
        self._changes = changes
        self._clock = clock
        self._commands: OrderedDict[str, DeviceCommand] = OrderedDict()

    def ask(self, command_id: str, type: CommandType, body: JsonObject) -> DeviceCommand:
        """Queue a command; one that was asked before under that id is not asked again. Raises ``Problem``."""
        before = self._commands.get(command_id)
        if before is not None:
            if (before.type, before.body) != (type, body):
                raise Problem("message-id-taken", "Another command has this id; use a new one.")
            return self.command(command_id)
        self._commands[command_id] = DeviceCommand(command_id, type, body, self._clock())
        while len(self._commands) > COMMANDS_KEPT:
            self._commands.popitem(last=False)
        self._changes.publish(CommandNews())
        return self._commands[command_id]

    def command(self, command_id: str) -> DeviceCommand:
        """A command by its id. Raises ``Problem``."""
        self._forget_old()
        command = self._commands.get(command_id)
        if command is None:
            raise Problem("unknown-command", "There is no such command any more; ask for it again.")
        return command

    @property
    def has_news(self) -> bool:
        """Whether a command waits that the device has not been handed lately."""
        now = self._clock()
        return any(
            command.handed_out_at is None or now - command.handed_out_at >= HANDED_OUT_AGAIN_S
            for command in self._waiting()
        )

    def hand_out(self) -> list[JsonObject]:
        """What the device is to do, oldest first."""
        waiting, now = self._waiting(), self._clock()
        for command in waiting:
            self._commands[command.id] = replace(command, handed_out_at=now)
        return [{**command.body, "id": command.id, "type": command.type} for command in waiting]

    def end(
        self, command_id: str, status: CommandStatus, detail: str, result: JsonObject, jpeg: bytes | None
    ) -> DeviceCommand:
        """The device says what came of a command; only the first time counts. Raises ``Problem``."""
        command = self.command(command_id)
        if command.status == "waiting":
            command = replace(command, status=status, detail=detail, result=result, jpeg=jpeg)
            self._commands[command_id] = command
        return command

    def _waiting(self) -> list[DeviceCommand]:
        self._forget_old()
        return [command for command in self._commands.values() if command.status == "waiting"]

    def _forget_old(self) -> None:
        oldest = self._clock() - FORGOTTEN_S
        for command in tuple(self._commands.values()):
            if command.status == "waiting" and command.asked_at < oldest:
                self._commands[command.id] = replace(command, status="failed", detail="The device has not answered.")
