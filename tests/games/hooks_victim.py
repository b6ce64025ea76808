"""What random play of Victim! needs to know: an intent, which is secret until the action die is rolled."""

from random import Random

from host.games.protocol import Awaited, JsonObject

SECRET_TYPES = frozenset({"intent"})


def free_fields(_view: JsonObject, entry: Awaited, rng: Random) -> JsonObject:
    """Whom the supporter's die is for, and which it is."""
    if entry.type != "intent":
        return {}
    return {"target": rng.choice(("left", "right")), "die": rng.choice(("support", "sabotage", "neutral"))}


def secret_holds(view: JsonObject, _player: str) -> bool:
    """Whether the intent is still secret."""
    return bool(view["phase"] == "battle" and view["intent"] is not None)


def options(players: tuple[str, ...], rng: Random) -> JsonObject:
    """Somebody's health from the game before, nobody's, or the option left out."""
    return rng.choice(({}, {"last_victim": None}, {"last_victim": rng.choice(players)}))
