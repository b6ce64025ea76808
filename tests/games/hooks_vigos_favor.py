"""What random play of Vigo's Favor needs to know: small amounts, few rounds, every variant."""

from random import Random
from typing import Any

from host.games.protocol import Awaited, JsonObject


def free_fields(_view: JsonObject, entry: Awaited, rng: Random) -> JsonObject:
    """An amount for a stake or a raise."""
    return {"amount": rng.choice((1, 1, 2, 3, 7, 1_000_000_000))} if entry.type in ("stake", "raise") else {}


def options(players: tuple[str, ...], rng: Random) -> JsonObject:
    """Each option at random, or left out."""
    drawn: dict[str, Any] = {
        "rounds": rng.randint(1, 4),
        "vigo": rng.choice(players),
        "house_vigo": rng.random() < 0.5,
        "rising_stakes": rng.choice((0, 1, 5)),
        "mercy": rng.random() < 0.5,
    }
    return {name: value for name, value in drawn.items() if rng.random() < 0.7}
