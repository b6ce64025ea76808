"""RIG, by Mark Major, graphics by Christina and Mark Major.

Whirling Derby, whirling-derby.com: the rule book stays its authors'; what follows are its mechanics in our own words.
Two players, four rig dice each, and tokens of six colours: a component on one side, an action on the other. Be first
to have all six components in your rig.

A round: both roll, equal colours cancel out, and the higher tally goes first (round 0: no cancelling, a tie is
rolled again). In a turn the top two tokens of one's queue are resolved, a component into the rig, an action by its
effect; then tokens of the colours still in are collected into the queue. Round 0 has only the collecting.

Options:
- ``tokens_per_color`` (default 5): how many tokens of each colour the salvage pile starts with.
- ``dice`` (default: first player black, second white): the body colour of each player's dice; both may be the same.
- ``queue`` (default ``fifo``): new tokens go underneath; ``lifo``: on top.
- ``per_die`` (default false): one token for each different colour that is in; true: one for each die that is in.

Rulings:
- A tie in round 0 clears the dice of both.
- A colour of which the opponent has none asks nobody to put dice aside; the indexes may come in any order.
- Tally and order of play are known before the boosts are discarded; what a magnet catches of those is in the queue
  before the first turn takes from it. All boosts after a roll are one step; each magnet that expires is a step of
  its own, the oldest first.
- What extra, steal and magnets bring enters the queue as collected tokens do. Nobody catches what they discard
  themselves; ``caught`` names the player whose magnet it was.
- A declined action, or one without a target, is executed all the same: its token is discarded.
- A rig may hold several of one component.
- Collecting never takes more of a colour than is in stock, also with ``per_die``.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from host.games.checks import MOST_ROUNDS, one_of, truth, whole
from host.games.protocol import Awaited, DiceGroup, Game, JsonObject, Option
from host.games.rig_checks import (
    Refuse,
    checked_collection,
    checked_extra,
    checked_flip,
    checked_set_aside,
    checked_sides,
    checked_steal,
)
from host.games.rig_dice import DICE_EACH, RigDie
from host.games.rig_sentences import listed, say
from host.games.rig_state import RigState
from host.games.rig_tokens import Tokens
from host.games.rig_turn import (
    collect,
    decline,
    executed,
    flip_a_die,
    flip_a_token,
    place,
    put_aside,
    roll,
    steal,
    take_extra,
)
from host.games.sentence import BadSetup, Refused, Sentence
from vision.dice import KINDS, RIG_DIE

BODIES = KINDS[RIG_DIE].bodies


def _bodies_at_first(players: tuple[str, ...]) -> dict[str, str]:
    return dict(zip(players, BODIES, strict=True))


def _checked_bodies(value: Any, players: tuple[str, ...]) -> dict[str, str]:
    if not isinstance(value, dict) or value.keys() != set(players):
        raise BadSetup("option dice must be an object that names both players: {players}", players=", ".join(players))
    for body in value.values():
        if not isinstance(body, str) or body not in BODIES:
            raise BadSetup("option dice must give each player one of {bodies}", bodies=", ".join(BODIES))
    return {player: value[player] for player in players}


class Rig(Game[RigState]):
    """The referee of RIG."""

    id = "rig"
    name = "RIG"
    credit = "RIG by Mark Major; graphics by Christina and Mark Major; Whirling Derby, whirling-derby.com"
    summary = Sentence(
        "rig/summary",
        "Roll for tokens, play each as a component or an action, and be first with all six components in your rig.",
    )
    kinds = (RIG_DIE,)
    fewest_players = 2
    most_players = 2
    options = (
        Option("tokens_per_color", "Tokens of each colour", lambda _: 5, whole("tokens_per_color", 1, MOST_ROUNDS)),
        Option("dice", "Whose dice are black and whose white", _bodies_at_first, _checked_bodies),
        Option("queue", "Where new tokens go", lambda _: "fifo", one_of("queue", "fifo", "lifo")),
        Option("per_die", "Collect one token for each die", lambda _: False, truth("per_die")),
    )

    def opening(self, players: tuple[str, ...], options: Mapping[str, Any]) -> RigState:
        """Round 0, both about to roll, every token in the salvage pile."""
        return RigState(
            players=players,
            options=options,
            phase="roll",
            round=0,
            tokens=Tokens.in_the_box(players, options["tokens_per_color"], lifo=options["queue"] == "lifo"),
            dice=dict.fromkeys(players),
            tallies=dict.fromkeys(players),
        )

    def awaited(self, state: RigState) -> tuple[Awaited, ...]:
        """Both may roll in any order; all else is one player at a time."""
        match state.phase:
            case "roll":
                return tuple(
                    Awaited("roll", player, dice=(DiceGroup(RIG_DIE, DICE_EACH, state.options["dice"][player]),))
                    for player in state.players
                    if state.dice[player] is None
                )
            case "set-aside":
                return (Awaited("set-aside", state.chooser(), fields=("color", "dice")),)
            case "act":
                return (Awaited("act", state.whose_turn(), fields=(state.action(),)),)
            case "place":
                return (Awaited("place", state.tokens.caught[0].player, fields=("sides",)),)
            case "collect":
                return (Awaited("collect", state.whose_turn(), fields=("tokens",)),)
            case _:
                return ()

    def prompt(self, state: RigState) -> tuple[Sentence, ...]:
        """Who is to do what."""
        return tuple(self._prompt(state, entry.player) for entry in self.awaiting(state))

    def _prompt(self, state: RigState, player: str) -> Sentence:
        match state.phase:
            case "roll":
                return say("await-roll", player=player, body=state.options["dice"][player])
            case "set-aside":
                color, count = state.cancelling[0], state.dice_to_set_aside()
                return say("await-set-aside", player=player, color=color, count=count)
            case "act" if state.action() == "flip":
                return say("await-flip", player=player)
            case "act" if state.action() == "extra":
                return say("await-extra", player=player)
            case "act":
                return say("await-steal", player=player, other=state.opponent(player))
            case "place":
                return say("await-place", player=player, colors=listed(state.tokens.caught_by(player)))
            case _:
                return say("await-collect", player=player, colors=listed(tuple(state.can_take())))

    def details(self, state: RigState, player: str | None) -> JsonObject:
        """Everything: this game has no secrets."""
        return state.to_json()

    def advance(self, state: RigState, action: JsonObject) -> RigState:
        """What the action leads to."""

        def refuse(wrong: Sentence) -> Refused:
            return Refused(wrong, self.prompt(state))

        player = action["player"]
        quiet = replace(state, events=())
        match state.phase:
            case "roll":
                return roll(quiet, player, tuple(RigDie.from_face(die["face"]) for die in action["dice"]))
            case "set-aside":
                return put_aside(quiet, checked_set_aside(state, player, action["color"], action["dice"], refuse))
            case "act":
                return executed(_effect(quiet, player, action[state.action()], refuse))
            case "place":
                return place(quiet, checked_sides(state, player, action["sides"], refuse))
            case _:
                return collect(quiet, checked_collection(state, action["tokens"], refuse))


def _effect(state: RigState, player: str, target: Any, refuse: Refuse) -> RigState:
    """What a flip, an extra or a steal does; null declines it."""
    if target is None:
        return decline(state)
    match state.action():
        case "flip":
            what, owner, index = checked_flip(state, target, refuse)
            return flip_a_die(state, owner, index) if what == "die" else flip_a_token(state, owner, index)
        case "extra":
            return take_extra(state, checked_extra(state, target, refuse))
        case _:
            return steal(state, *checked_steal(state, player, target, refuse))
