"""From what the camera read to what the referee is told: which dice answer which awaited roll.

A throw is matched only where nothing is left to guess. Dice of kinds or bodies that no roll awaits are left aside.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from host.games.protocol import Awaited, DiceGroup, Game, State
from host.records import JsonObject
from vision.dice import Die

BLOCKING = ("cocked", "stacked", "occluded", "unsure")
"""Reasons for an unread thing that may be a die of the throw; outside and not-a-die do not stand in the way."""


class Unmatched(Exception):
    """The dice do not answer what is awaited; the text says how, in one sentence or two."""


@dataclass(frozen=True, slots=True)
class Match:
    """The roll actions that a reading answers, in the order in which to apply them, and the dice left aside."""

    actions: tuple[JsonObject, ...]
    aside: tuple[Die, ...]


def named_rolls(awaiting: Iterable[Awaited]) -> tuple[Awaited, ...]:
    """The rolls that a throw may answer now.

    Where several players may roll, all are named if their dice can be told apart by kind or body; of players
    whose dice look the same only the first in seat order is named, and the others wait.

    >>> white = (DiceGroup("pip-die", 2, "white"),)
    >>> [roll.player for roll in named_rolls([Awaited("roll", "Ana", white), Awaited("roll", "Bo", white)])]
    ['Ana']
    >>> black = (DiceGroup("pip-die", 2, "black"),)
    >>> [roll.player for roll in named_rolls([Awaited("roll", "Ana", white), Awaited("roll", "Bo", black)])]
    ['Ana', 'Bo']
    """
    named: list[Awaited] = []
    for roll in awaiting:
        taken = [group for other in named for group in other.dice]
        if roll.dice and not any(_look_alike(a, b) for a in roll.dice for b in taken):
            named.append(roll)
    return tuple(named)


def match_rolls(game: Game[Any], state: State, dice: Sequence[Die], unread: Sequence[str]) -> Match:
    """The rolls that ``dice`` answer, all together: one, or several that the game awaits one after another.

    ``unread`` holds the reasons of what was not read. Raises ``Unmatched`` where dice are too few, too many or
    unread, and ``Refused`` where the referee does not take them.
    """
    blocking = [reason for reason in unread if reason in BLOCKING]
    if blocking:
        what = "One thing" if len(blocking) == 1 else f"{len(blocking)} things"
        raise Unmatched(f"{what} could not be read ({', '.join(dict.fromkeys(blocking))}).")
    left, actions = list(dice), []
    while rolls := named_rolls(game.awaiting(state)):
        thrown = [(roll, taken) for roll in rolls if (taken := _dice_for(roll, left, told_apart=len(rolls) > 1))]
        if not thrown:
            break
        roll, taken = thrown[0]
        _check_counts(roll, taken)
        action = {"type": roll.type, "player": roll.player, "dice": [_die_json(die) for die in taken]}
        state = game.apply(state, action)
        actions.append(action)
        for die in taken:
            left.remove(die)
    if not actions:
        raise Unmatched(f"{wanted(named_rolls(game.awaiting(state)))} awaited; none was seen.")
    return Match(tuple(actions), tuple(left))


def wanted(rolls: Sequence[Awaited]) -> str:
    """The awaited dice in words, as the subject of a sentence.

    >>> wanted([Awaited("roll", "Ana", (DiceGroup("pip-die", 2, "white"),))])
    '2 white pip dice are'
    """
    groups = [group for roll in rolls for group in roll.dice]
    words = " and ".join(_in_words(group) for group in groups)
    return f"{words} {'is' if sum(group.count for group in groups) == 1 else 'are'}"


def _in_words(group: DiceGroup) -> str:
    name = group.kind.replace("-", " ")
    if group.count > 1:
        name = name.removesuffix("die") + "dice" if name.endswith("die") else name + "s"
    return f"{group.count} {group.body + ' ' if group.body else ''}{name}"


def _look_alike(a: DiceGroup, b: DiceGroup) -> bool:
    return a.kind == b.kind and (a.body is None or b.body is None or a.body == b.body)


def _fits(die: Die, group: DiceGroup, told_apart: bool) -> bool:
    if die.kind != group.kind or group.body is None:
        return die.kind == group.kind
    return die.body == group.body or (die.body is None and not told_apart)


def _dice_for(roll: Awaited, dice: Iterable[Die], told_apart: bool) -> list[Die]:
    return [die for die in dice if any(_fits(die, group, told_apart) for group in roll.dice)]


def _check_counts(roll: Awaited, taken: Sequence[Die]) -> None:
    awaited = Counter[str]()
    for group in roll.dice:
        awaited[group.kind] += group.count
    if Counter(die.kind for die in taken) != awaited:
        too = "too many" if len(taken) > awaited.total() else "too few"
        raise Unmatched(f"{wanted([roll])} awaited of {roll.player}; {len(taken)} seen, {too}.")


def _die_json(die: Die) -> JsonObject:
    return {"kind": die.kind, "face": die.face, **({"body": die.body} if die.body is not None else {})}


def seen_in_words(match: Match) -> str:
    """The dice that were applied, and those left aside, as a sentence or two.

    >>> action = {"type": "roll", "player": "Ana", "dice": [{"kind": "chance-cube", "face": "red"}]}
    >>> seen_in_words(Match((action,), (Die("pip-die", "4", "white"),)))
    'Read: red chance cube. Left aside: pip die 4.'
    """
    applied = [die_in_words(die["kind"], die["face"]) for action in match.actions for die in action["dice"]]
    aside = [die_in_words(die.kind, die.face) for die in match.aside]
    return f"Read: {', '.join(applied)}." + (f" Left aside: {', '.join(aside)}." if aside else "")


def die_in_words(kind: str, face: str) -> str:
    """One die and what it shows.

    >>> die_in_words("chance-cube", "blue"), die_in_words("rig-die", "green +")
    ('blue chance cube', 'rig die green +')
    """
    return f"{face} chance cube" if kind == "chance-cube" else f"{kind.replace('-', ' ')} {face}"
