"""Victim!: the supporter's choice of a die and of whom it is for."""

from host.controls.control import Answer, Button, Control, Fact, Pick, ShownDie
from host.controls.words import plain, say
from host.games.protocol import Awaited, JsonObject
from host.games.victim import BODIES, SIDES
from vision.dice import ACTION_DIE

LIKELIEST = {"support": "green", "sabotage": "red", "neutral": "white"}
"""The face with which a choice is drawn."""


def control(view: JsonObject, entry: Awaited) -> Control | None:
    """The control for what is awaited of a player; None for what this game does not know."""
    if entry.type != "intent":
        return None
    dice = tuple(
        Answer(die, say(f"{die}-die"), die=ShownDie(ACTION_DIE, body, LIKELIEST[die])) for die, body in BODIES.items()
    )
    role_of = {player: role for role, player in view["roles"].items()}
    sides = tuple(
        Answer(
            side,
            say(f"target-{side}", player=player, role=role_of[player]),
        )
        for side, player in beside(view, entry.player).items()
    )
    return Control(
        entry.type,
        entry.player,
        say("intent"),
        parts=(Pick(("die",), say("intent-die"), dice), Pick(("target",), say("intent-target"), sides)),
        buttons=(Button(say("intent-send")),),
        is_secret=True,
    )


def beside(view: JsonObject, player: str) -> dict[str, str]:
    """Who sits left and right of a player.

    >>> beside({"players": ["Ana", "Bo", "Chen"]}, "Bo")
    {'left': 'Chen', 'right': 'Ana'}
    """
    players = view["players"]
    seat = players.index(player)
    return {side: players[(seat + step) % len(players)] for side, step in zip(SIDES, (1, -1), strict=True)}


def secret(view: JsonObject, player: str) -> tuple[Fact, ...]:
    """What the player has chosen and nobody else may see yet; () if there is nothing."""
    intent = view["intent"]
    if view["phase"] != "battle" or not isinstance(intent, dict):
        return ()
    return (
        Fact(say("your-die"), say(intent["die"])),
        Fact(say("your-target"), plain(beside(view, player)[intent["target"]])),
    )
