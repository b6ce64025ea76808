"""A house that is full: a sentence for spectators, and seats come before them. Small numbers, a real server."""

import http.client
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from host.crowd import RETRY_AFTER_S, Crowd
from host.problems import Problem
from tests.host.phones import Owner
from tests.host.running import RunningHost, following, new_id


@pytest.fixture
def small_host(tmp_path: Path) -> Iterator[RunningHost]:
    """A host for two phones."""
    host = RunningHost(tmp_path / "data", "--most-phones", "2")
    yield host
    host.kill()


def test_a_seat_takes_the_place_of_the_newest_spectator(small_host: RunningHost) -> None:
    table, (ana, bo) = Owner(small_host).seated("Ana", "Bo")
    with ExitStack() as stack:
        first, second = (stack.enter_context(following(small_host, table)) for _ in range(2))
        assert first.next()["event"] == second.next()["event"] == "table"
        refused = small_host.get(f"/tables/{table}/events")
        assert refused.outcome == (503, "house-full")
        assert refused.headers["Retry-After"] == str(RETRY_AFTER_S)
        assert refused.json["detail"].startswith("2 phones follow the tables already")
        seat = stack.enter_context(following(small_host, table, cookie=ana.cookie))
        assert seat.next()["event"] == "table"
        assert second.ends()
        stack.enter_context(following(small_host, table, cookie=bo.cookie))
        assert first.ends()
        assert small_host.get(f"/tables/{table}/events").status == 503
        ana.act(table, "stake", "Ana", amount=1)
        assert seat.next()["data"]["number"] == 1
    stack.close()
    # A stream finds out that its client is gone when it has something to send, by the second time at the latest.
    small_host.post(f"/tables/{table}/undo", {"id": new_id(), "number": None}, small_host.token("owner"))
    ana.act(table, "stake", "Ana", amount=1)
    with following(small_host, table) as after:
        assert after.next()["event"] == "table"


def test_too_many_connections_get_a_page_or_a_problem_and_seats_go_on(small_host: RunningHost) -> None:
    table, (ana, _) = Owner(small_host).seated("Ana", "Bo")
    with ExitStack() as stack:
        idle = [stack.enter_context(small_host.connection()) for _ in range(8)]
        for connection in idle:
            connection.connect()
            connection.request("GET", "/api/v1/health")
            assert connection.getresponse().read()
        page = small_host.call("GET", f"/tables/{table}")
        assert page.status == 503 and "The house is full" in page.body.decode()
        assert page.headers["Connection"] == "close"
        assert small_host.get("/health").outcome == (503, "house-full")
        assert ana.page(f"/tables/{table}").status == 200
        assert ana.act(table, "stake", "Ana", amount=1).status == 200
        assert small_host.expect()["table"] == table
    assert wait_until_empty(small_host) == 200


def wait_until_empty(host: RunningHost) -> int:
    """Ask until the host has noticed that connections were closed; the last status."""
    for _ in range(200):
        try:
            status = host.get("/health").status
        except (OSError, http.client.HTTPException):
            continue
        if status == 200:
            break
    return status


def test_seats_alone_can_fill_the_house() -> None:
    crowd = Crowd(most_phones=1)
    place = crowd.place(is_seat=True)
    with pytest.raises(Problem, match="seats come first"):
        crowd.place(is_seat=True)
    place.leave()
    place.leave()
    spectator = crowd.place(is_seat=False)
    told: list[str] = []
    spectator.when_evicted(lambda: told.append("out"))
    crowd.place(is_seat=True)
    assert told == ["out"] and spectator.is_evicted
