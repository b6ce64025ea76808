"""The log of a table in sentences: what each entry said when it was written, and what is left of it now."""

from collections.abc import Mapping
from dataclasses import dataclass

from host.games.sentence import Sentence, Value
from host.records import Entry, JsonObject

Told = tuple[Sentence, ...]

_TEMPLATES = {
    "ended": "The owner has ended the game.",
    "did": "{player}: {action}.",
    "taken-back": "Taken back:",
    "amended": "{player}'s roll of line {line} is corrected: {before} becomes {after}.",
    "voided": "{player}'s roll of line {line} does not count.",
    "dropped": "Lines from {line} on no longer fit and are dropped.",
    "roll-again": "The throw that could not be read is rolled again.",
    "nothing-rolled": "What the camera saw was no roll.",
    "objected": "{player} objects to the reading of line {line}.",
    "dismissed": "The objection of line {line} is dismissed: the reading stands.",
}


def say(slug: str, **values: Value) -> Sentence:
    """A sentence of the log.

    >>> say("objected", player="Ana", line=3).english()
    'Ana objects to the reading of line 3.'
    """
    return Sentence(f"log/{slug}", _TEMPLATES[slug], values)


def english(told: Told) -> str:
    """Sentences as one English text."""
    return " ".join(sentence.english() for sentence in told)


@dataclass(frozen=True, slots=True)
class LogLine:
    """An entry as people read it.

    ``told`` says what it means now, ``was`` what it said at first where that was something else. ``undone_by`` is
    the entry that took it back, if it does not stand; ``changed_by`` the one that corrected its dice.
    """

    entry: Entry
    told: Told
    was: Told | None = None
    undone_by: int | None = None
    changed_by: int | None = None

    @property
    def number(self) -> int:
        """The entry's number."""
        return self.entry.number

    @property
    def at(self) -> str:
        """When it was written, UTC, ISO 8601."""
        return self.entry.at

    @property
    def by(self) -> str:
        """By whom: "owner", "device" or "seat:NAME"."""
        return self.entry.by

    @property
    def text(self) -> str:
        """What it means now, in English."""
        return english(self.told)

    @property
    def undone(self) -> bool:
        """Whether a later entry took it back."""
        return self.undone_by is not None

    def to_json(self) -> JsonObject:
        """As the API lists it."""
        return {
            "number": self.entry.number,
            "kind": self.entry.kind,
            "text": self.text,
            "was": None if self.was is None else english(self.was),
            "at": self.at,
            "by": self.by,
            "reading": self.entry.reading,
            "undone": self.undone,
            "undone_by": self.undone_by,
            "changed_by": self.changed_by,
        }


def told_of_action(events: Told, action: Mapping[str, object] | None) -> Told:
    """What an action brought about; where the game says nothing, who did what."""
    if events or action is None:
        return events
    return (say("did", player=str(action.get("player")), action=str(action.get("type")).replace("-", " ")),)


def faces_in_words(dice: list[JsonObject]) -> str:
    """The faces of dice, with commas.

    >>> faces_in_words([{"kind": "pip-die", "face": "3"}, {"kind": "pip-die", "face": "4"}])
    '3, 4'
    """
    return ", ".join(str(die["face"]) for die in dice)
