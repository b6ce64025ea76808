"""One table: a game whose state is the replay of the entries in its log."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from host.games.protocol import Game, State
from host.records import Entry, JsonObject, SeatedTable, StoredReading
from host.rolls import named_rolls

ENDED = "The owner has ended the game."


class NothingToUndo(Exception):
    """No action stands that could be taken back."""


@dataclass(frozen=True, slots=True)
class Step:
    """An entry of the log, the state that it led to, and what it says to people.

    ``undoes`` is the number of the action that an undo takes back.
    """

    entry: Entry
    state: State
    text: str
    undoes: int | None = None


@dataclass(frozen=True, eq=False)
class Snapshot:
    """All that there is to see of a table at one moment. Immutable, so that it can wait in many queues.

    Two are the same only if they are one: that makes them cheap keys for what is drawn from them.
    """

    seated: SeatedTable
    game: Game[Any]
    number: int
    state: State
    log: tuple[JsonObject, ...]
    reading: JsonObject | None
    is_ended: bool = False
    _written: dict[str | None, str] = field(default_factory=dict, repr=False)

    @property
    def table_id(self) -> str:
        """The table's id."""
        return self.seated.id

    def view(self, player: str | None) -> JsonObject:
        """The state as ``player`` may see it; None: as everybody may."""
        return self.game.view(self.state, player)

    @property
    def prompt(self) -> list[str]:
        """What is waited for, in English sentences; whose throw is next, where the dice cannot tell."""
        if self.is_ended:
            return [ENDED]
        sentences = [sentence.english() for sentence in self.game.prompt(self.state)]
        awaiting = self.game.awaiting(self.state)
        named = named_rolls(awaiting)
        if len(named) < sum(1 for entry in awaiting if entry.dice):
            sentences.append(f"The next throw counts for {' and '.join(roll.player for roll in named)}.")
        return sentences

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
        }

    def written(self, player: str | None) -> str:
        """``to_json`` as text, written once for however many phones show the same view."""
        if player not in self._written:
            self._written[player] = json.dumps(self.to_json(player), separators=(",", ":"))
        return self._written[player]


class Table:
    """A table in memory.

    ``number`` is the state number: the number of entries so far. Entries are appended once they are stored.
    """

    def __init__(
        self,
        seated: SeatedTable,
        game: Game[Any],
        entries: Iterable[Entry] = (),
        reading: StoredReading | None = None,
    ):
        self.seated = seated
        self.game = game
        self._reading = reading
        self._snapshot: Snapshot | None = None
        self._opening = game.open(seated.players, seated.options)
        self._steps: list[Step] = []
        self._standing: list[Step] = []
        for entry in entries:
            self.append(entry)

    @property
    def number(self) -> int:
        """The state number."""
        return len(self._steps)

    @property
    def state(self) -> State:
        """The state of the game now."""
        return self._standing[-1].state if self._standing else self._opening

    @property
    def is_ended(self) -> bool:
        """Whether the owner has ended the game; an undo takes that back, too."""
        return bool(self._standing) and self._standing[-1].entry.kind == "end"

    def state_at(self, number: int) -> State:
        """The state of the game when the state number was ``number``."""
        return self._steps[number - 1].state if number else self._opening

    @property
    def opening(self) -> State:
        """The state before the first action."""
        return self._opening

    @property
    def standing(self) -> tuple[Step, ...]:
        """The steps that count now, oldest first: none that was taken back."""
        return tuple(self._standing)

    def apply(self, action: object) -> State:
        """The state that ``action`` would lead to; the table stays as it is. Raises ``Refused``."""
        state: State = self.game.apply(self.state, action)
        return state

    def last_standing(self) -> Step:
        """The action that an undo would take back. Raises ``NothingToUndo``."""
        if not self._standing:
            raise NothingToUndo
        return self._standing[-1]

    def append(self, entry: Entry) -> None:
        """Take over an entry that is stored. Raises ``Refused`` or ``NothingToUndo`` where it does not fit."""
        if entry.kind == "undo":
            undone = self.last_standing()
            self._standing.pop()
            step = Step(entry, self.state, f"Taken back: {undone.text}", undone.entry.number)
        elif entry.kind == "end":
            step = Step(entry, self.state, ENDED)
            self._standing.append(step)
        else:
            state = self.apply(entry.action)
            step = Step(entry, state, _text(state, entry))
            self._standing.append(step)
        self._steps.append(step)
        self._snapshot = None

    def show(self, reading: StoredReading) -> None:
        """This is the last reading now."""
        self._reading = reading
        self._snapshot = None

    def snapshot(self) -> Snapshot:
        """What there is to see now; the same object until something changes."""
        if self._snapshot is None:
            self._snapshot = self._look()
        return self._snapshot

    def _look(self) -> Snapshot:
        undone = {step.undoes for step in self._steps}
        log = tuple(
            {
                "number": step.entry.number,
                "text": step.text,
                "at": step.entry.at,
                "by": step.entry.by,
                "reading": step.entry.reading,
                "undone": step.entry.number in undone,
            }
            for step in self._steps
        )
        return Snapshot(self.seated, self.game, self.number, self.state, log, self._reading_json(), self.is_ended)

    def _reading_json(self) -> JsonObject | None:
        reading = self._reading
        if reading is None:
            return None
        picture = f"/api/v1/tables/{self.seated.id}/readings/{reading.id}.jpg" if reading.has_picture else None
        return {
            "id": reading.id,
            "at": reading.at,
            "status": reading.status,
            "detail": reading.detail,
            "dice": list(reading.dice),
            "unread": list(reading.unread),
            "picture": picture,
        }


def _text(state: State, entry: Entry) -> str:
    told = " ".join(event.english() for event in state.events)
    action = entry.action or {}
    return told or f"{action.get('player')}: {str(action.get('type')).replace('-', ' ')}."
