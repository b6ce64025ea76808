"""24 hours of play with 12 phones that come and go: ``python -m tests.benchmarks evenings``.

Games of all five kinds follow one another on a real host whose clock is moved on between actions, so that a day
passes in minutes. Ten of the phones play, all of them follow the table by its event stream, and one leaves or comes
back after every few actions. What the host is at the end of the first quarter is compared with what it is at the end
of the day; latency is from the sending of an action to the moment when the last phone has it, and processor time is
the host's own.
"""

import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import psutil

from host.games.protocol import JsonObject
from tests.benchmarks.crowd import commit_reference, percentile
from tests.faults.evening import PHONES, Sitting, evening
from tests.host.phones import Owner, Phone, link
from tests.host.running import RunningHost, new_id

DAY_S = 24 * 3600
ACTION_EVERY_S, SHORT_EVERY_S = 20.0, 360.0
"""Of the day: 4,320 actions, or 240 in the short form."""

GUESTS = 2
"""Phones that look on and do not play."""

COMES_OR_GOES = 0.25
"""The part of the actions after which some phone does."""

MOST_ACTIONS = 60

FAST_HOST = """
import pathlib, sys, host.api
from tests.faults.halves import run_host
host.api.HEARTBEAT_S = 0.3
run_host(pathlib.Path(sys.argv[1]), sys.argv[2:])
"""
HANGING_UP_S = 1.5
"""By its next heartbeat but one the host knows that a phone has gone; its heart beats faster, as the clock does."""

QUARTERS = 4
MOST_GROWTH_MB = 8
"""Allocators keep some of what they got; 4,320 actions that each left 10 kB behind would be 43 MB."""

MOST_SLOWER = 1.5
PATIENCE_S = 30
_MB = 1024 * 1024


@dataclass(frozen=True)
class Quarter:
    """What the host was at the end of six hours, and how it answered in them."""

    actions: int
    memory_mb: float
    files: int
    connections: int
    latency_ms: tuple[float, float]
    """Median, and the 95th of 100."""
    processor_ms: float
    """For an action, all phones' events included."""


class Follower:
    """A phone's open event stream."""

    def __init__(self, host: RunningHost, table: str):
        where = urlsplit(host.address)
        self._socket = socket.create_connection((where.hostname or "", where.port or 0), PATIENCE_S)
        self._socket.sendall(
            f"GET /api/v1/tables/{table}/events HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode("ascii")
        )
        self._text = b""

    def wait_for(self, number: int) -> None:
        """Until the whole event of that state number is here."""
        mark = f"id: {number}\n".encode()
        while not (mark in self._text and self._text.endswith(b"\n\n\r\n")):
            chunk = self._socket.recv(1 << 20)
            assert chunk, "the host has ended a stream"
            self._text += chunk
        self._text = b""

    def close(self) -> None:
        """The phone is put away."""
        self._socket.close()


class Day:
    """One day on a host, sitting after sitting."""

    def __init__(self, host: RunningHost, clock: Path, actions: int, chance: Random):
        self._host = host
        self._clock = clock
        self._actions = actions
        self._chance = chance
        self._process = psutil.Process(host.process.pid)
        self._phones = {name: Phone(host) for name in PHONES}
        self._followers: dict[str, Follower] = {}
        self._done = 0
        self.tables = self.came = 0

    def quarters(self, sittings: Iterator[Sitting]) -> Iterator[Quarter]:
        """Play, and say after each quarter what the host is."""
        taken: list[float] = []
        spent = self._spent()
        for latency in self._played(sittings):
            taken.append(latency)
            if self._done % (self._actions // QUARTERS) == 0:
                spent_in_all = self._spent() - spent
                time.sleep(HANGING_UP_S)
                quarter = Quarter(
                    len(taken),
                    self._process.memory_info().rss / _MB,
                    self._process.num_fds() - len(self._followers),
                    len(self._process.net_connections()) - len(self._followers),
                    (1e3 * statistics.median(taken), 1e3 * percentile(taken, 95)),
                    1e3 * spent_in_all / len(taken),
                )
                yield quarter
                taken, spent = [], self._spent()

    def _played(self, sittings: Iterator[Sitting]) -> Iterator[float]:
        for sitting in sittings:
            table = self._sit_down(sitting)
            for number, step in enumerate(sitting.steps, 1):
                started = time.perf_counter()
                self._act(table, step.action, step.kind == "undo")
                for follower in self._followers.values():
                    follower.wait_for(number)
                self._done += 1
                yield time.perf_counter() - started
                self._clock.write_text(str(self._done * DAY_S / self._actions), encoding="ascii")
                if self._chance.random() < COMES_OR_GOES:
                    self._come_or_go(table, number)
                if self._done == self._actions:
                    return

    def _sit_down(self, sitting: Sitting) -> str:
        owner = Owner(self._host)
        table = owner.lobby(sitting.game, **sitting.options)
        for player in sitting.players:
            assert self._phones[player].join(link(self._host, table), player).status == 200
        assert owner.start(table).status == 201
        for follower in self._followers.values():
            follower.close()
        names = (*PHONES, *(f"guest {number}" for number in range(GUESTS)))
        self._followers = {name: Follower(self._host, table) for name in names}
        for follower in self._followers.values():
            follower.wait_for(0)
        self.tables += 1
        return table

    def _act(self, table: str, action: JsonObject, is_undo: bool) -> None:
        if is_undo:
            answer = Owner(self._host).post(f"/tables/{table}/undo", {"id": new_id(), "number": None})
        else:
            body: dict[str, Any] = {"id": new_id(), "number": None, "action": action}
            answer = self._phones[action["player"]].post(f"/tables/{table}/actions", body)
        assert answer.status == 200, answer.body

    def _come_or_go(self, table: str, number: int) -> None:
        names = (*PHONES, *(f"guest {number}" for number in range(GUESTS)))
        name = self._chance.choice(names)
        if name in self._followers:
            self._followers.pop(name).close()
            return
        self.came += 1
        phone = self._phones.get(name) or Phone(self._host)
        assert phone.page(f"/tables/{table}").status == 200
        self._followers[name] = Follower(self._host, table)
        self._followers[name].wait_for(number)

    def close(self) -> None:
        """Every phone is put away."""
        for follower in self._followers.values():
            follower.close()

    def _spent(self) -> float:
        return float(sum(self._process.cpu_times()[:2]))


@dataclass(frozen=True)
class Lived:
    """A day: its quarters, the tables played, the times that a phone came back."""

    quarters: tuple[Quarter, ...]
    tables: int
    came: int

    @property
    def has_grown(self) -> bool:
        """Whether anything got larger that should not; of time only the host's own is judged."""
        first, last = self.quarters[0], self.quarters[-1]
        return (
            last.memory_mb > first.memory_mb + MOST_GROWTH_MB
            or last.files > first.files + 1
            or last.connections > first.connections + 1
            or last.processor_ms > MOST_SLOWER * first.processor_ms
        )


def live(every_s: float, seed: int = 24) -> Lived:
    """A day with an action every so many seconds of it."""
    with tempfile.TemporaryDirectory() as folder:
        command = (sys.executable, "-c", FAST_HOST, folder)
        host = RunningHost(Path(folder) / "data", command=command)
        day = Day(host, Path(folder) / "clock", round(DAY_S / every_s), Random(seed))
        try:
            quarters = tuple(day.quarters(sittings(seed)))
        finally:
            day.close()
            host.kill()
    return Lived(quarters, day.tables, day.came)


def sittings(seed: int) -> Iterator[Sitting]:
    """Games without end, evening after evening."""
    while True:
        yield from evening(seed, MOST_ACTIONS)
        seed += 1


def main(short: bool) -> str:
    """The figures as Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        commit_ms = 1e3 * commit_reference(Path(folder))
    lived = live(SHORT_EVERY_S if short else ACTION_EVERY_S)
    lines = [
        f"{sum(quarter.actions for quarter in lived.quarters):,} actions at {lived.tables} tables; phones came back"
        f" {lived.came} times. SQLite's own commit takes {commit_ms:.2f} ms: the latency of the last quarter is"
        f" {lived.quarters[-1].latency_ms[0] / commit_ms:.0f} of them.",
        "",
        "| until | memory, MB | files | connections | latency, median | 95 of 100 | processor time for an action |",
        "|---|---|---|---|---|---|---|",
    ]
    for number, quarter in enumerate(lived.quarters, 1):
        median, most = quarter.latency_ms
        lines.append(
            f"| {number * 24 // QUARTERS} h | {quarter.memory_mb:.1f} | {quarter.files} | {quarter.connections} "
            f"| {median:.1f} ms | {most:.1f} ms | {quarter.processor_ms:.1f} ms |"
        )
    first, last = lived.quarters[0], lived.quarters[-1]
    ratios = (
        last.memory_mb / first.memory_mb,
        last.files / first.files,
        last.connections / first.connections,
        last.latency_ms[0] / first.latency_ms[0],
        last.latency_ms[1] / first.latency_ms[1],
        last.processor_ms / first.processor_ms,
    )
    lines.append(f"| last / first quarter | {' | '.join(f'{ratio:.2f}' for ratio in ratios)} |")
    return "\n".join([*lines, "", "It has grown." if lived.has_grown else "It has not grown."])
