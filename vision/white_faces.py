"""Faces that look white and may be coloured ones: a lamp that is mirrored in a face hides its colour.

Sheen adds the lamp's own light to that of the sticker. What betrays it is that some colour is left, that it fades
from one side to the other, or that the face is brighter than any paper.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.patches import Light, Patch, burnt_share, rectify_as_seen
from vision.reading import Pixels, Point

_FACE = slice(12, 36)  # of a patch: the face less its border
_MIDDLE = slice(15, 33)
_WHOLE, _GREENEST_PERCENT = slice(10, 38), 97
_COLOURED, _UNEVEN, _BRIGHT = 0.10, 0.25, 0.99  # of sRGB values
_MUCH_COLOUR, _MUCH_UNLIKE = 0.2, 0.1  # shares of what is white
# Of 194 white stickers (drawn, on the mat) none has that much colour, nor so unlike in two places; one is so much
# brighter than paper and burnt.
_NOT_WHITE, _NOT_ONE_COLOUR = 0.28, 0.12  # of the brightest channel, between it and the darkest
_BRIGHTER_THAN_PAPER, _BURNT_SHARE = 1.25, 0.1
_TINTED, _BRIGHT_TINT = 0.22, 1.2  # of 334 white stickers none is so much of one colour and so bright in it
_COLOUR_LEFT = 0.3  # of paper's brightness: of 346 white stickers one has 0.26, of two misread glared ones both 0.36
_GREENER, _GREEN_AS_PAPER = 0.135, 0.98
"""Of the brightest channel how far green is above the others, and of paper's brightness: of 1,544 white stickers four
are so green, of seven glared green ones that were read as white (drawn) five."""
_GLARED_SHARE, _GLARED_TINT = 0.5, 0.12  # of a face that is burnt out; one of those has that much colour then
_AS_BRIGHT_AS_PAPER = 1.0
"""Of a face that is burnt out: no paper throws back more, so that a lamp is mirrored there. 12 of 651 looks at white
stickers are left for it alone; a blue cube and a pip die were read as white stickers, with 0.98."""
_GREEN_REST = 0.15
"""How far green is above the others in the greenest part of such a face: of 33 white ones it is 0.11 at most, of a
green one of which a corner was not burnt 0.26."""
_BLUR_PX = 1.5


def is_glared_white(patch: Patch) -> bool:
    """Whether a face that looks white is a coloured one with a lamp mirrored in it (patch as ``rectify`` cuts it).

    Then some of it is brighter than paper and some less, and the colour is seen between. Of 84 faces on the mat that
    were taken for white (drawn) this holds for the two that were not, and for two that were.
    """
    face = patch[_FACE, _FACE].reshape(-1, 3)
    low, high = np.percentile(face.min(axis=1), (8, 92))
    colour = np.percentile(face.max(axis=1) - face.min(axis=1), 90)
    return bool(high >= _BRIGHT and high - low >= _UNEVEN and colour >= _COLOURED)


def may_be_glared(patch: Patch) -> bool:
    """Whether a face that looks white may be a coloured one with a lamp mirrored in it, off the mat.

    ``patch`` is the face as the camera gives it, its light left in (``PlainLight(1.0)``). White ones are of one
    brightness and of little colour: of 386 drawn ones 94 % are so, of 19 glared ones that were taken for white two,
    which are burnt out as a whole.
    """
    face = patch[_FACE, _FACE].reshape(-1, 3)
    dark = face.min(axis=1)
    white = max(float(np.percentile(dark, 92)), 0.05)
    colour = float(np.percentile(face.max(axis=1) - dark, 90)) / white
    smooth = np.asarray(cv2.GaussianBlur(patch, (0, 0), 1.5), np.float32)[_MIDDLE, _MIDDLE].min(axis=2)
    return colour >= _MUCH_COLOUR or float(np.ptp(smooth)) / white >= _MUCH_UNLIKE


def hides_its_colour(frame: Pixels, outline_px: Sequence[Point], light: Light) -> bool:
    """Whether a face on the mat that looks white (its outline in ``frame``, uint8 BGR) may be a coloured one.

    By the ``light`` of the mat it is known how bright white paper would be in that place, also where the camera shows
    more: sheen on a red sticker leaves some red, here and there, or burns it out as no light on paper does. Of 199
    white stickers (drawn) one is left for it, of four glared ones that two networks took for white all are.
    """
    seen = rectify_as_seen(frame, outline_px)
    u, v = np.mean(outline_px, axis=0)
    blurred = cv2.GaussianBlur(light.reflectance(seen, (float(u), float(v))), (0, 0), _BLUR_PX)
    linear = np.asarray(blurred, np.float32)
    face = linear[_MIDDLE, _MIDDLE].reshape(-1, 3)
    brightest, darkest = face.max(axis=1), face.min(axis=1)
    least, usual, most = np.percentile((brightest - darkest) / np.maximum(brightest, 1e-6), (5, 50, 95))
    if most >= _NOT_WHITE or most - least >= _NOT_ONE_COLOUR:
        return True
    mean, burnt = face.mean(axis=0), burnt_share(frame, outline_px)
    return bool(
        (usual >= _TINTED and mean.max() >= _BRIGHT_TINT)
        or usual * mean.max() >= _COLOUR_LEFT
        or (mean[1] >= _GREEN_AS_PAPER and _green(mean) >= _GREENER)
        or (
            burnt >= _GLARED_SHARE
            and (usual >= _GLARED_TINT or mean.min() >= _AS_BRIGHT_AS_PAPER or _greenest(linear) >= _GREEN_REST)
        )
        or (burnt >= _BURNT_SHARE and mean.min() >= _BRIGHTER_THAN_PAPER)
    )


def _greenest(linear: Patch) -> float:
    """How green the greenest part of a face is."""
    return float(np.percentile(_green(linear[_WHOLE, _WHOLE]), _GREENEST_PERCENT))


def _green(linear: Patch) -> Patch:
    """How far green is above blue and red in colours (..., 3) BGR, in shares of the brightest channel."""
    return np.asarray((linear[..., 1] - linear[..., ::2].max(axis=-1)) / np.maximum(linear.max(axis=-1), 1e-6))
