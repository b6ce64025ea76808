"""Vigo's Favor: pot, stake and favor in the middle; who is in, who is out, who has yet to roll."""

from host.boards.board import Board, Figure, SeatView, awaited_of, is_winner, signed
from host.records import JsonObject


def board(state: JsonObject) -> Board:
    """Vigo's Favor: pot, stake and favor in the middle; who is in, who is out, who has yet to roll."""
    over = state["winners"] is not None
    favor = state["favor"]
    figures = (
        Figure("Pot", f"{state['pot']:,}"),
        Figure("Stake", "–" if state["stake"] is None else f"{state['stake']:,}"),
        Figure("Favor", favor or "not rolled", favor),
    )
    awaited = awaited_of(state)
    seats = []
    for player in state["players"]:
        standing, look = _vigos_standing(state, player)
        seats.append(
            SeatView(
                name=player,
                title="Vigo" if player == state["vigo"] else None,
                standing=None if over else standing,
                look="in" if over else look,
                awaited=player in awaited,
                winner=is_winner(state, player),
                score=Figure("credits", signed(state["balances"][player])),
            )
        )
    return Board(
        subtitle=f"Round {state['round']} of {state['options']['rounds']}",
        figures=figures,
        seats=tuple(seats),
        note=_vigos_last_round(state["last_round"]),
    )


def _vigos_standing(state: JsonObject, player: str) -> tuple[str | None, str]:
    if player == state["vigo"]:
        return None, "in"
    if state["favor"] is None:
        return "waits", "next"
    if player not in state["in_favor"]:
        return "out", "out"
    if state["phase"] in ("raise", "challenge-favor", "challenge-roll"):
        return "challenges", "in"
    if state["phase"] == "mercy" and player == state["awaiting"][0]["player"]:
        return "missed", "next"
    if player in state["to_roll"]:
        return "to roll", "next"
    if player in state["splitting"]:
        return "would split", "in"
    return "in favor", "in"


_OUTCOMES = {
    "vigo": "nobody matched",
    "claim": "claimed",
    "split": "split",
    "challenge-won": "challenge won",
    "challenge-lost": "challenge lost",
}


def _vigos_last_round(last: JsonObject | None) -> str | None:
    if last is None:
        return None
    paid = ", ".join(f"{player} takes {credits:,}" for player, credits in last["paid"].items())
    return f"Round {last['round']}: {_OUTCOMES[last['outcome']]}; {paid}."
