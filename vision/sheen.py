"""The colour of a sticker in which a lamp is mirrored.

Sheen adds the lamp's own light to that of the sticker (the dichromatic reflection model: Shafer, "Using color to
separate reflection components", 1985): a green or red one looks white to networks, but some of its colour is left
where the sheen is least. A sticker that is white has none there, whatever the lamp.
"""

from collections.abc import Collection, Sequence

import cv2
import numpy as np

from vision.dice import ACTION_DIE, RIG_DIE
from vision.floor import Linear, to_linear
from vision.opinions import Label, Opinion, taken_together
from vision.patches import Light, rectify_as_seen
from vision.reading import Pixels, Point

_MIDDLE = slice(16, 32)  # of a patch: half of the face, where the sticker is however it is outlined
_BLUR_PX = 1.2
_BURNT = 250  # of 255, in two channels: nothing is known of its colour
_LEAST_SEEN_PX = 40  # that are not burnt, of 256
_THIRD = 1 / 3
_GREEN, _RED = 0.2, 0.33
"""Of the brightest channel, between green or red and the greater of the other two, in linear light, where the face is
darkest. Of 59 white stickers in 66 drawn trays, each outlined in six ways, the greenest has 0.08, the reddest 0.24;
96 % of 101 green ones are told by these, and 99 % of 104 red ones."""
_SURELY_GREEN, _SURELY_RED = 0.4, 0.5  # a picture may be tinted as a whole: in one, white stickers have 0.22
_LEAST_LOST = 0.08  # of that where the face is brightest: of white ones, whatever their tint, 0.04 at most
_LEAST_WHITE = 0.02  # below it nobody takes a face for a white sticker
_LEAST_PLAIN = 0.6
"""Of the colour beside it that is left in the middle of a plain sticker. A white sign on a sticker that a lamp washes
out makes it look white to networks, too: three such dice have 0.2 to 0.36, the least of plain ones 1.16 (drawn)."""
_SIGN, _BESIDE_SIGN = slice(22, 26), (slice(14, 18), slice(30, 34))  # of a patch: in the middle of a sign, and off it
_SIGN_BLUR_PX = 0.8
_MOST_ORANGE = 0.15  # between green and blue: warm lamps make white redder, and yellower by far more


def colour_beneath(frame: Pixels, outline_px: Sequence[Point], light: Light | None = None) -> str | None:
    """``"green"`` or ``"red"`` where the face with these four corners (px in ``frame``, uint8 BGR) keeps that colour.

    None where it keeps none, or is burnt out. ``light`` is what is known of the light at that place; without it the
    picture is taken as it is.

    >>> corners = [(8.0, 8.0), (40.0, 8.0), (40.0, 40.0), (8.0, 40.0)]
    >>> colour_beneath(np.full((48, 48, 3), (150, 235, 160), np.uint8), corners)
    'green'
    >>> colour_beneath(np.full((48, 48, 3), (190, 215, 235), np.uint8), corners)  # white by a warm lamp
    """
    seen = rectify_as_seen(frame, outline_px)
    lit = cv2.GaussianBlur(_lit(seen, outline_px, light), (0, 0), _BLUR_PX)
    linear = np.asarray(lit, np.float32)[_MIDDLE, _MIDDLE].reshape(-1, 3)
    # Where one channel alone is burnt out the colour is stronger than it seems.
    face = linear[np.sort(seen[_MIDDLE, _MIDDLE].reshape(-1, 3), axis=1)[:, 1] < _BURNT]
    if len(face) < _LEAST_SEEN_PX:
        return None
    order, third = np.argsort(face.sum(axis=1)), round(_THIRD * len(face))
    green, red = _excess(face[order[:third]])
    green_left, red_left = _excess(face[order[-third:]])
    if green >= _SURELY_GREEN or (green >= _GREEN and green - green_left >= _LEAST_LOST):
        return "green"
    return "red" if red >= _SURELY_RED or (red >= _RED and red - red_left >= _LEAST_LOST) else None


def _excess(linear: Linear) -> tuple[float, float]:
    """How much greener and redder pixels (n, 3) are than white ones by any lamp; red not where they are orange."""
    blue, green, red = (linear / np.maximum(linear.max(axis=1, keepdims=True), 1e-6)).T
    orange = float(np.median(green - blue)) > _MOST_ORANGE
    greener = float(np.median(green - np.maximum(red, blue)))
    return greener, 0.0 if orange else float(np.median(red - np.maximum(green, blue)))


def may_bear_a_sign(frame: Pixels, outline_px: Sequence[Point], light: Light | None = None) -> bool:
    """Whether the middle of a face with these four corners (px in ``frame``, uint8 BGR) has less of a colour than
    what is beside it, as a sticker's with a white sign.

    >>> face = np.full((48, 48, 3), (150, 235, 160), np.uint8)
    >>> corners = [(8.0, 8.0), (40.0, 8.0), (40.0, 40.0), (8.0, 40.0)]
    >>> may_bear_a_sign(face, corners)
    False
    >>> face[21:27, 14:34] = 240
    >>> may_bear_a_sign(face, corners)
    True
    """
    linear = cv2.GaussianBlur(_lit(rectify_as_seen(frame, outline_px), outline_px, light), (0, 0), _SIGN_BLUR_PX)
    colour = np.ptp(linear, axis=2) / np.maximum(linear.max(axis=2), 1e-6)
    beside = min(float(colour[rows, columns].mean()) for rows in _BESIDE_SIGN for columns in _BESIDE_SIGN)
    return float(colour[_SIGN, _SIGN].mean()) < _LEAST_PLAIN * beside


def _lit(seen: Pixels, outline_px: Sequence[Point], light: Light | None) -> Linear:
    """A face as it is seen, in linear light: its reflectance where the light is known."""
    u, v = np.mean(outline_px, axis=0)
    return np.asarray(to_linear(seen) if light is None else light.reflectance(seen, (float(u), float(v))), np.float32)


def less_sheen(
    opinions: Sequence[Opinion],
    kinds: Collection[str],
    frame: Pixels,
    outlines: Sequence[Sequence[Point]],
    light: Light | None = None,
) -> list[Opinion]:
    """What networks say of a face that may be a white sticker, where one of these ``kinds`` has such.

    If all its ``outlines`` (px in ``frame``, uint8 BGR) show the same colour beneath the sheen, it has that colour;
    unless it may be a RIG die's sticker, whose sign is white.
    """
    if ACTION_DIE not in kinds or _white_share(taken_together(opinions)) < _LEAST_WHITE:
        return list(opinions)
    if RIG_DIE in kinds and any(may_bear_a_sign(frame, corners, light) for corners in outlines):
        return list(opinions)
    colours = {colour_beneath(frame, corners, light) for corners in outlines}
    colour = colours.pop() if len(colours) == 1 else None
    return list(opinions) if colour is None else [sheen_taken_off(opinion, colour) for opinion in opinions]


def sheen_taken_off(opinion: Opinion, colour: str) -> dict[Label, float]:
    """What a network says of a face, white stickers of action dice taken for those of this ``colour``.

    >>> sheen_taken_off({("action-die", "white", "red"): 0.75, ("action-die", "green", "red"): 0.25}, "green")
    {('action-die', 'green', 'red'): 1.0}
    """
    out = dict(opinion)
    for (kind, face, body), chance in opinion.items():
        if _is_white(kind, face):
            del out[kind, face, body]
            out[kind, colour, body] = out.get((kind, colour, body), 0.0) + chance
    return out


def _white_share(opinion: Opinion) -> float:
    return sum(chance for (kind, face, _), chance in opinion.items() if _is_white(kind, face))


def _is_white(kind: str, face: str) -> bool:
    return (kind, face) == (ACTION_DIE, "white")
