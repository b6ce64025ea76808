"""Filling in a control as a thumb would, with answers drawn at random."""

from collections import Counter
from random import Random
from typing import Any

from host.controls.control import Amount, Button, Control, Ordered, Part, Path, Pick, Tick


def answered(control: Control, button: Button, rng: Random) -> dict[str, Any]:
    """The action that ``button`` sends once every part is filled in."""
    action: dict[str, Any] = {"type": control.type, "player": control.player}
    taken: dict[str, list[Any]] = {}
    for part in () if button.alone else control.parts:
        fill(action, part, rng, taken)
    return {**action, **button.fields}


def fill(action: dict[str, Any], part: Part, rng: Random, taken: dict[str, list[Any]]) -> None:
    """Fill in one part. ``taken`` are the values that picks apart from one another have used."""
    match part:
        case Pick():
            used = taken.setdefault(part.apart or repr(part.path), []) if part.apart else []
            chosen = rng.sample([each.value for each in part.answers if each.value not in used], part.count)
            used.extend(chosen)
            put(action, part.path, chosen if part.many else chosen[0])
        case Ordered():
            put(action, part.path, in_order(part, rng))
        case Amount():
            amounts = [n for n in (*part.presets, part.start, part.least, part.most) if part.least <= n <= part.most]
            put(action, part.path, rng.choice(amounts))
        case Tick():
            if rng.random() < 0.5:
                put(action, part.path, True)


def in_order(part: Ordered, rng: Random) -> list[Any]:
    """As many answers as may be chosen, within the limits."""
    chosen: list[Any] = []
    counts = Counter[str]()
    for _ in range(rng.randint(part.least, part.most)):
        left = [each for each in part.answers if each.limit is None or counts[each.limit] < part.limits[each.limit]]
        answer = rng.choice(left)
        chosen.append(answer.value)
        counts[answer.limit or ""] += 1
    return chosen


def put(action: dict[str, Any], path: Path, value: Any) -> None:
    """Put a value at its place; a list goes on where there is one already."""
    *parents, name = path
    for parent in parents:
        action = action.setdefault(parent, {})
    action[name] = [*action[name], *value] if isinstance(value, list) and name in action else value
