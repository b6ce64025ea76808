"""The line of play: the moves of a table that stand, each linked to the one before it.

A move that is appended leaves what came before as it is, so that every earlier line can be kept at no cost: an undo
goes back to one. A correction makes a new line: the same moves once more, on the roll as it should have been.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from host.games.protocol import Game, State
from host.games.sentence import Refused
from host.records import JsonObject


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """An action that stands, and the state that it led to.

    ``number`` is that of the entry that brought it about, ``changed_by`` that of the entry that corrected it.
    ``action`` is None where the owner ended the game.
    """

    number: int
    action: JsonObject | None
    state: State
    before: "Move | None" = field(repr=False)
    changed_by: int | None = None

    @property
    def is_end(self) -> bool:
        """Whether the owner ended the game here."""
        return self.action is None

    @property
    def dice(self) -> list[JsonObject] | None:
        """The dice of a roll; None for what is none (RIG's set-aside names dice by their places alone)."""
        dice = (self.action or {}).get("dice")
        return dice if dice and all(isinstance(die, dict) for die in dice) else None


Line = Move | None
"""A line of play by its last move; None: nothing has been done yet."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A corrected line, and the number of the first move that does not fit into it: it ends before that one."""

    line: Line
    misfit: int | None = None


def moves_of(line: Line) -> Iterator[Move]:
    """The moves of a line, newest first."""
    while line is not None:
        yield line
        line = line.before


def move_at(line: Line, number: int) -> Move | None:
    """The move that the entry of that number brought about, or None where it does not stand."""
    return next((move for move in moves_of(line) if move.number == number), None)


def replayed(
    game: Game[Any],
    opening: State,
    line: Line,
    changes: Mapping[int, JsonObject | None],
    by: int,
    drop_from: int | None = None,
) -> Replay:
    """The line once more, with other actions for the moves that ``changes`` names by number (None: without it).

    ``by`` is the number of the entry that says so. Moves from ``drop_from`` on are left out; so is what follows the
    first that does not fit any more. Raises ``Refused`` where the game does not take an action of ``changes``.
    """
    again = list(moves_of(line))[::-1]
    first = min(changes)
    kept: Line = None
    for move in again:
        if drop_from is not None and move.number >= drop_from:
            break
        if move.number < first:
            kept = move
            continue
        state = kept.state if kept else opening
        if move.number in changes:
            action = changes[move.number]
            if action is not None:
                kept = Move(move.number, action, game.apply(state, action), kept, by)
        elif move.is_end:
            if state.winners is not None:
                return Replay(kept, move.number)
            kept = Move(move.number, None, state, kept, move.changed_by)
        else:
            try:
                kept = Move(move.number, move.action, game.apply(state, move.action), kept, move.changed_by)
            except Refused:
                return Replay(kept, move.number)
    return Replay(kept)


def secrets_of(game: Game[Any], line: Line) -> dict[str, int]:
    """Who has chosen something that they alone may see yet, each with the number of the move that made it.

    A player's own view holds more than everybody's from that move until the secret is opened.
    """
    if line is None or line.state.winners is not None:
        return {}
    made: dict[str, int] = {}
    for player in line.state.players:
        for move in moves_of(line):
            if not _has_secret(game, move.state, player):
                break
            made[player] = move.number
    return made


def _has_secret(game: Game[Any], state: State, player: str) -> bool:
    own, public = game.view(state, player), game.view(state, None)
    return any(value is not None and public.get(key) != value for key, value in own.items())
