"""Whether things are read that are no dice: ``python -m tests.benchmarks things [--photographs FOLDER]``.

Read are drawn pictures of shapes and letters (``tests.vision.scribbles``), from seeds of their own, and drawn dice
beside keyboards (``tests.vision.keyboards``); or the photographs in a folder and in those within it, none of which
may show a die. Large ones are made smaller first, to 1280 px.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from calibration.synthesis.floors import FLOORS
from calibration.synthesis.scene import picture
from calibration.training.stills import pictures_below
from device.trained import trained_reader
from tests.benchmarks.accuracy import percent, wilson
from tests.benchmarks.others import count_right, count_wrong
from tests.vision.keyboards import with_keyboard
from tests.vision.scribbles import scribbled
from vision.dice import KINDS
from vision.reading import Pixels

PICTURES, SHORT = 600, 40
HELD_BACK_SEED = 71_000_000
"""Tests draw from small seeds."""

LARGEST_PX = 1280
LEANS_DEG = ((0, 15), (15, 30), (30, 45))


def main(short: bool, photographs: Path | None = None) -> str:
    """Measure, and return the section of the report."""
    if photographs is None:
        what, pictures = "drawn pictures of shapes and letters", drawn(SHORT if short else PICTURES)
    else:
        what, pictures = "photographs", photographed(photographs)
    reader, read, many, mistaken = trained_reader(), Counter[str](), 0, 0
    for pixels in pictures:
        dice = reader.read(pixels).dice
        read.update(die.kind for die in dice)
        many, mistaken = many + 1, mistaken + bool(dice)
    said = ", ".join(f"{count} as a {kind}" for kind, count in read.most_common()) or "none"
    bound = percent(*wilson(mistaken, many))
    result = (
        f"{many} {what}, none of which shows a die; any kinds awaited.\n\nIn {mistaken} of them something was read "
        f"({bound} at 95 %). Things that were read: {said}."
    )
    return result if photographs is not None else f"{result}\n\n{beside_keyboards(SHORT if short else PICTURES)}"


def beside_keyboards(count: int) -> str:
    """How drawn dice of one kind a picture are read beside keyboards, and without, that kind awaited."""
    reader, kinds = trained_reader(), tuple(KINDS)
    floors = tuple(floor for floor in FLOORS if floor != "mat")
    lines = [
        "| camera leans by | dice beside a keyboard | right | wrong | right without it |",
        "|---|---|---|---|---|",
    ]
    for least, most in LEANS_DEG:
        many = right = wrong = bare = 0
        for number in range(count // len(LEANS_DEG)):
            rng, own = np.random.default_rng([HELD_BACK_SEED, least, number]), (kinds[number % len(kinds)],)
            drawn = picture(rng, floors[number % len(floors)], own, "clean", aslant_deg=(least, most))
            pixels, labels = with_keyboard(drawn, HELD_BACK_SEED + number)
            dice = reader.read(pixels, own).dice
            many += len(labels)
            right += count_right(dice, labels)
            wrong += count_wrong(dice, drawn.label["dice"])
            bare += count_right(reader.read(np.ascontiguousarray(drawn.pixels), own).dice, labels)
        lines.append(
            f"| {least} to {most}° | {many} | {right} ({percent(*wilson(right, many))}) | {wrong} | {bare} |"
        )
    return "\n".join(lines)


def drawn(count: int) -> Iterator[Pixels]:
    """So many drawn pictures."""
    for number in range(count):
        yield scribbled(HELD_BACK_SEED + number)


def photographed(folder: Path) -> Iterator[Pixels]:
    """The photographs in a folder and in those within it."""
    for pixels in pictures_below(folder):
        scale = LARGEST_PX / max(pixels.shape[:2])
        small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else pixels
        yield np.asarray(small, np.uint8)
