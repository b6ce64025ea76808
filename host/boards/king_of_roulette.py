"""King of Roulette: the spaces of the round that was opened last, points and garnets at the seats, every round."""

from typing import Any

from host.boards.board import Board, Chip, Figure, SeatView, awaited_of, is_winner
from host.boards.words import word
from host.games.king_of_roulette_round import GUESS_POINTS, KING, ROUNDS, SPACES
from host.languages import number
from host.records import JsonObject

_TO_DO = {
    "vote": "to-vote",
    "bet": "to-bet",
    "rule": "to-rule",
    "buy-double": "to-bet",
    "name-king": "to-name",
    "condemn": "to-condemn",
}


def board(state: JsonObject) -> Board:
    """The scoreboard of a state that everybody may see."""
    history = state["history"]
    is_vote = state["round"] == 0
    closed = "votes-closed" if is_vote else "closed"
    return Board(
        subtitle=word("vote-round") if is_vote else word("round-of", round=state["round"], rounds=ROUNDS),
        figures=(),
        seats=tuple(_seat(state, player) for player in state["players"]),
        drawing="boards/king_of_roulette.html",
        content={
            "caption": word("opened", round=history[-1]["round"]) if history else word(closed),
            "spaces": _spaces(history[-1] if history else None),
            "guess": _guess(history[-1]) if history else None,
            "history": [_played(one) for one in reversed(history)],
        },
        has_throws=False,
    )


def _seat(state: JsonObject, player: str) -> SeatView:
    awaited = awaited_of(state)
    is_over = state["winners"] is not None
    standing, look = None, "in"
    if player in state["committed"]:
        standing = word("has-chosen")
    elif player in awaited:
        standing, look = word(_TO_DO[awaited[player]]), "next"
    return SeatView(
        name=player,
        title=word("king") if player == state["king"] else None,
        standing=None if is_over else standing,
        look=look,
        awaited=player in awaited,
        winner=is_winner(state, player),
        score=Figure(word("points"), str(state["points"][player])),
        chips=_chips(state, player),
    )


def _chips(state: JsonObject, player: str) -> tuple[Chip, ...]:
    garnets, doubles = state["garnets"][player], state["doubles"][player]
    tokens = (state["tokens"] or {}).get(player, 0)
    candidates = state["candidates"] or ()
    is_some = len(candidates) < len(state["players"])
    return (
        Chip(_count("one-garnet", "garnets", garnets), mark="garnet"),
        *((Chip(_count("one-double", "doubles", doubles), mark="double"),) if doubles else ()),
        *((_candidate(state["phase"]),) if player in candidates and is_some else ()),
        *((Chip(_count("one-token", "tokens", tokens), mark="heart"),) if tokens else ()),
        *((Chip(word("eliminated"), mark="out"),) if player == state["elimination_candidate"] else ()),
    )


def _candidate(phase: str) -> Chip:
    """Who may be named as king, or, at the end of the game, who may be condemned."""
    return Chip(word("may-be-condemned"), mark="out") if phase == "condemn" else Chip(word("candidate"), mark="vigo")


def _count(one: str, many: str, count: int) -> str:
    return word(one) if count == 1 else word(many, count=number(count))


def _spaces(last: JsonObject | None) -> list[dict[str, Any]]:
    """Each space with what it paid in the round, and who had bet on it."""
    pays: dict[str, int] = {}
    bets: dict[str, str] = {}
    if last is not None:
        pays = {**dict.fromkeys(last["rule"]["one"], 1), last["rule"]["two"]: 2}
        bets = last["bets"]
    return [
        {
            "space": space,
            "name": word("space-king") if space == KING else space,
            "pays": word("pays", points=pays[space]) if space in pays else None,
            "points": pays.get(space, 0),
            "bettors": [player for player, bet in bets.items() if bet == space],
        }
        for space in (*SPACES, KING)
    ]


def _guess(last: JsonObject) -> str:
    guess, king = last["rule"]["guess"], last["king"]
    is_right = bool(last["earned"][king])
    points = GUESS_POINTS[guess] * (2 if king in last["doubled"] else 1)
    if not is_right:
        return word("guessed-wrong", king=king, guess=guess)
    return word("guessed", king=king, guess=guess, points=points)


def _played(one: JsonObject) -> dict[str, Any]:
    rule = one["rule"]
    earned = sorted(((player, n) for player, n in one["earned"].items() if n), key=lambda each: -each[1])
    return {
        "title": word("round-short", round=one["round"]),
        "king": one["king"],
        "rule": word("rule-short", first=rule["one"][0], second=rule["one"][1], two=rule["two"]),
        "earned": ", ".join(f"{player} +{n}" for player, n in earned) or word("nobody"),
    }
