"""Whether what must not be read is named for what it is: ``python -m tests.benchmarks named [--scenes N]``.

Half of the pictures are drawn on the mat, half on other floors. In three of four dice lean, lie on one another or are
covered, in part or wholly (what nothing is seen of can be named by nobody); in the fourth one kind of dice is awaited
where all kinds lie.
"""

import math
from collections import Counter, defaultdict
from typing import Any

import numpy as np

from calibration.synthesis.floors import FLOORS
from calibration.synthesis.scene import picture
from device.trained import trained_reader
from tests.benchmarks.accuracy import percent, wilson
from vision.dice import KINDS
from vision.reading import Reading

SCENES, SHORT = 400, 32
HELD_BACK_SEED = 298_551_634
"""Training and its checks draw from small seeds; nothing but this benchmark may draw from this one."""

OTHER_FLOORS = tuple(floor for floor in FLOORS if floor != "mat")
CONDITIONS = ("cocked", "stacked", "occluded", "clean")
LEAST_SEEN, HALF_SEEN = 0.05, 0.7
"""Shares of a die: with less it is hidden, with more nothing covers it."""

NEAR = 1.05  # diagonals of an upper face: how far from its middle what is named may lie

Counts = defaultdict[tuple[str, str], Counter[str]]


def main(short: bool, scenes: int | None = None) -> str:
    """Measure, and return the section of the report."""
    asked = scenes or (SHORT if short else SCENES)
    hard: Counts = defaultdict(Counter)
    others: Counts = defaultdict(Counter)
    reader, kinds = trained_reader(), tuple(KINDS)
    for number in range(asked):
        rng = np.random.default_rng([HELD_BACK_SEED, number])
        floor = "mat" if number % 2 == 0 else OTHER_FLOORS[number // 2 % len(OTHER_FLOORS)]
        ground = "the mat" if floor == "mat" else "other floors"
        condition = CONDITIONS[number // 2 % len(CONDITIONS)]
        drawn = picture(rng, floor, condition=condition)
        awaited = {str(label["kind"]) for label in drawn.label["dice"]}
        if condition == "clean":
            awaited = {kinds[number // 8 % len(kinds)]}
        reading = reader.read(np.ascontiguousarray(drawn.pixels), awaited)
        for label in drawn.label["dice"]:
            if condition == "clean":
                if label["kind"] not in awaited and label["readable"]:
                    others[ground, str(label["kind"])][_in_its_place(reading, label)] += 1
            elif (wanted := _lies(label)) is not None:
                hard[ground, wanted][_said(reading, label, wanted)] += 1
    head = f"{asked} drawn pictures, held back from training."
    return "\n\n".join([head, *_hard_table(hard), *_others_table(others)])


def _lies(label: dict[str, Any]) -> str | None:
    """For what reason a die must be left; None where it may be read, or nothing is seen of it."""
    if label["readable"] or label["visible_fraction"] < LEAST_SEEN:
        return None
    states = {"cocked": "cocked", "under": "stacked"}
    return states.get(label["state"], "occluded" if label["visible_fraction"] < HALF_SEEN else None)


def _said(reading: Reading, label: dict[str, Any], wanted: str) -> str:
    """What is said of a die that must not be read."""
    near = [thing.reason for thing in reading.unread if _away(thing.center_px, label) <= NEAR]
    if wanted in near:
        return "named"
    if any(_away(die.center_px, label) <= NEAR / 2 for die in reading.dice):
        return "read, or what lies on it"
    return "named otherwise" if near else "passed over"


def _in_its_place(reading: Reading, label: dict[str, Any]) -> str:
    """What is said of a die of a kind that is not awaited."""
    if any(_away(die.center_px, label) <= NEAR / 2 for die in reading.dice):
        return "read"
    near = [thing for thing in reading.unread if _away(thing.center_px, label) <= NEAR / 2]
    return "in the way" if any(thing.may_count for thing in near) else "no matter"


def _away(at_px: tuple[float, float], label: dict[str, Any]) -> float:
    """How far a place is from a die's middle, in diagonals of its upper face."""
    first, _, third, _ = label["top_quad_px"][:4]
    return math.dist(at_px, label["top_centre_px"]) / max(math.dist(first, third), 1.0)


def _hard_table(counts: Counts) -> list[str]:
    said = ("named", "named otherwise", "passed over", "read, or what lies on it")
    rows = [f"| on | which are | dice | {' | '.join(said)} | named, 95 % |", "|---" * (4 + len(said)) + "|"]
    for (ground, lies), count in sorted(counts.items()):
        figures = " | ".join(str(count[one]) for one in said)
        bounds = percent(*wilson(count["named"], count.total()))
        rows.append(f"| {ground} | {lies} | {count.total()} | {figures} | {bounds} |")
    return ["Dice that must not be read:", "\n".join(rows)]


def _others_table(counts: Counts) -> list[str]:
    rows = ["| on | kind | dice | read | in a throw's way | in its way or read, 95 % |", "|---|---|---|---|---|---|"]
    for (ground, kind), count in sorted(counts.items()):
        bad = count["read"] + count["in the way"]
        bounds = percent(*wilson(bad, count.total()))
        rows.append(f"| {ground} | {kind} | {count.total()} | {count['read']} | {count['in the way']} | {bounds} |")
    return ["Dice of kinds that are not awaited (one other kind is):", "\n".join(rows)]
