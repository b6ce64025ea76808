"""The numbers of twelve-sided dice, and of others, in as many hands as can be had.

Three sources: strokes drawn here (each die its own proportions, slant, pen and habits), OpenCV's Hershey fonts, and
TrueType files where some are given (reportlab brings Bitstream Vera). A number is a set of filled or stroked shapes
in a box one unit high, its middle at (0, 0), x right, y down.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]

HERSHEY_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_PLAIN,
)

_NUMBER_PX = 128
_MIDDLE = _NUMBER_PX / 2 - 0.5
_DECORATIONS = {
    "ring": 0.2, "box": 0.2, "pentagon": 0.2, "disc": 0.2, "dots": 0.07, "dashes": 0.07, "underlined": 0.06,
}  # fmt: skip
"""Of numbers that are decorated, and how often."""

TWELVE = tuple(range(1, 13))


@dataclass(frozen=True)
class Hand:
    """One die's way of writing: ``masks`` holds its numbers, 1 to 12, uint8 (128, 128), the ink 255, centred."""

    masks: tuple[NDArray[np.uint8], ...]


def _arc(cx: float, cy: float, rx: float, ry: float, start: float, end: float, power: float) -> Floats:
    """A superellipse's arc from ``start`` to ``end`` degrees, 0 right, 90 down."""
    t = np.deg2rad(np.linspace(start, end, 24))
    c, s = np.cos(t), np.sin(t)
    return np.asarray(np.c_[cx + rx * np.sign(c) * np.abs(c) ** power, cy + ry * np.sign(s) * np.abs(s) ** power])


def stroke_digits(rng: np.random.Generator) -> list[list[Floats]]:
    """Paths of 0 to 9, each in a box one high (y from -0.5 to 0.5); what varies between hands varies here."""
    p = rng.uniform(0.55, 1.0)  # 1 is an ellipse, less is squarer
    w = rng.uniform(0.24, 0.36)
    waist = rng.uniform(-0.08, 0.03)
    top, low = (waist + 0.5) / 2, (0.5 - waist) / 2
    up, down = -0.5 + top, 0.5 - low
    small = w * rng.uniform(0.82, 1.0)
    one: list[Floats] = [np.array([[0, 0.5], [0, -0.5]])]
    flag = rng.random()
    if flag < 0.75:
        one = [np.array([[0, 0.5], [0, -0.5], [-rng.uniform(0.12, 0.28), -0.5 + rng.uniform(0.08, 0.28)]])]
    if rng.random() < 0.3:
        foot = rng.uniform(0.12, 0.24)
        one.append(np.array([[-foot, 0.5], [foot, 0.5]]))
    reach = rng.uniform(-25, 15)
    two = [np.r_[_arc(0, up, small, top, 190 + reach, 380, p), [[-w, 0.5], [w, 0.5]]]]
    if rng.random() < 0.3:
        three = [np.r_[[[-small, -0.5], [small, -0.5], [0, waist]], _arc(0, down, w, low, -80, 150, p)]]
    else:
        three = [
            np.r_[_arc(0, up, small, top, 200, 450, p), [[-0.06, waist]]],
            np.r_[[[-0.06, waist]], _arc(0, down, w, low, -90, 160, p)],
        ]
    bar = rng.uniform(0.12, 0.26)
    stem = rng.uniform(0.05, 0.18)
    if rng.random() < 0.2:
        four = [np.array([[-w * 0.8, -0.5], [-w * 0.9, bar], [w, bar]]), np.array([[stem, -0.15], [stem, 0.5]])]
    else:
        four = [np.array([[stem, 0.5], [stem, -0.5], [-w, bar], [w, bar]])]
    notch = rng.uniform(-0.1, 0.0)
    five = [np.r_[[[w * 0.9, -0.5], [-small, -0.5], [-small, notch]], _arc(0, down, w, low, 215, 510, p)]]
    bowl = rng.uniform(0.27, 0.34)
    if rng.random() < 0.35:  # a straight back
        tail = np.r_[[[rng.uniform(0.05, w), -0.5]], [[-w * 0.75, 0.5 - bowl * 1.3]], [[-w, 0.5 - bowl]]]
    else:
        sweep = rng.uniform(270, 330)
        tail = _arc(0, 0.5 - bowl, w, 1 - bowl, sweep, 180, min(p, 0.95))
        tail = tail * [1, 1]
    six = [tail, _arc(0, 0.5 - bowl, w, bowl, 0, 360, p)]
    nine = [-path for path in six]
    lean = rng.uniform(-0.2, 0.05)
    seven = [np.array([[-w, -0.5], [w, -0.5], [lean, 0.5]])]
    if rng.random() < 0.12:
        seven.append(np.array([[-w * 0.4, 0.02], [w * 0.65, 0.02]]))
    eight = [_arc(0, up, small, top, 0, 360, p), _arc(0, down, w, low, 0, 360, p)]
    zero = [_arc(0, 0, w * rng.uniform(0.9, 1.1), 0.5, 0, 360, p)]
    return [zero, one, two, three, four, five, six, seven, eight, nine]


def _drawn(rng: np.random.Generator, numbers: Sequence[int]) -> list[NDArray[np.uint8]]:
    paths = stroke_digits(rng)
    pen = rng.uniform(0.09, 0.24)
    slant = rng.choice([0.0, 0.0, rng.uniform(-0.1, 0.3)])
    wide = rng.uniform(0.85, 1.25)
    gap = rng.uniform(0.06, 0.16)
    extent = [np.concatenate(d)[:, 0] for d in paths]
    masks = []
    for number in numbers:
        pieces, x = [], 0.0
        for digit in map(int, str(number)):
            left, right = extent[digit].min() * wide - pen / 2, extent[digit].max() * wide + pen / 2
            pieces += [path * [wide, 1] + [x - left, 0] for path in paths[digit]]
            x += right - left + gap
        mask = np.zeros((_NUMBER_PX, _NUMBER_PX), np.uint8)
        scale = _NUMBER_PX * 0.6 / (1 + pen)
        for path in pieces:
            shown = (path - [(x - gap) / 2, 0]) @ np.array([[1, 0], [-slant, 1]]) * scale + _NUMBER_PX / 2
            cv2.polylines(
                mask, [np.round(shown * 16).astype(np.int32)], False, 255, max(2, round(pen * scale)), cv2.LINE_AA, 4
            )
        masks.append(mask)
    return masks


def _hershey(rng: np.random.Generator, numbers: Sequence[int]) -> list[NDArray[np.uint8]]:
    font = int(rng.choice(HERSHEY_FONTS)) | (cv2.FONT_ITALIC if rng.random() < 0.2 else 0)
    thickness = int(rng.integers(2, 5)) if font & 7 != cv2.FONT_HERSHEY_PLAIN else 3
    masks = []
    for number in numbers:
        canvas = np.zeros((160, 240), np.uint8)
        cv2.putText(
            canvas, str(number), (40, 120), font, 5.5 if font & 7 == 1 else 2.6, 255, thickness * 2, cv2.LINE_AA
        )
        masks.append(_centred(canvas))
    return masks


def _typeset(file: Path, rng: np.random.Generator, numbers: Sequence[int]) -> list[NDArray[np.uint8]]:
    """Raises ``ValueError`` for a font that cannot write numbers."""
    from PIL import ImageFont

    if not has_figures(file):
        raise ValueError(f"{file} has no figures 0 to 9: leave it out")
    font, swell = ImageFont.truetype(str(file), 96), int(rng.integers(0, 3))
    return [_centred(_written(font, str(number), swell)) for number in numbers]


@lru_cache(maxsize=256)
def has_figures(file: Path) -> bool:
    """Whether a TrueType file can write numbers: many have signs of one script only, and a box for all others."""
    from PIL import ImageFont

    font = ImageFont.truetype(str(file), 48)
    return len({_written(font, figure).tobytes() for figure in "0123456789"}) == 10


def _written(font: Any, text: str, swell: int = 0) -> NDArray[np.uint8]:
    """A number on black, (180, 240); ``font`` is Pillow's."""
    from PIL import Image, ImageDraw

    picture = Image.new("L", (240, 180))
    ImageDraw.Draw(picture).text((40, 30), text, 255, font, stroke_width=swell)
    return np.asarray(picture)


def _centred(canvas: NDArray[np.uint8]) -> NDArray[np.uint8]:
    ys, xs = np.nonzero(canvas > 128)
    high, wide = ys.max() - ys.min() + 1, xs.max() - xs.min() + 1
    scale = min(_NUMBER_PX * 0.6 / high, _NUMBER_PX * 0.96 / wide)
    middle = (xs.min() + xs.max()) / 2, (ys.min() + ys.max()) / 2
    to = np.array(
        [[scale, 0, _NUMBER_PX / 2 - middle[0] * scale], [0, scale, _NUMBER_PX / 2 - middle[1] * scale]], np.float32
    )
    return np.asarray(cv2.warpAffine(canvas, to, (_NUMBER_PX, _NUMBER_PX), flags=cv2.INTER_AREA), np.uint8)


def _marked(
    masks: list[NDArray[np.uint8]], rng: np.random.Generator, mark: str, numbers: Sequence[int]
) -> list[NDArray[np.uint8]]:
    """6 and 9 with the bar or dot that tells them apart; none for ``mark`` == "none"."""
    if mark == "none":
        return masks
    out = list(masks)
    pen = max(4, round(_NUMBER_PX * rng.uniform(0.05, 0.1)))
    drop = rng.uniform(0.05, 0.11)
    length = rng.uniform(0.75, 1.15)
    narrow = rng.random() < 0.5
    for place in (place for place, number in enumerate(numbers) if number in (6, 9)):
        mask = out[place].copy()
        ys, xs = np.nonzero(mask > 128)
        foot = int(ys.max() + pen / 2 + drop * _NUMBER_PX)
        middle, half = int((xs.min() + xs.max()) / 2), (xs.max() - xs.min()) / 2
        if mark == "bar":
            reach = int(half * length * (0.85 if narrow else 1.15))
            cv2.line(mask, (middle - reach, foot), (middle + reach, foot), 255, pen, cv2.LINE_AA)
        else:
            at = (middle, foot + 2) if narrow else (int(xs.max() + pen), int(ys.max() - pen / 3))
            cv2.circle(mask, at, round(pen * 0.75), 255, -1, cv2.LINE_AA)
        out[place] = _centred(mask) if rng.random() < 0.5 else mask
    return out


def any_hand(
    rng: np.random.Generator, fonts: Sequence[Path] = (), mark: str | None = None, numbers: Sequence[int] = TWELVE
) -> Hand:
    """A way of writing numbers; ``mark`` is "bar", "dot" or "none" (drawn by chance when not given)."""
    chosen = mark or str(rng.choice(["bar", "bar", "bar", "bar", "dot"]))
    draw = rng.random()
    if fonts and draw < 0.45:
        masks = _typeset(fonts[int(rng.integers(len(fonts)))], rng, numbers)
    elif draw < 0.65:
        masks = _hershey(rng, numbers)
    else:
        masks = _drawn(rng, numbers)
    return Hand(tuple(_marked(masks, rng, chosen, numbers)))


def decorated(hand: Hand, rng: np.random.Generator) -> Hand:
    """The same numbers as some dice have them: in rings, boxes, pentagons or discs, beside dots or dashes, or each of
    them underlined."""
    how = str(rng.choice(list(_DECORATIONS), p=list(_DECORATIONS.values())))
    pen, gap = int(rng.integers(3, 9)), float(rng.uniform(3, 12))
    if how == "underlined":  # 6 and 9 are by themselves
        marked = enumerate(hand.masks, 1)
        return Hand(tuple(mask if number in (6, 9) else _underlined(mask, pen, gap) for number, mask in marked))
    smaller = cv2.getRotationMatrix2D((_MIDDLE, _MIDDLE), 0, float(rng.uniform(0.5, 0.72)))
    size = (_NUMBER_PX, _NUMBER_PX)
    masks = [np.asarray(cv2.warpAffine(mask, smaller, size), np.uint8) for mask in hand.masks]
    reaches = [_reach(mask, how) + gap for mask in masks]
    if rng.random() < 0.7:  # all of a die are alike
        reaches = [max(reaches)] * len(reaches)
    every = zip(masks, reaches, strict=True)
    return Hand(tuple(_decorated(mask, how, min(reach, _NUMBER_PX / 2 - pen), pen) for mask, reach in every))


def _reach(mask: NDArray[np.uint8], how: str) -> float:
    """How far (px) a number's ink is from the middle of its mask: across, along both sides, or at all."""
    away = np.abs(np.argwhere(mask > 128) - _MIDDLE)
    if how == "dashes":
        return float(away[:, 1].max())
    return float(away.max() if how == "box" else np.hypot(*away.T).max())


def _decorated(mask: NDArray[np.uint8], how: str, reach: float, pen: int) -> NDArray[np.uint8]:
    out, middle = mask.copy(), (round(_MIDDLE), round(_MIDDLE))
    if how == "ring":
        cv2.circle(out, middle, round(reach), 255, pen, cv2.LINE_AA)
    elif how == "disc":
        disc = cv2.circle(np.zeros_like(mask), middle, round(reach), 255, -1, cv2.LINE_AA)
        out = np.asarray(cv2.subtract(disc, mask), np.uint8)
    elif how == "dashes":
        for side in (-1, 1):
            first, last = ((round(_MIDDLE + side * away), middle[1]) for away in (reach, reach + 2 * pen))
            cv2.line(out, first, last, 255, pen, cv2.LINE_AA)
    else:
        corners, start, far = (4, 45, reach * 2**0.5) if how == "box" else (5, -90, 1.15 * reach)
        turns = np.deg2rad(start + 360 / corners * np.arange(corners))
        ring = np.round(_MIDDLE + far * np.c_[np.cos(turns), np.sin(turns)]).astype(np.int32)
        if how == "dots":
            for x, y in ring.tolist():
                cv2.circle(out, (x, y), pen, 255, -1, cv2.LINE_AA)
        else:
            cv2.polylines(out, [ring], True, 255, pen, cv2.LINE_AA)
    return out


def _underlined(mask: NDArray[np.uint8], pen: int, gap: float) -> NDArray[np.uint8]:
    out = mask.copy()
    ys, xs = np.nonzero(mask > 128)
    foot = min(round(ys.max() + gap + pen / 2), _NUMBER_PX - 1)
    cv2.line(out, (int(xs.min()), foot), (int(xs.max()), foot), 255, pen, cv2.LINE_AA)
    return out
