"""What a scoreboard is made of, whatever the game: figures in the middle, seats around them, and the rest."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from host.boards.words import word
from host.languages import number
from host.records import JsonObject


@dataclass(frozen=True, slots=True)
class Figure:
    """A number or a word with its label. ``face``: the chance cube to draw beside it."""

    label: str
    value: str
    face: str | None = None


@dataclass(frozen=True, slots=True)
class Chip:
    """A few words about a player. ``mark`` or ``face`` is what is drawn beside them."""

    text: str
    mark: str | None = None
    face: str | None = None


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat. ``standing`` is a word for the state of its player, ``look`` how it is drawn (in, out, next).

    ``title_mark`` is drawn beside the title; ``health`` is what is left of how much, where the game has any;
    ``chips`` is what else there is to know.
    """

    name: str
    title: str | None
    standing: str | None
    look: str
    awaited: bool
    winner: bool
    score: Figure | None
    chips: tuple[Chip, ...] = ()
    health: tuple[int, int] | None = None
    title_mark: str = "vigo"


@dataclass(frozen=True, slots=True)
class Board:
    """Everything on a scoreboard but the log and the last throw.

    ``drawing`` is the template of the game's own parts, and ``content`` what it shows: its macro ``middle`` stands
    among the seats, ``more`` below or beside them. ``is_duel``: ``middle`` shows the seats itself, two of them.
    ``result`` says how a finished game came out.
    """

    subtitle: str
    figures: tuple[Figure, ...]
    seats: tuple[SeatView, ...]
    note: str | None = None
    details: tuple[Figure, ...] = ()
    drawing: str | None = None
    content: Mapping[str, Any] = field(default_factory=dict)
    is_duel: bool = False
    has_throws: bool = True
    result: str | None = None


def signed(amount: int) -> str:
    """A balance.

    >>> signed(3), signed(-2), signed(0), signed(12_000)
    ('+3', '−2', '0', '+12,000')
    """
    return f"{'+' if amount > 0 else '−'}{number(abs(amount))}" if amount else "0"


def awaited_of(state: JsonObject) -> dict[str, str]:
    """Who is awaited, each with the first thing that is awaited of them."""
    found: dict[str, str] = {}
    for entry in state["awaiting"]:
        kind = entry["type"]
        if found.get(entry["player"], "buy-double") == "buy-double":
            found[entry["player"]] = kind
    return found


def is_winner(state: JsonObject, player: str) -> bool:
    """Whether the game is over and the player has won."""
    return state["winners"] is not None and player in state["winners"]


def ordinal(number: int) -> str:
    """A place in an order.

    >>> ordinal(1), ordinal(2), ordinal(11), ordinal(12)
    ('1st', '2nd', '11th', '12th')
    """
    return word(f"ordinal-{number}") if number <= 3 else word("ordinal", number=number)
