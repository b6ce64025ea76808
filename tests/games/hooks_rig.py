"""What random play of RIG needs to know: lawful targets, tokens and sides, read from the public state alone."""

from random import Random
from typing import Any

from host.games.protocol import Awaited, JsonObject

ACTIONS = {"purple": "flip", "black": "extra", "gold": "steal"}
SIDES = ("component", "action")


def free_fields(view: JsonObject, entry: Awaited, rng: Random) -> JsonObject:
    """What a player of RIG could answer: mostly something, sometimes nothing."""
    me = entry.player
    if entry.type == "set-aside":
        color, count = view["to_set_aside"]["color"], view["to_set_aside"]["count"]
        own = [i for i, die in enumerate(view["dice"][me]) if die["color"] == color and not die["out"]]
        return {"color": color, "dice": rng.sample(own, count)}
    if entry.type == "place":
        caught = [token for token in view["caught"] if token["player"] == me]
        return {"sides": [rng.choice(SIDES) for _ in caught]}
    if entry.type == "collect":
        tokens = [
            {"color": color, "side": rng.choice(SIDES)}
            for color, most in view["can_take"].items()
            for _ in range(rng.choice((most, most, rng.randint(0, most))))
        ]
        rng.shuffle(tokens)
        return {"tokens": tokens}
    if entry.type == "act":
        action = ACTIONS[view["resolving"][0]["color"]]
        return {action: None if rng.random() < 0.15 else rng.choice(_targets(view, me, action, rng))}
    return {}


def _targets(view: JsonObject, me: str, action: str, rng: Random) -> list[JsonObject]:
    """Every lawful target of an action."""
    if action == "flip":
        dice = [
            {"die": {"player": owner, "index": i}}
            for owner, rolled in view["dice"].items()
            for i, die in enumerate(rolled)
            if not die["out"]
        ]
        return dice + [
            {"token": {"player": owner, "index": i}}
            for owner, queue in view["queues"].items()
            for i in range(len(queue))
        ]
    if action == "extra":
        return [{"color": color, "side": rng.choice(SIDES)} for color, count in view["salvage"].items() if count]
    victim = next(player for player in view["players"] if player != me)
    return [
        {"die": i, "color": color, "side": rng.choice(SIDES)}
        for i, die in enumerate(view["dice"][me])
        if not die["out"]
        for color in view["rigs"][victim]
    ]


def options(players: tuple[str, ...], rng: Random) -> JsonObject:
    """Each option at random, or left out; few tokens, so that stock runs out."""
    drawn: dict[str, Any] = {
        "tokens_per_color": rng.choice((1, 1, 2, 3, 5)),
        "dice": {player: rng.choice(("black", "white")) for player in players},
        "queue": rng.choice(("fifo", "lifo")),
        "per_die": rng.random() < 0.5,
    }
    return {name: value for name, value in drawn.items() if rng.random() < 0.7}
