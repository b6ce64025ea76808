"""One table: a game whose state is the replay of the entries in its log."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from host.games.protocol import Game, State
from host.line import Line, Move, Replay, move_at, moves_of, replayed, secrets_of
from host.log_lines import LogLine, Told, faces_in_words, say, told_of_action
from host.records import Entry, JsonObject, SeatedTable, StoredReading
from host.snapshot import Objection, Snapshot

NOT_PLAY = ("objection", "dismissal")
"""Entries after which the same is awaited as before."""


class NothingToUndo(Exception):
    """No entry stands that could be taken back."""


@dataclass(frozen=True, slots=True)
class Step:
    """An entry of the log, the line of play that it led to, and what it says to people.

    ``removes`` are the numbers of the entries that it takes back or drops.
    """

    entry: Entry
    line: Line
    told: Told
    removes: tuple[int, ...] = ()


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
        # What an undo goes back through: each entry that stands, and the line that it led to.
        self._standing: list[Step] = []
        for entry in entries:
            self.append(entry)

    @property
    def number(self) -> int:
        """The state number."""
        return len(self._steps)

    @property
    def line(self) -> Line:
        """The line of play now."""
        return self._standing[-1].line if self._standing else None

    @property
    def state(self) -> State:
        """The state of the game now."""
        return self._state_of(self.line)

    @property
    def is_ended(self) -> bool:
        """Whether the owner has ended the game; an undo takes that back, too."""
        return self.line is not None and self.line.is_end

    @property
    def reading(self) -> StoredReading | None:
        """The last reading that the table was sent."""
        return self._reading

    @property
    def play_number(self) -> int:
        """The number of the last entry that concerns play; what is awaited is published under it.

        An objection or a question that is closed does not change what is awaited, so that a reading which is on its
        way meanwhile still counts.
        """
        return next((step.entry.number for step in reversed(self._steps) if _concerns_play(step.entry)), 0)

    def state_at(self, number: int) -> State:
        """The state of the game when the state number was ``number``."""
        return self._state_of(self._steps[number - 1].line) if number else self._opening

    def state_before(self, move: Move) -> State:
        """The state of the game in which a move was made."""
        return self._state_of(move.before)

    def step(self, number: int) -> Step | None:
        """The entry of that number with what it led to, or None."""
        return self._steps[number - 1] if 0 < number <= len(self._steps) else None

    def steps(self) -> tuple[Step, ...]:
        """Every entry with what it led to, oldest first."""
        return tuple(self._steps)

    def move(self, number: int) -> Move | None:
        """The move that the entry of that number brought about, as it stands now; None where it does not stand."""
        return move_at(self.line, number)

    def apply(self, action: object) -> State:
        """The state that ``action`` would lead to; the table stays as it is. Raises ``Refused``."""
        state: State = self.game.apply(self.state, action)
        return state

    def last_standing(self) -> Step:
        """The entry that an undo would take back. Raises ``NothingToUndo``."""
        if not self._standing:
            raise NothingToUndo
        return self._standing[-1]

    def corrected(self, changes: Mapping[int, JsonObject | None]) -> Replay:
        """The line of play with other actions in the place of these moves (None: without them); see ``replayed``.

        Choices that are still secret and were made after the roll are dropped whether they would fit or not: that
        they fit or not would tell something of them. Raises ``Refused``.
        """
        replay = replayed(self.game, self._opening, self.line, changes, self.number + 1)
        later = [number for number in secrets_of(self.game, self.line).values() if number > min(changes)]
        secret = min(later, default=None)
        if secret is not None and (replay.misfit is None or secret < replay.misfit):
            line = replayed(self.game, self._opening, self.line, changes, self.number + 1, secret).line
            return Replay(line, secret)
        return replay

    def append(self, entry: Entry) -> None:
        """Take over an entry that is stored. Raises ``Refused`` or ``NothingToUndo`` where it does not fit."""
        step = self._step_of(entry)
        if entry.kind == "undo":
            self._standing.pop()
        elif entry.kind in ("action", "end", "amend") or (entry.kind == "void" and entry.of):
            self._standing.append(step)
        self._steps.append(step)
        self._snapshot = None

    def _step_of(self, entry: Entry) -> Step:
        match entry.kind:
            case "undo":
                undone = self.last_standing()
                before = self._standing[-2].line if len(self._standing) > 1 else None
                told = (say("taken-back"), *self._told_now(undone))
                return Step(entry, before, told, (undone.entry.number,))
            case "end":
                return Step(entry, Move(entry.number, None, self.state, self.line), (say("ended"),))
            case "action":
                state = self.apply(entry.action)
                move = Move(entry.number, entry.action, state, self.line)
                return Step(entry, move, told_of_action(state.events, entry.action))
            case "amend" | "void" if entry.of:
                return self._corrected_step(entry)
            case "void":
                return Step(entry, self.line, (say(str((entry.action or {})["why"])),))
            case "objection":
                told = (say("objected", player=str((entry.action or {})["player"]), line=entry.of[0]),)
                return Step(entry, self.line, told)
        return Step(entry, self.line, (say("dismissed", line=entry.of[0]),))

    def _corrected_step(self, entry: Entry) -> Step:
        drop_from = (entry.action or {})["drop"]
        rolls = [move for number in entry.of if (move := self.move(number)) and move.action]
        dice = (entry.action or {}).get("dice")
        changes = {move.number: None if dice is None else {**(move.action or {}), "dice": dice} for move in rolls}
        line = replayed(self.game, self._opening, self.line, changes, entry.number, drop_from).line
        told = tuple(_correction_told(move, dice) for move in rolls)
        if drop_from is not None:
            told += (say("dropped", line=drop_from),)
        left = {move.number for move in moves_of(line)}
        return Step(entry, line, told, tuple(m.number for m in moves_of(self.line) if m.number not in left))

    def _told_now(self, step: Step) -> Told:
        move = step.line if step.entry.kind == "action" else None
        return told_of_action(move.state.events, move.action) if move else step.told

    def show(self, reading: StoredReading) -> None:
        """This is the last reading now."""
        self._reading = reading
        self._snapshot = None

    def snapshot(self) -> Snapshot:
        """What there is to see now; the same object until something changes."""
        if self._snapshot is None:
            self._snapshot = Snapshot(
                self.seated,
                self.game,
                self.number,
                self.state,
                self.lines(),
                self._reading,
                self.is_ended,
                play_number=self.play_number,
                rolls=self._rolls_of_last_reading(),
                closed=frozenset(s.entry.reading for s in self._steps if s.entry.kind == "void" and s.entry.reading),
                objection=self.objection(),
            )
        return self._snapshot

    def lines(self) -> tuple[LogLine, ...]:
        """The log in sentences, oldest first."""
        moves = {move.number: move for move in moves_of(self.line)}
        standing = {step.entry.number for step in self._standing}
        taken = {number: step.entry.number for step in self._steps for number in step.removes}
        lines = []
        for step in self._steps:
            number, kind = step.entry.number, step.entry.kind
            move = moves.get(number)
            if move is not None:
                told = step.told if move.is_end else told_of_action(move.state.events, move.action)
                was = step.told if told != step.told else None
                lines.append(LogLine(step.entry, told, was, changed_by=move.changed_by))
            else:
                is_gone = kind in ("action", "end") or (kind in ("amend", "void") and bool(step.entry.of))
                gone = is_gone and not (kind in ("amend", "void") and number in standing)
                lines.append(LogLine(step.entry, step.told, undone_by=taken.get(number) if gone else None))
        return tuple(lines)

    def objection(self) -> Objection | None:
        """The objection that the owner has not answered yet, or None."""
        dismissed = {step.entry.of[0] for step in self._steps if step.entry.kind == "dismissal"}
        for step in reversed(self._steps):
            entry = step.entry
            if entry.kind != "objection" or entry.number in dismissed:
                continue
            moves = [self.move(number) for number in entry.of]
            if all(move and (move.changed_by or 0) < entry.number for move in moves):
                return Objection(entry.number, entry.by, entry.at, entry.reading or "", entry.of)
        return None

    def rolls_of(self, reading: str) -> tuple[Move, ...]:
        """The rolls that a reading brought about and that stand, oldest first."""
        numbers = {s.entry.number for s in self._steps if s.entry.reading == reading and s.entry.kind == "action"}
        return tuple(move for move in moves_of(self.line) if move.number in numbers)[::-1]

    def _rolls_of_last_reading(self) -> tuple[Move, ...]:
        return () if self._reading is None else self.rolls_of(self._reading.id)

    def _state_of(self, line: Line) -> State:
        return self._opening if line is None else line.state


def _concerns_play(entry: Entry) -> bool:
    return entry.kind not in NOT_PLAY and not (entry.kind == "void" and not entry.of)


def _correction_told(move: Move, dice: list[JsonObject] | None) -> Any:
    player = str((move.action or {})["player"])
    if dice is None:
        return say("voided", player=player, line=move.number)
    before = faces_in_words(move.dice or [])
    return say("amended", player=player, line=move.number, before=before, after=faces_in_words(dice))
