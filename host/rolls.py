"""From what the camera read to what the referee is told: which dice answer which awaited roll.

A throw is matched only where nothing is left to guess. Dice of kinds or bodies that no roll awaits are left aside.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from host.games.protocol import Awaited, DiceGroup, Game, State
from host.games.sentence import Sentence, Value
from host.records import JsonObject
from vision.dice import Die

BLOCKING = ("cocked", "stacked", "occluded", "unsure")
"""Reasons for an unread thing that may be a die of the throw; outside and not-a-die do not stand in the way."""


_TEMPLATES = {
    "one-unread": "One thing could not be read ({reasons}).",
    "unread": "{count} things could not be read ({reasons}).",
    "none": "None of the awaited dice was seen.",
    "too-many": "Too many dice for {player}: {seen} instead of {awaited}.",
    "too-few": "Too few dice for {player}: {seen} instead of {awaited}.",
    "other-kinds": "Those are not the dice that {player} rolls: some are missing, others are too many.",
    "read": "Read: {faces}.",
    "aside": "Left aside: {faces}.",
}


def _say(slug: str, **values: Value) -> Sentence:
    return Sentence(f"reading/{slug}", _TEMPLATES[slug], values)


class Unmatched(Exception):
    """The dice do not answer what is awaited; ``wrong`` says how."""

    def __init__(self, wrong: Sentence):
        self.wrong = wrong
        super().__init__(wrong.english())


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
        reasons = ", ".join(dict.fromkeys(blocking))
        slug = "one-unread" if len(blocking) == 1 else "unread"
        raise Unmatched(_say(slug, count=len(blocking), reasons=reasons))
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
        raise Unmatched(_say("none"))
    return Match(tuple(actions), tuple(left))


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
    seen = Counter(die.kind for die in taken)
    if seen == awaited:
        return
    slug = "too-many" if seen >= awaited else "too-few" if seen <= awaited else "other-kinds"
    raise Unmatched(_say(slug, player=roll.player, seen=seen.total(), awaited=awaited.total()))


def _die_json(die: Die) -> JsonObject:
    return {"kind": die.kind, "face": die.face, **({"body": die.body} if die.body is not None else {})}


def told_of_match(match: Match) -> tuple[Sentence, ...]:
    """The faces that were applied, and those of dice that were left aside.

    >>> action = {"type": "roll", "player": "Ana", "dice": [{"kind": "chance-cube", "face": "red"}]}
    >>> [sentence.english() for sentence in told_of_match(Match((action,), (Die("pip-die", "4", "white"),)))]
    ['Read: red.', 'Left aside: 4.']
    """
    applied = ", ".join(die["face"] for action in match.actions for die in action["dice"])
    aside = ", ".join(die.face for die in match.aside)
    return (_say("read", faces=applied), *([_say("aside", faces=aside)] if aside else []))
