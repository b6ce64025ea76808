"""Places in the tray where dice lie, looked at in the watcher's small picture without reading anything.

A die that was picked up must not shield a new one that comes to lie in the same place, also while nothing is read.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from device.camera import Grey
from device.counting import LyingDie
from vision.reading import ReadDie

_LOOK_SIDE_PX = 8
"""A die's surroundings are kept as a square of 8 x 8 grey pixels: 64 bytes."""

_LOOK_REACH = 1.5
"""How far the square goes, in halves of the die's width: beyond its edges, so that the edges count."""

_GONE_LEVELS = 4.0
"""Mean grey levels by which the square differs once its die is gone. On the film of the worked example a die that
stays makes 0.4 to 0.9, one that is taken away 9 (red on grey) to 19 (blue on grey)."""


def remember(die: LyingDie, grey: Grey, frame_width_px: int) -> LyingDie:
    """The die with what its place looks like in the small picture of a frame ``frame_width_px`` wide."""
    return replace(die, look=_look(die, grey, frame_width_px).tobytes())


def still_there(lying: Sequence[LyingDie], grey: Grey, frame_width_px: int) -> tuple[LyingDie, ...]:
    """The dice whose places still look as they did; asked of a tray at rest. A place never looked at is kept."""
    return tuple(die for die in lying if not die.look or _difference(die, grey, frame_width_px) < _GONE_LEVELS)


def seen_anew(
    lying: Sequence[LyingDie], seen: Sequence[ReadDie], grey: Grey, frame_width_px: int
) -> tuple[LyingDie, ...]:
    """The dice with the places and looks that they have now; those that are not seen stay as they were."""
    now = [LyingDie.of(die) for die in seen]
    same = [next((other for other in now if other.is_same(die)), None) for die in lying]
    return tuple(
        die if other is None else remember(other, grey, frame_width_px)
        for die, other in zip(lying, same, strict=True)
    )


def _difference(die: LyingDie, grey: Grey, frame_width_px: int) -> float:
    now = _look(die, grey, frame_width_px).astype(np.float64)
    before = np.frombuffer(die.look, np.uint8).reshape(now.shape).astype(np.float64)
    # The light may have changed since: only the pattern is compared, not how bright it is.
    change = (now - now.mean()) - (before - before.mean())
    return float(np.abs(change).mean())


def _look(die: LyingDie, grey: Grey, frame_width_px: int) -> Grey:
    scale = grey.shape[1] / frame_width_px
    reach = max(2, math.ceil(_LOOK_REACH * die.reach_px * scale))
    u, v = round(die.center_px[0] * scale), round(die.center_px[1] * scale)
    around = cv2.copyMakeBorder(grey, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    u, v = min(max(u, 0), grey.shape[1] - 1), min(max(v, 0), grey.shape[0] - 1)
    square = around[v : v + 2 * reach + 1, u : u + 2 * reach + 1]
    return cv2.resize(square, (_LOOK_SIDE_PX, _LOOK_SIDE_PX), interpolation=cv2.INTER_AREA).astype(
        np.uint8, copy=False
    )
