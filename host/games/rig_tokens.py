"""RIG's tokens: where each of them lies, how it moves, and what a magnet does to the ones discarded."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from vision.dice import RIG_COLORS

COMPONENTS: Mapping[str, str] = {
    "red": "rotor",
    "purple": "gears",
    "black": "gyro",
    "gold": "pipes",
    "blue": "boiler",
    "green": "frame",
}
ACTIONS: Mapping[str, str] = {
    "red": "sabotage",
    "purple": "flip",
    "black": "extra",
    "gold": "steal",
    "blue": "boost",
    "green": "magnet",
}
COLOR_OF_ACTIVE: Mapping[str, str] = {"boost": "blue", "magnet": "green"}
SIDES = ("component", "action")
TAKEN_A_TURN = 2
LOST_TO_SABOTAGE = 2

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Token:
    """A token in a queue: its colour and the side that is up, ``component`` or ``action``."""

    color: str
    side: str

    def flipped(self) -> "Token":
        """The token with its other side up."""
        return replace(self, side="action" if self.side == "component" else "component")

    def name(self) -> str:
        """What it is by the side that is up: a rotor, or sabotage."""
        return COMPONENTS[self.color] if self.side == "component" else ACTIONS[self.color]

    def to_json(self) -> dict[str, str]:
        """As the state shows it."""
        return {"color": self.color, "side": self.side}


@dataclass(frozen=True, slots=True)
class CaughtToken:
    """A discarded token that waits for ``player``, whose magnet caught it, to choose its side."""

    player: str
    color: str

    def to_json(self) -> dict[str, str]:
        """As the state shows it."""
        return {"player": self.player, "color": self.color}


@dataclass(frozen=True, kw_only=True, slots=True)
class Tokens:
    """Where every token is; each operation gives a new one, and none creates or loses a token.

    Queues run from the top; rigs and ``active`` from the oldest. ``resolving`` is taken from the queue of the player
    whose turn it is and not yet resolved. ``lifo``: what enters a queue goes on top, otherwise underneath.
    """

    salvage: Mapping[str, int]
    queues: Mapping[str, tuple[Token, ...]]
    rigs: Mapping[str, tuple[str, ...]]
    active: Mapping[str, tuple[str, ...]]
    resolving: tuple[Token, ...] = ()
    caught: tuple[CaughtToken, ...] = ()
    lifo: bool = False

    @classmethod
    def in_the_box(cls, players: tuple[str, ...], per_color: int, lifo: bool) -> "Tokens":
        """Every token in the salvage pile."""
        return cls(
            salvage=dict.fromkeys(RIG_COLORS, per_color),
            queues=dict.fromkeys(players, ()),
            rigs=dict.fromkeys(players, ()),
            active=dict.fromkeys(players, ()),
            lifo=lifo,
        )

    def opponent(self, player: str) -> str:
        """The other of the two players."""
        return next(other for other in self.queues if other != player)

    def queued(self, player: str, *tokens: Token) -> "Tokens":
        """With ``tokens``, which come from elsewhere, in the player's queue, entering one by one."""
        queue = self.queues[player]
        for token in tokens:
            queue = (token, *queue) if self.lifo else (*queue, token)
        return replace(self, queues=_with(self.queues, player, queue))

    def salvaged(self, player: str, *tokens: Token) -> "Tokens":
        """With ``tokens`` moved from the salvage pile to the player's queue."""
        stock = dict(self.salvage)
        for token in tokens:
            stock[token.color] -= 1
        return replace(self, salvage=stock).queued(player, *tokens)

    def taken(self, player: str) -> "Tokens":
        """With the top two tokens of the player's queue to be resolved."""
        queue = self.queues[player]
        return replace(self, resolving=queue[:TAKEN_A_TURN], queues=_with(self.queues, player, queue[TAKEN_A_TURN:]))

    def installed(self, player: str) -> "Tokens":
        """With the token that is being resolved in the player's rig."""
        rig = (*self.rigs[player], self.resolving[0].color)
        return replace(self, resolving=self.resolving[1:], rigs=_with(self.rigs, player, rig))

    def activated(self, player: str) -> "Tokens":
        """With the boost or magnet that is being resolved active."""
        active = (*self.active[player], ACTIONS[self.resolving[0].color])
        return replace(self, resolving=self.resolving[1:], active=_with(self.active, player, active))

    def executed(self, player: str) -> "Tokens":
        """With the token that is being resolved discarded."""
        token, *rest = self.resolving
        return replace(self, resolving=tuple(rest))._discarded(player, token.color)

    def open_to_sabotage(self, player: str) -> tuple[Token, ...]:
        """The top two tokens of the player's queue."""
        return self.queues[player][:LOST_TO_SABOTAGE]

    def sabotaged(self, player: str) -> "Tokens":
        """With the top two tokens of the player's queue discarded."""
        after = replace(self, queues=_with(self.queues, player, self.queues[player][LOST_TO_SABOTAGE:]))
        for token in self.open_to_sabotage(player):
            after = after._discarded(player, token.color)
        return after

    def deactivated(self, player: str, action: str) -> "Tokens":
        """With the player's oldest active ``action`` discarded."""
        active = list(self.active[player])
        active.remove(action)
        after = replace(self, active=_with(self.active, player, tuple(active)))
        return after._discarded(player, COLOR_OF_ACTIVE[action])

    def stolen(self, player: str, token: Token) -> "Tokens":
        """With the opponent's oldest component of the token's colour in the player's queue, as ``token``."""
        victim = self.opponent(player)
        rig = list(self.rigs[victim])
        rig.remove(token.color)
        return replace(self, rigs=_with(self.rigs, victim, tuple(rig))).queued(player, token)

    def flipped(self, player: str, index: int) -> "Tokens":
        """With one token of the player's queue turned over."""
        queue = tuple(token.flipped() if i == index else token for i, token in enumerate(self.queues[player]))
        return replace(self, queues=_with(self.queues, player, queue))

    def caught_by(self, player: str) -> tuple[str, ...]:
        """The colours that the player's magnet has caught and that wait for their sides."""
        return tuple(token.color for token in self.caught if token.player == player)

    def placed(self, player: str, sides: tuple[str, ...]) -> "Tokens":
        """With all that the player caught in their queue, in the order of the discards, with these sides up."""
        tokens = tuple(Token(color, side) for color, side in zip(self.caught_by(player), sides, strict=True))
        left = tuple(token for token in self.caught if token.player != player)
        return replace(self, caught=left).queued(player, *tokens)

    def _discarded(self, player: str, color: str) -> "Tokens":
        """With a token of the player's, already taken from where it lay, in salvage or caught by a magnet."""
        catcher = self.opponent(player)
        if "magnet" in self.active[catcher]:
            return replace(self, caught=(*self.caught, CaughtToken(catcher, color)))
        return replace(self, salvage=_with(self.salvage, color, self.salvage[color] + 1))


def _with(mapping: Mapping[str, V], key: str, value: V) -> dict[str, V]:
    return {**mapping, key: value}
