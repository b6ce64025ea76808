"""Val-Des: the cup is down, and the calls."""

from host.controls.control import Button, Control, ShownDie
from host.controls.words import say
from host.games.protocol import Awaited, JsonObject
from vision.dice import CHANCE_CUBE


def control(view: JsonObject, entry: Awaited) -> Control | None:
    """The control for what is awaited of a player; None for what this game does not know."""
    if entry.type == "set":
        return Control(entry.type, entry.player, say("set"), note=say("set-note"), buttons=(Button(say("set-send")),))
    if entry.type == "call":
        faces = {"val": "red", "des": "blue"}
        return Control(
            entry.type,
            entry.player,
            say("call"),
            buttons=tuple(
                Button(say(f"call-{call}"), {"call": call}, die=ShownDie(CHANCE_CUBE, None, face))
                for call, face in faces.items()
            ),
        )
    return None
