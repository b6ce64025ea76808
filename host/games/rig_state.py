"""A moment of a game of RIG, and how everybody sees it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from host.games.protocol import JsonObject, State
from host.games.rig_dice import RigDice, cancelling
from host.games.rig_tokens import ACTIONS, Tokens
from host.games.sentence import Sentence
from vision.dice import RIG_COLORS


@dataclass(frozen=True, kw_only=True)
class RigState(State):
    """A moment of the game.

    ``cancelling`` holds the colours that have not cancelled out yet, the one at hand first. ``turn`` is whose turn it
    is, None before the first of a round; ``has_collected`` whether nothing is left of it but expiring magnets.
    ``went_second`` is who did so in the round before.
    """

    round: int
    tokens: Tokens
    dice: Mapping[str, RigDice | None]
    tallies: Mapping[str, int | None]
    first: str | None = None
    cancelling: tuple[str, ...] = ()
    turn: str | None = None
    has_collected: bool = False
    went_second: str | None = None

    def opponent(self, player: str) -> str:
        """The other of the two players."""
        return self.tokens.opponent(player)

    def rolled(self, player: str) -> RigDice:
        """The player's dice; () before they are rolled."""
        return self.dice[player] or ()

    def both_rolled(self) -> dict[str, RigDice]:
        """The dice of both."""
        return {player: self.rolled(player) for player in self.players}

    def whose_turn(self) -> str:
        """The player whose turn it is; "" before the first turn of a round."""
        return self.turn or ""

    def action(self) -> str:
        """The action of the token that is being resolved."""
        return ACTIONS[self.tokens.resolving[0].color]

    def can_collect(self) -> dict[str, int]:
        """How many tokens of each colour the dice of the player whose turn it is allow, whatever is in stock."""
        colors = [die.color for die in self.rolled(self.whose_turn()) if not die.out]
        return {c: colors.count(c) if self.options["per_die"] else 1 for c in RIG_COLORS if c in colors}

    def can_take(self) -> dict[str, int]:
        """How many tokens of each colour that player may in fact collect; no colour with none."""
        stock = self.tokens.salvage
        return {color: min(most, stock[color]) for color, most in self.can_collect().items() if stock[color]}

    def chooser(self) -> str:
        """The player who has to put dice of the colour at hand aside."""
        return cancelling(self.both_rolled(), self.cancelling[0]).chooser or ""

    def dice_to_set_aside(self) -> int:
        """How many dice of the colour at hand the chooser has to put aside."""
        return cancelling(self.both_rolled(), self.cancelling[0]).count

    def saying(self, *sentences: Sentence) -> "RigState":
        """With further events."""
        return replace(self, events=(*self.events, *sentences))

    def to_json(self) -> JsonObject:
        """The game's own keys of the state. Nothing in RIG is secret."""
        tokens = self.tokens
        return {
            "round": self.round,
            "first": self.first,
            "turn": self.turn,
            "dice": {
                player: None if dice is None else [die.to_json() for die in dice]
                for player, dice in self.dice.items()
            },
            "tally": dict(self.tallies),
            "salvage": dict(tokens.salvage),
            "queues": {player: [token.to_json() for token in queue] for player, queue in tokens.queues.items()},
            "rigs": {player: list(rig) for player, rig in tokens.rigs.items()},
            "active": {player: list(active) for player, active in tokens.active.items()},
            "resolving": [token.to_json() for token in tokens.resolving],
            "caught": [token.to_json() for token in tokens.caught],
            "to_set_aside": (
                {"color": self.cancelling[0], "count": self.dice_to_set_aside()}
                if self.phase == "set-aside"
                else None
            ),
            "can_take": self.can_take() if self.phase == "collect" else {},
        }
