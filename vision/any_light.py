"""The light of a picture without a mat: how bright white would be, and nothing about its colour.

No floor's colour is known, so none is balanced; cameras balance their own pictures, and the network that reads these
faces was trained under lamps of every colour. In a tray of one's own it is known how the lamps' colour has changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.floor import to_linear
from vision.patches import burnt_share, rectify
from vision.reading import Pixels, Point, Reflectance
from vision.white_faces import may_be_glared

_BRIGHTEST_SHARE = 99.5  # percentile; one white die of 14 px in a picture of 1296 x 972 is 0.02 %, a window 5 %
_LEAST_WHITE = 0.12  # a picture all black stays black
_THUMBNAIL_PX = 256
_MOST_BURNT, _SURE_THOUGH_BURNT = 0.15, 0.97
"""Of a face that seems white: of 10 glared stickers of other colours 6 are left then, of 121 white ones 2."""


NO_COLOR = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class PlainLight:
    """Light of one brightness: ``white`` is the linear value (0 to 1) of white paper, ``color`` how much of it each
    channel has (blue, green, red), 1 on average."""

    white: float
    color: tuple[float, ...] = NO_COLOR

    def reflectance(self, pixels: Pixels, at_px: Point) -> Reflectance:
        """As ``vision.patches.Light``; the place does not matter."""
        return np.asarray(to_linear(pixels) / (self.white * np.array(self.color, np.float32)), np.float32)


def light_of(frame: Pixels, color: tuple[float, ...] = NO_COLOR) -> PlainLight:
    """The light of a picture (uint8 BGR), from the brightest half percent of it; its ``color`` as in ``PlainLight``.

    >>> light_of(np.full((40, 60, 3), 255, np.uint8)).white
    1.0
    """
    scale = min(1.0, _THUMBNAIL_PX / max(frame.shape[:2]))
    size = (max(round(frame.shape[1] * scale), 1), max(round(frame.shape[0] * scale), 1))
    small = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
    brightest = float(np.percentile(to_linear(small).max(axis=2), _BRIGHTEST_SHARE))
    return PlainLight(round(float(np.clip(brightest, _LEAST_WHITE, 1.0)), 4), color)


def may_be_made_white(frame: Pixels, outline_px: Sequence[Point], sure: float) -> bool:
    """Whether a lamp that is mirrored in a face of a picture (uint8 BGR) may be what makes it white.

    ``sure`` is how sure the networks are that it is.
    """
    if sure < _SURE_THOUGH_BURNT and burnt_share(frame, outline_px) > _MOST_BURNT:
        return True
    return may_be_glared(rectify(frame, outline_px, PlainLight(1.0)))
