"""Vigo's Favor, by Shoya Haa'runi, graphics by Rick Scott.

Games of the Galaxy, www.gamesofthegalaxy.com/vigosfavor, CC BY-NC-ND: the rule book stays its authors'; what
follows are its mechanics in our own words. Chance cubes, 2 to 12 players.

A round: the Vigo names a stake and rolls the favor; everybody else pays the stake into the pot. Then those in favor
roll in turn, and only who matches the favor stays in. Nobody left: the Vigo takes the pot. One left: they claim
the pot, or challenge the Vigo for a pot that both have raised. More left: the Vigo pays a stake for each of them, and
they share the pot, or roll on.

Options:
- ``rounds`` (default: one for each player): how many rounds are played.
- ``vigo`` (default: the first player): who is the Vigo at first.
- ``house_vigo`` (default false): the title stays where it is, and does not pass left after each round.
- ``rising_stakes`` (default 0): by how much the stake rises each time survivors roll on.
- ``mercy`` (default false): who misses may pay one stake to the Vigo and stay in. Never in a challenge.

Rulings: the Vigo pays for survivors before they decide; one survivor alone costs the Vigo nothing. The first who
rolls on settles it for all. Odd credits of a split go one each to the survivors nearest to the Vigo's left. A raise
changes the pot and not the stake. The favor of a challenge replaces the round's once it is rolled.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from host.games.checks import MOST_CREDITS, MOST_ROUNDS, is_whole, one_of_players, truth, whole
from host.games.protocol import Awaited, DiceGroup, Game, JsonObject, Option, State
from host.games.sentence import Sentence
from vision.dice import CHANCE_CUBE

ONE_CUBE = (DiceGroup(CHANCE_CUBE),)


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """How a round ended. ``outcome`` is vigo, claim, split, challenge-won or challenge-lost."""

    round: int
    vigo: str
    outcome: str
    paid: Mapping[str, int]

    def to_json(self) -> JsonObject:
        """As ``last_round`` shows it."""
        return {"round": self.round, "vigo": self.vigo, "outcome": self.outcome, "paid": dict(self.paid)}


@dataclass(frozen=True, kw_only=True)
class VigosFavorState(State):
    """A moment of the game. Lists of players run clockwise from the Vigo's left.

    ``missed`` is who may buy mercy now; ``splitting`` are the survivors who have said that they would split.
    """

    round: int
    vigo: str
    in_favor: tuple[str, ...]
    balances: Mapping[str, int]
    stake: int | None = None
    favor: str | None = None
    pot: int = 0
    to_roll: tuple[str, ...] = ()
    missed: str = ""
    splitting: tuple[str, ...] = ()
    last_round: FinishedRound | None = None


_TEMPLATES = {
    "await-stake": "{player} names the stake.",
    "await-favor": "{player} rolls for the favor.",
    "await-seek": "{player} rolls and needs {favor}.",
    "await-mercy": "{player} may buy mercy from {vigo} for {stake}.",
    "await-decide-alone": "{player} claims the pot of {pot} or challenges {vigo}.",
    "await-decide-together": "{player} splits the pot of {pot} or rolls on.",
    "await-raise": "{player} names what both pay in the challenge.",
    "await-challenge-favor": "{player} rolls for the favor of the challenge.",
    "await-challenge-roll": "{player} rolls against {vigo} and needs {favor}.",
    "stake": "{vigo} sets the stake at {stake}.",
    "favor": "{vigo} rolls {face}: {face} is the favor, and everyone else pays {stake} into the pot.",
    "matched": "{player} matches {favor} and stays in favor.",
    "missed": "{player} misses: {face} against {favor}, and is out.",
    "missed-mercy": "{player} misses: {face} against {favor}, and may buy mercy.",
    "mercy-bought": "{player} pays {stake} to {vigo} for mercy and stays in favor.",
    "mercy-declined": "{player} buys no mercy and is out.",
    "nobody-left": "Nobody is left in favor: {vigo} takes the pot of {pot}.",
    "survivors": "{count} are left in favor: {vigo} pays {amount} into the pot.",
    "would-split": "{player} would split the pot.",
    "roll-on": "{player} rolls on, and so does everyone in favor.",
    "stake-rises": "The stake rises to {stake}.",
    "share": "{player} gets {amount} of the pot.",
    "claimed": "{player} claims the pot of {pot}.",
    "challenged": "{player} challenges {vigo}.",
    "raised": "{vigo} and {player} each pay {amount} into the pot.",
    "challenge-favor": "{vigo} rolls {face}: {face} is the favor of the challenge.",
    "challenge-won": "{player} matches {favor} and takes the pot of {pot}.",
    "challenge-lost": "{player} misses: {face} against {favor}, and {vigo} takes the pot of {pot}.",
    "next-round": "Round {round} begins, and {vigo} is the Vigo.",
    "won": "{player} wins with a balance of {balance}.",
}


def _say(slug: str, **values: str | int) -> Sentence:
    return Sentence(f"vigos-favor/{slug}", _TEMPLATES[slug], values)


class VigosFavor(Game[VigosFavorState]):
    """The referee of Vigo's Favor."""

    id = "vigos-favor"
    name = "Vigo's Favor"
    credit = (
        "Vigo's Favor by Shoya Haa'runi, graphics by Rick Scott; Games of the Galaxy, "
        "www.gamesofthegalaxy.com/vigosfavor, CC BY-NC-ND"
    )
    summary = Sentence(
        "vigos-favor/summary",
        "Match the colour that the Vigo rolled to stay in; the last in favor take the pot or dare the Vigo for more.",
    )
    kinds = (CHANCE_CUBE,)
    fewest_players = 2
    most_players = 12
    options = (
        Option("rounds", "Rounds to play", lambda players: len(players), whole("rounds", 1, MOST_ROUNDS)),
        Option("vigo", "First Vigo", lambda players: players[0], one_of_players("vigo")),
        Option("house_vigo", "The title never passes", lambda _: False, truth("house_vigo")),
        Option(
            "rising_stakes",
            "Added to the stake when survivors roll on",
            lambda _: 0,
            whole("rising_stakes", 0, MOST_CREDITS),
        ),
        Option("mercy", "A miss can be bought off", lambda _: False, truth("mercy")),
    )

    def opening(self, players: tuple[str, ...], options: Mapping[str, Any]) -> VigosFavorState:
        """Round 1, the first Vigo about to name the stake."""
        return VigosFavorState(
            players=players,
            options=options,
            phase="stake",
            round=1,
            vigo=options["vigo"],
            in_favor=_from_left(players, options["vigo"]),
            balances=dict.fromkeys(players, 0),
        )

    def awaited(self, state: VigosFavorState) -> tuple[Awaited, ...]:
        """One player at a time, except that survivors decide in any order."""
        match state.phase:
            case "stake" | "raise":
                return (Awaited(state.phase, state.vigo, fields=("amount",)),)
            case "favor" | "challenge-favor":
                return (Awaited("roll", state.vigo, dice=ONE_CUBE),)
            case "seek":
                return (Awaited("roll", state.to_roll[0], dice=ONE_CUBE),)
            case "mercy":
                return (Awaited("mercy", state.missed, fields=("buy",), choice_field="buy", choices=(True, False)),)
            case "decide":
                choices = ("claim", "challenge") if len(state.in_favor) == 1 else ("split", "roll")
                return tuple(
                    Awaited("decide", player, fields=("choice",), choice_field="choice", choices=choices)
                    for player in state.in_favor
                    if player not in state.splitting
                )
            case "challenge-roll":
                return (Awaited("roll", state.in_favor[0], dice=ONE_CUBE),)
            case _:
                return ()

    def prompt(self, state: VigosFavorState) -> tuple[Sentence, ...]:
        """Who is to do what: a sentence for each player who is awaited."""
        waiting = self.awaiting(state)
        phase = state.phase
        if phase == "decide":
            phase = "decide-alone" if len(state.in_favor) == 1 else "decide-together"
        return tuple(
            _say(
                f"await-{phase}",
                player=entry.player,
                vigo=state.vigo,
                stake=state.stake or 0,
                favor=state.favor or "",
                pot=state.pot,
            )
            for entry in waiting
        )

    def rematch_options(self, state: VigosFavorState) -> JsonObject:
        """The title goes on from where it was: to the left of the last Vigo, or not, as in the game."""
        vigo = _next_vigo(state) if state.phase == "over" else state.vigo
        return {**state.options, "vigo": vigo}

    def details(self, state: VigosFavorState, player: str | None) -> JsonObject:
        """Everything: this game has no secrets."""
        return {
            "round": state.round,
            "vigo": state.vigo,
            "stake": state.stake,
            "favor": state.favor,
            "pot": state.pot,
            "in_favor": list(state.in_favor),
            "to_roll": list(state.to_roll),
            "splitting": list(state.splitting),
            "balances": dict(state.balances),
            "last_round": None if state.last_round is None else state.last_round.to_json(),
        }

    def advance(self, state: VigosFavorState, action: JsonObject) -> VigosFavorState:
        """What the action leads to."""
        match state.phase:
            case "stake":
                stake = self._amount(state, action)
                said = _say("stake", vigo=state.vigo, stake=stake)
                return replace(state, phase="favor", stake=stake, events=(said,))
            case "favor":
                return _favor_rolled(state, action["dice"][0]["face"])
            case "seek":
                return _sought(state, action["dice"][0]["face"])
            case "mercy":
                return _mercy_answered(state, action["buy"])
            case "decide":
                return _decided(state, action["player"], action["choice"])
            case "raise":
                return _raised(state, self._amount(state, action))
            case "challenge-favor":
                face = action["dice"][0]["face"]
                said = _say("challenge-favor", vigo=state.vigo, face=face)
                return replace(state, phase="challenge-roll", favor=face, events=(said,))
            case _:
                return _challenge_rolled(state, action["dice"][0]["face"])

    def _amount(self, state: VigosFavorState, action: JsonObject) -> int:
        amount = action["amount"]
        if not is_whole(amount) or not 1 <= amount <= MOST_CREDITS:
            raise self.refuse(
                state, "bad-amount", "An amount is a whole number from {least} to {most}.", least=1, most=MOST_CREDITS
            )
        return int(amount)


def _favor_rolled(state: VigosFavorState, face: str) -> VigosFavorState:
    stake = state.stake or 0
    paid = _pay(state, dict.fromkeys(state.in_favor, stake))
    said = _say("favor", vigo=state.vigo, face=face, stake=stake)
    return replace(paid, phase="seek", favor=face, to_roll=state.in_favor, events=(said,))


def _sought(state: VigosFavorState, face: str) -> VigosFavorState:
    roller, rest = state.to_roll[0], state.to_roll[1:]
    rolled = replace(state, to_roll=rest)
    faces = {"player": roller, "face": face, "favor": state.favor or ""}
    if face == state.favor:
        return _go_on(replace(rolled, events=(_say("matched", player=roller, favor=face),)))
    if state.options["mercy"]:
        return replace(rolled, phase="mercy", missed=roller, events=(_say("missed-mercy", **faces),))
    return _go_on(replace(rolled, in_favor=_without(state.in_favor, roller), events=(_say("missed", **faces),)))


def _mercy_answered(state: VigosFavorState, buy: bool) -> VigosFavorState:
    player, stake = state.missed, state.stake or 0
    answered = replace(state, phase="seek", missed="")
    if not buy:
        said = _say("mercy-declined", player=player)
        return _go_on(replace(answered, in_favor=_without(state.in_favor, player), events=(said,)))
    balances = dict(state.balances)
    balances[player] -= stake
    balances[state.vigo] += stake
    said = _say("mercy-bought", player=player, vigo=state.vigo, stake=stake)
    return _go_on(replace(answered, balances=balances, events=(said,)))


def _go_on(state: VigosFavorState) -> VigosFavorState:
    """The next roll of the pass, or what a finished pass leads to."""
    if state.to_roll:
        return state
    if not state.in_favor:
        said = _say("nobody-left", vigo=state.vigo, pot=state.pot)
        return _end_round(state, "vigo", {state.vigo: state.pot}, said)
    decide = replace(state, phase="decide", splitting=())
    count = len(state.in_favor)
    if count == 1:
        return decide
    amount = count * (state.stake or 0)
    said = _say("survivors", count=count, vigo=state.vigo, amount=amount)
    return replace(_pay(decide, {state.vigo: amount}), events=(*state.events, said))


def _decided(state: VigosFavorState, player: str, choice: str) -> VigosFavorState:
    state = replace(state, events=())
    if choice == "claim":
        return _end_round(state, "claim", {player: state.pot}, _say("claimed", player=player, pot=state.pot))
    if choice == "challenge":
        return replace(state, phase="raise", events=(_say("challenged", player=player, vigo=state.vigo),))
    if choice == "roll":
        step = state.options["rising_stakes"]
        stake = (state.stake or 0) + step
        said = (_say("roll-on", player=player), *((_say("stake-rises", stake=stake),) if step else ()))
        return replace(state, phase="seek", stake=stake, to_roll=state.in_favor, splitting=(), events=said)
    splitting = (*state.splitting, player)
    would_split = _say("would-split", player=player)
    if len(splitting) < len(state.in_favor):
        return replace(state, splitting=splitting, events=(would_split,))
    share, odd = divmod(state.pot, len(state.in_favor))
    paid = {survivor: share + (i < odd) for i, survivor in enumerate(state.in_favor)}
    said = tuple(_say("share", player=survivor, amount=amount) for survivor, amount in paid.items())
    return _end_round(state, "split", paid, would_split, *said)


def _raised(state: VigosFavorState, amount: int) -> VigosFavorState:
    challenger = state.in_favor[0]
    paid = _pay(state, {state.vigo: amount, challenger: amount})
    said = _say("raised", vigo=state.vigo, player=challenger, amount=amount)
    return replace(paid, phase="challenge-favor", events=(said,))


def _challenge_rolled(state: VigosFavorState, face: str) -> VigosFavorState:
    challenger = state.in_favor[0]
    values: dict[str, str | int] = {"player": challenger, "favor": state.favor or "", "pot": state.pot}
    state = replace(state, events=())
    if face == state.favor:
        return _end_round(state, "challenge-won", {challenger: state.pot}, _say("challenge-won", **values))
    lost = _say("challenge-lost", **values, face=face, vigo=state.vigo)
    return _end_round(state, "challenge-lost", {state.vigo: state.pot}, lost)


def _end_round(state: VigosFavorState, outcome: str, paid: Mapping[str, int], *said: Sentence) -> VigosFavorState:
    """Pay out the pot, and begin the next round or end the game."""
    balances = {player: balance + paid.get(player, 0) for player, balance in state.balances.items()}
    ended = replace(
        state,
        pot=0,
        balances=balances,
        splitting=(),
        last_round=FinishedRound(state.round, state.vigo, outcome, paid),
        events=(*state.events, *said),
    )
    if state.round == state.options["rounds"]:
        best = max(balances.values())
        winners = tuple(player for player in state.players if balances[player] == best)
        won = tuple(_say("won", player=player, balance=best) for player in winners)
        return replace(ended, phase="over", winners=winners, events=(*ended.events, *won))
    vigo = _next_vigo(state)
    return replace(
        ended,
        phase="stake",
        round=state.round + 1,
        vigo=vigo,
        stake=None,
        favor=None,
        in_favor=_from_left(state.players, vigo),
        events=(*ended.events, _say("next-round", round=state.round + 1, vigo=vigo)),
    )


def _pay(state: VigosFavorState, payments: Mapping[str, int]) -> VigosFavorState:
    """Move credits from balances into the pot."""
    balances = {player: balance - payments.get(player, 0) for player, balance in state.balances.items()}
    return replace(state, pot=state.pot + sum(payments.values()), balances=balances)


def _next_vigo(state: VigosFavorState) -> str:
    vigo: str = state.vigo if state.options["house_vigo"] else _from_left(state.players, state.vigo)[0]
    return vigo


def _from_left(players: tuple[str, ...], vigo: str) -> tuple[str, ...]:
    """Everybody but the Vigo, clockwise from the Vigo's left."""
    seat = players.index(vigo)
    return players[seat + 1 :] + players[:seat]


def _without(players: tuple[str, ...], out: str) -> tuple[str, ...]:
    return tuple(player for player in players if player != out)
