"""How dice are read that a camera sees from the side: ``python -m tests.benchmarks aslant [--scenes N]``.

A webcam on its stand or a telephone in a hand looks at the table aslant; the farther it leans, the larger the sides
of dice beside their upper faces. Half of the pictures are drawn on the mat, half on other floors; the kind that lies
there is awaited. What is read and is no upper face of that die counts as wrong.
"""

from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np

from calibration.synthesis.floors import FLOORS
from calibration.synthesis.scene import picture
from device.trained import trained_reader
from tests.benchmarks.accuracy import percent, wilson
from tests.benchmarks.others import count_right, count_wrong
from vision.dice import KINDS

SCENES, SHORT = 600, 36
HELD_BACK_SEED = 517_306_442
"""Training and its checks draw from small seeds; nothing but this benchmark may draw from this one."""

STEPS_DEG = (10, 20, 30, 40, 50, 60, 75)
OTHER_FLOORS = tuple(floor for floor in FLOORS if floor != "mat")


def main(short: bool, scenes: int | None = None) -> str:
    """Measure, and return the section of the report."""
    asked = scenes or (SHORT if short else SCENES)
    reader, kinds, steps = trained_reader(), tuple(KINDS), tuple(pairwise(STEPS_DEG))
    counts: defaultdict[tuple[str, tuple[int, int]], Counter[str]] = defaultdict(Counter)
    for number in range(asked):
        rng = np.random.default_rng([HELD_BACK_SEED, number])
        on_mat, step = number % 2 == 0, steps[number // 2 % len(steps)]
        each = number // (2 * len(steps))
        floor = "mat" if on_mat else OTHER_FLOORS[each % len(OTHER_FLOORS)]
        lying = (kinds[each % len(kinds)],)
        drawn = picture(rng, floor, lying, aslant_deg=step)
        read = reader.read(np.ascontiguousarray(drawn.pixels), lying).dice
        count = counts["the mat" if on_mat else "other floors", step]
        labels = drawn.label["dice"]
        count["dice"] += sum(label["readable"] for label in labels)
        count["right"] += count_right(read, [label for label in labels if label["readable"]])
        count["read"] += len(read)
        count["wrong"] += count_wrong(read, labels)
    return "\n\n".join([f"{asked} drawn pictures, held back from training.", "\n".join(_table(counts))])


def _table(counts: defaultdict[tuple[str, tuple[int, int]], Counter[str]]) -> list[str]:
    rows = [
        "| on | the camera leans by | dice | read rightly | of them | wrong | of what was read, 95 % |",
        "|---|---|---|---|---|---|---|",
    ]
    for (ground, (least, most)), count in sorted(counts.items()):
        share = f"{100 * count['right'] / max(count['dice'], 1):.0f} %"
        bounds = percent(*wilson(count["wrong"], count["read"])) if count["read"] else ""
        rows.append(
            f"| {ground} | {least} to {most}° | {count['dice']} | {count['right']} | {share} | {count['wrong']} "
            f"| {bounds} |"
        )
    return rows
