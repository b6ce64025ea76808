"""Val-Des: the cup in the middle, the calls in their order, points, streaks and every set so far."""

from typing import Any

from host.boards.board import Board, Chip, Figure, SeatView, awaited_of, is_winner, ordinal
from host.boards.words import word
from host.records import JsonObject

FACES = {"val": "red", "des": "blue"}


def board(state: JsonObject) -> Board:
    """The scoreboard of a state that everybody may see."""
    history = state["history"]
    last = history[-1]["result"] if history else None
    is_extra = state["leaders"] is not None
    numbers = {"set": state["set"], "sets": state["options"]["sets"]}
    return Board(
        subtitle=word("extra-set", set=state["set"]) if is_extra else word("set-of", **numbers),
        figures=(
            *((Figure(word("pot"), f"{state['pot']:,}"),) if state["options"]["ante"] else ()),
            Figure(word("last-cube"), word(last) if last else word("no-cube"), last),
        ),
        seats=tuple(_seat(state, player) for player in state["players"]),
        drawing="boards/val_des.html",
        content={
            "phase": state["phase"],
            "cup": word(f"cup-{state['phase']}", player=state["caster"])
            if state["phase"] == "set"
            else word(f"cup-{state['phase']}"),
            "history": [_played(one) for one in reversed(history)],
        },
    )


def _seat(state: JsonObject, player: str) -> SeatView:
    is_over = state["winners"] is not None
    awaited = awaited_of(state)
    call = state["calls"].get(player)
    streak, bonus = state["streak"][player], state["bonus"][player]
    chips = (
        *((Chip(word(call), face=FACES[call]),) if call else ()),
        *((Chip(word("in-a-row", count=streak)),) if streak > 1 else ()),
        *((Chip(word("bonus", bonus=bonus)),) if bonus else ()),
    )
    standing, look = (None, "in") if is_over or call else _standing(state, player)
    return SeatView(
        name=player,
        title=word("caster") if player == state["caster"] and not is_over else None,
        standing=standing,
        look=look,
        awaited=player in awaited,
        winner=is_winner(state, player),
        score=Figure(word("points"), str(state["points"][player])),
        chips=chips,
        title_mark="cup",
    )


def _standing(state: JsonObject, player: str) -> tuple[str | None, str]:
    if player not in state["calling"]:
        return (None, "in") if player == state["caster"] else (word("does-not-call"), "out")
    if state["phase"] == "call" and state["calling"][0] == player:
        return word("calls-next"), "next"
    place = len(state["calls"]) + state["calling"].index(player) + 1
    return word("calls-later", place=ordinal(place)), "next"


def _played(one: JsonObject) -> dict[str, Any]:
    call = "val" if one["result"] == "red" else "des"
    right = [player for player, called in one["calls"].items() if called == call]
    return {
        "title": word("set-number", set=one["set"]),
        "by": word("by", player=one["caster"]),
        "face": one["result"],
        "call": word(call),
        "right": word("right", count=len(right)),
        "names": ", ".join(right),
    }
