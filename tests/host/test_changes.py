"""Listeners: told of their table's changes in order, never waited for, dropped when they fall behind."""

import pytest

from host.changes import CHANGES_WAITING, Changes, Dropped
from host.games.registry import GAMES
from host.records import Entry, SeatedTable
from host.snapshot import Snapshot
from host.table import Table

NOW = "2026-05-04T20:15:00.000Z"


def snapshots(count: int, table_id: str = "k3f9") -> list[Snapshot]:
    """A table after each of its first actions."""
    game = GAMES.game("vigos-favor")
    table = Table(SeatedTable(table_id, game.id, ("Ana", "Bo"), {}, NOW), game)
    seen = []
    for number in range(1, count + 1):
        kind = "action" if number % 2 else "undo"
        action = {"type": "stake", "player": "Ana", "amount": number} if number % 2 else None
        table.append(Entry(table_id, number, kind, action, "owner", NOW))  # type: ignore[arg-type]
        seen.append(table.snapshot())
    return seen


def test_changes_arrive_in_order_at_those_who_listen_to_the_table() -> None:
    changes = Changes()
    with changes.listening("k3f9") as one, changes.listening() as all_tables, changes.listening("other") as other:
        first, second = snapshots(2)
        changes.publish(first)
        changes.publish(second)
        for listener in (one, all_tables):
            assert [listener.wait(0), listener.wait(0), listener.wait(0)] == [first, second, None]
        assert other.wait(0) is None


def test_a_slow_listener_is_dropped_and_holds_nobody_up() -> None:
    changes = Changes()
    told = snapshots(CHANGES_WAITING + 1)
    with changes.listening() as slow, changes.listening() as quick:
        for snapshot in told:
            changes.publish(snapshot)
            assert quick.wait(0) is snapshot
        with pytest.raises(Dropped):
            slow.wait(0)


def test_nobody_is_told_after_the_end() -> None:
    changes = Changes()
    with changes.listening() as early:
        changes.close()
        with pytest.raises(Dropped):
            early.wait(10)
        with changes.listening() as late, pytest.raises(Dropped):
            late.wait(10)


def test_a_snapshot_is_the_same_until_something_changes() -> None:
    game = GAMES.game("vigos-favor")
    table = Table(SeatedTable("k3f9", game.id, ("Ana", "Bo"), {}, NOW), game)
    before = table.snapshot()
    assert table.snapshot() is before
    table.append(Entry("k3f9", 1, "action", {"type": "stake", "player": "Ana", "amount": 1}, "owner", NOW))
    assert table.snapshot() is not before and before.number == 0
