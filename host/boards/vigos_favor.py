"""Vigo's Favor: pot, stake and favor in the middle; who is in, who is out, who has yet to roll."""

from host.boards.board import Board, Figure, SeatView, awaited_of, is_winner, signed
from host.boards.words import word
from host.languages import number
from host.records import JsonObject

_OUTCOMES = {"vigo": "nobody-matched"}


def board(state: JsonObject) -> Board:
    """Vigo's Favor: pot, stake and favor in the middle; who is in, who is out, who has yet to roll."""
    over = state["winners"] is not None
    favor = state["favor"]
    figures = (
        Figure(word("pot"), number(state["pot"])),
        Figure(word("stake"), "–" if state["stake"] is None else number(state["stake"])),
        Figure(word("favor"), word(str(favor or "not-rolled")), favor),
    )
    awaited = awaited_of(state)
    seats = []
    for player in state["players"]:
        standing, look = _vigos_standing(state, player)
        seats.append(
            SeatView(
                name=player,
                title=word("vigo") if player == state["vigo"] else None,
                standing=None if over else standing,
                look="in" if over else look,
                awaited=player in awaited,
                winner=is_winner(state, player),
                score=Figure(word("credits"), signed(state["balances"][player])),
            )
        )
    return Board(
        subtitle=word("round-of", round=state["round"], rounds=state["options"]["rounds"]),
        figures=figures,
        seats=tuple(seats),
        note=_vigos_last_round(state["last_round"]),
    )


def _vigos_standing(state: JsonObject, player: str) -> tuple[str | None, str]:
    if player == state["vigo"]:
        return None, "in"
    if state["favor"] is None:
        return word("waits"), "next"
    if player not in state["in_favor"]:
        return word("out"), "out"
    if state["phase"] in ("raise", "challenge-favor", "challenge-roll"):
        return word("challenges"), "in"
    if state["phase"] == "mercy" and player == state["awaiting"][0]["player"]:
        return word("missed"), "next"
    if player in state["to_roll"]:
        return word("to-roll"), "next"
    if player in state["splitting"]:
        return word("would-split"), "in"
    return word("in-favor"), "in"


def _vigos_last_round(last: JsonObject | None) -> str | None:
    if last is None:
        return None
    paid = ", ".join(word("takes", player=player, credits=credits) for player, credits in last["paid"].items())
    outcome = word(str(_OUTCOMES.get(last["outcome"], last["outcome"])))
    return word("last-round", round=last["round"], outcome=outcome, paid=paid)
