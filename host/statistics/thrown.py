"""The dice that were thrown in a game, as they count: nothing that was taken back or replaced."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from host.games.protocol import Awaited, State
from host.line import moves_of
from host.table import Table
from vision.dice import CHANCE_CUBE


@dataclass(frozen=True, slots=True)
class ThrownDie:
    """A die that counts: who threw it, what it shows, and whether a person and not the camera said so.

    ``body`` is None where the game did not ask for one, and for a chance cube, whose body is its face.
    """

    player: str
    kind: str
    body: str | None
    face: str
    by_hand: bool


@dataclass(frozen=True, slots=True)
class Throw:
    """A roll that counts, and the state of the game in which it was awaited."""

    before: State
    player: str
    dice: tuple[ThrownDie, ...]


def throws(table: Table) -> Iterator[Throw]:
    """The rolls of a table that stand, each as it was corrected last, oldest first."""
    for move in list(moves_of(table.line))[::-1]:
        action = move.action or {}
        if action.get("type") != "roll":
            continue
        before, player = table.state_before(move), action["player"]
        awaited = [entry for entry in table.game.awaiting(before) if entry.player == player and entry.dice]
        step = table.step(move.number)
        by_hand = step is None or step.entry.reading is None or move.changed_by is not None
        dice = tuple(
            ThrownDie(player, die["kind"], _body(die, awaited), die["face"], by_hand) for die in action["dice"]
        )
        yield Throw(before, player, dice)


def _body(die: dict[str, Any], awaited: list[Awaited]) -> str | None:
    """The body as it was given, or else the only one that the game awaits of this kind."""
    if die["kind"] == CHANCE_CUBE:
        return None
    given: str | None = die.get("body")
    bodies = {group.body for entry in awaited for group in entry.dice if group.kind == die["kind"]}
    return given if given is not None or len(bodies) != 1 else bodies.pop()
