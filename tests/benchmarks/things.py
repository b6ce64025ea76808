"""Whether things are read that are no dice: ``python -m tests.benchmarks things [--photographs FOLDER]``.

Read are drawn pictures of shapes and letters (``tests.vision.scribbles``), from seeds of their own, or the
photographs in a folder and in those within it, none of which may show a die. Large ones are made smaller first, to
1280 px.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from calibration.training.stills import pictures_below
from device.trained import trained_reader
from tests.benchmarks.accuracy import percent, wilson
from tests.vision.scribbles import scribbled
from vision.reading import Pixels

PICTURES, SHORT = 600, 40
HELD_BACK_SEED = 71_000_000
"""Tests draw from small seeds."""

LARGEST_PX = 1280


def main(short: bool, photographs: Path | None = None) -> str:
    """Measure, and return the section of the report."""
    if photographs is None:
        what, pictures = "drawn pictures of shapes and letters", drawn(SHORT if short else PICTURES)
    else:
        what, pictures = "photographs", photographed(photographs)
    reader, read, many, mistaken = trained_reader(), Counter[str](), 0, 0
    for picture in pictures:
        dice = reader.read(picture).dice
        read.update(die.kind for die in dice)
        many, mistaken = many + 1, mistaken + bool(dice)
    said = ", ".join(f"{count} as a {kind}" for kind, count in read.most_common()) or "none"
    bound = percent(*wilson(mistaken, many))
    return (
        f"{many} {what}, none of which shows a die; any kinds awaited.\n\nIn {mistaken} of them something was read "
        f"({bound} at 95 %). Things that were read: {said}."
    )


def drawn(count: int) -> Iterator[Pixels]:
    """So many drawn pictures."""
    for number in range(count):
        yield scribbled(HELD_BACK_SEED + number)


def photographed(folder: Path) -> Iterator[Pixels]:
    """The photographs in a folder and in those within it."""
    for picture in pictures_below(folder):
        scale = LARGEST_PX / max(picture.shape[:2])
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else picture
        yield np.asarray(small, np.uint8)
