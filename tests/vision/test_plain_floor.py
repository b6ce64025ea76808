"""What is plain floor, whatever it is like, and what is not."""

import cv2
import numpy as np

from vision.plain_floor import is_not_plain
from vision.reading import Floats, Pixels


def _floor() -> Pixels:
    """A brown table with a wall along it, grain and noise: two pixels a millimetre."""
    random = np.random.default_rng(3)
    grain = cv2.GaussianBlur(random.normal(0, 60, (300, 1)), (0, 0), 2.0)
    floor = np.array([60, 90, 130]) + grain[..., None] + random.normal(0, 3, (300, 400, 3))
    floor[40:60] = 20
    return np.clip(floor, 0, 255).astype(np.uint8)


def _seen(floor: Pixels, print_px: list[Floats], lines_px: list[Floats]) -> list[tuple[int, int]]:
    found, times = is_not_plain(floor, 2.0, print_px, lines_px)
    rows, columns = np.nonzero(found)
    return [(int(column) * times, int(row) * times) for row, column in zip(rows, columns, strict=True)]


def test_a_wall_and_grain_are_plain_and_a_die_is_not() -> None:
    floor = _floor()
    assert not _seen(floor, [], [])
    cv2.rectangle(floor, (200, 150), (230, 180), (70, 130, 100), cv2.FILLED)
    places = _seen(floor, [], [])
    assert places and all(170 < column < 260 and 120 < row < 210 for column, row in places)


def test_a_die_that_hides_print_is_seen() -> None:
    floor = _floor()
    cv2.rectangle(floor, (200, 150), (228, 178), (30, 30, 200), cv2.FILLED)
    printed = np.array([(200, 150), (228, 150), (228, 178), (200, 178)], np.float64)
    assert not _seen(floor, [], [printed]) and not _seen(floor, [printed], [])
    cv2.rectangle(floor, (190, 160), (220, 190), (200, 130, 100), cv2.FILLED)
    assert _seen(floor, [], [printed])
