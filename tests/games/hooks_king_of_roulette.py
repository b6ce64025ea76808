"""What random play of King of Roulette needs to know: bets and rules, and what is secret until all are in."""

from random import Random
from typing import Any

from host.games.protocol import Awaited, JsonObject

SECRET_TYPES = frozenset({"vote", "bet", "rule", "condemn"})
SPACES = ("1", "2", "3", "4", "5", "6")


def free_fields(view: JsonObject, entry: Awaited, rng: Random) -> JsonObject:
    """A bet or a rule, with a double bonus now and then where one is owned."""
    fields: dict[str, Any] = {}
    if entry.type == "bet":
        fields["space"] = rng.choice((*SPACES, "king"))
    elif entry.type == "rule":
        first, second, fields["two"] = rng.sample(SPACES, 3)
        fields["one"] = [first, second]
        fields["guess"] = rng.choice(("0-1", "2-3", "4-5", "6"))
    else:
        return {}
    owned = view["doubles"][entry.player] > 0
    return {**fields, **rng.choice(({}, {"double": False}, {"double": owned}))}


def secret_holds(view: JsonObject, player: str) -> bool:
    """Whether what the player has committed is still secret."""
    return player in view["committed"]


def options(_players: tuple[str, ...], rng: Random) -> JsonObject:
    """No garnets, a few or many, or the option left out."""
    return rng.choice(({}, {"garnets": 0}, {"garnets": 2}, {"garnets": 20}, {"garnets": 1_000_000_000}))
