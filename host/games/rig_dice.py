"""RIG's dice as they lie: what a face is worth, what the other side shows, and how equal colours cancel out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

DICE_EACH = 4

_OPPOSITE = {"blue": "gold", "gold": "blue", "black": "red", "red": "black", "green": "purple", "purple": "green"}
_WORTH = {"+": 1, "-": -1, "blank": 0}


@dataclass(frozen=True, slots=True)
class RigDie:
    """One die: the colour of its sticker, its symbol (``+``, ``-`` or ``blank``), and whether it is out."""

    color: str
    symbol: str
    out: bool = False

    @classmethod
    def from_face(cls, face: str) -> "RigDie":
        """The die that shows ``face``.

        >>> RigDie.from_face("black -")
        RigDie(color='black', symbol='-', out=False)
        """
        color, symbol = face.split(" ")
        return cls(color, symbol)

    def flipped(self) -> "RigDie":
        """The die turned over: the opposite colour, the same symbol.

        >>> RigDie("green", "+").flipped()
        RigDie(color='purple', symbol='+', out=False)
        """
        return replace(self, color=_OPPOSITE[self.color])

    def face(self) -> str:
        """The face as the dice vocabulary names it."""
        return f"{self.color} {self.symbol}"

    def to_json(self) -> dict[str, str | bool]:
        """As the state shows it."""
        return {"color": self.color, "symbol": self.symbol, "out": self.out}


RigDice = tuple[RigDie, ...]


def tally(dice: RigDice) -> int:
    """The pluses less the minuses of the dice that are still in.

    >>> tally((RigDie("black", "+"), RigDie("red", "-", out=True), RigDie("blue", "blank")))
    1
    """
    return sum(_WORTH[die.symbol] for die in dice if not die.out)


def still_in(dice: RigDice, color: str | None = None) -> tuple[int, ...]:
    """The indexes of the dice that are not out, of one colour or of all."""
    return tuple(i for i, die in enumerate(dice) if not die.out and color in (None, die.color))


def put_out(dice: RigDice, indexes: Sequence[int]) -> RigDice:
    """The dice with those at ``indexes`` out for the round."""
    return tuple(replace(die, out=True) if i in indexes else die for i, die in enumerate(dice))


def flip_die(dice: RigDice, index: int) -> RigDice:
    """The dice with the one at ``index`` turned over."""
    return tuple(die.flipped() if i == index else die for i, die in enumerate(dice))


@dataclass(frozen=True, slots=True)
class Cancelling:
    """How one colour cancels out: ``count`` dice of each player.

    ``chooser`` is who has more of the colour, in different symbols, and so chooses which go; None where the
    lowest indexes go by themselves.
    """

    color: str
    count: int
    chooser: str | None


def cancelling(dice: Mapping[str, RigDice], color: str) -> Cancelling:
    """How ``color`` cancels out between two players' dice.

    >>> mine, yours = (RigDie("red", "+"), RigDie("red", "-")), (RigDie("red", "+"),)
    >>> cancelling({"A": mine, "B": yours}, "red")
    Cancelling(color='red', count=1, chooser='A')
    >>> cancelling({"A": mine, "B": ()}, "red")
    Cancelling(color='red', count=0, chooser=None)
    """
    indexes = {player: still_in(rolled, color) for player, rolled in dice.items()}
    count = min(len(found) for found in indexes.values())
    for player, found in indexes.items():
        if 0 < count < len(found) and len({dice[player][i].symbol for i in found}) > 1:
            return Cancelling(color, count, player)
    return Cancelling(color, count, None)


def cancelled(
    dice: Mapping[str, RigDice], cancel: Cancelling, chosen: Sequence[int] | None = None
) -> dict[str, RigDice]:
    """Both players' dice once the colour has cancelled out; ``chosen`` are the indexes of the chooser."""
    return {
        player: put_out(
            rolled,
            chosen
            if chosen is not None and player == cancel.chooser
            else still_in(rolled, cancel.color)[: cancel.count],
        )
        for player, rolled in dice.items()
    }
