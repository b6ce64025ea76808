"""What there is to see of a table at one moment."""

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from host.expect import expect_id
from host.games.protocol import Game, State
from host.games.sentence import Sentence
from host.line import Move
from host.log_lines import LogLine, say
from host.questions import Question, question
from host.records import JsonObject, SeatedTable, StoredReading
from host.rolls import named_rolls


@dataclass(frozen=True, slots=True)
class Objection:
    """A seat's word that a reading was wrong, which the owner has not answered: the rolls ``of`` it brought about."""

    number: int
    by: str
    at: str
    reading: str
    of: tuple[int, ...]

    def to_json(self) -> JsonObject:
        """As the API shows it."""
        return {"number": self.number, "by": self.by, "at": self.at, "reading": self.reading, "of": list(self.of)}


@dataclass(frozen=True, eq=False)
class Snapshot:
    """All that there is to see of a table at one moment. Immutable, so that it can wait in many queues.

    ``rolls`` are those that the last reading brought about, ``closed`` the readings that are no question any more,
    ``play_number`` is the number under which the present awaiting is published.
    Two are the same only if they are one: that makes them cheap keys for what is drawn from them.
    """

    seated: SeatedTable
    game: Game[Any]
    number: int
    state: State
    lines: tuple[LogLine, ...]
    last_reading: StoredReading | None
    is_ended: bool = False
    play_number: int = 0
    rolls: tuple[Move, ...] = ()
    closed: frozenset[str] = frozenset()
    objection: Objection | None = None
    _written: dict[str | None, str] = field(default_factory=dict, repr=False)

    @property
    def table_id(self) -> str:
        """The table's id."""
        return self.seated.id

    @cached_property
    def log(self) -> tuple[JsonObject, ...]:
        """The log as the API lists it, oldest first."""
        return tuple(line.to_json() for line in self.lines)

    def view(self, player: str | None) -> JsonObject:
        """The state as ``player`` may see it; None: as everybody may."""
        return self.game.view(self.state, player)

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What is waited for; whose throw is next, where the dice cannot tell."""
        if self.is_ended:
            return (say("ended"),)
        sentences = self.game.prompt(self.state)
        awaiting = self.game.awaiting(self.state)
        named = named_rolls(awaiting)
        if len(named) < sum(1 for entry in awaiting if entry.dice):
            players = ", ".join(roll.player for roll in named)
            next_throw = Sentence("table/next-throw", "The next throw counts for {players}.", {"players": players})
            sentences = (*sentences, next_throw)
        return sentences

    @property
    def prompt(self) -> list[str]:
        """What is waited for, in English."""
        return [sentence.english() for sentence in self.sentences]

    @cached_property
    def question(self) -> Question | None:
        """What the last reading leaves to be answered, or None."""
        reading = self.last_reading
        if reading is None or reading.id in self.closed or reading.status != "unmatched" or self.is_ended:
            return None
        if reading.expect != expect_id(self.seated.id, self.play_number):
            return None
        return question(self.game, self.state, reading)

    @property
    def reading(self) -> JsonObject | None:
        """The last reading as the API shows it, or None."""
        reading = self.last_reading
        if reading is None:
            return None
        asked = self.question
        is_corrected = reading.status != "applied" or any(roll.changed_by for roll in self.rolls)
        return {
            "id": reading.id,
            "at": reading.at,
            "status": reading.status,
            "detail": reading.detail,
            "dice": list(reading.dice),
            "unread": list(reading.unread),
            "picture": picture_address(reading),
            "question": asked and asked.to_json(),
            "rolls": [roll.number for roll in self.rolls],
            "confirmed": [die for roll in self.rolls for die in roll.dice or ()]
            if self.rolls and is_corrected
            else None,
        }

    def to_json(self, player: str | None) -> JsonObject:
        """The table as the API shows it to ``player``."""
        return {
            "table": self.seated.id,
            "number": self.number,
            "ended": self.is_ended,
            "state": self.view(player),
            "prompt": self.prompt,
            "log": list(self.log),
            "reading": self.reading,
            "objection": self.objection and self.objection.to_json(),
        }

    def written(self, player: str | None) -> str:
        """``to_json`` as text, written once for however many phones show the same view."""
        if player not in self._written:
            self._written[player] = json.dumps(self.to_json(player), separators=(",", ":"))
        return self._written[player]


def picture_address(reading: StoredReading) -> str | None:
    """Where the picture of a reading is to be had, or None."""
    return f"/api/v1/tables/{reading.table}/readings/{reading.id}.jpg" if reading.has_picture else None
