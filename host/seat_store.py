"""What the database holds of phones and seats: rows that are replaced, each a dataclass with its columns' names."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, TypeVar

from sqlalchemy import Table, and_, delete, insert, select, update

from host import schema
from host.records import Failures, Joining, Lobby, Phone, Rematch, RematchWish, Seat, SeatCode
from host.store import Store

Row = Phone | Seat | Lobby | Joining | SeatCode | Failures | Rematch | RematchWish
AnyRow = TypeVar("AnyRow", Phone, Seat, Lobby, Joining, SeatCode, Failures, Rematch, RematchWish)

_TABLES: dict[type[Any], Table] = {
    Phone: schema.phones,
    Seat: schema.seats,
    Lobby: schema.lobbies,
    Joining: schema.joining,
    SeatCode: schema.seat_codes,
    Failures: schema.guesses,
    Rematch: schema.rematches,
    RematchWish: schema.rematch_wishes,
}


class SeatStore:
    """Reads all rows of a kind and writes some, in the same database as the games."""

    def __init__(self, store: Store):
        self._store = store

    def all(self, kind: type[AnyRow]) -> list[AnyRow]:
        """Every row of a kind. Raises ``StorageFailed``."""
        with self._store.transaction() as connection:
            rows = connection.execute(select(_TABLES[kind])).all()
        return [kind(**row._mapping) for row in rows]

    def put(self, *rows: Row, gone: Sequence[Row] = ()) -> None:
        """Store these rows, new or in the place of those with their keys, and drop others: all or none.

        Raises ``StorageFailed``.
        """
        with self._store.transaction() as connection:
            for row in gone:
                connection.execute(delete(_TABLES[type(row)]).where(_has_key_of(row)))
            for row in rows:
                table = _TABLES[type(row)]
                if connection.execute(update(table).where(_has_key_of(row)).values(**asdict(row))).rowcount == 0:
                    connection.execute(insert(table).values(**asdict(row)))


def _has_key_of(row: Row) -> Any:
    return and_(*(column == getattr(row, column.name) for column in _TABLES[type(row)].primary_key))
