"""Victim!: health and roles at the seats, the battle in the middle, and what the last turn did."""

from typing import Any

from host.boards.board import Board, Figure, SeatView, awaited_of, is_winner
from host.boards.words import word
from host.controls.victim import beside
from host.games.victim import BODIES, HEALTH, LAST_VICTIMS_HEALTH
from host.records import JsonObject

_MARKS = {"attacker": "attack", "supporter": "support", "victim": "defence"}


def board(state: JsonObject) -> Board:
    """The scoreboard of a state that everybody may see."""
    return Board(
        subtitle=word("turn", turn=state["turn"]) if state["turn"] else word("first-attack"),
        figures=(),
        seats=tuple(_seat(state, player) for player in state["players"]),
        drawing="boards/victim.html",
        content={
            "first": _first_rolls(state) if state["phase"] == "first-roll" else None,
            "sides": _sides(state),
            "intent": _intent(state, state["intent"], state["roles"]),
            "last": _last_turn(state),
        },
    )


def _seat(state: JsonObject, player: str) -> SeatView:
    role = next((role for role, holder in (state["roles"] or {}).items() if holder == player), None)
    awaited = awaited_of(state)
    health = state["health"][player]
    most = LAST_VICTIMS_HEALTH if player == state["options"]["last_victim"] else HEALTH
    is_over = state["winners"] is not None
    standing = {"roll": word("to-roll"), "intent": word("chooses")}.get(awaited.get(player, ""))
    return SeatView(
        name=player,
        title=word(role) if role else None,
        standing=None if is_over else standing,
        look="out" if health == 0 else "next" if player in awaited else "in",
        awaited=player in awaited,
        winner=is_winner(state, player),
        score=Figure(word("health"), str(health)),
        health=(health, max(most, health)),
        title_mark=_MARKS.get(role or "", "vigo"),
    )


def _first_rolls(state: JsonObject) -> list[dict[str, Any]]:
    rolled = state["first_rolls"]
    return [{"player": p, "face": str(rolled[p]) if p in rolled else None} for p in state["players"]]


def _sides(state: JsonObject) -> list[dict[str, Any]]:
    """The two who fight, each with the dice that they have rolled."""
    if state["roles"] is None:
        return []
    return [
        {
            "title": word("attack" if role == "attacker" else "defence"),
            "player": state["roles"][role],
            "faces": [str(pips) for pips in state["battle"][role] or ()],
            "total": sum(state["battle"][role]) if state["battle"][role] else None,
        }
        for role in ("attacker", "victim")
    ]


def _intent(state: JsonObject, intent: Any, roles: Any) -> dict[str, Any]:
    """The supporter's die as everybody may see it: nothing yet, hidden, or which and for whom."""
    if not isinstance(intent, dict):
        return {"text": word("intent-none" if intent is None else "intent-hidden"), "is_hidden": intent is not None}
    target = beside(state, roles["supporter"])[intent["target"]]
    return {
        "text": word("intent-shown", die=word(intent["die"]), target=target),
        "body": BODIES[intent["die"]],
        "is_hidden": False,
    }


def _last_turn(state: JsonObject) -> dict[str, Any] | None:
    last = state["last_turn"]
    if last is None:
        return None
    roles = last["roles"]
    outcome = "attacker-won" if last["outcome"] == "attacker" else "victim-held"
    return {
        "title": word("last-turn", turn=last["turn"]),
        "outcome": word(outcome, attacker=roles["attacker"], victim=roles["victim"]),
        "totals": word("totals", attack=last["totals"]["attacker"], defence=last["totals"]["victim"]),
        "attack": [str(pips) for pips in last["battle"]["attacker"]],
        "defence": [str(pips) for pips in last["battle"]["victim"]],
        "intent": _intent(state, last["intent"], roles),
        "faces": last["action_faces"],
        "number": last["number"],
        "damage": [word("lost-health", player=player, count=count) for player, count in last["damage"].items()],
    }
