"""Hands that no typeface has: the numbers of one, leaning, narrowed, bolder or thinner, and a little bent."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.synthesis.digits import Hand

_NARROWED, _LOWERED = (0.72, 0.98), (0.8, 1.0)  # never widened: the widest numbers fill their mask
_LEANING = (-0.15, 0.28)
_BENT = 4.5  # px of the mask's 128: how far its parts are moved at most, usually
_KNOTS = 4
_LEAST_INK, _MOST_INK = 0.5, 1.9  # of a number's ink: thinner or bolder than that it is hardly the same


def warped(hand: Hand, rng: np.random.Generator) -> Hand:
    """The same numbers as another hand might write them."""
    lean = float(rng.uniform(*_LEANING)) if rng.random() < 0.6 else 0.0
    linear = np.array([[rng.uniform(*_NARROWED), -lean * 0.8], [0.0, rng.uniform(*_LOWERED)]])
    pen, bent = int(rng.integers(-3, 5)), float(rng.uniform(0, _BENT))
    return Hand(tuple(_warped(mask, linear, pen, rng.normal(0, bent, (2, _KNOTS, _KNOTS))) for mask in hand.masks))


def _warped(mask: NDArray[np.uint8], linear: NDArray[Any], pen: int, moved: NDArray[Any]) -> NDArray[np.uint8]:
    side = len(mask)
    middle = side / 2 - 0.5
    by = [cv2.resize(part.astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC) for part in moved]
    y, x = np.mgrid[0:side, 0:side] - middle
    from_px = np.linalg.inv(linear) @ np.stack([x.ravel(), y.ravel()]) + middle
    places = from_px.reshape(2, side, side).astype(np.float32)
    seen = cv2.remap(mask, places[0] + by[0], places[1] + by[1], cv2.INTER_LINEAR)
    if pen:
        tip = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (abs(pen) + 1, abs(pen) + 1))
        drawn = cv2.dilate(seen, tip) if pen > 0 else cv2.erode(seen, tip)
        if _LEAST_INK <= float(drawn.sum()) / max(float(seen.sum()), 1.0) <= _MOST_INK:
            seen = drawn
    return np.asarray(seen, np.uint8)
