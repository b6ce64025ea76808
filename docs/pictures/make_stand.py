"""Draws the parts of the cardboard stand in true size: docs/pictures/stand.svg, 1 unit = 1 mm.

``python -m docs.pictures.make_stand`` writes it. Print it on large paper or in tiles at 100 %, or carry the measures
over with a ruler. Red lines are cut, blue ones are only marks.
"""

from collections.abc import Iterator
from pathlib import Path

FILE = Path(__file__).with_name("stand.svg")

BOARD = 5.0
"""Thickness of double-walled cardboard, in mm; slots are as wide. Change it and draw again for other board."""

CAMERA_HEIGHT = 350.0
"""From the mat to the lens, in mm; the table in docs/hardware.md says what is seen from there."""

INSIDE = 330.0
"""Between the sides: the sheet of the mat is 297 mm long. The lamps' distance follows: half of this."""

DEPTH = 220.0
"""Of the sides; the sheet is 210 mm deep."""

BACK = 120.0
"""Height of the back wall, which keeps the stand square. Hands come in from the front."""

LAMP_HEIGHT = 150.0
TAB, OVERHANG = 60.0, 30.0
HOLES = (21.0, 12.5)
"""Between the screw holes (M2) of Camera Modules 2 and 3; the lens lies between two of them."""

LENS_HOLE = 14.0
GAP = 25.0
CUT, MARK = 'fill="none" stroke="#d32f2f" stroke-width="0.8"', 'fill="none" stroke="#1976d2" stroke-width="0.6"'


def rectangle(x: float, y: float, width: float, height: float, style: str = CUT) -> str:
    """A rectangle by its upper left corner."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" {style}/>'


def outline(*points: tuple[float, float]) -> str:
    """A closed outline that is cut."""
    return f'<polygon points="{" ".join(f"{x:g},{y:g}" for x, y in points)}" {CUT}/>'


def text(x: float, y: float, words: str, size: float = 9) -> str:
    """Words about a part."""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="middle" font-size="{size:g}">{words}</text>'


def side(x: float, y: float) -> Iterator[str]:
    """A side: two tabs on top for the roof, a slot at the back for the wall, a mark for the lamp."""
    tabs = [(DEPTH / 4 - TAB / 2, DEPTH / 4 + TAB / 2), (3 * DEPTH / 4 - TAB / 2, 3 * DEPTH / 4 + TAB / 2)]
    points = [(x, y + BOARD)]
    for begin, end in tabs:
        points += [(x + begin, y + BOARD), (x + begin, y), (x + end, y), (x + end, y + BOARD)]
    bottom = y + BOARD + CAMERA_HEIGHT
    points += [(x + DEPTH, y + BOARD), (x + DEPTH, bottom), (x, bottom)]
    yield outline(*points)
    yield rectangle(x + 15, bottom - BACK + 30, BOARD, TAB)
    lamp = bottom - LAMP_HEIGHT
    yield f'<path d="M{x + 30:g} {lamp:g} H{x + DEPTH - 10:g}" {MARK}/>'
    yield text(x + DEPTH / 2, lamp - 4, f"LED strip, {LAMP_HEIGHT / 10:g} cm above the table, inside")
    yield text(x + DEPTH / 2, y + 60, "side (cut two, the second one turned over)", 10)
    yield text(x + DEPTH / 2, y + 78, f"{DEPTH:g} x {CAMERA_HEIGHT:g} mm + tabs")


def roof(x: float, y: float) -> Iterator[str]:
    """The roof: slots for the sides' tabs, the hole for the lens and four for screws."""
    width = INSIDE + 2 * BOARD + 2 * OVERHANG
    yield rectangle(x, y, width, DEPTH)
    for slot_x in (x + OVERHANG, x + OVERHANG + BOARD + INSIDE):
        for middle in (DEPTH / 4, 3 * DEPTH / 4):
            yield rectangle(slot_x, y + middle - TAB / 2, BOARD, TAB)
    u, v = x + width / 2, y + DEPTH / 2
    yield f'<circle cx="{u:g}" cy="{v:g}" r="{LENS_HOLE / 2:g}" {CUT}/>'
    for dx in (-HOLES[0] / 2, HOLES[0] / 2):
        for dy in (0.0, HOLES[1]):
            yield f'<circle cx="{u + dx:g}" cy="{v + dy:g}" r="1.1" {CUT}/>'
    yield text(u, v - 40, "roof: the camera lies on top and looks down through the hole", 10)
    yield text(u, v - 24, f"{width:g} x {DEPTH:g} mm; the mat's middle goes under the hole")
    yield text(u, v + 40, "back", 8) + text(u, v + 60, "the Pi, the button and the LED find room beside it")


def back(x: float, y: float) -> Iterator[str]:
    """The back wall with a tab on each side."""
    low, high = y + 30, y + 30 + TAB
    points = [(x, y), (x + INSIDE, y)]
    points += [(x + INSIDE, low), (x + INSIDE + BOARD, low), (x + INSIDE + BOARD, high), (x + INSIDE, high)]
    points += [(x + INSIDE, y + BACK), (x, y + BACK), (x, high), (x - BOARD, high), (x - BOARD, low), (x, low)]
    yield outline(*points)
    yield text(x + INSIDE / 2, y + BACK / 2, f"back, {INSIDE:g} x {BACK:g} mm + tabs", 10)


def drawing() -> str:
    """All parts, in SVG."""
    width = INSIDE + 2 * BOARD + 2 * OVERHANG + 2 * GAP
    second = GAP + BOARD + CAMERA_HEIGHT + GAP
    third = second + DEPTH + GAP
    height = third + BACK + GAP + 60
    wide = max(width, 2 * DEPTH + 3 * GAP)
    left = (wide - (2 * DEPTH + GAP)) / 2
    parts = [
        *side(left, GAP),
        *side(left + DEPTH + GAP, GAP),
        *roof((wide - width) / 2 + GAP, second),
        *back((wide - INSIDE) / 2, third),
        f'<path d="M{GAP:g} {height - 22:g} h100 m-100 -3 v6 m100 -6 v6" {MARK}/>',
        text(GAP + 50, height - 30, "100 mm: check it with a ruler"),
    ]
    size = f'width="{wide:g}mm" height="{height:g}mm" viewBox="0 0 {wide:g} {height:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">'
    ground = f'<rect width="{wide:g}" height="{height:g}" fill="#ffffff"/>'
    return "\n".join([head, "<title>Parts of the cardboard stand</title>", ground, *parts, "</svg>", ""])


if __name__ == "__main__":
    FILE.write_text(drawing(), encoding="utf-8")
