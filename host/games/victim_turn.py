"""Victim!: the state of its table, and what a roll leads to, up to the end of a turn and of the game."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from host.games.protocol import JsonObject, State
from host.games.sentence import Sentence

_TEMPLATES = {
    "first-rolled": "{player} rolls {pips}.",
    "first-tied": "{names} tie for the highest and roll again.",
    "turn": "Turn {turn}: {attacker} attacks {victim}, and {supporter} supports.",
    "battle-rolled": "{player} rolls {first} and {second}.",
    "double-six": "{player} attacks with a double six and wins the battle outright.",
    "double-one": "{player} defends with a double one and loses the battle outright.",
    "chose-support": "{player} chose the support die, for {target}.",
    "chose-sabotage": "{player} chose the sabotage die, for {target}.",
    "chose-neutral": "{player} chose the neutral die.",
    "face-green": "{player} rolls green: the number die will add to {target}'s total.",
    "face-red": "{player} rolls red: the number die will take from {target}'s total.",
    "face-white": "{player} rolls white: nothing changes.",
    "number-adds": "{player} rolls {number}: {target} gains {change}.",
    "number-takes": "{player} rolls {number}: {target} loses {change}.",
    "neutral-red": "{player} rolls red and has to roll once more.",
    "neutral-red-twice": "{player} rolls red again and loses 1 health.",
    "neutral-spared": "{player} rolls red again, but keeps the last health.",
    "battle-won": "{attacker} wins the battle, {attack} to {defence}: {victim} loses {damage} health.",
    "battle-held": "{victim} holds, {defence} to {attack}.",
    "outright": "{attacker} wins the battle: {victim} loses {damage} health.",
    "over": "{victim} has no health left: {attacker} wins; {losers} lose.",
}


def _say(slug: str, **values: str | int) -> Sentence:
    return Sentence(f"victim/{slug}", _TEMPLATES[slug], values)


@dataclass(frozen=True, slots=True)
class Roles:
    """Who is who in a turn."""

    attacker: str
    supporter: str
    victim: str

    def to_json(self) -> JsonObject:
        """As the state shows them."""
        return {"attacker": self.attacker, "supporter": self.supporter, "victim": self.victim}


@dataclass(frozen=True, slots=True)
class Intent:
    """What the supporter chose: a die, and the seat next to them that it is for."""

    target: str
    die: str

    def to_json(self) -> JsonObject:
        """As whoever may see it sees it."""
        return {"target": self.target, "die": self.die}


@dataclass(frozen=True, slots=True)
class FinishedTurn:
    """A turn that is over, its dice and what they did. ``battle`` and ``totals`` are by role."""

    turn: int
    roles: Roles
    battle: Mapping[str, tuple[int, int]]
    intent: Intent
    action_faces: tuple[str, ...]
    number: int | None
    totals: Mapping[str, int]
    outcome: str
    damage: Mapping[str, int]

    def to_json(self) -> JsonObject:
        """As `last_turn` shows it."""
        return {
            "turn": self.turn,
            "roles": self.roles.to_json(),
            "battle": {role: list(pips) for role, pips in self.battle.items()},
            "intent": self.intent.to_json(),
            "action_faces": list(self.action_faces),
            "number": self.number,
            "totals": dict(self.totals),
            "outcome": self.outcome,
            "damage": dict(self.damage),
        }


@dataclass(frozen=True, kw_only=True)
class VictimState(State):
    """A table of Victim!. ``first_rollers`` are those who roll in this attempt, ``action_faces`` this turn's."""

    turn: int
    health: Mapping[str, int]
    first_rollers: tuple[str, ...]
    first_rolls: Mapping[str, int]
    roles: Roles | None = None
    battle: Mapping[str, tuple[int, int]]
    intent: Intent | None = None
    action_faces: tuple[str, ...] = ()
    last_turn: FinishedTurn | None = None
    losers: tuple[str, ...] | None = None

    @property
    def in_turn(self) -> Roles:
        """The roles, in a phase that has them."""
        assert self.roles is not None  # noqa: S101  (set in every phase after the first)
        return self.roles

    @property
    def chosen(self) -> Intent:
        """The intent, in a phase that has one."""
        assert self.intent is not None  # noqa: S101
        return self.intent

    @property
    def fighters(self) -> tuple[tuple[str, str], ...]:
        """The two roles that roll in battle, each with its player, in seat order."""
        fighters = (("attacker", self.in_turn.attacker), ("victim", self.in_turn.victim))
        return tuple(sorted(fighters, key=lambda fighter: self.players.index(fighter[1])))


def _left_of(players: tuple[str, ...], player: str) -> str:
    return players[(players.index(player) + 1) % len(players)]


def _target(state: VictimState) -> str:
    """The player for whom the supporter's die is: left of a seat of three is right of the other one."""
    left = _left_of(state.players, state.in_turn.supporter)
    return left if state.chosen.target == "left" else _left_of(state.players, left)


def _begin_turn(state: VictimState, roles: Roles) -> VictimState:
    turn = state.turn + 1
    said = _say("turn", turn=turn, **roles.to_json())
    return replace(
        state,
        phase="planning",
        turn=turn,
        roles=roles,
        battle={},
        intent=None,
        action_faces=(),
        events=(*state.events, said),
    )


def first_rolled(state: VictimState, player: str, pips: int) -> VictimState:
    """A yellow die: once all are in, the highest attacks, or the tied roll again."""
    rolls = {**state.first_rolls, player: pips}
    said = _say("first-rolled", player=player, pips=pips)
    state = replace(state, first_rolls=rolls, events=(said,))
    if len(rolls) < len(state.first_rollers):
        return state
    best = max(rolls.values())
    highest = tuple(p for p in state.first_rollers if rolls[p] == best)
    if len(highest) > 1:
        tied = _say("first-tied", names=", ".join(highest))
        return replace(state, first_rollers=highest, first_rolls={}, events=(said, tied))
    supporter = _left_of(state.players, highest[0])
    return _begin_turn(state, Roles(highest[0], supporter, _left_of(state.players, supporter)))


def battle_rolled(state: VictimState, player: str, pips: tuple[int, int]) -> VictimState:
    """Two white dice: once both have rolled, the intent is shown; outright, only a neutral die is rolled."""
    role = "attacker" if player == state.in_turn.attacker else "victim"
    state = replace(
        state,
        battle={**state.battle, role: pips},
        events=(_say("battle-rolled", player=player, first=pips[0], second=pips[1]),),
    )
    if len(state.battle) < 2:
        return state
    outright = []
    if state.battle["attacker"] == (6, 6):
        outright.append(_say("double-six", player=state.in_turn.attacker))
    if state.battle["victim"] == (1, 1):
        outright.append(_say("double-one", player=state.in_turn.victim))
    supporter, die = state.in_turn.supporter, state.chosen.die
    chose = _say(f"chose-{die}", player=supporter, **({} if die == "neutral" else {"target": _target(state)}))
    state = replace(state, phase="support", events=(*state.events, *outright, chose))
    return _end_turn(state) if outright and die != "neutral" else state


def supported(state: VictimState, face: str) -> VictimState:
    """The first face of the action die."""
    supporter, is_neutral = state.in_turn.supporter, state.chosen.die == "neutral"
    state = replace(state, action_faces=(face,))
    if face == "white":
        return _end_turn(replace(state, events=(_say("face-white", player=supporter),)))
    if is_neutral:
        return replace(state, phase="neutral-again", events=(_say("neutral-red", player=supporter),))
    said = _say(f"face-{face}", player=supporter, target=_target(state))
    return replace(state, phase="support-number", events=(said,))


def neutral_rolled_again(state: VictimState, face: str) -> VictimState:
    """The second face of the neutral die: red again costs the supporter a health that is not their last."""
    supporter = state.in_turn.supporter
    state = replace(state, action_faces=(*state.action_faces, face))
    if face == "white":
        return _end_turn(replace(state, events=(_say("face-white", player=supporter),)))
    if state.health[supporter] == 1:
        return _end_turn(replace(state, events=(_say("neutral-spared", player=supporter),)))
    said = _say("neutral-red-twice", player=supporter)
    return _end_turn(replace(state, events=(said,)), neutral_damage={supporter: 1})


def number_rolled(state: VictimState, number: int) -> VictimState:
    """The number-die: green adds half of it, rounded down; red takes half of it, rounded up."""
    adds = state.action_faces[-1] == "green"
    change = number // 2 if adds else -((number + 1) // 2)
    said = _say(
        "number-adds" if adds else "number-takes",
        player=state.in_turn.supporter,
        number=number,
        target=_target(state),
        change=abs(change),
    )
    return _end_turn(replace(state, events=(said,)), number=number, change=change)


def _end_turn(
    state: VictimState,
    number: int | None = None,
    change: int = 0,
    neutral_damage: Mapping[str, int] | None = None,
) -> VictimState:
    """Settle the battle, and begin the next turn or end the game.

    ``change`` is what the supporter's die does to the total of its target.
    """
    roles = state.in_turn
    totals = {role: sum(state.battle[role]) for role in ("attacker", "victim")}
    if change:
        totals["attacker" if _target(state) == roles.attacker else "victim"] += change
    outright = (state.battle["attacker"] == (6, 6)) + (state.battle["victim"] == (1, 1))
    wins = bool(outright) or totals["attacker"] > totals["victim"]
    damage = dict(neutral_damage or {})
    values = {"attacker": roles.attacker, "victim": roles.victim}
    if wins:
        damage[roles.victim] = max(1, outright)
    if outright:
        said = _say("outright", **values, damage=damage[roles.victim])
    elif wins:
        said = _say(
            "battle-won", **values, attack=totals["attacker"], defence=totals["victim"], damage=damage[roles.victim]
        )
    else:
        said = _say("battle-held", victim=roles.victim, attack=totals["attacker"], defence=totals["victim"])
    finished = FinishedTurn(
        turn=state.turn,
        roles=roles,
        battle=state.battle,
        intent=state.chosen,
        action_faces=state.action_faces,
        number=number,
        totals=totals,
        outcome="attacker" if wins else "victim",
        damage=damage,
    )
    health = {p: max(0, points - damage.get(p, 0)) for p, points in state.health.items()}
    state = replace(state, health=health, last_turn=finished, events=(*state.events, said))
    if health[roles.victim] > 0:
        # Victim and supporter swap, then every role passes one seat left.
        left = {p: _left_of(state.players, p) for p in state.players}
        return _begin_turn(state, Roles(left[roles.attacker], left[roles.victim], left[roles.supporter]))
    losers = tuple(p for p in state.players if p != roles.attacker)
    said = _say("over", victim=roles.victim, attacker=roles.attacker, losers=", ".join(losers))
    return replace(state, phase="over", winners=(roles.attacker,), losers=losers, events=(*state.events, said))
