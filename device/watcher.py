"""The watcher: from small grey frames alone, whether something moves in the tray, and when it has come to rest.

It knows no wall clock: time is what the frames say. It looks at differences only, so it needs no calibration. A hand
is told from dice by what it does to the picture, whatever its colour: large, it comes in over the border, and stays.
"""

from enum import Enum

import cv2
import numpy as np
import numpy.typing as npt

from device.camera import Grey
from vision.reading import Pixels

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


_HAND_SHARE = 0.03
"""Of the picture. A hand that holds a cup or dice over the tray covers 8 % and more; a die rolling in over the border
0.5 %, six dice at once 2 %."""

_HAND_FRAMES = 2
"""A large die that is blurred as it comes in over the border is gone from there in the next frame."""

_PARKED_S = 3.0
"""What is large, touches the border and has not moved at all for so long is no hand: a box was put down, or the mat
lies elsewhere. No hand is so still that not even six pixels change."""

_BRIDGE = np.ones((3, 3), np.uint8)
"""Joins the parts of a hand where its edge happens to be as bright as the tray."""


class TrayState(Enum):
    """What the tray is doing."""

    EMPTY = "empty"
    """At rest, looked at, and nothing lies there."""
    HAND = "hand"
    """A hand is in view, moving or not: nothing is read."""
    MOVING = "moving"
    AT_REST = "at rest"
    """Nothing moves any more, and nobody has read it yet."""
    READ = "read"


def shrink(pixels: Pixels | Grey) -> Grey:
    """The picture that the watcher looks at: ``WATCH_WIDTH_PX`` wide, grey, area-averaged."""
    height, width = pixels.shape[:2]
    size = (WATCH_WIDTH_PX, max(1, round(height * WATCH_WIDTH_PX / width)))
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    if small.ndim == 3:
        small = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    return small.astype(np.uint8, copy=False)


def reaches_in(before: Grey, after: Grey) -> bool:
    """Whether something large that was not there before comes in over the border of the picture.

    >>> tray = np.full((120, 160), 128, np.uint8)
    >>> hand, box = tray.copy(), tray.copy()
    >>> hand[40:80, :50] = box[40:80, 60:110] = 200
    >>> reaches_in(tray, hand), reaches_in(tray, box)
    (True, False)
    """
    changed = cv2.morphologyEx(changed_pixels(before, after).astype(np.uint8), cv2.MORPH_CLOSE, _BRIDGE)
    _, _, blobs, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
    height, width = after.shape
    left, top, wide, high, area = blobs[1:].T
    at_border = (left == 0) | (top == 0) | (left + wide == width) | (top + high == height)
    return bool(np.any(at_border & (area >= _HAND_SHARE * height * width)))


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


_UNSETTLED = (TrayState.HAND, TrayState.MOVING)


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
        self._without_hand: Grey | None = None
        self._hand_frames = 0
        self._still_since = 0.0
        self._seen_at = 0.0

    @property
    def state(self) -> TrayState:
        """What the tray is doing, as of the last frame."""
        return self._state

    @property
    def is_settling(self) -> bool:
        """Whether the tray has moved and has not yet come to rest."""
        return self._state in _UNSETTLED

    @property
    def still_for_s(self) -> float:
        """Since when nothing has moved, in seconds before the last frame."""
        return self._seen_at - self._still_since

    def see(self, grey: Grey, captured_at: float) -> TrayState:
        """Look at the next frame (all of one size), taken at ``captured_at`` seconds."""
        if self._has_moved(grey) or captured_at < self._seen_at:
            self._anchor = grey
            self._still_since = captured_at
            self._state = TrayState.HAND if self._is_hand_in(grey) else TrayState.MOVING
        elif self.is_settling:
            self._settle(grey, captured_at)
        if not self.is_settling:
            self._without_hand = grey
        self._previous = grey
        self._seen_at = captured_at
        return self._state

    def _settle(self, grey: Grey, captured_at: float) -> None:
        """Nothing has moved since the last frame: how long has it been so, and is it a hand that is held still?"""
        still_s = captured_at - self._still_since
        if still_s >= _PARKED_S - 1e-6:
            self._state = TrayState.AT_REST
        elif self._is_hand_in(grey):
            self._state = TrayState.HAND
        elif still_s >= self._settle_s - 1e-6:
            self._state = TrayState.AT_REST

    def _is_hand_in(self, grey: Grey) -> bool:
        """Against the last picture at rest, which had none in it."""
        is_in = self._without_hand is not None and reaches_in(self._without_hand, grey)
        self._hand_frames = self._hand_frames + 1 if is_in else 0
        return self._hand_frames >= _HAND_FRAMES

    def mark_read(self, is_empty: bool) -> None:
        """Say that what lies at rest has been read, and whether nothing lies there."""
        if not self.is_settling:
            self._state = TrayState.EMPTY if is_empty else TrayState.READ

    def mark_unread(self) -> None:
        """Ask that what lies at rest be read once more."""
        if not self.is_settling:
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
