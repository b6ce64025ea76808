"""How a played recording compares with what it says of itself: its dice, and its final state."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from device.recording import JsonObject, RecordedFrame
from vision.dice import CHANCE_CUBE
from vision.reading import ReadDie, Reading

_HALF_A_DIE = 0.6
"""A die and its label belong together within this part of the read face's side (a half, and some for the label)."""

_FLAT = ("flat", "on_top")


@dataclass(frozen=True, slots=True)
class Score:
    """Dice that were read as labelled, as something else (or where there is none), and not read.

    >>> Score(9, 0, 1) + Score(1, 1, 0)
    Score(right=10, wrong=1, left=1)
    """

    right: int = 0
    wrong: int = 0
    left: int = 0

    def __add__(self, other: "Score") -> "Score":
        return Score(self.right + other.right, self.wrong + other.wrong, self.left + other.left)

    def to_json(self) -> dict[str, int]:
        """As reports print it."""
        return {"right": self.right, "wrong": self.wrong, "left": self.left}


@dataclass(frozen=True, slots=True)
class Judged:
    """A die of a label and what was read there; no ``label``: nothing lies there, no ``die``: nothing was read."""

    label: JsonObject | None
    die: ReadDie | None
    is_right: bool

    @property
    def score(self) -> Score:
        """What it counts."""
        if self.is_right:
            return Score(right=1) if self.die is not None else Score()
        return Score(left=1) if self.die is None else Score(wrong=1)


def judge_dice(labels: Sequence[JsonObject], dice: Iterable[ReadDie]) -> tuple[Judged, ...]:
    """Compare the dice of one reading with a frame's labels, those that lie nearest to one another first.

    A label with ``"readable": false`` is a die that nobody need read; read all the same it is wrong, unless its label
    says that it lies flat (``"state"``) and it is read as what it is, as of a face half glared. Labels without a
    place fit a die anywhere.
    """
    unmatched = list(dice)
    pairs = _paired(labels, unmatched)
    judged: list[Judged] = []
    for place, label in enumerate(labels):
        die = pairs.get(place)
        if label.get("readable") is False:
            is_seen = die is not None and label.get("state") in _FLAT and _is_right(label, die)
            judged.append(Judged(label, die, is_right=die is None or is_seen))
        else:
            judged.append(Judged(label, die, is_right=die is not None and _is_right(label, die)))
    return (*judged, *(Judged(None, die, is_right=False) for die in unmatched))


def score_dice(labels: Sequence[JsonObject], dice: Iterable[ReadDie]) -> Score:
    """What ``judge_dice`` finds, counted."""
    return total(judge_dice(labels, dice))


def total(judged: Iterable[Judged]) -> Score:
    """The sum of what dice count."""
    return sum((each.score for each in judged), Score())


def score_frames(frames: Sequence[RecordedFrame], readings: Sequence[tuple[str, Reading]]) -> Score:
    """What ``judge_frames`` finds, counted."""
    return sum((total(judged) for judged in judge_frames(frames, readings).values()), Score())


def judge_frames(
    frames: Sequence[RecordedFrame], readings: Sequence[tuple[str, Reading]]
) -> dict[str, tuple[Judged, ...]]:
    """Compare the readings (each with the name of its frame) of a played film; by the frame that a throw was read in.

    A reading is compared with its own frame's label, or where that has none (a die that lies, in a film that counts
    it as moving still) with the next one. What lies at rest without a label is not compared. Of several readings of
    one throw the last counts, unless an earlier one has more wrong.
    """
    places = {frame.image: place for place, frame in enumerate(frames)}
    throws: dict[int, tuple[str, tuple[Judged, ...]]] = {}
    for image, reading in readings:
        throw = _throw_of(frames, places[image])
        if throw is None:
            continue
        judged = judge_dice(frames[throw].dice or (), reading.dice)
        if throw not in throws or total(judged).wrong >= total(throws[throw][1]).wrong:
            throws[throw] = (image, judged)
    return dict(throws.values())


def differences(expected: Mapping[str, Any], state: Mapping[str, Any]) -> list[str]:
    """Where ``state`` is not as expected, a line for each key; keys that only ``state`` has are welcome.

    >>> differences({"phase": "over", "pot": 0}, {"phase": "over", "pot": 8, "more": 1})
    ['pot is 8, expected 0']
    """
    return [
        f"{key} is {state.get(key)!r}, expected {value!r}"
        for key, value in expected.items()
        if key not in state or state[key] != value
    ]


def _throw_of(frames: Sequence[RecordedFrame], place: int) -> int | None:
    """The first frame of the run with one and the same label that a reading at ``place`` belongs to."""
    labelled = next((p for p in range(place, len(frames)) if frames[p].dice is not None or frames[p].rest), None)
    if labelled is None or frames[labelled].dice is None:
        return None
    while labelled > 0 and frames[labelled - 1].dice == frames[labelled].dice:
        labelled -= 1
    return labelled


def _paired(labels: Sequence[JsonObject], unmatched: list[ReadDie]) -> dict[int, ReadDie]:
    """The die of each label that has one, by the label's place; they are taken from those that are ``unmatched``.

    Those that lie nearest to one another are paired first: of a pile the upper die is not taken for the lower one.
    """
    near = [
        (math.dist(label["center_px"], die.center_px), place, die)
        for place, label in enumerate(labels)
        if label.get("center_px") is not None
        for die in unmatched
    ]
    pairs: dict[int, ReadDie] = {}
    for distance, place, die in sorted(near, key=lambda pair: pair[0]):
        if place not in pairs and die in unmatched and distance <= _HALF_A_DIE * _side_px(die):
            pairs[place] = die
            unmatched.remove(die)
    for place, label in enumerate(labels):
        if label.get("center_px") is None and unmatched:
            pairs[place] = next((die for die in unmatched if _is_right(label, die)), unmatched[0])
            unmatched.remove(pairs[place])
    return pairs


def _side_px(die: ReadDie) -> float:
    """About the side of a die's upper face: its outline's mean distance from the middle, times the root of two."""
    if not die.outline_px:
        return 40.0
    return math.sqrt(2) * sum(math.dist(corner, die.center_px) for corner in die.outline_px) / len(die.outline_px)


def _is_right(label: JsonObject, die: ReadDie) -> bool:
    if (label.get("kind"), label.get("face")) != (die.kind, die.face):
        return False
    body = label.get("body")
    return die.kind == CHANCE_CUBE or body is None or die.body is None or body == die.body
