"""What random play of Val-Des needs to know: few sets, every option. Every answer is a roll or a closed choice."""

from random import Random
from typing import Any

from host.games.protocol import JsonObject


def options(players: tuple[str, ...], rng: Random) -> JsonObject:
    """Each option at random, or left out."""
    drawn: dict[str, Any] = {
        "sets": rng.randint(1, 8),
        "ante": rng.choice((0, 1, 5, 1_000_000_000)),
        "scorekeeper": rng.choice(players),
    }
    return {name: value for name, value in drawn.items() if rng.random() < 0.7}
