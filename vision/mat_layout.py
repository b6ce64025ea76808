"""The croupier mat, version 1: where each printed thing lies and which colour it has.

Pure data, for whoever prints the mat and whoever reads it. The origin is the middle of the page, x runs right and y
down as the page is read in landscape; all lengths are millimetres. Colours are sRGB, red first, 0 to 255.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

PointMm = tuple[float, float]
"""(x, y) in millimetres from the middle of the page."""

SRGB = tuple[int, int, int]
"""Red, green, blue, each from 0 to 255, sRGB-encoded (IEC 61966-2-1)."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """An upright rectangle on the page, its four sides in millimetres."""

    left_mm: float
    top_mm: float
    right_mm: float
    bottom_mm: float

    @classmethod
    def square(cls, center_mm: PointMm, side_mm: float) -> "Rectangle":
        """The square of that side about that centre.

        >>> Rectangle.square((-120, -85), 24)
        Rectangle(left_mm=-132.0, top_mm=-97.0, right_mm=-108.0, bottom_mm=-73.0)
        """
        (x, y), half = center_mm, side_mm / 2
        return cls(x - half, y - half, x + half, y + half)

    @property
    def width_mm(self) -> float:
        """From the left side to the right one."""
        return self.right_mm - self.left_mm

    @property
    def height_mm(self) -> float:
        """From the top side to the bottom one."""
        return self.bottom_mm - self.top_mm

    @property
    def corners_mm(self) -> tuple[PointMm, PointMm, PointMm, PointMm]:
        """Clockwise from the top left, the order in which OpenCV gives the corners of an upright marker."""
        return (
            (self.left_mm, self.top_mm),
            (self.right_mm, self.top_mm),
            (self.right_mm, self.bottom_mm),
            (self.left_mm, self.bottom_mm),
        )

    def grown(self, by_mm: float) -> "Rectangle":
        """The rectangle with every side so much farther out, or in where negative.

        >>> Rectangle(0, 0, 10, 20).grown(-1)
        Rectangle(left_mm=1, top_mm=1, right_mm=9, bottom_mm=19)
        """
        return Rectangle(self.left_mm - by_mm, self.top_mm - by_mm, self.right_mm + by_mm, self.bottom_mm + by_mm)

    def contains(self, point_mm: PointMm, margin_mm: float = 0.0) -> bool:
        """Whether the point lies inside, at least ``margin_mm`` from every side (the sides themselves count).

        >>> ROLL_AREA.contains((0, 68)), ROLL_AREA.contains((0, 68), margin_mm=1)
        (True, False)
        """
        x, y = point_mm
        return (
            self.left_mm + margin_mm <= x <= self.right_mm - margin_mm
            and self.top_mm + margin_mm <= y <= self.bottom_mm - margin_mm
        )


@dataclass(frozen=True, slots=True)
class ColorPatch:
    """One square of known colour: its name, its centre, and the sRGB value that is printed."""

    name: str
    center_mm: PointMm
    srgb: SRGB

    @property
    def area(self) -> Rectangle:
        """The whole patch; for the white one, including its outline."""
        return Rectangle.square(self.center_mm, PATCH_SIDE_MM)


PAGES = (Rectangle(-148.5, -105.0, 148.5, 105.0), Rectangle(-139.7, -107.95, 139.7, 107.95))
"""The sheets of A4 and of US Letter on which the mat is printed."""

MARKER_DICTIONARY = "DICT_4X4_50"
"""OpenCV's name of the ArUco dictionary."""

MARKER_CELLS = 6
"""Cells along a marker's side: four of code and a black border of one on each side."""

MARKER_SIDE_MM = 24.0
"""The black square's side; one cell is 4 mm."""

MARKER_CENTERS_MM: Mapping[int, PointMm] = MappingProxyType(
    {
        0: (-120.0, -85.0),
        1: (120.0, -85.0),
        2: (120.0, 85.0),
        3: (-120.0, 85.0),
        4: (-120.0, 0.0),
        5: (120.0, 0.0),
    }
)
"""The middle of each marker by its id. All six stand upright."""

PAPER: SRGB = (255, 255, 255)
BLACK: SRGB = (0, 0, 0)

ROLL_AREA = Rectangle(-104.0, -93.0, 104.0, 68.0)
"""Where dice are read."""

ROLL_AREA_SRGB: SRGB = (150, 150, 150)
"""Neutral, so that black, white and coloured dice all stand out."""

PATCH_SIDE_MM = 14.0
PATCH_PITCH_MM = 18.0  # 14 mm and a gap of 4
PATCH_ROW_Y_MM = 84.0

_PATCH_COLORS: tuple[tuple[str, SRGB], ...] = (
    ("white", (255, 255, 255)),
    ("light grey", (200, 200, 200)),
    ("grey", (150, 150, 150)),
    ("dark grey", (70, 70, 70)),
    ("black", (0, 0, 0)),
    ("red", (200, 30, 40)),
    ("blue", (30, 70, 180)),
    ("green", (30, 140, 60)),
    ("gold", (235, 190, 40)),
    ("purple", (110, 50, 140)),
)

COLOR_PATCHES: tuple[ColorPatch, ...] = tuple(
    ColorPatch(name, ((place - (len(_PATCH_COLORS) - 1) / 2) * PATCH_PITCH_MM, PATCH_ROW_Y_MM), srgb)
    for place, (name, srgb) in enumerate(_PATCH_COLORS)
)
"""The row of patches, from left to right; the outermost centres are at x = -81 and x = 81."""

WHITE_PATCH_OUTLINE_MM = 0.3
WHITE_PATCH_OUTLINE_SRGB: SRGB = (120, 120, 120)
"""The line that bounds the white patch on white paper; it lies inside the patch's 14 mm."""


def marker_area(marker_id: int) -> Rectangle:
    """The black square of that marker.

    >>> marker_area(4).corners_mm[0]
    (-132.0, -12.0)

    Raises ``KeyError`` for an id that the mat does not have.
    """
    return Rectangle.square(MARKER_CENTERS_MM[marker_id], MARKER_SIDE_MM)
