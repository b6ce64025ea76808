"""RIG: each player's dice, queue and rig side by side, and the salvage pile between them."""

from collections import Counter
from typing import Any

from host.boards.board import Board, Figure, SeatView, awaited_of, is_winner, signed
from host.boards.words import word
from host.games.rig_tokens import COMPONENTS, Token
from host.records import JsonObject
from vision.dice import RIG_COLORS

_TO_DO = {"roll": "to-roll", "act": "to-act"}


def board(state: JsonObject) -> Board:
    """The scoreboard of a state that everybody may see."""
    return Board(
        subtitle=word("round", round=state["round"]) if state["round"] else word("round-zero"),
        figures=(),
        seats=tuple(_seat(state, player) for player in state["players"]),
        drawing="boards/rig.html",
        content={
            "sides": {player: _side(state, player) for player in state["players"]},
            "salvage": [
                {"color": color, "component": COMPONENTS[color], "count": state["salvage"][color]}
                for color in RIG_COLORS
            ],
            "resolving": [_token(token) for token in state["resolving"]],
            "caught": [
                {"title": word("caught", player=player), "tokens": tokens}
                for player in state["players"]
                if (tokens := [one["color"] for one in state["caught"] if one["player"] == player])
            ],
        },
        is_duel=True,
    )


def _seat(state: JsonObject, player: str) -> SeatView:
    awaited = awaited_of(state)
    is_over = state["winners"] is not None
    to_do = word(_TO_DO.get(awaited[player], "to-choose")) if player in awaited else None
    return SeatView(
        name=player,
        title=word("goes-first") if player == state["first"] and not is_over else None,
        standing=None if is_over else to_do,
        look="next" if to_do else "in",
        awaited=player in awaited,
        winner=is_winner(state, player),
        score=Figure(word("components"), str(len(set(state["rigs"][player])))),
    )


def _side(state: JsonObject, player: str) -> dict[str, Any]:
    tally, installed = state["tally"][player], Counter(state["rigs"][player])
    return {
        "dice": [
            {"face": f"{die['color']} {die['symbol']}", "name": _die_name(die), "out": die["out"]}
            for die in state["dice"][player] or ()
        ],
        "body": state["options"]["dice"][player],
        "tally": None if tally is None else word("tally", tally=signed(tally)),
        "queue": [_token(token) for token in state["queues"][player]],
        "rig": [{"color": color, "component": COMPONENTS[color], "count": installed[color]} for color in RIG_COLORS],
        "active": [word(active) for active in state["active"][player]],
    }


def _die_name(die: JsonObject) -> str:
    """Its colour and its sign; a blank has none."""
    sign = {"+": " +", "-": " −"}.get(die["symbol"], "")
    return word(die["color"]) + sign


def _token(token: JsonObject) -> dict[str, str]:
    return {**token, "name": Token(token["color"], token["side"]).name()}
