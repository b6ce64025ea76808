"""The croupier mat as a page to print: what is filled with which colour, and what is written where.

The measures of the things that a camera reads are those of ``vision.mat_layout``; here are the papers, the ruler and
the small print. ``mat_pdf``, ``mat_svg`` and ``mat_png`` draw the same list of elements.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import cv2

from vision.mat_layout import (
    BLACK,
    COLOR_PATCHES,
    MARKER_CELLS,
    MARKER_CENTERS_MM,
    MARKER_DICTIONARY,
    MARKER_SIDE_MM,
    PAPER,
    PATCH_SIDE_MM,
    ROLL_AREA,
    ROLL_AREA_SRGB,
    SRGB,
    WHITE_PATCH_OUTLINE_MM,
    WHITE_PATCH_OUTLINE_SRGB,
    ColorPatch,
    PointMm,
    Rectangle,
    marker_area,
)

MAT_NAME = "croupier mat v1"


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet in landscape, its sides in millimetres."""

    name: str
    width_mm: float
    height_mm: float

    @property
    def area(self) -> Rectangle:
        """The whole sheet, about the origin."""
        return Rectangle(-self.width_mm / 2, -self.height_mm / 2, self.width_mm / 2, self.height_mm / 2)


PAPERS: Mapping[str, Paper] = MappingProxyType(
    {"a4": Paper("A4", 297.0, 210.0), "letter": Paper("US Letter", 279.4, 215.9)}
)


@dataclass(frozen=True, slots=True)
class Fill:
    """Rectangles filled with one colour. They do not overlap, but may touch: then no line shows between them."""

    areas: tuple[Rectangle, ...]
    srgb: SRGB


@dataclass(frozen=True, slots=True)
class Writing:
    """One line of small black type: it fills ``width_mm``, its digits are ``height_mm`` high.

    ``middle_mm`` is the middle of the line between baseline and top of the digits.
    """

    text: str
    middle_mm: PointMm
    width_mm: float
    height_mm: float


Element = Fill | Writing

RULER_MM = 50
RULER_TOP_MM = 93.6  # the patches end at 91 mm
RULER_LINE_MM = 0.2
_TICK_MM = {10: 2.4, 5: 1.8, 1: 1.2}
_RULER_TYPE_MM = 1.5
_RULER_TYPE_Y_MM = RULER_TOP_MM + 4.0  # ends 98.4 mm down: A4 still has 6.6 mm below it that printers may leave white
_DIGIT_MM = 1.15

# Between the last patch (88 mm) and the quiet zone of marker 2 (104 mm).
_NAME = Writing(MAT_NAME, middle_mm=(96.0, 84.0), width_mm=12.0, height_mm=1.3)


def mat_elements() -> Iterator[Element]:
    """Everything on the mat but the paper, in the order in which it is drawn."""
    yield Fill((ROLL_AREA,), ROLL_AREA_SRGB)
    for marker_id in MARKER_CENTERS_MM:
        yield Fill((marker_area(marker_id),), BLACK)
        yield Fill(tuple(_white_cells(marker_id)), PAPER)
    for patch in COLOR_PATCHES:
        yield from _patch(patch)
    yield _NAME
    yield from _ruler()


def _white_cells(marker_id: int) -> Iterator[Rectangle]:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARKER_DICTIONARY))
    cells = cv2.aruco.generateImageMarker(dictionary, marker_id, MARKER_CELLS)  # one pixel a cell
    side_mm = MARKER_SIDE_MM / MARKER_CELLS
    area = marker_area(marker_id)
    for row, column in zip(*cells.nonzero(), strict=True):
        left_mm, top_mm = area.left_mm + float(column) * side_mm, area.top_mm + float(row) * side_mm
        yield Rectangle(left_mm, top_mm, left_mm + side_mm, top_mm + side_mm)


def _patch(patch: ColorPatch) -> Iterator[Fill]:
    if patch.srgb == PAPER:
        yield Fill((patch.area,), WHITE_PATCH_OUTLINE_SRGB)
        yield Fill((Rectangle.square(patch.center_mm, PATCH_SIDE_MM - 2 * WHITE_PATCH_OUTLINE_MM),), patch.srgb)
    else:
        yield Fill((patch.area,), patch.srgb)


def _ruler() -> Iterator[Element]:
    half, line = RULER_MM / 2, RULER_LINE_MM / 2
    ticks = []
    for mm in range(RULER_MM + 1):
        length_mm = next(length for step, length in _TICK_MM.items() if mm % step == 0)
        x = mm - half
        ticks.append(Rectangle(x - line, RULER_TOP_MM, x + line, RULER_TOP_MM + length_mm))
    # The first and last tick stand half a line outside, so that their middles are 50 mm apart; so does the line.
    spine = Rectangle(-half - line, RULER_TOP_MM - RULER_LINE_MM, half + line, RULER_TOP_MM)
    yield Fill((spine, *ticks), BLACK)
    for mm in range(0, RULER_MM + 1, 10):
        text = str(mm)
        yield Writing(text, (mm - half, _RULER_TYPE_Y_MM), _DIGIT_MM * len(text), _RULER_TYPE_MM)
    yield Writing("mm", (half + 3.4, _RULER_TYPE_Y_MM), 3.0, _RULER_TYPE_MM)
