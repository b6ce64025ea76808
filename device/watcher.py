"""The watcher: from small grey frames alone, whether something moves in the tray, and when it has come to rest.

It knows no wall clock: time is what the frames say. It looks at differences only, so it needs no calibration; hands
are movement like everything else.
"""

from enum import Enum

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Pixels

Grey = npt.NDArray[np.uint8]
"""A small grey picture: uint8, shape (height, width)."""

WATCH_WIDTH_PX = 160
"""Width of the watched picture: a 16 mm die under a camera at 45 cm is still about 5 px wide."""

SETTLE_S = 0.2
"""Stillness that counts as rest. Dice that balance on an edge fall sooner; with the frames that must agree on what
they show it makes 300 ms from the last movement to the reading at 20 frames a second."""

_LEAST_CHANGE = 8
"""Grey levels. Between two frames at rest of the rendered films (JPEG and sensor noise) no pixel changed by more than
5, in the slightest movement of a die more than 20 pixels did."""

_TREMBLE_PX = 0.05
"""How far a camera at rest may tremble, in pixels of the small picture: sharp edges then change by that part of
their contrast. Measured on the films, 0.05 takes away every change at rest and a tenth of those in movement."""

_NOISE_FACTOR = 6.0
"""Multiples of the noise (as a standard deviation) that a change must have in a dark, noisy picture."""

_EVERY = 3
"""Medians are taken of every third pixel each way; 2,000 are enough."""

_AROUND = np.ones((3, 3), np.uint8)

_LEAST_PIXELS = 6
"""A die's edge that moves by a tenth of its width changes about ten pixels of the small picture."""


class TrayState(Enum):
    """What the tray is doing."""

    EMPTY = "empty"
    """At rest, looked at, and nothing lies there."""
    MOVING = "moving"
    AT_REST = "at rest"
    """Nothing moves any more, and nobody has read it yet."""
    READ = "read"


def shrink(pixels: Pixels) -> Grey:
    """The picture that the watcher looks at: ``WATCH_WIDTH_PX`` wide, grey, area-averaged."""
    height, width = pixels.shape[:2]
    size = (WATCH_WIDTH_PX, max(1, round(height * WATCH_WIDTH_PX / width)))
    grey = cv2.cvtColor(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return grey.astype(np.uint8, copy=False)


def changed_pixels(before: Grey, after: Grey) -> npt.NDArray[np.bool_]:
    """Which pixels differ by more than noise, a change of the light on the whole picture left out.

    >>> dark = np.full((30, 40), 90, np.uint8)
    >>> lit = dark + np.uint8(12)
    >>> lit[10:14, 10:14] = 200
    >>> int(changed_pixels(dark, lit).sum())
    16
    """
    difference = after.astype(np.int16) - before.astype(np.int16)
    difference -= np.int16(np.median(difference[::_EVERY, ::_EVERY]))
    size = np.abs(difference)
    # 1.48 times the median of absolute differences estimates the standard deviation of normal noise.
    noise = 1.48 * float(np.median(size[::_EVERY, ::_EVERY]))
    edges = np.minimum(
        cv2.morphologyEx(before, cv2.MORPH_GRADIENT, _AROUND), cv2.morphologyEx(after, cv2.MORPH_GRADIENT, _AROUND)
    )
    return size > max(_LEAST_CHANGE, _NOISE_FACTOR * noise) + _TREMBLE_PX * edges


class Watcher:
    """Follows the tray from frame to frame.

    >>> watcher, tray = Watcher(), np.full((120, 160), 128, np.uint8)
    >>> [watcher.see(tray, t / 20).value for t in range(6)]
    ['moving', 'moving', 'moving', 'moving', 'at rest', 'at rest']
    >>> watcher.mark_read(is_empty=True); watcher.see(tray, 0.3).value
    'empty'

    A new watcher takes the tray for moving: it cannot know what happened before its first frame.
    """

    def __init__(self, settle_s: float = SETTLE_S) -> None:
        self._settle_s = settle_s
        self._state = TrayState.MOVING
        self._previous: Grey | None = None
        self._anchor: Grey | None = None
        self._still_since = 0.0
        self._seen_at = 0.0

    @property
    def state(self) -> TrayState:
        """What the tray is doing, as of the last frame."""
        return self._state

    @property
    def is_settling(self) -> bool:
        """Whether the tray has moved and has not yet come to rest."""
        return self._state is TrayState.MOVING

    @property
    def still_for_s(self) -> float:
        """Since when nothing has moved, in seconds before the last frame."""
        return self._seen_at - self._still_since

    def see(self, grey: Grey, captured_at: float) -> TrayState:
        """Look at the next frame (all of one size), taken at ``captured_at`` seconds."""
        if self._has_moved(grey) or captured_at < self._seen_at:
            self._state = TrayState.MOVING
            self._anchor = grey
            self._still_since = captured_at
        elif self._state is TrayState.MOVING and captured_at - self._still_since >= self._settle_s - 1e-6:
            self._state = TrayState.AT_REST
        self._previous = grey
        self._seen_at = captured_at
        return self._state

    def mark_read(self, is_empty: bool) -> None:
        """Say that what lies at rest has been read, and whether nothing lies there."""
        if self._state is not TrayState.MOVING:
            self._state = TrayState.EMPTY if is_empty else TrayState.READ

    def mark_unread(self) -> None:
        """Ask that what lies at rest be read once more."""
        if self._state is not TrayState.MOVING:
            self._state = TrayState.AT_REST

    def _has_moved(self, grey: Grey) -> bool:
        """Against the last frame, and against the first one at rest: what creeps is seen by the second alone."""
        if self._previous is None or self._anchor is None:
            return True
        if grey is self._previous:
            return False
        return any(
            np.count_nonzero(changed_pixels(other, grey)) >= _LEAST_PIXELS for other in (self._previous, self._anchor)
        )
