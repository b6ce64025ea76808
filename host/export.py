"""Games as files for other programs: JSON with everything, CSV with a row for each line of the log.

Both hold what everybody may know. An action is given in full if it stands and is no secret any more; of what was
taken back, and from the first move on that is somebody's secret still, only rolls are: they lie open on the table.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from math import inf

from host.history import GameRecord
from host.line import secrets_of
from host.records import JsonObject
from host.table import Step, Table

FORMAT = "croupier-game"
VERSION = 1

COLUMNS = ("table", "game", "number", "at", "by", "kind", "player", "action", "dice", "counts", "text")

RISKY = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What spreadsheets take for the beginning of a formula (OWASP, CSV Injection)."""


def game_json(record: GameRecord, table: Table) -> JsonObject:
    """One game with its log."""
    return {
        "format": FORMAT,
        "version": VERSION,
        **record.to_json(),
        "options": table.seated.options,
        "state": table.game.view(table.state),
        "log": [
            {
                **line.to_json(),
                "action": _open_action(table, step),
                "dice": _dice(table, step),
            }
            for line, step in zip(table.lines(), table.steps(), strict=True)
        ],
    }


def csv_rows(table: Table) -> Iterator[tuple[str, ...]]:
    """A row for each line of a game's log, as ``COLUMNS`` names them."""
    for line, step in zip(table.lines(), table.steps(), strict=True):
        action = _open_action(table, step) or {}
        player = action.get("player") or line.by.removeprefix("seat:")
        dice = "; ".join(f"{die['kind']} {die['face']}" for die in _dice(table, step) or ())
        counts = "no" if line.undone else "yes"
        yield (
            table.seated.id,
            table.seated.game,
            str(line.number),
            line.at,
            line.by,
            line.entry.kind,
            str(player),
            str(action.get("type", "")),
            dice,
            counts,
            line.text,
        )


def csv_text(tables: Iterable[Table]) -> Iterator[str]:
    """All these games as CSV (RFC 4180), game by game, with the mark by which spreadsheets know UTF-8."""
    yield "\ufeff" + _line(COLUMNS)
    for table in tables:
        yield "".join(_line(row) for row in csv_rows(table))


def _line(cells: Iterable[str]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerow(harmless(cell) for cell in cells)
    return written.getvalue()


def harmless(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula.

    >>> harmless("=1+1"), harmless("Ana")
    ("'=1+1", 'Ana')
    """
    return f"'{cell}" if cell.startswith(RISKY) else cell


def _open_action(table: Table, step: Step) -> JsonObject | None:
    """What was done, as far as everybody may know it."""
    if step.entry.kind != "action":
        return None
    move = table.move(step.entry.number)
    is_open = move is not None and step.entry.number < min(secrets_of(table.game, table.line).values(), default=inf)
    action = move.action if move is not None else step.entry.action
    return action if action is not None and (is_open or action.get("type") == "roll") else None


def _dice(table: Table, step: Step) -> list[JsonObject] | None:
    """The dice of a roll, as they were corrected last; of a correction, the dice that it says."""
    if step.entry.kind == "amend":
        corrected: list[JsonObject] | None = (step.entry.action or {}).get("dice")
        return corrected
    action = _open_action(table, step) or {}
    return action["dice"] if action.get("type") == "roll" else None
