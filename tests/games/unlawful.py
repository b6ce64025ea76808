"""Actions that nobody should send: lawful ones spoilt in one place, and any JSON at all."""

import json
from random import Random
from typing import Any

from host.games.protocol import JsonObject

SPOILS: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    7,
    1.0,
    1.5,
    1e300,
    float("nan"),
    float("inf"),
    10**30,
    "",
    "1",
    "red",
    "blue",
    "Ann",
    "left",
    "roll",
    "\ud800",
    "a\x00\n",
    "x" * 3000,
    [],
    [None],
    [[]],
    [1, 2],
    ["1", "1"],
    [{}],
    {},
    {"a": []},
    {"type": "roll"},
    {"kind": "chance-cube", "face": "red"},
    [{"kind": "pip-die", "face": "6", "body": []}],
)
"""Values that have broken programs before, of every type that JSON has (and two that only Python's reader knows)."""


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to every value inside a JSON value, the outermost first."""
    inside: list[tuple[Any, ...]] = [path]
    if isinstance(value, dict):
        for key, child in value.items():
            inside += places(child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            inside += places(child, (*path, index))
    return inside


def spoilt(action: JsonObject, rng: Random) -> Any:
    """A lawful action with one value replaced, removed, doubled or added; now and then it stays lawful."""
    copied = json.loads(json.dumps(action))
    path = rng.choice(places(copied))
    if not path:
        return rng.choice(
            (rng.choice(SPOILS), [copied], {**copied, rng.choice(("x", "", "body")): rng.choice(SPOILS)})
        )
    parent = copied
    for step in path[:-1]:
        parent = parent[step]
    how = rng.randrange(5)
    if how == 0:
        del parent[path[-1]]
    elif how == 1 and isinstance(parent, list):
        parent.append(parent[path[-1]])
    elif how == 2 and isinstance(parent, dict):
        parent[rng.choice(("x", "body", "kind", "double", "amount"))] = rng.choice(SPOILS)
    elif how == 3 and isinstance(parent[path[-1]], str):
        # Almost the right word.
        word = parent[path[-1]]
        parent[path[-1]] = rng.choice((word.upper(), word + " ", word[:-1], [word], {word: word}))
    else:
        parent[path[-1]] = rng.choice(SPOILS)
    return copied
