"""Corrections at the table: what a reading should have been, who objects to it, and rolls that are amended.

Each is an entry of the log, by whom and when; nothing is ever deleted. What people say that a reading should have
been is kept beside what was read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from host.games.sentence import Refused, Sentence, Value
from host.line import Move, secrets_of
from host.problems import Problem
from host.records import Correction, Entry, Holder, JsonObject
from host.rolls import Unmatched, match_rolls
from host.table import Table
from host.tables import Change, Outcome, Tables, one_entry
from vision.dice import KINDS, Die

OBJECTION_S = 30
"""How long a seat may object to a reading that was applied, unless the next one is applied before."""

Why = Literal["roll-again", "nothing-rolled"]

_TEMPLATES = {
    "nobody": "Nobody at this table is called {player}.",
    "seconds": "A reading can be objected to for {seconds} seconds.",
    "others-roll": "The roll of {players} is awaited: they may answer, and the owner.",
    "no-line": "The log has no line {line}.",
    "gone": "Line {line} was taken back, or is no roll.",
    "no-roll": "Line {line} is no roll; undo takes back what was decided.",
    "drops": 'Later lines no longer fit: {count}, from line {line} on. Ask again with "drop": true to drop them.',
}


@dataclass(frozen=True, slots=True)
class Message:
    """What every message of a sender has: its id, the state number that they saw, and who they are."""

    id: str
    number: int | None
    sender: Holder


class Corrections:
    """Corrects the tables' readings and rolls. Every method may raise ``Problem`` and ``Refused``."""

    def __init__(self, tables: Tables):
        self._tables = tables

    # A reading that was not applied ------------------------------------------------------------------------------

    def confirm(self, table_id: str, message: Message, reading: str, dice: Sequence[JsonObject]) -> Outcome:
        """Apply the roll of a reading that did not match, with the dice as a person says that they lie."""

        def confirmed(table: Table, now: str) -> Change:
            _check_question(table, reading, message.sender)
            try:
                match = match_rolls(table.game, table.state, [_checked_die(die) for die in dice], [])
            except Unmatched as wrong:
                raise Problem("dice-unmatched", wrong.wrong) from wrong
            sender, first = message.sender.name, table.number + 1
            last = table.number + len(match.actions)
            entries = tuple(
                Entry(table_id, n, "action", action, sender, now, message.id if n == last else None, reading)
                for n, action in enumerate(match.actions, first)
            )
            return Change(entries, Correction(table_id, first, reading, tuple(dice)))

        return self._change(table_id, message, confirmed)

    def set_aside(self, table_id: str, message: Message, reading: str, why: Why) -> Outcome:
        """Ask nothing more about a reading that did not match: it is rolled again, or there was no roll."""

        def closed(table: Table, now: str) -> Change:
            _check_question(table, reading, message.sender)
            correction = Correction(table_id, table.number + 1, reading, ()) if why == "nothing-rolled" else None
            told: JsonObject = {"of": [], "why": why}
            return one_entry(table, "void", told, message.sender, now, message.id, reading, correction)

        return self._change(table_id, message, closed)

    # A reading that was applied ----------------------------------------------------------------------------------

    def object_to(self, table_id: str, message: Message, player: str, reading: str) -> Outcome:
        """Say that the last reading that was applied was wrong; the owner decides."""

        def objected(table: Table, now: str) -> Change:
            if player not in table.seated.players:
                raise _problem("unknown-seat", _TEMPLATES["nobody"], player=player)
            rolls = [s.entry for s in table.steps() if s.entry.reading and s.entry.kind == "action"]
            of = [entry.number for entry in rolls if entry.reading == reading]
            if not of:
                raise Problem("unknown-reading", "That reading was not applied at this table.")
            if rolls[-1].reading != reading:
                raise Problem("objection-late", "The next reading has been applied since.")
            if seconds_between(rolls[-1].at, now) > OBJECTION_S:
                raise _problem("objection-late", _TEMPLATES["seconds"], seconds=OBJECTION_S)
            if any(table.move(number) is None for number in of):
                raise Problem("not-standing", "What that reading brought about does not stand any more.")
            known = table.objection()
            if known is not None and known.reading == reading:
                raise Problem("already-objected", "The owner has been asked to look at that reading.")
            told = {"of": of, "player": player}
            return one_entry(table, "objection", told, message.sender, now, message.id, reading)

        return self._change(table_id, message, objected)

    def dismiss(self, table_id: str, message: Message, objection: int) -> Outcome:
        """The owner's answer to an objection: the reading stands."""

        def dismissed(table: Table, now: str) -> Change:
            known = table.objection()
            if known is None or known.number != objection:
                raise Problem("no-objection", "That objection has been answered.")
            told = {"of": objection}
            return one_entry(table, "dismissal", told, message.sender, now, message.id, known.reading)

        return self._change(table_id, message, dismissed)

    # Any roll ----------------------------------------------------------------------------------------------------

    def amend(self, table_id: str, message: Message, of: int, dice: Sequence[JsonObject], drop: bool) -> Outcome:
        """Play the rest of the game anew on other dice of a roll; what no longer fits is dropped if ``drop``.

        Raises ``Problem`` amend-drops, which tells ``from`` and ``drops``, where something would be dropped.
        """

        def amended(table: Table, now: str) -> Change:
            move = _standing_roll(table, of)
            for die in dice:
                _checked_die(die)
            told = [{key: die[key] for key in ("kind", "face", "body") if die.get(key) is not None} for die in dice]
            misfit = _misfit(table, {of: {**(move.action or {}), "dice": told}}, drop)
            action = {"of": of, "dice": told, "drop": misfit}
            reading = _reading_of(table, of)
            correction = _correction(table, reading, {of: tuple(dice)})
            return one_entry(table, "amend", action, message.sender, now, message.id, reading, correction)

        return self._change(table_id, message, amended)

    def void(self, table_id: str, message: Message, of: Sequence[int], drop: bool) -> Outcome:
        """Play the rest of the game anew without these rolls, as ``amend`` does with other dice."""

        def voided(table: Table, now: str) -> Change:
            for number in of:
                _standing_roll(table, number)
            misfit = _misfit(table, dict.fromkeys(of), drop)
            reading = _reading_of(table, of[0])
            correction = _correction(table, reading, dict.fromkeys(of, ()))
            action = {"of": list(of), "drop": misfit}
            return one_entry(table, "void", action, message.sender, now, message.id, reading, correction)

        return self._change(table_id, message, voided)

    def _change(self, table_id: str, message: Message, make: Any) -> Outcome:
        return self._tables.change(table_id, message.id, message.number, message.sender, make)


def seconds_between(earlier: str, later: str) -> float:
    """The time between two moments, UTC, ISO 8601.

    >>> seconds_between("2026-05-04T20:15:00.000Z", "2026-05-04T20:15:30.500Z")
    30.5
    """
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()


def _problem(slug: str, template: str, **values: Value) -> Problem:
    return Problem(slug, Sentence(slug, template, values))


def _check_question(table: Table, reading: str, sender: Holder) -> None:
    asked = table.snapshot().question
    if asked is None or asked.reading != reading:
        raise Problem("no-question", "Nothing is asked about that reading (any more).")
    if sender.kind != "owner" and sender.player not in asked.players:
        raise _problem("not-your-roll", _TEMPLATES["others-roll"], players=", ".join(asked.players))


def _checked_die(die: JsonObject) -> Die:
    kind, body = KINDS.get(die["kind"]), die.get("body")
    if kind is None or not kind.has_face(die["face"], body) or not (body is None or kind.has_body(body)):
        raise Problem("dice-unmatched", "There is no such die, or it has no such face.")
    return Die(die["kind"], die["face"], body)


def _standing_roll(table: Table, number: int) -> Move:
    if table.step(number) is None:
        raise _problem("unknown-entry", _TEMPLATES["no-line"], line=number)
    move = table.move(number)
    if move is None:
        raise _problem("not-standing", _TEMPLATES["gone"], line=number)
    if move.dice is None:
        raise _problem("not-a-roll", _TEMPLATES["no-roll"], line=number)
    if secrets_of(table.game, table.line).get((move.action or {})["player"]) == number:
        raise Problem("still-secret", "That roll can be corrected once it is open.")
    return move


def _misfit(table: Table, changes: dict[int, JsonObject | None], drop: bool) -> int | None:
    """The number of the first move that would be dropped, or None. Raises ``Problem`` unless it may be."""
    try:
        misfit = table.corrected(changes).misfit
    except Refused as refusal:
        raise Problem(refusal.slug, refusal.wrong) from refusal
    if misfit is not None and not drop:
        count = sum(1 for line in table.lines() if line.number >= misfit and table.move(line.number))
        told = Sentence("amend-drops", _TEMPLATES["drops"], {"line": misfit, "count": count})
        raise Problem("amend-drops", told, **{"from": misfit, "drops": count})
    return misfit


def _reading_of(table: Table, number: int) -> str | None:
    step = table.step(number)
    return step.entry.reading if step else None


def _correction(table: Table, reading: str | None, dice: dict[int, tuple[JsonObject, ...]]) -> Correction | None:
    """All dice of a reading as they are said to lie now; None for rolls that no camera has seen."""
    if reading is None:
        return None
    confirmed = [die for roll in table.rolls_of(reading) for die in dice.get(roll.number, tuple(roll.dice or ()))]
    return Correction(table.seated.id, table.number + 1, reading, tuple(confirmed))
