"""What the device reads for the tables: judged once, kept with its answer, and applied where it is awaited."""

from dataclasses import dataclass

from host.expect import mode_of, parse_expect
from host.games.sentence import Refused, Sentence
from host.records import Entry, JsonObject, ReadingStatus, StoredReading
from host.rolls import Match, Unmatched, match_rolls, told_of_match
from host.table import Table
from host.tables import Tables
from vision.dice import Die

GUARDED = Sentence("reading/guarded", "A cube was seen before every call is in: cover it and cast again.")
UNKNOWN = Sentence("reading/unknown", "It answers nothing that was ever awaited.")
LATE = Sentence("reading/late", "It answers an older state of the table and was not applied.")
IDLE = Sentence("reading/idle", "No roll is awaited now.")


@dataclass(frozen=True, slots=True)
class Report:
    """What the device read: the dice that count, what it could not read, and the tray's picture."""

    id: str
    expect: str
    dice: tuple[JsonObject, ...]
    unread: tuple[JsonObject, ...]
    jpeg: bytes | None


class Readings:
    """Takes what the device reads. A reading's answer is stored with it, so that its repetition is answered alike."""

    def __init__(self, tables: Tables):
        self._tables = tables
        self._rows = tables.readings

    def take(self, report: Report) -> StoredReading:
        """Apply what the device read, if it answers what is awaited; keep it anyway and say what became of it.

        One for another table than the newest is kept at the newest: those who threw look there to see why nothing
        came of it.
        """
        answered = parse_expect(report.expect)
        if answered is None or self._tables.seated_at(answered[0]) is None:
            return self._rows.reading(report.id, None) or self._keep(None, report, "refused", (UNKNOWN,))
        with self._tables.locked(self._tables.seated()[0].id) as newest:
            return self._rows.reading(report.id, answered[0]) or self._judge(newest, report, *answered)

    def _judge(self, table: Table, report: Report, table_id: str, number: int) -> StoredReading:
        awaited = self._tables.expectation()
        if self._may_be_secret(table, table_id, number):
            # What lies under the cup is a secret: neither face nor picture is kept, whatever was sent.
            report = Report(report.id, report.expect, (), (), None)
        if report.expect != awaited.id:
            return self._keep(table, report, "late", (LATE,))
        if awaited.mode == "guarded":
            return self._keep(table, report, "refused", (GUARDED,))
        if awaited.mode == "idle":
            return self._keep(table, report, "refused", (IDLE,))
        dice = [Die(die["kind"], die["face"], die["body"]) for die in report.dice]
        try:
            match = match_rolls(table.game, table.state, dice, [thing["reason"] for thing in report.unread])
        except Unmatched as wrong:
            return self._keep(table, report, "unmatched", (wrong.wrong,))
        except Refused as refusal:
            return self._keep(table, report, "refused", (refusal.wrong, *refusal.awaited))
        return self._keep(table, report, "applied", told_of_match(match), match)

    def _may_be_secret(self, table: Table, table_id: str, number: int) -> bool:
        """Whether what was read for that table at that number may be a cube that is under the cup at ``table``."""
        answered = self._tables.to_look_at(table_id)
        if answered.seated.id != table.seated.id and table.game.guarded_phases:
            return True
        states = [answered.state, *([answered.state_at(number)] if number <= answered.number else [])]
        return any(mode_of(answered.game, state) == "guarded" for state in states)

    def _keep(
        self,
        table: Table | None,
        report: Report,
        status: ReadingStatus,
        told: tuple[Sentence, ...],
        match: Match | None = None,
    ) -> StoredReading:
        reading = StoredReading(
            report.id,
            table.seated.id if table else None,
            report.expect,
            report.dice,
            report.unread,
            status,
            told,
            self._tables.now(),
            has_picture=False,
        )
        entries: list[Entry] = []
        if table is not None and match is not None:
            for number, action in enumerate(match.actions, table.number + 1):
                entries.append(
                    Entry(table.seated.id, number, "action", action, "device", reading.at, reading=reading.id)
                )
        reading = self._rows.record(reading, report.jpeg if table else None, entries)
        if table is not None:
            self._tables.append(table, entries, reading)
        return reading
