"""The rows of readings and of their corrections, with the pictures that lie beside the database."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import BigInteger, Row, cast, delete, func, insert, select

from host import schema
from host.games.sentence import Sentence, as_written
from host.pictures import Pictures
from host.records import Correction, Entry, JsonObject, LabelledReading, StoredReading
from host.store import StorageFailed, Store, at_table, first_place, insert_entry

DIE = ("kind", "body", "face", "confidence", "center_px", "center_mm")
"""What the device says of each die that it has read."""

log = logging.getLogger("croupier.host")


class ReadingStore:
    """Reads and writes readings; each method is one transaction. Every method may raise ``StorageFailed``.

    Without ``pictures`` none are kept.
    """

    def __init__(self, store: Store, pictures: Pictures | None = None):
        self._store = store
        self._pictures = pictures

    def take_over_pictures(self) -> int:
        """Move the pictures that older versions kept in the database into files; how many there were."""
        p = schema.pictures
        with self._store.transaction() as connection:
            rows = connection.execute(select(p.c.reading_id, p.c.jpeg).order_by(p.c.place)).all()
            moved = [row.reading_id for row in rows if self._keep_picture(row.reading_id, row.jpeg)]
            if moved:
                connection.execute(delete(p).where(p.c.reading_id.in_(moved)))
        return len(moved)

    def record(self, reading: StoredReading, jpeg: bytes | None, entries: Sequence[Entry]) -> StoredReading:
        """A reading and the entries that it brought about: all or none; and its picture, as far as there is room."""
        has_picture = jpeg is not None and self._keep_picture(reading.id, jpeg)
        try:
            with self._store.transaction() as connection:
                connection.execute(
                    insert(schema.readings).values(
                        place=_next_place(reading.table),
                        id=reading.id,
                        table_id=reading.table,
                        expect=reading.expect,
                        dice=[_written_die(die) for die in reading.dice],
                        unread=list(reading.unread),
                        status=reading.status,
                        detail="",
                        told=[[sentence.slug, sentence.template, dict(sentence.values)] for sentence in reading.told],
                        at=reading.at,
                    )
                )
                for entry in entries:
                    insert_entry(connection, entry)
        except StorageFailed:
            if has_picture and self._pictures is not None:
                self._pictures.discard(reading.id)
            raise
        return replace(reading, has_picture=has_picture)

    def _keep_picture(self, reading_id: str, jpeg: bytes) -> bool:
        if self._pictures is None:
            return False
        try:
            self._pictures.add(reading_id, jpeg)
        except OSError as error:
            # A throw counts without its picture, too.
            log.warning("a picture is not kept: %s", error.strerror)
            return False
        return True

    def reading(self, reading_id: str, since: str | None) -> StoredReading | None:
        """A reading by its id, or None. It was sent to the table ``since`` or to one that was opened later.

        None: it was sent to no table.
        """
        r = schema.readings
        first, end = at_table(r, since)
        return self._one_reading(r.c.id == reading_id, first, *(() if since else (end,)))

    def last_reading(self, table_id: str) -> StoredReading | None:
        """The newest reading that a table was sent, or None."""
        return self._one_reading(*at_table(schema.readings, table_id))

    def _one_reading(self, *conditions: Any) -> StoredReading | None:
        r = schema.readings
        query = select(r).where(*conditions).order_by(r.c.place.desc()).limit(1)
        with self._store.transaction() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else self._stored_reading(row)

    def picture(self, table_id: str, reading_id: str) -> bytes | None:
        """The JPEG of a reading that this table was sent, or None (there was none, or it is no longer kept)."""
        reading = self.reading(reading_id, table_id)
        if reading is None or reading.table != table_id or self._pictures is None:
            return None
        return self._pictures.get(reading_id)

    def corrections(self, after: int, most: int) -> tuple[LabelledReading, ...]:
        """The corrections whose place is above ``after``, oldest first, ``most`` of them."""
        c, e, r, t = schema.corrections, schema.entries, schema.readings, schema.tables
        query = (
            select(r, c.c.place.label("correction_place"), c.c.number, c.c.confirmed, e.c.by, e.c.at.label("said_at"))
            .join_from(c, r, c.c.reading == r.c.place)
            .join(t, t.c.id == c.c.table_id)
            .join(e, e.c.place == cast(t.c.place, BigInteger) * schema.ROOM + c.c.number)
            .where(c.c.place > after)
            .order_by(c.c.place)
            .limit(most)
        )
        with self._store.transaction() as connection:
            rows = connection.execute(query).all()
        return tuple(
            LabelledReading(
                row.correction_place,
                self._stored_reading(row),
                Correction(row.table_id, row.number, row.id, tuple(row.confirmed)),
                row.by,
                row.said_at,
            )
            for row in rows
        )

    def _stored_reading(self, row: Row[Any]) -> StoredReading:
        dice = [_die(die) for die in row.dice]
        unread: list[JsonObject] = row.unread
        return StoredReading(
            row.id,
            row.table_id,
            row.expect,
            tuple(dice),
            tuple(unread),
            row.status,
            _told(row.told, row.detail),
            row.at,
            self._pictures is not None and row.id in self._pictures,
        )


def _next_place(table_id: str | None) -> Any:
    """The place after that of the last reading that a table was sent."""
    r, first = schema.readings, first_place(table_id)
    last = select(func.max(r.c.place)).where(*at_table(r, table_id)).scalar_subquery()
    return func.coalesce(last, first) + 1


def _written_die(die: JsonObject) -> JsonObject | list[Any]:
    """A die as it is written: with what is said of every die in its order, by values alone."""
    return list(die.values()) if tuple(die) == DIE else die


def _die(written: JsonObject | list[Any]) -> JsonObject:
    """A die that was written; older versions wrote every die with its keys."""
    return dict(zip(DIE, written, strict=True)) if isinstance(written, list) else written


def _told(kept: list[Any] | None, detail: str) -> tuple[Sentence, ...]:
    """What became of a reading. Older versions wrote each sentence with its keys, or only its English text."""
    if kept is None:
        return as_written("reading", detail)
    return tuple(Sentence(*one) if isinstance(one, list) else Sentence(**one) for one in kept)
