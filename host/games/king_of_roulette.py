"""King of Roulette: a king rules in secret which spaces pay, while everybody else bets in secret on one.

MarcerMercer (match type: main match, 7 players, from "Exordium"). The mechanics are told in our own words; no
sentence of the published rules is used.

Exactly 7 players, 7 rounds, phones only. Option:

- ``garnets`` (0 to 1,000,000,000, default 3): what everyone starts with.

Votes, bets, rules and condemnations are secret until all of them are in; then they are told as events, and bets and
rules stand in ``history``. What is bought with garnets is public at once.

Rulings:

- A tied vote for the first king is voted again by everybody, for the tied alone, as often as it ties.
- Every new ballot empties ``committed`` and ``mine``. While the last king alone is awaited to ``condemn``, the
  ballots before do not count as committed, and ``candidates`` are those still tied.
- A double bonus may be bought and used in the same round, and several may be bought in one, by the king, too. Until
  the round is settled ``doubles`` still counts one that has been put to use, so that nobody learns of it.
- The king's guess counts those who earn points by the rule; whether they doubled does not matter.
- ``earned`` is what the round gave, doubling included; ``points`` and garnets follow before a king or a candidate
  is named. ``round`` stays that of the round just settled in ``succession`` and ``condemn``.
- A rule or bet refused tells its player which field was wrong and never repeats what stood in it.
- Leaders who get no tokens, because they are four or more, are ``winners`` all the same.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from host.games.checks import MOST_CREDITS, whole
from host.games.king_of_roulette_round import (
    GUESSES,
    KING,
    SPACES,
    Bet,
    KingOfRouletteState,
    Rule,
    begin_round,
    condemned,
    settle_round,
    voted,
)
from host.games.protocol import Awaited, Game, JsonObject, Option
from host.games.sentence import Refused, Sentence

PLAYERS = 7
GARNETS = 3

_TEMPLATES = {
    "summary": "The king decides in secret which spaces pay; bet on the right one, or on becoming king yourself.",
    "await-first-vote": "Everybody votes in secret for the first king; still to vote: {names}.",
    "await-vote": "Everybody votes in secret for the first king, among {candidates}; still to vote: {names}.",
    "await-bets": "Everybody but {king} bets in secret on a space; still to bet: {names}.",
    "await-rule": "{player} rules in secret which spaces pay, and guesses how many will earn.",
    "await-succession": "{player} names the next king, among {candidates}.",
    "await-condemn": "The leaders condemn in secret one of {candidates}; still to choose: {names}.",
    "await-condemn-king": "The leaders are divided: {player} condemns one of {candidates}.",
    "vote-in": "{player} has voted.",
    "bet-in": "{player} has bet.",
    "rule-in": "{player} has ruled.",
    "condemnation-in": "{player} has condemned somebody.",
    "bought": "{player} buys a double bonus for {price} garnets.",
    "named-king": "{player} names {king}.",
    "bad-space": "space must be one of 1, 2, 3, 4, 5, 6 and king, in quotation marks.",
    "bad-one": "one must be a list of two different spaces of 1 to 6, in quotation marks.",
    "bad-two": "two must be a third space of 1 to 6, in quotation marks.",
    "bad-guess": "guess must be one of 0-1, 2-3, 4-5 and 6, in quotation marks.",
    "bad-double": "double must be true or false.",
    "no-double": "{player} owns no double bonus.",
}


def _say(slug: str, **values: str | int) -> Sentence:
    return Sentence(f"king-of-roulette/{slug}", _TEMPLATES[slug], values)


class KingOfRoulette(Game[KingOfRouletteState]):
    """The referee of King of Roulette."""

    id = "king-of-roulette"
    name = "King of Roulette"
    credit = 'MarcerMercer (match type: main match, 7 players, from "Exordium")'
    summary = _say("summary")
    kinds = ()
    fewest_players = PLAYERS
    most_players = PLAYERS
    options = (
        Option(
            "garnets",
            "How many garnets everyone starts with",
            lambda _players: GARNETS,
            whole("garnets", 0, MOST_CREDITS),
        ),
    )

    def opening(self, players: tuple[str, ...], options: Mapping[str, Any]) -> KingOfRouletteState:
        """Everybody is about to vote for the first king."""
        nothing = dict.fromkeys(players, 0)
        return KingOfRouletteState(
            players=players,
            options=options,
            phase="vote",
            electors=players,
            candidates=players,
            points=nothing,
            garnets=dict.fromkeys(players, options["garnets"]),
            doubles=nothing,
            bought=nothing,
        )

    def awaited(self, state: KingOfRouletteState) -> tuple[Awaited, ...]:
        """Everybody who has yet to vote, bet, rule or condemn; in a succession the king alone."""
        match state.phase:
            case "vote":
                return _ballot(state, "vote", "for")
            case "condemn":
                return _ballot(state, "condemn", "candidate")
            case "succession":
                return (Awaited("name-king", state.ruler, (), ("king",), (), "king", state.candidates),)
            case "bets":
                waiting = [p for p in state.players if p not in state.committed]
                rule = Awaited("rule", state.ruler, fields=("one", "two", "guess"), optional=("double",))
                return (
                    *(Awaited("bet", p, (), ("space",), ("double",)) for p in waiting if p != state.king),
                    *((rule,) if state.ruler in waiting else ()),
                    *(Awaited("buy-double", p) for p in waiting if state.garnets[p] >= state.double_price(p)),
                )
        return ()

    def prompt(self, state: KingOfRouletteState) -> tuple[Sentence, ...]:
        """One sentence for the phase; two in ``bets`` while the king has not ruled."""
        waiting = [p for p in state.electors if p not in state.committed]
        names, candidates = ", ".join(waiting), ", ".join(state.candidates or ())
        match state.phase:
            case "vote" if state.candidates == state.players:
                return (_say("await-first-vote", names=names),)
            case "vote":
                return (_say("await-vote", candidates=candidates, names=names),)
            case "succession":
                return (_say("await-succession", player=state.ruler, candidates=candidates),)
            case "condemn" if state.king_decides:
                return (_say("await-condemn-king", player=state.ruler, candidates=candidates),)
            case "condemn":
                return (_say("await-condemn", candidates=candidates, names=names),)
            case "bets":
                bettors = ", ".join(p for p in state.players if p not in state.committed and p != state.king)
                return (
                    *((_say("await-bets", king=state.ruler, names=bettors),) if bettors else ()),
                    *((_say("await-rule", player=state.ruler),) if state.rule is None else ()),
                )
        return ()

    def advance(self, state: KingOfRouletteState, action: JsonObject) -> KingOfRouletteState:
        """Take a vote, a bet, a rule, a purchase, a name or a condemnation; the last one in settles the phase."""
        player = action["player"]
        match action["type"]:
            case "vote":
                state = replace(state, ballots={**state.ballots, player: action["for"]})
                return voted(replace(state, events=(_say("vote-in", player=player),)))
            case "condemn":
                state = replace(state, ballots={**state.ballots, player: action["candidate"]})
                return condemned(replace(state, events=(_say("condemnation-in", player=player),)))
            case "name-king":
                king = action["king"]
                return begin_round(replace(state, events=(_say("named-king", player=player, king=king),)), king)
            case "buy-double":
                return _buy_double(state, player)
            case "bet":
                bet = self._bet(state, action)
                state = replace(state, bets={**state.bets, player: bet}, events=(_say("bet-in", player=player),))
            case _:
                state = replace(state, rule=self._rule(state, action), events=(_say("rule-in", player=player),))
        return settle_round(state) if len(state.committed) == PLAYERS else state

    def _bet(self, state: KingOfRouletteState, action: JsonObject) -> Bet:
        space = action["space"]
        if space not in (*SPACES, KING):
            raise self._refuse(state, "bad-space")
        return Bet(space, self._double(state, action))

    def _rule(self, state: KingOfRouletteState, action: JsonObject) -> Rule:
        one, two, guess = action["one"], action["two"], action["guess"]
        if not isinstance(one, list) or len(one) != 2 or one[0] == one[1] or not all(a in SPACES for a in one):
            raise self._refuse(state, "bad-one")
        if two not in SPACES or two in one:
            raise self._refuse(state, "bad-two")
        if guess not in GUESSES:
            raise self._refuse(state, "bad-guess")
        return Rule((one[0], one[1]), two, guess, self._double(state, action))

    def _double(self, state: KingOfRouletteState, action: JsonObject) -> bool | None:
        """Whether a double bonus is put to use; None where the action does not say."""
        if "double" not in action:
            return None
        double = action["double"]
        if not isinstance(double, bool):
            raise self._refuse(state, "bad-double")
        if double and not state.doubles[action["player"]]:
            raise self._refuse(state, "no-double", player=action["player"])
        return double

    def _refuse(self, state: KingOfRouletteState, slug: str, **values: str | int) -> Refused:
        return self.refuse(state, f"king-of-roulette/{slug}", _TEMPLATES[slug], **values)

    def details(self, state: KingOfRouletteState, player: str | None) -> JsonObject:
        """The game's keys; ``mine`` is in a player's own view alone."""
        seen: JsonObject = {
            "round": state.round,
            "king": state.king,
            "committed": list(state.committed),
            "points": dict(state.points),
            "garnets": dict(state.garnets),
            "doubles": dict(state.doubles),
            "double_price": {p: state.double_price(p) for p in state.players},
            "candidates": None if state.candidates is None else list(state.candidates),
            "history": [played.to_json() for played in state.history],
            "tokens": None if state.tokens is None else dict(state.tokens),
            "elimination_candidate": state.elimination_candidate,
        }
        return seen if player is None else {**seen, "mine": _mine(state, player)}


def _ballot(state: KingOfRouletteState, kind: str, field: str) -> tuple[Awaited, ...]:
    return tuple(
        Awaited(kind, p, fields=(field,), choice_field=field, choices=state.candidates)
        for p in state.electors
        if p not in state.ballots
    )


def _mine(state: KingOfRouletteState, player: str) -> JsonObject | None:
    """What the player has committed in this phase, as the action was, without its type and player."""
    if player in state.ballots:
        return {"for" if state.phase == "vote" else "candidate": state.ballots[player]}
    if player in state.bets:
        return state.bets[player].to_json()
    if player == state.king and state.rule is not None:
        return state.rule.to_json()
    return None


def _buy_double(state: KingOfRouletteState, player: str) -> KingOfRouletteState:
    price = state.double_price(player)
    return replace(
        state,
        garnets={**state.garnets, player: state.garnets[player] - price},
        doubles={**state.doubles, player: state.doubles[player] + 1},
        bought={**state.bought, player: state.bought[player] + 1},
        events=(_say("bought", player=player, price=price),),
    )
