"""1,000 open phones on one host: ``python -m tests.benchmarks crowd``.

The phones are event streams of one process beside the host's. Times are from the sending of an action to the last
phone's whole event, and of a newcomer from the scan (GET of the join link) to the seat. The references, measured in
the same run, are an empty Flask view on the same server, and SQLite's own commit of a row.
"""

import gzip
import re
import select
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from tests.host.phones import Owner, Phone, link
from tests.host.running import RunningHost, new_id

PHONES = 1_000
ACTIONS = 40
WAIT_S = 30
_MB = 1024 * 1024

EMPTY_VIEW = """
from flask import Flask
from gevent.pywsgi import WSGIServer
app = Flask("empty")
app.get("/")(lambda: "")
server = WSGIServer(("127.0.0.1", 0), app, log=None)
server.init_socket()
print(server.socket.getsockname()[1], flush=True)
server.serve_forever()
"""


class Crowd:
    """Open event streams; what each has received since it was last asked."""

    def __init__(self, address: str, table: str, count: int):
        where = urlsplit(address)
        request = f"GET /api/v1/tables/{table}/events HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode()
        self._poll = select.epoll()
        self._sockets: dict[int, socket.socket] = {}
        self._tail: dict[int, bytes] = {}
        for _ in range(count):
            phone = socket.create_connection((where.hostname or "", where.port or 0))
            phone.sendall(request)
            self._sockets[phone.fileno()] = phone
            self._tail[phone.fileno()] = b""
            self._poll.register(phone, select.EPOLLIN)
        self.bytes = 0
        self.wait_for(b"event: table\n")

    def wait_for(self, mark: bytes) -> list[float]:
        """When each phone had the whole event that holds ``mark``: seconds of the performance counter, in order."""
        waiting, seen, arrivals = set(self._sockets), set[int](), []
        until = time.perf_counter() + WAIT_S
        while waiting and time.perf_counter() < until:
            for file, _ in self._poll.poll(1):
                data = self._sockets[file].recv(1 << 20)
                self.bytes += len(data)
                text = self._tail[file] + data
                if mark in text:
                    seen.add(file)
                if file in seen and text.endswith(b"\n\n\r\n") and file in waiting:
                    waiting.remove(file)
                    arrivals.append(time.perf_counter())
                self._tail[file] = text[-len(mark) - 8 :]
        if waiting:
            raise TimeoutError(f"{len(waiting)} phones have no event after {WAIT_S} s")
        return arrivals

    def close(self) -> None:
        """Hang up."""
        for phone in self._sockets.values():
            phone.close()
        self._poll.close()


def seconds(work: Callable[[], object]) -> float:
    """How long it takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def percentile(values: list[float], hundredth: int) -> float:
    """The value that so many hundredths do not exceed."""
    return sorted(values)[min(len(values) - 1, len(values) * hundredth // 100)]


def commit_reference(folder: Path) -> float:
    """Median seconds of a row's commit by SQLite itself, with the host's pragmas."""
    connection = sqlite3.connect(folder / "reference.db", isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("CREATE TABLE rows (text TEXT)")

    def commit() -> None:
        connection.execute("BEGIN")
        connection.execute("INSERT INTO rows VALUES (?)", ("x" * 200,))
        connection.execute("COMMIT")

    taken = statistics.median(seconds(commit) for _ in range(100))
    connection.close()
    return taken


def view_reference() -> float:
    """Median seconds of a request to an empty Flask view on gevent's server."""
    with subprocess.Popen([sys.executable, "-c", EMPTY_VIEW], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline())

        def ask() -> None:
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                while connection.recv(65_536):
                    pass

        ask()
        taken = statistics.median(seconds(ask) for _ in range(200))
        server.terminate()
    return taken


def first_view(host: RunningHost, path: str) -> int:
    """Bytes, as they are sent, of a page and of all that it loads before anything is tapped."""
    left, loaded, size = [path], set[str](), 0
    while left:
        address = left.pop()
        if address in loaded:
            continue
        loaded.add(address)
        answer = host.call("GET", address, headers={"Accept-Encoding": "gzip"})
        size += len(answer.body)
        is_packed = answer.headers.get("Content-Encoding") == "gzip"
        text = (gzip.decompress(answer.body) if is_packed else answer.body).decode(errors="replace")
        folder = address.rpartition("/")[0]
        left += re.findall(r'(?:href|src)="(/static/[^"]+)"', text) if address == path else []
        left += [f"{folder}/{name}" for name in re.findall(r'url\("([^"]+-latin\.woff2)"', text)]
        left += [f"{folder}/{name}" for name in re.findall(r'from "\./([^"]+\.js)"', text)]
    return size


def processor_seconds(process: psutil.Process, work: Callable[[], object], times: int) -> float:
    """Of a process, for each time that something is done."""
    before = sum(process.cpu_times()[:2])
    for _ in range(times):
        work()
    return float(sum(process.cpu_times()[:2]) - before) / times


def scan_to_seat(host: RunningHost, lobby: str, name: str) -> float:
    """Seconds from the GET of the join link to the answer that seats the phone."""
    code, phone = link(host, lobby), Phone(host)

    def sit_down() -> None:
        assert phone.page(f"/join/{code}").status == 200
        assert phone.join(code, name).status == 200

    return seconds(sit_down)


def main(short: bool) -> str:
    """The figures as Markdown."""
    phones, actions = (100, 10) if short else (PHONES, ACTIONS)
    with tempfile.TemporaryDirectory() as folder:
        commit, view = commit_reference(Path(folder)), view_reference()
        host = RunningHost(Path(folder) / "data")
        try:
            table, players = Owner(host).seated("Vera", "Ana")
            process = psutil.Process(host.process.pid)
            page_bytes = first_view(host, f"/tables/{table}")
            alone = statistics.median(seconds(lambda: host.get("/health")) for _ in range(100))
            board = processor_seconds(process, lambda: host.call("GET", f"/tables/{table}/board"), 200)
            empty = process.memory_info().rss
            crowd = Crowd(host.address, table, phones)
            full = process.memory_info().rss
            last, first, cpu, before = [], [], [], crowd.bytes
            for number in range(1, actions + 1):
                spent = sum(process.cpu_times()[:2])
                started = time.perf_counter()
                if number % 2:
                    assert players[0].act(table, "stake", "Vera", amount=1).status == 200
                else:
                    assert Owner(host).post(f"/tables/{table}/undo", {"id": new_id(), "number": None}).status == 200
                arrivals = crowd.wait_for(f"id: {number}\n".encode())
                last.append(arrivals[-1] - started)
                first.append(arrivals[0] - started)
                cpu.append(sum(process.cpu_times()[:2]) - spent)
            event_bytes = (crowd.bytes - before) / actions / phones
            lobby = Owner(host).lobby("val-des")
            seated = [scan_to_seat(host, lobby, f"Guest {n}") for n in range(4 if short else 10)]
            crowd.close()
        finally:
            host.kill()
    p99 = percentile(last, 99)
    rows = [
        ("phones", f"{phones}"),
        ("action to the first phone's event, median", f"{1e3 * statistics.median(first):.0f} ms"),
        ("action to the last phone's event, median", f"{1e3 * statistics.median(last):.0f} ms"),
        (f"the same, 99th of 100 ({actions} actions)", f"{1e3 * p99:.0f} ms"),
        ("the same, in requests to an empty Flask view", f"{p99 / view:.0f}"),
        ("the same, in SQLite's own commits", f"{p99 / commit:.0f}"),
        ("an event on its way to one phone", f"{event_bytes / 1024:.1f} kB"),
        ("memory of the host with a table and no phone", f"{empty / _MB:.0f} MB"),
        ("memory for each phone", f"{(full - empty) / phones / 1024:.0f} kB"),
        ("processor time for an event to all phones", f"{1e3 * statistics.mean(cpu):.0f} ms"),
        ("processor time for an event to one phone", f"{1e6 * statistics.mean(cpu) / phones:.0f} µs"),
        ("processor time for a page that draws its board anew", f"{1e6 * board:.0f} µs"),
        ("first view of a table with everything that it loads, as sent", f"{page_bytes / 1024:.0f} kB"),
        ("scan to seat with all phones open, median", f"{1e3 * statistics.median(seated):.0f} ms"),
        ("the longest of them", f"{1e3 * max(seated):.0f} ms"),
        ("request to the host without phones, median", f"{1e3 * alone:.1f} ms"),
        ("request to an empty Flask view, median", f"{1e3 * view:.1f} ms"),
        ("SQLite's own commit, median", f"{1e3 * commit:.2f} ms"),
    ]
    return "\n".join(["| what | figure |", "|---|---|", *(f"| {what} | {figure} |" for what, figure in rows)])


if __name__ == "__main__":
    print(main(short=False))
