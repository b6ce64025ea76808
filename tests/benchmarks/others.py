"""Whether dice of other games are taken for the games' own: ``python -m tests.benchmarks others [--scenes N]``.

Up to six dice with numbers or signs, of six, eight, ten or twenty sides, lie in each drawn picture
(``calibration.synthesis.other_dice``) among up to eight of the games. Half of the pictures are drawn on the mat, half
on other floors; in half of each the kinds that lie there are awaited, in the others all kinds.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from calibration.synthesis.floors import FLOORS
from calibration.synthesis.scene import Picture, picture
from calibration.training.stills import truth_of
from device.trained import trained_reader
from tests.benchmarks.accuracy import percent, wilson
from vision.dice import KINDS
from vision.polygons import reach_of
from vision.reading import ReadDie

SCENES, SHORT = 400, 32
HELD_BACK_SEED = 430_817_266
"""Training and its checks draw from small seeds; nothing but this benchmark may draw from this one."""

OTHER_FLOORS = tuple(floor for floor in FLOORS if floor != "mat")
MOST_OTHERS = 6
NEAR = 0.7  # of the reach of another game's upper face within which a die read is that one


def main(short: bool, scenes: int | None = None) -> str:
    """Measure, and return the section of the report."""
    asked = scenes or (SHORT if short else SCENES)
    reader, kinds = trained_reader(), tuple(KINDS)
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    read_as: Counter[str] = Counter()
    for number in range(asked):
        rng = np.random.default_rng([HELD_BACK_SEED, number])
        on_mat, all_kinds = number % 2 == 0, number // 2 % 2 == 1
        floor = "mat" if on_mat else OTHER_FLOORS[number // 4 % len(OTHER_FLOORS)]
        lying = (kinds[number // 4 % len(kinds)],)
        drawn = picture(rng, floor, lying, most_others=MOST_OTHERS)
        reading = reader.read(np.ascontiguousarray(drawn.pixels), None if all_kinds else lying)
        count = counts["the mat" if on_mat else "other floors", "all kinds" if all_kinds else "what lies there"]
        mistaken = [die for die in reading.dice if is_others(die, drawn)]
        count["others"] += len(drawn.label.get("other_dice", ()))
        count["others read"] += len(mistaken)
        read_as.update(die.kind for die in mistaken)
        for label in drawn.label["dice"]:
            if label["readable"]:
                count["dice"] += 1
                count["read"] += any(is_right(die, label) for die in reading.dice)
    head = f"{asked} drawn pictures, held back from training."
    said = ", ".join(f"{count} as a {kind}" for kind, count in read_as.most_common()) or "none"
    return "\n\n".join([head, "\n".join(_table(counts)), f"Other games' dice that were read: {said}."])


def is_others(die: ReadDie, drawn: Picture) -> bool:
    """Whether what was read is a die of another game."""
    for corners in drawn.label.get("other_dice", ()):
        face = np.array(corners)
        middle = face.mean(axis=0)
        if np.hypot(*(middle - die.center_px)) < NEAR * np.linalg.norm(face - middle, axis=1).mean():
            return True
    return False


def is_right(die: ReadDie, label: dict[str, object]) -> bool:
    """Whether a die was read as its label says."""
    reach = reach_of(np.array(label["top_quad_px"]))
    kind, face, _ = truth_of(label)
    return bool(
        np.hypot(*(np.array(label["top_centre_px"]) - die.center_px)) < reach and (die.kind, die.face) == (kind, face)
    )


def count_right(dice: Sequence[ReadDie], labels: Sequence[dict[str, object]]) -> int:
    """How many labels' dice were read rightly."""
    return sum(any(is_right(die, label) for die in dice) for label in labels)


def count_wrong(dice: Sequence[ReadDie], labels: Sequence[dict[str, object]]) -> int:
    """How many of the dice that were read are none of the labels', or read otherwise."""
    return sum(not any(is_right(die, label) for label in labels) for die in dice)


def _table(counts: defaultdict[tuple[str, str], Counter[str]]) -> list[str]:
    rows = [
        "| on | awaited | other games' dice | read | read, 95 % | the games' dice | read rightly |",
        "|---|---|---|---|---|---|---|",
    ]
    for (ground, awaited), count in sorted(counts.items()):
        bounds = percent(*wilson(count["others read"], count["others"]))
        rows.append(
            f"| {ground} | {awaited} | {count['others']} | {count['others read']} | {bounds} | {count['dice']} "
            f"| {count['read']} |"
        )
    return rows
