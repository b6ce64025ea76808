"""How a game of RIG goes on: what a roll, a choice or a resolved token leads to, until somebody is awaited again.

Every function takes a state and gives a later one; what it is given has been checked to be lawful. ``go_on`` is where
they all meet once a round's order is known: first whatever a magnet has caught is placed, then the turn continues.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from host.games.rig_dice import RigDice, cancelled, cancelling, flip_die, put_out, still_in, tally
from host.games.rig_sentences import listed, say
from host.games.rig_state import RigState
from host.games.rig_tokens import COMPONENTS, Token, Tokens
from host.games.sentence import Sentence
from vision.dice import RIG_COLORS

BOOST_WORTH = 2


# The roll -------------------------------------------------------------------------------------------------------


def roll(state: RigState, player: str, dice: RigDice) -> RigState:
    """One player has rolled; once both have, they are compared."""
    state = replace(state, dice={**state.dice, player: dice}).saying(
        say("rolled", player=player, faces=listed(tuple(die.face() for die in dice)))
    )
    if None in state.dice.values():
        return state
    if state.round:
        return _cancel(replace(state, cancelling=RIG_COLORS))
    sums = {player: tally(dice) for player, dice in state.both_rolled().items()}
    if len(set(sums.values())) == 1:
        tied = say("tied", tally=sums[player])
        return replace(state, dice=dict.fromkeys(state.players)).saying(tied)
    return go_on(_order(state, sums))


def put_aside(state: RigState, indexes: Sequence[int]) -> RigState:
    """The awaited player has chosen which dice of the colour at hand to put aside."""
    color = state.cancelling[0]
    cancel = cancelling(state.both_rolled(), color)
    player = cancel.chooser or ""
    faces = tuple(state.rolled(player)[i].face() for i in indexes)
    dice = cancelled(state.both_rolled(), cancel, indexes)
    state = replace(state, dice=dice, cancelling=state.cancelling[1:])
    return _cancel(state.saying(say("put-aside", player=player, faces=listed(faces))))


def _cancel(state: RigState) -> RigState:
    """Colour by colour, until somebody has to choose or all have cancelled out."""
    while state.cancelling:
        cancel = cancelling(state.both_rolled(), state.cancelling[0])
        if cancel.count:
            state = state.saying(say("cancelled", color=cancel.color, count=cancel.count))
        if cancel.chooser is not None:
            return replace(state, phase="set-aside")
        dice = cancelled(state.both_rolled(), cancel)
        state = replace(state, dice=dice, cancelling=state.cancelling[1:])
    boosts = {player: state.tokens.active[player].count("boost") for player in state.players}
    sums = {player: tally(dice) + BOOST_WORTH * boosts[player] for player, dice in state.both_rolled().items()}
    state = _order(state, sums)
    for player in state.players:
        for _ in range(boosts[player]):
            tokens = state.tokens.deactivated(player, "boost")
            state = _discarding(state, tokens, say("boost-used", player=player))
    return go_on(state)


def _order(state: RigState, sums: Mapping[str, int]) -> RigState:
    """Who goes first is known."""
    high, low = sorted(state.players, key=lambda player: -sums[player])
    if sums[high] > sums[low]:
        said = say("goes-first", player=high, tally=sums[high], lower=sums[low])
    else:
        high = state.went_second or high
        said = say("goes-first-on-tie", player=high, tally=sums[high])
    return replace(state, first=high, tallies=sums).saying(said)


# Turns ----------------------------------------------------------------------------------------------------------


def go_on(state: RigState) -> RigState:
    """What comes next, one step after another, until somebody is awaited or the game is over."""
    if state.tokens.caught:
        return replace(state, phase="place")
    if state.turn is None:
        return _begin_turn(state, state.first or "")
    if state.tokens.resolving:
        return _resolve(state)
    if not state.has_collected:
        return _offer_tokens(state)
    owner = state.opponent(state.turn)
    if "magnet" in state.tokens.active[owner]:
        return go_on(
            _discarding(state, state.tokens.deactivated(owner, "magnet"), say("magnet-expired", player=owner))
        )
    if state.turn == state.first:
        return _begin_turn(state, owner)
    return _next_round(state)


def _begin_turn(state: RigState, player: str) -> RigState:
    return go_on(replace(state, turn=player, has_collected=False, tokens=state.tokens.taken(player)))


def _next_round(state: RigState) -> RigState:
    return replace(
        state,
        phase="roll",
        round=state.round + 1,
        dice=dict.fromkeys(state.players),
        tallies=dict.fromkeys(state.players),
        first=None,
        turn=None,
        went_second=state.turn,
    ).saying(say("next-round", round=state.round + 1))


def _resolve(state: RigState) -> RigState:
    """The next token: into the rig, executed by itself, or its player is awaited."""
    player, token = state.whose_turn(), state.tokens.resolving[0]
    if token.side == "component":
        return _install(state, player)
    other = state.opponent(player)
    match state.action():
        case "sabotage":
            lost = tuple(each.color for each in state.tokens.open_to_sabotage(other))
            said = (
                say("sabotaged", player=player, other=other, colors=listed(lost))
                if lost
                else say("sabotaged-nothing", player=player, other=other)
            )
            return executed(_discarding(state, state.tokens.sabotaged(other), said))
        case "boost":
            return go_on(
                replace(state, tokens=state.tokens.activated(player)).saying(say("boost-active", player=player))
            )
        case "magnet":
            said = say("magnet-active", player=player, other=other)
            return go_on(replace(state, tokens=state.tokens.activated(player)).saying(said))
        case action:
            if _has_target(state, player, action):
                return replace(state, phase="act")
            return executed(state.saying(say(f"no-target-{action}", player=player)))


def _install(state: RigState, player: str) -> RigState:
    component = COMPONENTS[state.tokens.resolving[0].color]
    state = replace(state, tokens=state.tokens.installed(player)).saying(
        say("installed", player=player, component=component)
    )
    if set(state.tokens.rigs[player]) == set(RIG_COLORS):
        return replace(state, phase="over", winners=(player,)).saying(say("won", player=player))
    return go_on(state)


def _has_target(state: RigState, player: str, action: str) -> bool:
    """Whether there is anything lawful to flip, to take or to steal."""
    if action == "flip":
        dice_in = any(still_in(state.rolled(owner)) for owner in state.players)
        return dice_in or any(state.tokens.queues.values())
    if action == "extra":
        return any(state.tokens.salvage.values())
    return bool(still_in(state.rolled(player)) and state.tokens.rigs[state.opponent(player)])


def flip_a_die(state: RigState, owner: str, index: int) -> RigState:
    """The effect of a flip on a die."""
    before = state.rolled(owner)
    after = flip_die(before, index)
    said = say(
        "flipped-die",
        player=state.whose_turn(),
        owner=owner,
        before=before[index].face(),
        after=after[index].face(),
    )
    return replace(state, dice={**state.dice, owner: after}).saying(said)


def flip_a_token(state: RigState, owner: str, index: int) -> RigState:
    """The effect of a flip on a token in a queue."""
    token = state.tokens.queues[owner][index]
    said = say(
        "flipped-token",
        player=state.whose_turn(),
        owner=owner,
        color=token.color,
        before=token.name(),
        after=token.flipped().name(),
    )
    return replace(state, tokens=state.tokens.flipped(owner, index)).saying(said)


def take_extra(state: RigState, token: Token) -> RigState:
    """The effect of extra."""
    player = state.whose_turn()
    said = say("took-extra", player=player, color=token.color, name=token.name())
    return replace(state, tokens=state.tokens.salvaged(player, token)).saying(said)


def steal(state: RigState, index: int, token: Token) -> RigState:
    """The effect of steal: a die of one's own is out, a component of the opponent's is in one's queue."""
    player = state.whose_turn()
    dice = state.rolled(player)
    said = say(
        "stole",
        player=player,
        other=state.opponent(player),
        face=dice[index].face(),
        component=COMPONENTS[token.color],
        name=token.name(),
    )
    return replace(
        state,
        dice={**state.dice, player: put_out(dice, (index,))},
        tokens=state.tokens.stolen(player, token),
    ).saying(said)


def decline(state: RigState) -> RigState:
    """No effect, by choice."""
    return state.saying(say(f"declined-{state.action()}", player=state.whose_turn()))


def executed(state: RigState) -> RigState:
    """After its effect the token itself is discarded, and the step ends."""
    return go_on(_discarding(state, state.tokens.executed(state.whose_turn())))


def _offer_tokens(state: RigState) -> RigState:
    if state.can_take():
        return replace(state, phase="collect")
    said = say("nothing-to-collect", player=state.whose_turn())
    return go_on(replace(state, has_collected=True).saying(said))


def collect(state: RigState, tokens: tuple[Token, ...]) -> RigState:
    """The player whose turn it is has chosen tokens from salvage."""
    player = state.whose_turn()
    names = tuple(f"{token.color} {token.name()}" for token in tokens)
    said = say("collected", player=player, names=listed(names)) if tokens else say("collected-nothing", player=player)
    return go_on(replace(state, has_collected=True, tokens=state.tokens.salvaged(player, *tokens)).saying(said))


def place(state: RigState, sides: tuple[str, ...]) -> RigState:
    """Who caught first has chosen the sides."""
    player = state.tokens.caught[0].player
    names = tuple(
        f"{color} {Token(color, side).name()}"
        for color, side in zip(state.tokens.caught_by(player), sides, strict=True)
    )
    said = say("placed", player=player, names=listed(names))
    return go_on(replace(state, tokens=state.tokens.placed(player, sides)).saying(said))


def _discarding(state: RigState, tokens: Tokens, *said: Sentence) -> RigState:
    """With the tokens as they are after a discard, telling what a magnet caught of it."""
    new = tokens.caught[len(state.tokens.caught) :]
    caught = tuple(
        say("caught", player=each.player, other=state.opponent(each.player), colors=each.color) for each in new
    )
    return replace(state, tokens=tokens).saying(*said, *caught)
