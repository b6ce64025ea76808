"""How well dice of all kinds in one picture are read: ``python -m tests.benchmarks mixed [--scenes N]``.

Half of the pictures are drawn on the mat, half on other floors of which nothing is known; up to eight dice of any
kinds lie in each, and the reader is told which kinds. Counted as in ``accuracy``.
"""

import numpy as np

from calibration.synthesis.floors import FLOORS
from calibration.synthesis.scene import HARD, picture
from device.trained import trained_reader
from tests.benchmarks.accuracy import Read, confusions, count_drawn, reliability, table

SCENES, SHORT = 400, 40
HELD_BACK_SEED = 714_906_233
"""Training and its checks draw from small seeds; nothing but this benchmark may draw from this one."""

OTHER_FLOORS = tuple(floor for floor in FLOORS if floor != "mat")


def main(short: bool, scenes: int | None = None) -> str:
    """Measure, and return the section of the report."""
    asked = scenes or (SHORT if short else SCENES)
    grounds = {"the mat": Read(), "other floors": Read()}
    reader, conditions = trained_reader(), ("clean", *HARD)
    for number in range(asked):
        rng = np.random.default_rng([HELD_BACK_SEED, number])
        on_mat = number % 2 == 0
        floor = "mat" if on_mat else OTHER_FLOORS[number // 2 % len(OTHER_FLOORS)]
        condition = "clean" if number // 2 % 2 else conditions[number // 4 % len(conditions)]
        read = grounds["the mat" if on_mat else "other floors"]
        count_drawn(
            read, picture(rng, floor, condition=condition), reader, (read.by_condition[condition], read.together)
        )
    parts = [f"{asked} drawn pictures, held back from training, half of them tidy."]
    for ground, read in grounds.items():
        parts.append(f"On {ground} (left unread: {read.left_unread}):")
        parts += [
            "\n".join(rows) for rows in (table("condition", read.by_condition, read.together), confusions(read))
        ]
        parts.append("\n".join(reliability(read)))
    return "\n\n".join(parts)
