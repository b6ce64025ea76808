"""Which of the dice that were read count: those that are new or have moved since the last reading that was accepted.

Pure: dice that lie go in with a reading, what counts comes out. Places are millimetres on the mat, or pixels where
there is no mat.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vision.reading import Point, ReadDie, Reading, Unread

SAME_PLACE_MM = 3.0
"""A die that lies still is found within 0.5 mm from frame to frame, and also when another one hides a side of it; a
die that a hand pushes goes further than 3 mm."""

SAME_PLACE_OF_SIDE = 0.2
"""The same without a mat, as a part of the upper face's side in pixels: 3 mm of a die of 16 mm."""

FRAMES_THAT_AGREE = 3
"""Frames at rest that must show the same before it is reported: one more than chance glare or a passing shadow."""

MOST_FRAMES = 7
"""Frames after which it is reported anyway, what they disagree about being unsure: at 20 frames a second that is
500 ms after the last movement."""


@dataclass(frozen=True, slots=True)
class LyingDie:
    """A die that lies where an earlier reading found it.

    ``reach_px`` is half the width of its upper face in pixels. ``look`` is its surroundings in the watcher's small
    picture (see ``device.places``), empty where nobody has looked yet.
    """

    kind: str
    body: str | None
    face: str
    center_px: Point
    center_mm: Point | None
    reach_px: float
    look: bytes = b""

    @classmethod
    def of(cls, die: ReadDie) -> "LyingDie":
        """The die as it was read."""
        return cls(die.kind, die.body, die.face, die.center_px, die.center_mm, _reach_px(die))

    def is_same(self, other: "LyingDie") -> bool:
        """Whether ``other`` is this die, not moved: same kind, same face, same place."""
        if (self.kind, self.face) != (other.kind, other.face):
            return False
        if self.center_mm is not None and other.center_mm is not None:
            return math.dist(self.center_mm, other.center_mm) <= SAME_PLACE_MM
        return math.dist(self.center_px, other.center_px) <= 2 * self.reach_px * SAME_PLACE_OF_SIDE

    def covers(self, thing: Unread) -> bool:
        """Whether an unread thing lies where this die lies."""
        return math.dist(self.center_px, thing.center_px) <= 1.5 * self.reach_px

    def to_json(self) -> dict[str, Any]:
        """As the outbox keeps it."""
        return {
            "kind": self.kind,
            "body": self.body,
            "face": self.face,
            "center_px": self.center_px,
            "center_mm": self.center_mm,
            "reach_px": self.reach_px,
            "look": self.look.hex(),
        }

    @classmethod
    def from_json(cls, entry: dict[str, Any]) -> "LyingDie":
        """A die from what ``to_json`` gave."""
        mm = entry["center_mm"]
        u, v = entry["center_px"]
        return cls(
            entry["kind"],
            entry["body"],
            entry["face"],
            (u, v),
            None if mm is None else (mm[0], mm[1]),
            entry["reach_px"],
            bytes.fromhex(entry["look"]),
        )


@dataclass(frozen=True, slots=True)
class Count:
    """What a reading means after those before it.

    ``dice`` and ``unread`` are new and to be reported; ``staying`` are the dice of before that still lie.
    """

    dice: tuple[ReadDie, ...]
    unread: tuple[Unread, ...]
    staying: tuple[LyingDie, ...]

    @property
    def lying(self) -> tuple[LyingDie, ...]:
        """The dice that lie once this reading has been accepted."""
        return (*self.staying, *(LyingDie.of(die) for die in self.dice))

    @property
    def is_news(self) -> bool:
        """Whether anything is to be reported: a die, or a thing that may be one."""
        return bool(self.dice) or any(thing.may_count for thing in self.unread)


def count_dice(reading: Reading, lying: Iterable[LyingDie]) -> Count:
    """Tell the dice that are new or have moved from those that lay there already.

    An unread thing where a die already lay is that die, seen badly. Each lying die shields one die of the reading.
    """
    left = list(lying)
    fresh: list[ReadDie] = []
    staying: list[LyingDie] = []
    for die in reading.dice:
        seen = LyingDie.of(die)
        before = next((other for other in left if other.is_same(seen)), None)
        if before is None:
            fresh.append(die)
        else:
            left.remove(before)
            staying.append(before)
    unread: list[Unread] = []
    for thing in reading.unread:
        hidden = next((other for other in left if other.covers(thing)), None)
        if hidden is None:
            unread.append(thing)
        else:
            left.remove(hidden)
            staying.append(hidden)
    return Count(tuple(fresh), tuple(unread), tuple(staying))


def is_told(count: Count, told: Sequence[LyingDie], unread_told: Sequence[Unread]) -> bool:
    """Whether ``count`` shows just what was reported already: the same dice, as many unread things."""
    if len(count.dice) != len(told) or len(count.unread) != len(unread_told):
        return False
    left = list(told)
    for die in count.dice:
        same = next((other for other in left if other.is_same(LyingDie.of(die))), None)
        if same is None:
            return False
        left.remove(same)
    return True


class Agreement:
    """Gathers the readings of frames at rest until enough of them, one after another, say the same."""

    def __init__(self, needed: int = FRAMES_THAT_AGREE, most: int = MOST_FRAMES) -> None:
        self._needed = needed
        self._most = most
        self._readings: list[Reading] = []

    def clear(self) -> None:
        """Begin anew: something has moved."""
        self._readings.clear()

    @property
    def last(self) -> Reading | None:
        """The reading that was added last."""
        return self._readings[-1] if self._readings else None

    def add(self, reading: Reading) -> Reading | None:
        """One frame's reading; the agreed one once there is one, else None."""
        self._readings.append(reading)
        newest = self._readings[-self._needed :]
        if len(newest) == self._needed and all(_agree(reading, other) for other in newest):
            return reading
        if len(self._readings) >= self._most:
            return _agreed_part(reading, newest)
        return None


def _agree(a: Reading, b: Reading) -> bool:
    return (
        len(a.dice) == len(b.dice)
        and len(a.unread) == len(b.unread)
        and all(_find(die, b) is not None for die in a.dice)
        and all(_find(die, a) is not None for die in b.dice)
    )


def _find(die: ReadDie, reading: Reading) -> ReadDie | None:
    wanted = LyingDie.of(die)
    found = (other for other in reading.dice if other.body == die.body and wanted.is_same(LyingDie.of(other)))
    return next(found, None)


def _agreed_part(reading: Reading, others: Sequence[Reading]) -> Reading:
    """The dice that every reading shows; the other dice of ``reading`` become unsure."""
    sure = tuple(die for die in reading.dice if all(_find(die, other) is not None for other in others))
    unsure = tuple(Unread("unsure", die.center_px) for die in reading.dice if die not in sure)
    return replace(reading, dice=sure, unread=(*reading.unread, *unsure))


def _reach_px(die: ReadDie) -> float:
    if len(die.outline_px) < 3:
        return 20.0
    return sum(math.dist(corner, die.center_px) for corner in die.outline_px) / len(die.outline_px) / math.sqrt(2)
