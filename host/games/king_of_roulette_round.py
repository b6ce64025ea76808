"""King of Roulette: the state of its table, and what follows once everybody's secret choices are in."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from host.games.protocol import JsonObject, State
from host.games.sentence import Sentence

ROUNDS = 7
SPACES = ("1", "2", "3", "4", "5", "6")
KING = "king"
GUESSES = ("0-1", "2-3", "4-5", "6")
GUESS_POINTS = {"0-1": 4, "2-3": 3, "4-5": 2, "6": 1}
FIRST_PRICE = 2
POINTS_PER_GARNET = 5
TOKENS_EACH = {1: 2, 2: 1, 3: 1}
"""Tokens of life for each leader, by how many lead; more than three get none."""

_TEMPLATES = {
    "vote-shown": "{player} votes for {candidate}.",
    "vote-tied": "{names} tie, and everybody votes again among them.",
    "round": "Round {round}: {king} is king.",
    "rule-shown": "{king}'s rule: {first} and {second} earn 1, {two} earns 2, and {guess} will earn.",
    "bet-shown": "{player} bet on {space} and earns {points}.",
    "bet-shown-doubled": "{player} bet on {space} and earns {points}, doubled.",
    "bet-on-king": "{player} bet on becoming king.",
    "bet-on-king-doubled": "{player} bet on becoming king and has spent a double bonus.",
    "guess": "{count} earn points: {king} guessed {guess} and earns {points}.",
    "guess-doubled": "{count} earn points: {king} guessed {guess} and earns {points}, doubled.",
    "garnets": "{player} reaches {points} points: {count} garnets.",
    "succession-tied": "{names} bet on king and have equally few points: {king} names one of them.",
    "succession-open": "Nobody bet on king: {king} names anyone.",
    "condemnation-shown": "{player} condemns {candidate}.",
    "condemn-begins": "{names} are last with {points} points; the leaders choose among them.",
    "condemn-again": "{names} tie, and the leaders choose again among them.",
    "condemn-king": "{names} tie again, and {king} chooses among them.",
    "all-equal": "All have {points} points, and nobody wins.",
    "leader": "{player} leads with {points} points: {tokens} tokens of life.",
    "candidate": "{player} is the elimination candidate.",
}


def _say(slug: str, **values: str | int) -> Sentence:
    return Sentence(f"king-of-roulette/{slug}", _TEMPLATES[slug], values)


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet on a space of 1 to 6, or on king; ``double`` is None where the player did not say."""

    space: str
    double: bool | None = None

    def to_json(self) -> JsonObject:
        """As its own player may see it before all are in."""
        return {"space": self.space, **_said(self.double)}


@dataclass(frozen=True, slots=True)
class Rule:
    """The king's rule: the two spaces that earn 1, the one that earns 2, and how many the king thinks will earn."""

    one: tuple[str, str]
    two: str
    guess: str
    double: bool | None = None

    def to_json(self) -> JsonObject:
        """As its own king may see it before all are in."""
        return {"one": list(self.one), "two": self.two, "guess": self.guess, **_said(self.double)}


def _said(double: bool | None) -> JsonObject:
    return {} if double is None else {"double": double}


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round that is settled."""

    round: int
    king: str
    bets: Mapping[str, str]
    rule: Rule
    doubled: tuple[str, ...]
    earned: Mapping[str, int]

    def to_json(self) -> JsonObject:
        """As `history` lists it."""
        return {
            "round": self.round,
            "king": self.king,
            "bets": dict(self.bets),
            "rule": {"one": list(self.rule.one), "two": self.rule.two, "guess": self.rule.guess},
            "doubled": list(self.doubled),
            "earned": dict(self.earned),
        }


@dataclass(frozen=True, kw_only=True)
class KingOfRouletteState(State):
    """A table of King of Roulette.

    ``electors`` are those who vote or condemn in this ballot, ``ballots`` whom those who have done so named.
    ``ballot`` counts the ballots of a phase from 1; ``bought`` how many double bonuses each player ever bought.
    """

    round: int = 0
    king: str | None = None
    electors: tuple[str, ...] = ()
    ballots: Mapping[str, str] = field(default_factory=dict)
    ballot: int = 1
    bets: Mapping[str, Bet] = field(default_factory=dict)
    rule: Rule | None = None
    points: Mapping[str, int]
    garnets: Mapping[str, int]
    doubles: Mapping[str, int]
    bought: Mapping[str, int]
    candidates: tuple[str, ...] | None = None
    history: tuple[PlayedRound, ...] = ()
    tokens: Mapping[str, int] | None = None
    elimination_candidate: str | None = None

    @property
    def ruler(self) -> str:
        """The king, in a phase that has one."""
        assert self.king is not None  # noqa: S101  (set in every phase after the vote)
        return self.king

    @property
    def committed(self) -> tuple[str, ...]:
        """Who has voted, bet, ruled or condemned in this ballot or round, in seat order."""
        ruled = () if self.rule is None else (self.king,)
        return tuple(p for p in self.players if p in self.ballots or p in self.bets or p in ruled)

    @property
    def king_decides(self) -> bool:
        """Whether the leaders have tied twice over whom to condemn, so that the king alone chooses."""
        return self.phase == "condemn" and self.ballot > 2

    def double_price(self, player: str) -> int:
        """What the player's next double bonus costs, in garnets."""
        return FIRST_PRICE + self.bought[player]


def voted(state: KingOfRouletteState) -> KingOfRouletteState:
    """After a vote: once all are in, the first king, or another vote among the tied."""
    if len(state.ballots) < len(state.electors):
        return state
    state, most = _count_ballots(state, "vote-shown")
    if len(most) == 1:
        return begin_round(state, most[0])
    tied = _say("vote-tied", names=", ".join(most))
    return replace(state, candidates=most, events=(*state.events, tied))


def begin_round(state: KingOfRouletteState, king: str) -> KingOfRouletteState:
    """The next round, in which ``king`` rules."""
    number = state.round + 1
    return replace(
        state,
        phase="bets",
        round=number,
        king=king,
        electors=(),
        candidates=None,
        events=(*state.events, _say("round", round=number, king=king)),
    )


def settle_round(state: KingOfRouletteState) -> KingOfRouletteState:
    """All bets and the rule are in: points, garnets, the entry in the history, and what comes next."""
    king, rule, bets = state.ruler, state.rule, state.bets
    assert rule is not None  # noqa: S101  (the round is settled once the king has ruled)
    pays = {rule.one[0]: 1, rule.one[1]: 1, rule.two: 2}
    earned = {p: pays.get(bets[p].space, 0) if p in bets else 0 for p in state.players}
    count = sum(1 for points in earned.values() if points)
    if rule.guess == GUESSES[count // 2]:
        earned[king] = GUESS_POINTS[rule.guess]
    doubled = tuple(p for p in state.players if (rule if p == king else bets[p]).double)
    earned = {p: 2 * n if p in doubled else n for p, n in earned.items()}
    points = {p: n + earned[p] for p, n in state.points.items()}
    won = {p: n // POINTS_PER_GARNET - state.points[p] // POINTS_PER_GARNET for p, n in points.items()}
    spaces = {p: bets[p].space for p in state.players if p in bets}
    state = replace(
        state,
        bets={},
        rule=None,
        points=points,
        garnets={p: n + won[p] for p, n in state.garnets.items()},
        doubles={p: n - (p in doubled) for p, n in state.doubles.items()},
        history=(*state.history, PlayedRound(state.round, king, spaces, rule, doubled, earned)),
        events=(
            *state.events,
            _say("rule-shown", king=king, first=rule.one[0], second=rule.one[1], two=rule.two, guess=rule.guess),
            *(_bet_shown(p, spaces[p], earned[p], p in doubled) for p in spaces),
            _say(
                "guess-doubled" if king in doubled else "guess",
                count=count,
                king=king,
                guess=rule.guess,
                points=earned[king],
            ),
            *(_say("garnets", player=p, points=points[p], count=won[p]) for p in state.players if won[p]),
        ),
    )
    return _succeed(state, spaces) if state.round < ROUNDS else _finish(state)


def _bet_shown(player: str, space: str, points: int, doubled: bool) -> Sentence:
    if space == KING:
        return _say("bet-on-king-doubled" if doubled else "bet-on-king", player=player)
    return _say("bet-shown-doubled" if doubled else "bet-shown", player=player, space=space, points=points)


def _succeed(state: KingOfRouletteState, spaces: Mapping[str, str]) -> KingOfRouletteState:
    """The next king among those who bet on king, or the king's to name."""
    bettors = [p for p in state.players if spaces.get(p) == KING]
    fewest = min((state.points[p] for p in bettors), default=0)
    heirs = tuple(p for p in bettors if state.points[p] == fewest)
    if len(heirs) == 1:
        return begin_round(state, heirs[0])
    said = (
        _say("succession-tied", names=", ".join(heirs), king=state.ruler)
        if heirs
        else _say("succession-open", king=state.ruler)
    )
    return replace(state, phase="succession", candidates=heirs or state.players, events=(*state.events, said))


def _finish(state: KingOfRouletteState) -> KingOfRouletteState:
    """After the last round: the end, or the leaders' choice among those who are last."""
    leaders, last = _first_and_last(state)
    if leaders == last:
        return _end(state, state.ruler)
    if len(last) == 1:
        return _end(state, last[0])
    said = _say("condemn-begins", names=", ".join(last), points=state.points[last[0]])
    return replace(state, phase="condemn", electors=leaders, candidates=last, ballot=1, events=(*state.events, said))


def condemned(state: KingOfRouletteState) -> KingOfRouletteState:
    """After a condemnation: once all are in, the candidate, or another ballot; after two, the king's choice."""
    if len(state.ballots) < len(state.electors):
        return state
    state, most = _count_ballots(state, "condemnation-shown")
    if len(most) == 1:
        return _end(state, most[0])
    state = replace(state, candidates=most, ballot=state.ballot + 1)
    names = ", ".join(most)
    if state.king_decides:
        said = _say("condemn-king", names=names, king=state.ruler)
        return replace(state, electors=(state.ruler,), events=(*state.events, said))
    return replace(state, events=(*state.events, _say("condemn-again", names=names)))


def _end(state: KingOfRouletteState, candidate: str) -> KingOfRouletteState:
    """Tokens of life for the leaders, and the elimination candidate."""
    leaders, last = _first_and_last(state)
    all_equal = leaders == last
    each = 0 if all_equal else TOKENS_EACH.get(len(leaders), 0)
    said = (
        (_say("all-equal", points=state.points[candidate]),)
        if all_equal
        else tuple(_say("leader", player=p, points=state.points[p], tokens=each) for p in leaders)
    )
    return replace(
        state,
        phase="over",
        winners=() if all_equal else leaders,
        electors=(),
        candidates=None,
        tokens={p: each if p in leaders else 0 for p in state.players},
        elimination_candidate=candidate,
        events=(*state.events, *said, _say("candidate", player=candidate)),
    )


def _count_ballots(state: KingOfRouletteState, shown: str) -> tuple[KingOfRouletteState, tuple[str, ...]]:
    """The state with the ballots told and put away, and who has the most of them, in seat order."""
    votes = Counter(state.ballots.values())
    most = tuple(p for p in state.players if votes[p] == max(votes.values()))
    told = (_say(shown, player=p, candidate=state.ballots[p]) for p in state.electors)
    return replace(state, ballots={}, events=(*state.events, *told)), most


def _first_and_last(state: KingOfRouletteState) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Those with the most points and those with the fewest, in seat order; the same if all are equal."""
    high, low = max(state.points.values()), min(state.points.values())
    leaders = tuple(p for p in state.players if state.points[p] == high)
    return leaders, tuple(p for p in state.players if state.points[p] == low)
