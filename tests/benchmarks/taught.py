"""How well taught dice are read: ``python -m tests.benchmarks taught``.

Every set is drawn on a tray whose empty picture is known, taught from two pictures of all its faces as an owner does,
and read in other pictures, in other turns and places. *Not to be told apart* are faces that the set itself names.
"""

from collections import defaultdict
from collections.abc import Callable

import numpy as np

from calibration.synthesis.design import Design
from calibration.synthesis.dice import any_die
from device.trained import trained_reader
from tests.benchmarks.accuracy import percent, wilson
from tests.vision.home_made import home_made
from tests.vision.rig import Rig
from vision.profile import Profile
from vision.reading import Pixels
from vision.taught import Patch, TaughtSet
from vision.taught_dice import SeenFace, TaughtDice

TEACHING, OTHERS, SHORT_OTHERS = (1, 2), tuple(range(3, 11)), (3, 4)
FLOORS = ("felt", "wood")

SETS: dict[str, Callable[[], Design]] = {
    "signs on cream": lambda: home_made(np.random.default_rng(4)),
    "gold signs on dark blue": lambda: home_made(np.random.default_rng(4), (0.2, 0.05, 0.04), (0.1, 0.5, 0.65)),
    "worn signs": lambda: home_made(np.random.default_rng(4), (0.3, 0.35, 0.4), (0.12, 0.14, 0.17)),
    "twelve numbers": lambda: any_die(np.random.default_rng(8), "number-die", 18.0),
}


def _seen(profile: Profile, design: Design, frame: Pixels) -> list[SeenFace]:
    taught = TaughtDice([TaughtSet(design.kind, None, {})])
    trained_reader(profile, taught).read(frame, {design.kind})
    return list(taught.seen)


def measure(floor: str, design: Design, others: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Dice, of them right, wrong, and showing a face that the set cannot tell."""
    rig = Rig(floor, 11)
    profile = Profile(rig.size_px, rig.camera, True, rig.empty(), None)
    halves = [range(len(design.faces))[i : i + 6] for i in range(0, len(design.faces), 6)]
    faces: dict[str, list[Patch]] = defaultdict(list)
    for seed in TEACHING:
        for half in halves:
            frame, labels = rig.lay(seed, design, half)
            for seen in _seen(profile, design, np.ascontiguousarray(frame)):
                near = min(
                    labels, key=lambda one: float(np.hypot(*np.subtract(one["top_centre_px"], seen.center_px)))
                )
                faces[near["face"]].append(seen.turned[0])
    taught = TaughtSet.of(design.kind, None, faces)
    dice = right = wrong = alike = 0
    for seed in others:
        for half in halves:
            frame, labels = rig.lay(seed, design, half)
            reading = trained_reader(profile, TaughtDice([taught])).read(np.ascontiguousarray(frame), {design.kind})
            dice += len(labels)
            alike += sum(bool(taught.cannot_tell(label["face"])) for label in labels)
            for die in reading.dice:
                near = min(labels, key=lambda one: float(np.hypot(*np.subtract(one["top_centre_px"], die.center_px))))
                right, wrong = right + (near["face"] == die.face), wrong + (near["face"] != die.face)
    return dice, right, wrong, alike


def main(short: bool) -> str:
    """Measure, and return the section of the report."""
    rows = ["| set | floor | dice | right | unread | wrong | not to be told apart | wrong of those read, 95 % |"]
    rows.append("|---|---|---|---|---|---|---|---|")
    for name, design in list(SETS.items())[: 2 if short else None]:
        for floor in FLOORS[: 1 if short else None]:
            dice, right, wrong, alike = measure(floor, design(), SHORT_OTHERS if short else OTHERS)
            unread = max(dice - right - wrong, 0)
            bounds = percent(*wilson(wrong, right + wrong))
            rows.append(f"| {name} | {floor} | {dice} | {right} | {unread} | {wrong} | {alike} | {bounds} |")
    return "All of them drawn.\n\n" + "\n".join(rows)
