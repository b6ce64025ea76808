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


def score_dice(labels: Sequence[JsonObject], dice: Iterable[ReadDie]) -> Score:
    """Compare the dice of one reading with a frame's labels, each with the nearest one.

    A label with ``"readable": false`` is a die that must not be read. Labels without a place fit a die anywhere.
    """
    unmatched = list(dice)
    score = Score()
    for label in labels:
        die = _nearest(label, unmatched)
        if die is not None:
            unmatched.remove(die)
        if label.get("readable") is False:
            score += Score(wrong=int(die is not None))
        elif die is None:
            score += Score(left=1)
        else:
            score += Score(right=1) if _is_right(label, die) else Score(wrong=1)
    return score + Score(wrong=len(unmatched))


def score_frames(frames: Sequence[RecordedFrame], readings: Sequence[tuple[str, Reading]]) -> Score:
    """Score the readings (each with the name of its frame) of a played film.

    A reading is compared with its own frame's label, or where that has none (a die that lies, in a film that counts
    it as moving still) with the next one. Of several readings of one throw the last counts,
    unless an earlier one has more wrong.
    """
    places = {frame.image: place for place, frame in enumerate(frames)}
    scores: dict[int, Score] = {}
    for image, reading in readings:
        throw = _throw_of(frames, places[image])
        if throw is None:
            continue
        score = score_dice(frames[throw].dice or (), reading.dice)
        before = scores.get(throw)
        if before is None or score.wrong >= before.wrong:
            scores[throw] = score
    return sum(scores.values(), Score())


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
    labelled = next((p for p in range(place, len(frames)) if frames[p].dice is not None), None)
    while labelled and frames[labelled - 1].dice == frames[labelled].dice:
        labelled -= 1
    return labelled


def _nearest(label: JsonObject, dice: Sequence[ReadDie]) -> ReadDie | None:
    center = label.get("center_px")
    if center is None:
        return next((die for die in dice if _is_right(label, die)), next(iter(dice), None))
    near = [(math.dist(center, die.center_px), die) for die in dice]
    near = [(distance, die) for distance, die in near if distance <= _HALF_A_DIE * _side_px(die)]
    return min(near, key=lambda pair: pair[0])[1] if near else None


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
