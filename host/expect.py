"""What the host awaits of the device: which dice, of which throw, and whether it may look at all."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from host.games.protocol import Game, State
from host.records import JsonObject
from host.rolls import named_rolls

if TYPE_CHECKING:
    from host.table import Table

Mode = Literal["idle", "open", "guarded"]

NO_TABLE = "none"


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is awaited now.

    ``id`` follows from the table and the number of its last entry that concerns play; a restart does not change it.
    """

    id: str
    table: str | None
    mode: Mode
    kinds: tuple[str, ...] = ()
    dice: tuple[JsonObject, ...] = ()

    def to_json(self) -> JsonObject:
        """As the API publishes it."""
        return {
            "expect": self.id,
            "table": self.table,
            "mode": self.mode,
            "kinds": list(self.kinds),
            "dice": list(self.dice),
            "commands": [],
        }


NOTHING_EXPECTED = Expectation(NO_TABLE, None, "idle")


def mode_of(game: Game[Any], state: State) -> Mode:
    """Whether the device may read now: open, guarded, or idle where no roll is awaited."""
    if state.phase in game.guarded_phases:
        return "guarded"
    return "open" if named_rolls(game.awaiting(state)) else "idle"


def expect_id(table_id: str, number: int) -> str:
    """The id of what a table awaits at a state number.

    >>> expect_id("k3f9", 12)
    'k3f9.12'
    """
    return f"{table_id}.{number}"


def parse_expect(expect: str) -> tuple[str, int] | None:
    """The table and the state number of an id, or None if it is not one.

    >>> parse_expect("k3f9.12"), parse_expect("none"), parse_expect("k3f9.-1")
    (('k3f9', 12), None, None)
    """
    table_id, _, number = expect.rpartition(".")
    return (table_id, int(number)) if table_id and number.isascii() and number.isdigit() else None


def expectation(table: "Table") -> Expectation:
    """What ``table`` awaits of the device now."""
    mode = "idle" if table.is_ended else mode_of(table.game, table.state)
    rolls = named_rolls(table.game.awaiting(table.state)) if mode == "open" else ()
    return Expectation(
        id=expect_id(table.seated.id, table.play_number),
        table=table.seated.id,
        mode=mode,
        kinds=() if mode == "idle" else table.game.kinds,
        dice=tuple(group.to_json() for roll in rolls for group in roll.dice),
    )
