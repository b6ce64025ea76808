"""Vigo's Favor in play: its actions by short names, and what a state shows."""

from typing import Any

import pytest

from host.games.protocol import JsonObject
from host.games.sentence import Refused
from host.games.vigos_favor import VigosFavor, VigosFavorState

GAME = VigosFavor()
FIVE = ("V", "P1", "P2", "P3", "P4")
FOUR = ("V", "A", "B", "C")


def stake(player: str, amount: Any) -> JsonObject:
    return {"type": "stake", "player": player, "amount": amount}


def roll(player: str, face: str) -> JsonObject:
    return {"type": "roll", "player": player, "dice": [{"kind": "chance-cube", "face": face}]}


def mercy(player: str, buy: Any) -> JsonObject:
    return {"type": "mercy", "player": player, "buy": buy}


def decide(player: str, choice: Any) -> JsonObject:
    return {"type": "decide", "player": player, "choice": choice}


def raised(player: str, amount: Any) -> JsonObject:
    return {"type": "raise", "player": player, "amount": amount}


def rolls(**faces: str) -> list[JsonObject]:
    return [roll(player, face) for player, face in faces.items()]


def play(players: tuple[str, ...], *actions: JsonObject, **options: Any) -> VigosFavorState:
    state = GAME.open(players, options)
    for action in actions:
        state = GAME.apply(state, action)
        assert sum(state.balances.values()) + state.pot == 0
    return state


def shows(state: VigosFavorState, **expected: Any) -> None:
    view = GAME.view(state)
    assert {key: view[key] for key in expected} == expected


def awaits(state: VigosFavorState, *entries: JsonObject) -> None:
    assert GAME.view(state)["awaiting"] == list(entries)


def a_roll(player: str) -> JsonObject:
    return {"type": "roll", "player": player, "dice": [{"kind": "chance-cube", "body": None, "count": 1}]}


def refused(state: VigosFavorState, action: Any) -> str:
    before = GAME.view(state)
    with pytest.raises(Refused) as caught:
        GAME.apply(state, action)
    assert GAME.view(state) == before
    return caught.value.slug
