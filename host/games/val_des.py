"""Val-Des: call the colour of a chance cube that lies hidden under a cup.

Kevin Van Ryswyck, graphics Rick Scott; Games of the Galaxy, www.gamesofthegalaxy.com/val-des, CC BY-NC-ND.
The mechanics are told in our own words; no sentence of the published rules is used.

2 to 12 players, one chance cube and a cup. Options:

- ``sets`` (1 to 1,000, default 7): the regular sets;
- ``ante`` (0 to 1,000,000,000, default 0): what everybody pays into the pot at the start;
- ``scorekeeper`` (a player, default the first): the first caster sits to their left.

Every set goes ``set`` (the cup is down), ``call`` (val is red, des is blue; the caster calls last) and ``reveal``.
The referee never knows the cube before it is revealed, so that nothing of it can leak.

Rulings:

- ``calls`` belongs to the set in play: it is empty again once the next set begins, and kept when the game is over.
- In an extra set a caster who is not among the leaders casts without calling.
- The streak of a player who does not call in an extra set stays as it is.
- A run of three counts for the bonus only if all three are regular sets; with fewer than three sets there is none.
- The bonus counts before the leaders are found.
- ``leaders`` stays null if one leads alone after the regular sets, and keeps those who were tied in the last
  extra set when that one has settled the game.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from host.games.checks import MOST_CREDITS, MOST_ROUNDS, one_of_players, whole
from host.games.protocol import Awaited, DiceGroup, Game, JsonObject, Option, State
from host.games.sentence import Sentence
from vision.dice import CHANCE_CUBE

RUN_FOR_BONUS = 3
BONUS = 2

_TEMPLATES = {
    "summary": "Call the hidden cube, val for red or des for blue; most right calls take the pot.",
    "await-set": "{player} rolls the cube under the cup and puts the cup down.",
    "await-call": "{player} calls val (red) or des (blue).",
    "await-reveal": "{player} lifts the cup.",
    "anted": "Everybody pays {ante} into the pot, which holds {pot}.",
    "cup-down": "{player} has the cube under the cup.",
    "called-val": "{player} calls val.",
    "called-des": "{player} calls des.",
    "shows-red": "{player} lifts the cup: red, val.",
    "shows-blue": "{player} lifts the cup: blue, des.",
    "right": "A point each for {names}.",
    "nobody-right": "Nobody called it.",
    "bonus": "{player} was right three times in a row: {bonus} bonus points.",
    "tied": "{names} lead with {points} points each and call again.",
    "won": "{player} wins with {points} points.",
    "won-pot": "{player} wins with {points} points and takes the pot of {pot}.",
}


def _say(slug: str, **values: str | int) -> Sentence:
    return Sentence(f"val-des/{slug}", _TEMPLATES[slug], values)


def _clockwise_after(players: tuple[str, ...], player: str) -> tuple[str, ...]:
    """All players, from the left of ``player`` round to ``player``, who comes last."""
    seat = players.index(player) + 1
    return players[seat:] + players[:seat]


@dataclass(frozen=True, slots=True)
class PlayedSet:
    """One set that is over."""

    number: int
    caster: str
    result: str
    calls: Mapping[str, str]

    def to_json(self) -> JsonObject:
        """As `history` lists it."""
        return {"set": self.number, "caster": self.caster, "result": self.result, "calls": dict(self.calls)}


@dataclass(frozen=True, kw_only=True)
class ValDesState(State):
    """A table of Val-Des. ``had_run`` names who has been right three times in a row in the regular sets."""

    number: int
    caster: str
    calling: tuple[str, ...]
    calls: Mapping[str, str]
    points: Mapping[str, int]
    bonus: Mapping[str, int]
    streak: Mapping[str, int]
    had_run: frozenset[str]
    leaders: tuple[str, ...] | None
    pot: int
    balances: Mapping[str, int]
    history: tuple[PlayedSet, ...]


class ValDes(Game[ValDesState]):
    """The referee of Val-Des."""

    id = "val-des"
    name = "Val-Des"
    credit = (
        "Kevin Van Ryswyck, graphics Rick Scott; Games of the Galaxy, www.gamesofthegalaxy.com/val-des, CC BY-NC-ND"
    )
    summary = _say("summary")
    kinds = (CHANCE_CUBE,)
    guarded_phases = ("call",)  # from the cup down to the last call
    fewest_players = 2
    most_players = 12
    options = (
        Option("sets", "How many regular sets are played", lambda _players: 7, whole("sets", 1, MOST_ROUNDS)),
        Option("ante", "What everybody pays into the pot", lambda _players: 0, whole("ante", 0, MOST_CREDITS)),
        Option(
            "scorekeeper",
            "Who keeps the score; the first caster sits to their left",
            lambda players: players[0],
            one_of_players("scorekeeper"),
        ),
    )

    def opening(self, players: tuple[str, ...], options: Mapping[str, Any]) -> ValDesState:
        """The cup goes to the scorekeeper's left; everybody has paid the ante."""
        caster = _clockwise_after(players, options["scorekeeper"])[0]
        ante = options["ante"]
        pot = ante * len(players)
        return ValDesState(
            players=players,
            options=options,
            phase="set",
            number=1,
            caster=caster,
            calling=_clockwise_after(players, caster),
            calls={},
            points=dict.fromkeys(players, 0),
            bonus=dict.fromkeys(players, 0),
            streak=dict.fromkeys(players, 0),
            had_run=frozenset(),
            leaders=None,
            pot=pot,
            balances=dict.fromkeys(players, -ante),
            history=(),
            events=(_say("anted", ante=ante, pot=pot),) if ante else (),
        )

    def awaited(self, state: ValDesState) -> tuple[Awaited, ...]:
        """The caster, or whoever is next to call."""
        match state.phase:
            case "set":
                return (Awaited("set", state.caster),)
            case "call":
                caller = state.calling[0]
                return (Awaited("call", caller, fields=("call",), choice_field="call", choices=("val", "des")),)
            case "reveal":
                return (Awaited("roll", state.caster, dice=(DiceGroup(CHANCE_CUBE),)),)
        return ()

    def prompt(self, state: ValDesState) -> tuple[Sentence, ...]:
        """One sentence for the phase."""
        match state.phase:
            case "set":
                return (_say("await-set", player=state.caster),)
            case "call":
                return (_say("await-call", player=state.calling[0]),)
            case "reveal":
                return (_say("await-reveal", player=state.caster),)
        return ()

    def advance(self, state: ValDesState, action: JsonObject) -> ValDesState:
        """Put the cup down, take a call, or settle the set."""
        player = action["player"]
        match action["type"]:
            case "set":
                return replace(state, phase="call", events=(_say("cup-down", player=player),))
            case "call":
                call = action["call"]
                calling = state.calling[1:]
                return replace(
                    state,
                    phase="call" if calling else "reveal",
                    calling=calling,
                    calls={**state.calls, player: call},
                    events=(_say(f"called-{call}", player=player),),
                )
        return _after_set(_settle(state, action["dice"][0]["face"]))

    def details(self, state: ValDesState, player: str | None) -> JsonObject:
        """Everything is public."""
        return {
            "set": state.number,
            "caster": state.caster,
            "calling": list(state.calling),
            "calls": dict(state.calls),
            "points": dict(state.points),
            "bonus": dict(state.bonus),
            "streak": dict(state.streak),
            "leaders": None if state.leaders is None else list(state.leaders),
            "pot": state.pot,
            "balances": dict(state.balances),
            "history": [played.to_json() for played in state.history],
        }


def _settle(state: ValDesState, face: str) -> ValDesState:
    """Score the calls against the cube: points, streaks and the entry in the history."""
    true_call = "val" if face == "red" else "des"
    right = [p for p in state.players if state.calls.get(p) == true_call]
    streak = {p: run + 1 if p in right else run if p not in state.calls else 0 for p, run in state.streak.items()}
    had_run = state.had_run
    if state.leaders is None:
        had_run |= {p for p in right if streak[p] >= RUN_FOR_BONUS}
    return replace(
        state,
        points={p: n + (p in right) for p, n in state.points.items()},
        streak=streak,
        had_run=had_run,
        history=(*state.history, PlayedSet(state.number, state.caster, face, state.calls)),
        events=(
            _say(f"shows-{face}", player=state.caster),
            _say("right", names=", ".join(right)) if right else _say("nobody-right"),
        ),
    )


def _after_set(state: ValDesState) -> ValDesState:
    """What follows a settled set: the next one, an extra one among those who lead, or the end."""
    if state.number < state.options["sets"]:
        return _next_set(state, None)
    if state.leaders is None:
        state = _award_bonus(state)
    contenders = state.players if state.leaders is None else state.leaders
    best = max(state.points[p] for p in contenders)
    leading = tuple(p for p in contenders if state.points[p] == best)
    if len(leading) > 1:
        tied = _say("tied", names=", ".join(leading), points=best)
        return _next_set(replace(state, events=(*state.events, tied)), leading)
    winner = leading[0]
    won = (
        _say("won-pot", player=winner, points=best, pot=state.pot)
        if state.pot
        else _say("won", player=winner, points=best)
    )
    return replace(
        state,
        phase="over",
        winners=leading,
        pot=0,
        balances={**state.balances, winner: state.balances[winner] + state.pot},
        events=(*state.events, won),
    )


def _award_bonus(state: ValDesState) -> ValDesState:
    bonus = {p: BONUS if p in state.had_run else 0 for p in state.players}
    return replace(
        state,
        bonus=bonus,
        points={p: n + bonus[p] for p, n in state.points.items()},
        events=(
            *state.events,
            *(_say("bonus", player=p, bonus=BONUS) for p in state.players if bonus[p]),
        ),
    )


def _next_set(state: ValDesState, leaders: tuple[str, ...] | None) -> ValDesState:
    """Pass the cup left; in an extra set only ``leaders`` call."""
    caster = _clockwise_after(state.players, state.caster)[0]
    order = _clockwise_after(state.players, caster)
    return replace(
        state,
        phase="set",
        number=state.number + 1,
        caster=caster,
        calling=order if leaders is None else tuple(p for p in order if p in leaders),
        calls={},
        leaders=leaders,
    )
