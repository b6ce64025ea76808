"""How well taught dice are read: ``python -m tests.benchmarks taught``.

Every set is drawn on a tray, with and without a picture of it empty, taught from two pictures of all its faces as an
owner does, and read in other pictures, in other turns and places. *Not to be told apart* are faces that the set
itself names. ``--photographs FOLDER`` adds photographs of one set of cubes, which its ``labels.jsonl`` describes.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np

from calibration.detector_model import any_floor
from calibration.synthesis.design import Design
from calibration.synthesis.dice import any_die
from device.decode import decode_picture
from device.trained import trained_reader
from tests.benchmarks.accuracy import percent, wilson
from tests.vision.home_made import home_made
from tests.vision.rig import Rig
from vision.any_light import light_of
from vision.patches import Patch
from vision.profile import Profile
from vision.reading import Point, ReadDie
from vision.taught import TaughtSet
from vision.taught_dice import TaughtDice

TEACHING, OTHERS, SHORT_OTHERS = (1, 2), tuple(range(3, 11)), (3, 4)
FLOORS = ("felt", "wood")

SETS: dict[str, Callable[[], Design]] = {
    "signs on cream": lambda: home_made(np.random.default_rng(4)),
    "gold signs on dark blue": lambda: home_made(np.random.default_rng(4), (0.2, 0.05, 0.04), (0.1, 0.5, 0.65)),
    "worn signs": lambda: home_made(np.random.default_rng(4), (0.3, 0.35, 0.4), (0.12, 0.14, 0.17)),
    "twelve numbers": lambda: any_die(np.random.default_rng(8), "number-die", 18.0),
}


NEAR_PX = 15.0
"""Of a die's middle; what is taken for a face farther off is none."""

SURE_FACE = 0.55
"""Score from which the detector's faces are looked at in photographs."""


def measure(floor: str, design: Design, others: tuple[int, ...], is_known: bool) -> tuple[int, int, int, int]:
    """Dice, of them right, wrong, and showing a face that the set cannot tell. ``is_known``: so is the empty tray."""
    rig = Rig(floor, 11)
    profile = Profile(rig.size_px, rig.camera, True, rig.empty(), None) if is_known else None
    halves = [range(len(design.faces))[i : i + 6] for i in range(0, len(design.faces), 6)]
    faces: dict[str, list[Patch]] = defaultdict(list)
    for seed in TEACHING:
        for half in halves:
            frame, labels = rig.lay(seed, design, half)
            taught = TaughtDice([TaughtSet(design.kind, None, {})])
            trained_reader(profile, taught).read(np.ascontiguousarray(frame), {design.kind})
            for seen in taught.seen:
                near = min(labels, key=lambda one: _apart(one["top_centre_px"], seen.center_px))
                if _apart(near["top_centre_px"], seen.center_px) < NEAR_PX:
                    faces[near["face"]].append(seen.turned[0])
    own = TaughtSet.of(design.kind, None, faces)
    dice = right = wrong = alike = 0
    for seed in others:
        for half in halves:
            frame, labels = rig.lay(seed, design, half)
            reading = trained_reader(profile, TaughtDice([own])).read(np.ascontiguousarray(frame), {design.kind})
            dice += len(labels)
            alike += sum(bool(own.cannot_tell(label["face"])) for label in labels)
            for die in reading.dice:
                near = min(labels, key=lambda one: _apart(one["top_centre_px"], die.center_px))
                right, wrong = right + (near["face"] == die.face), wrong + (near["face"] != die.face)
    return dice, right, wrong, alike


def measure_photographs(folder: Path) -> tuple[int, int, int, int]:
    """Pictures taught from; dice in the others, of them right and wrong by what was taught alone.

    Taught are the first pictures that are read as they are labelled, until each face was seen twice. The labels name
    no places: a picture's faces are compared as a whole.
    """
    labels = [json.loads(line) for line in (folder / "labels.jsonl").read_text("utf-8").splitlines()]
    truths = [Counter(str(die["face"]) for die in label["dice"]) for label in labels]
    kind, shown = labels[0]["dice"][0]["kind"], set().union(*truths)
    faces: dict[str, list[Patch]] = defaultdict(list)
    used = dice = right = wrong = 0
    for label, truth in zip(labels, truths, strict=True):
        frame = decode_picture(folder / label["image"])
        if any(len(faces[face]) < len(TEACHING) for face in shown):
            taught = TaughtDice([TaughtSet(kind, None, {})])
            read = trained_reader(None, taught).read(frame, {kind}).dice
            if Counter(die.face for die in read) == truth:
                used += 1
                for die in read:
                    seen = min(taught.seen, key=lambda one: _apart(one.center_px, die.center_px))
                    faces[die.face].append(seen.turned[0])
            continue
        own = TaughtSet.of(kind, None, {face: patches[: len(TEACHING)] for face, patches in faces.items()})
        found = [face for face in any_floor().detector.find(frame, False) if face.score >= SURE_FACE]
        told = [TaughtDice([own]).judge_seen(frame, light_of(frame), face, {kind}, "unsure") for face in found]
        named = Counter(die.face for die in told if isinstance(die, ReadDie))
        dice += truth.total()
        right, wrong = right + (named & truth).total(), wrong + (named - truth).total()
    return used, dice, right, wrong


def _apart(one: Point, other: Point) -> float:
    return float(np.hypot(*np.subtract(one, other)))


def main(short: bool, photographs: Path | None = None) -> str:
    """Measure, and return the section of the report."""
    rows = ["| set | floor | dice | right | unread | wrong | not to be told apart | wrong of those read, 95 % |"]
    rows.append("|---|---|---|---|---|---|---|---|")
    for name, design in list(SETS.items())[: 2 if short else None]:
        for floor in FLOORS[: 1 if short else None]:
            for is_known in (True, False):
                dice, right, wrong, alike = measure(floor, design(), SHORT_OTHERS if short else OTHERS, is_known)
                unread, bounds = max(dice - right - wrong, 0), percent(*wilson(wrong, right + wrong))
                where = floor if is_known else f"{floor}, never seen empty"
                rows.append(f"| {name} | {where} | {dice} | {right} | {unread} | {wrong} | {alike} | {bounds} |")
    drawn = "All of them drawn.\n\n" + "\n".join(rows)
    if photographs is None:
        return drawn
    used, dice, right, wrong = measure_photographs(photographs)
    told = f"of {dice} dice on the others {right} were read rightly by what was taught alone, {wrong} wrongly"
    return f"{drawn}\n\nPhotographed, never seen empty, taught from {used} pictures: {told}."
