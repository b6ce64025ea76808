"""What only RIG's own rules can tell of an action: whether its dice, tokens and sides are lawful.

Each check returns what the action says in the game's own terms, or raises what ``refuse`` makes of a sentence.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from host.games.checks import is_whole
from host.games.rig_dice import DICE_EACH, still_in
from host.games.rig_sentences import listed, say
from host.games.rig_state import RigState
from host.games.rig_tokens import SIDES, Token
from host.games.sentence import Refused, Sentence
from vision.dice import RIG_COLORS

Refuse = Callable[[Sentence], Refused]


def checked_set_aside(state: RigState, player: str, color: Any, dice: Any, refuse: Refuse) -> tuple[int, ...]:
    """The indexes of the dice to put aside."""
    wanted = state.cancelling[0]
    if not isinstance(color, str) or color != wanted:
        raise refuse(say("wrong-color", color=wanted))
    if not isinstance(dice, list):
        raise refuse(say("indexes-not-a-list"))
    for index in dice:
        if _checked_die(index, refuse) not in still_in(state.rolled(player), wanted):
            raise refuse(say("die-of-other-color", index=index, color=wanted))
    count = state.dice_to_set_aside()
    if len(dice) != count or len(set(dice)) != count:
        raise refuse(say("wrong-count", count=count))
    return tuple(dice)


def checked_flip(state: RigState, flip: Any, refuse: Refuse) -> tuple[str, str, int]:
    """What to flip, ``die`` or ``token``, whose it is, and its index among the owner's dice or in their queue."""
    if not isinstance(flip, dict) or list(flip) not in (["die"], ["token"]):
        raise refuse(say("not-a-target", key="flip", keys="die or token"))
    ((what, target),) = flip.items()
    owner, index = _held(target, what, ("player", "index"), refuse)
    if not isinstance(owner, str) or owner not in state.players:
        raise refuse(say("unknown-owner", players=listed(state.players)))
    if what == "die":
        if _checked_die(index, refuse) not in still_in(state.rolled(owner)):
            raise refuse(say("die-is-out", index=index, player=owner))
    else:
        count = len(state.tokens.queues[owner])
        if not is_whole(index) or not 0 <= index < count:
            raise refuse(say("no-such-token", count=count))
    return what, owner, index


def checked_extra(state: RigState, extra: Any, refuse: Refuse) -> Token:
    """The token to take from salvage."""
    token = _checked_token(extra, "extra", refuse)
    if not state.tokens.salvage[token.color]:
        raise refuse(say("not-in-stock", color=token.color))
    return token


def checked_steal(state: RigState, player: str, steal: Any, refuse: Refuse) -> tuple[int, Token]:
    """The index of the die to give up, and the component to steal as the token that it becomes."""
    index, color, side = _held(steal, "steal", ("die", "color", "side"), refuse)
    if _checked_die(index, refuse) not in still_in(state.rolled(player)):
        raise refuse(say("die-is-out", index=index, player=player))
    token = Token(_checked_color(color, refuse), _checked_side(side, refuse))
    victim = state.opponent(player)
    if token.color not in state.tokens.rigs[victim]:
        raise refuse(say("not-in-rig", player=victim, color=token.color))
    return index, token


def checked_collection(state: RigState, tokens: Any, refuse: Refuse) -> tuple[Token, ...]:
    """The tokens to collect, in order."""
    if not isinstance(tokens, list):
        raise refuse(say("tokens-not-a-list"))
    collection = tuple(_checked_token(token, "tokens", refuse) for token in tokens)
    rolled, can_take = state.can_collect(), state.can_take()
    for color, count in Counter(token.color for token in collection).items():
        if color not in rolled:
            raise refuse(say("color-not-rolled", color=color))
        if count > rolled[color]:
            raise refuse(say("too-many-tokens", count=rolled[color], color=color))
        if count > can_take.get(color, 0):
            raise refuse(say("not-in-stock", color=color))
    return collection


def checked_sides(state: RigState, player: str, sides: Any, refuse: Refuse) -> tuple[str, ...]:
    """The sides of the tokens that the player's magnet caught."""
    count = len(state.tokens.caught_by(player))
    if not isinstance(sides, list) or len(sides) != count:
        raise refuse(say("wrong-number-of-sides", count=count))
    return tuple(_checked_side(side, refuse) for side in sides)


def _held(target: Any, key: str, keys: tuple[str, ...], refuse: Refuse) -> tuple[Any, ...]:
    """The values of an object that must hold exactly ``keys``."""
    if not isinstance(target, dict) or target.keys() != set(keys):
        raise refuse(say("not-a-target", key=key, keys=listed(keys)))
    return tuple(target[name] for name in keys)


def _checked_die(index: Any, refuse: Refuse) -> int:
    if not is_whole(index) or not 0 <= index < DICE_EACH:
        raise refuse(say("no-such-die"))
    return int(index)


def _checked_token(token: Any, key: str, refuse: Refuse) -> Token:
    color, side = _held(token, key, ("color", "side"), refuse)
    return Token(_checked_color(color, refuse), _checked_side(side, refuse))


def _checked_color(color: Any, refuse: Refuse) -> str:
    if not isinstance(color, str) or color not in RIG_COLORS:
        raise refuse(say("not-a-color", colors=listed(RIG_COLORS)))
    return color


def _checked_side(side: Any, refuse: Refuse) -> str:
    if not isinstance(side, str) or side not in SIDES:
        raise refuse(say("not-a-side"))
    return side
