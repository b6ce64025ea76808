"""An evening in the midst of faults, and what of it is compared with an undisturbed one.

Everything that is decided follows from the seed: the games, the faults, when they strike. How long processes take
does not, so that two runs of one seed meet the same faults at moments that differ by milliseconds.
"""

import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from host.games.protocol import JsonObject
from tests.faults.disk import small_disk
from tests.faults.evening import PHONES, Sitting, Step
from tests.faults.room import PATIENCE_S, Room
from tests.faults.wire import WIRE_FAULTS
from tests.host.phones import Phone, new_phone_id
from tests.host.running import new_id

KILLS = ("host killed", "device killed", "both killed")
OTHERS = ("disk full", "database read-only", "clock jumps")
WEIGHTS: dict[str, int] = {**dict.fromkeys(KILLS, 2), **dict.fromkeys(OTHERS, 2), **dict.fromkeys(WIRE_FAULTS, 3)}
"""How often each kind is drawn."""

FARTHEST_JUMP_S = 400 * 24 * 3600
LONGEST_TROUBLE_S = 0.5
LOOKING_ON = 0.2
"""The part of the steps at which somebody who does not play looks at the table."""


@dataclass
class Outcome:
    """What an evening came to."""

    tables: list[Any] = field(default_factory=list)
    """Every table as everybody sees it, and each player: state, prompts, log."""
    acknowledged: dict[str, str] = field(default_factory=dict)
    """The table of each message that was acknowledged."""
    faults: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    throws: int = 0
    thrown_again: int = 0
    checks: int = 0
    lost: int = 0
    doubled: int = 0
    seconds: float = 0.0
    disk: str = ""


def play(folder: Path, evening: tuple[Sitting, ...], faults: int, chance: Random) -> Outcome:
    """Play an evening while about ``faults`` things go wrong. Raises ``AssertionError`` for what must not happen."""
    began = time.monotonic()
    with small_disk(folder / "disk") as disk:
        room = Room(folder, disk, chance)
        try:
            trial = Trial(room, evening, faults, chance)
            outcome = trial.run()
        finally:
            room.close()
        for name in ("host/croupier.db", "device/device.db"):
            room.check(name)
        count(outcome, room.host.data / "croupier.db")
    outcome.disk = "a file system of its own" if disk.is_real else "a limit on the size of files"
    outcome.refused, outcome.checks = room.refused, room.checked
    outcome.seconds = time.monotonic() - began
    return outcome


class Trial:
    """One evening in a room."""

    def __init__(self, room: Room, evening: tuple[Sitting, ...], faults: int, chance: Random):
        self._room = room
        self._evening = evening
        self._chance = chance
        self._phones = {name: room.phone() for name in PHONES}
        self._left = faults
        self._steps_left = sum(len(sitting.steps) for sitting in evening) + len(evening)
        self._striking: threading.Thread | None = None
        self.outcome = Outcome()

    def run(self) -> Outcome:
        """Play every game, and look at every table at the end."""
        played = [(sitting, self._play(sitting)) for sitting in self._evening]
        self._let_settle()
        for sitting, table in played:
            views = [self._seen(table, self._phones[player]) for player in sitting.players]
            self.outcome.tables.append([self._seen(table, None), *views])
        return self.outcome

    def _play(self, sitting: Sitting) -> str:
        room, owner = self._room, self._owner
        self._disturb()
        lobby = {"id": new_id(), "game": sitting.game, "options": sitting.options}
        table = str(room.insist(lambda: owner("/lobbies", lobby))["table"])
        code = str(room.insist(lambda: self._phones[PHONES[0]].get(f"/tables/{table}/joining"))["code"])
        for player in sitting.players:
            room.insist(partial(self._phones[player].join, code, player, new_phone_id()))
        start = {"id": new_id()}
        room.insist(lambda: owner(f"/lobbies/{table}/start", start))
        for number, step in enumerate(sitting.steps):
            self._disturb()
            if self._chance.random() < LOOKING_ON:
                self._look_on(table)
            # It goes on while a half is down or a disk full: the next steps meet that, too.
            self._do(table, step, number)
        return table

    def _do(self, table: str, step: Step, number: int) -> None:
        room = self._room
        if step.is_guarded:
            room.throw()
        if step.kind == "throw":
            self._throw(table, step.action, number)
            return
        message = new_id()
        if step.kind == "undo":
            undo = {"id": message, "number": number}
            room.insist(lambda: self._owner(f"/tables/{table}/undo", undo))
        else:
            body = {"id": message, "number": number, "action": step.action}
            phone = self._phones[step.action["player"]]
            told = room.insist(lambda: phone.post(f"/tables/{table}/actions", body))
            assert told["number"] == number + 1
        self.outcome.acknowledged[message] = table

    def _throw(self, table: str, action: JsonObject, number: int) -> None:
        """Throw, and throw again where the table says that the throw did not count."""
        before = self._last_reading(table)
        self._room.throw(*action["dice"])
        self.outcome.throws += 1
        until = time.monotonic() + PATIENCE_S
        while True:
            assert time.monotonic() < until, f"a throw was never applied: {action}; {self._room.told()}"
            seen = self._table(table)
            if seen["number"] > number:
                assert seen["number"] == number + 1, "a throw counted twice"
                return
            reading = seen["reading"]
            if reading is not None and reading["id"] != before:
                assert reading["status"] == "late", reading
                before = reading["id"]
                self._room.throw(*action["dice"])
                self.outcome.thrown_again += 1
            time.sleep(0.02)

    def _last_reading(self, table: str) -> str | None:
        reading = self._table(table)["reading"]
        return reading and str(reading["id"])

    def _table(self, table: str) -> Any:
        watcher = self._phones[PHONES[-1]]
        return self._room.insist(lambda: watcher.get(f"/tables/{table}"))

    def _seen(self, table: str, phone: Phone | None) -> JsonObject:
        who = phone or self._room.phone()
        seen = self._room.insist(lambda: who.get(f"/tables/{table}"))
        lines = [(line["number"], line["text"]) for line in seen["log"]]
        return {"state": seen["state"], "prompt": seen["prompt"], "log": lines, "number": seen["number"]}

    def _owner(self, path: str, body: Any) -> Any:
        line = self._phones[PHONES[0]].host
        return line.post(path, body, line.token("owner"))

    def _look_on(self, table: str) -> None:
        name = self._chance.choice(PHONES)
        self._room.insist(lambda: self._phones[name].page(f"/api/v1/tables/{table}"))

    # Faults --------------------------------------------------------------------------------------------------------

    def _disturb(self) -> None:
        """As many faults as are due before this step; at most one of those that take a process a while."""
        if self._striking is not None and not self._striking.is_alive():
            self._settle_strike()
        due = self._left / max(1, self._steps_left)
        self._steps_left -= 1
        for _ in range(int(due + self._chance.random())):
            kind = self._chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
            if kind not in WIRE_FAULTS and self._striking is not None:
                kind = self._chance.choice(WIRE_FAULTS)
            self._left -= 1
            if kind in WIRE_FAULTS:
                wire = self._chance.choice((self._room.phones_wire, self._room.device_wire))
                wire.arm(kind)
                continue
            strike = self._strike(kind)
            self._striking = threading.Thread(target=self._noting_failure, args=(strike,), daemon=True)
            self._striking.start()
            self.outcome.faults[kind] += 1

    def _noting_failure(self, strike: Callable[[], None]) -> None:
        try:
            strike()
        except BaseException as failure:
            self._room.failures.append(failure)

    def _settle_strike(self) -> None:
        if self._striking is not None:
            self._striking.join(PATIENCE_S)
            assert not self._striking.is_alive(), "a half did not come back"
            self._striking = None
        if self._room.failures:
            raise self._room.failures[0]

    def _let_settle(self) -> None:
        """The last faults of the wires happen to whoever asks next; what was held back comes."""
        self._settle_strike()
        room, phone = self._room, self._room.phone()
        until = time.monotonic() + PATIENCE_S
        while not room.phones_wire.is_calm:
            assert time.monotonic() < until
            room.insist(
                lambda: phone.post("/lobbies", {"id": "x", "game": "", "options": {}}) and phone.get("/health")
            )
        for wire in (room.phones_wire, room.device_wire):
            self.outcome.faults.update(wire.happened)

    def _strike(self, kind: str) -> Callable[[], None]:
        room = self._room
        wait_s, trouble_s = self._chance.uniform(0, 0.3), self._chance.uniform(0.1, LONGEST_TROUBLE_S)
        jump_s = self._chance.choice((-1, 1)) * FARTHEST_JUMP_S ** self._chance.random()

        def strike() -> None:
            time.sleep(wait_s)
            match kind:
                case "host killed" | "both killed" | "device killed":
                    self._kill("host" in kind or "both" in kind, "device" in kind or "both" in kind)
                case "disk full":
                    room.disk.fill(room.pids)
                    time.sleep(trouble_s)
                    room.disk.make_room()
                case "database read-only":
                    (room.faults / "read-only").touch()
                    time.sleep(trouble_s)
                    (room.faults / "read-only").unlink()
                case "clock jumps":
                    (room.faults / "clock").write_text(str(jump_s), encoding="ascii")

        return strike

    def _kill(self, host: bool, device: bool) -> None:
        if host:
            self._room.host.kill()
            self._room.check("host/croupier.db")
        if device:
            self._room.kill_device()
            self._room.check("device/device.db")
            self._room.start_device()
        if host:
            self._room.start_host()


def count(outcome: Outcome, database: Path) -> None:
    """What was acknowledged and is not stored once, and readings that were applied twice."""
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT table_id, message_id, reading FROM entries").fetchall()
    stored = Counter((message, table) for table, message, _ in rows if message is not None)
    wanted = Counter(outcome.acknowledged.items())
    outcome.lost = sum((wanted - stored).values())
    readings = Counter(reading for _, _, reading in rows if reading is not None)
    outcome.doubled = sum((stored - wanted).values()) + sum(times - 1 for times in readings.values())
