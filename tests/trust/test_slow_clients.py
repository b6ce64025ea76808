"""Nobody holds a place by being slow, and nobody shuts others out by opening thousands of connections."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest

from host.crowd import CONNECTIONS_A_PHONE, DOOR
from tests.host.phones import Owner
from tests.host.running import RunningHost, following
from tests.trust.connections import HASTY_HOST, connected, many, trickled

LONG = 60
"""Bytes, three a second: far longer than a hasty host waits."""


@pytest.fixture
def hasty_host(tmp_path: Path) -> Iterator[RunningHost]:
    host = RunningHost(tmp_path / "data", "--most-phones", "3", command=HASTY_HOST)
    yield host
    host.kill()


def test_slow_clients_are_let_go_however_little_they_send(
    capfd: pytest.CaptureFixture[str], hasty_host: RunningHost
) -> None:
    begun = b"POST /api/v1/claim HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

    def slow(first: bytes, slowly: bytes) -> bytes:
        with connected(hasty_host) as connection:
            connection.sendall(first)
            return trickled(connection, (slowly * LONG)[:LONG])

    with ThreadPoolExecutor(4) as pool:
        request_line = pool.submit(slow, b"", b"G")
        head = pool.submit(slow, begun, b"X: y\r\n")
        body = pool.submit(slow, begun + b"Content-Length: 4000\r\n\r\n", b" ")
        too_large = pool.submit(slow, begun + b"Content-Length: 99999999999\r\n\r\n", b" ")
    assert request_line.result() == b""
    assert head.result().startswith(b"HTTP/1.1 400")
    assert body.result().startswith(b"HTTP/1.1 400")
    assert too_large.result().startswith(b"HTTP/1.1 413")
    assert hasty_host.get("/health").status == 200
    assert "Traceback" not in capfd.readouterr().err


def test_a_reader_that_does_not_read_is_let_go(hasty_host: RunningHost) -> None:
    table, (ana, _) = Owner(hasty_host).seated("Ana", "Bo")
    process = psutil.Process(hasty_host.process.pid)
    with ExitStack() as stack:
        ask = f"GET /api/v1/tables/{table}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        many(hasty_host, 2, stack, ask)
        before = process.memory_info().rss
        with following(hasty_host, table, cookie=ana.cookie) as seat:
            assert seat.next()["event"] == "table"
            for number in range(60):
                assert ana.act(table, "stake", "Ana", amount=1).status == (200 if number == 0 else 422)
                assert (
                    hasty_host.post(
                        f"/tables/{table}/seats/lock",
                        {"player": "Bo", "locked": bool(number % 2)},
                        hasty_host.token("owner"),
                    ).status
                    == 200
                )
        assert process.memory_info().rss - before < 20_000_000


@pytest.mark.parametrize("says", [b"", b"GET / HTTP/1.1\r\n", b"POST /api/v1/claim HTTP/1.1\r\nHost: localhost\r\n"
                                  b"Content-Type: application/json\r\nContent-Length: 99\r\n\r\n"],
                         ids=["nothing", "half a head", "no body"])  # fmt: skip
def test_thousands_of_connections_shut_nobody_out(tmp_path: Path, says: bytes) -> None:
    """300 connections on a host for 3 phones; ``python -m tests.trust.crowd`` opens 10,000 on one for 1,200."""
    host = RunningHost(tmp_path / "data", "--most-phones", "3")
    try:
        table, (ana, bo) = Owner(host).seated("Ana", "Bo")
        process = psutil.Process(host.process.pid)
        with ExitStack() as stack, following(host, table, cookie=bo.cookie) as seat:
            assert seat.next()["event"] == "table"
            for _ in range(5):
                many(host, 60, stack, says)
                assert ana.page(f"/tables/{table}").status == 200
            assert ana.act(table, "stake", "Ana", amount=1).status == 200
            assert seat.next()["data"]["number"] == 1
            assert process.num_fds() < 3 * CONNECTIONS_A_PHONE + 2 * DOOR + 60
    finally:
        host.kill()
