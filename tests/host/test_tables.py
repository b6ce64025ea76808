"""Tables in memory: as many as are in use, and the same as their logs."""

import gc

from host.changes import Changes
from host.clock import utc_now
from host.games.registry import GAMES
from host.records import Holder
from host.store import Store
from host.table import Table
from host.tables import MOST_LOADED, Tables
from host.tokens import Tokens

MORE = 5


def tables_in_memory() -> int:
    gc.collect()
    return sum(type(thing) is Table for thing in gc.get_objects())


def test_a_long_evening_keeps_no_more_tables_than_are_in_use(seated_store: Store) -> None:
    before = tables_in_memory()
    tables = Tables(seated_store, GAMES, utc_now, Changes(), Tokens({}), "key")
    opened = []
    for number in range(MOST_LOADED + MORE):
        table, _ = tables.open(f"m{number}", "vigos-favor", ("Ana", "Bo"), {})
        opened.append(table.seated.id)
    stake = {"type": "stake", "player": "Ana", "amount": 1}
    for number, table_id in enumerate(opened):
        assert tables.act(table_id, f"s{number}", 0, stake, Holder("owner")).number == 1
    del table
    assert tables_in_memory() - before <= MOST_LOADED
    assert [tables.table(table_id).number for table_id in opened] == [1] * len(opened)
    assert [tables.to_look_at(table_id).number for table_id in opened] == [1] * len(opened)


def test_a_table_that_is_being_changed_stays_in_memory(seated_store: Store) -> None:
    tables = Tables(seated_store, GAMES, utc_now, Changes(), Tokens({}), "key")
    ids = [tables.open(f"m{n}", "vigos-favor", ("Ana", "Bo"), {})[0].seated.id for n in range(MOST_LOADED + MORE)]
    with tables.locked(ids[0]) as changed:
        for table_id in ids[1:]:
            tables.table(table_id)
        assert tables.table(ids[0]) is changed
