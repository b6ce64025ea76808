"""Patches of numbers drawn flat, hundreds a second: not rendered, but in any hand, ink, blur and light.

What a network needs of numbers is many hands and much that spoils them, more than a renderer makes in a day. Here
an upper face is a pentagon with a number on it, parts of other numbers beyond its edges, and the picture spoiled as
cameras spoil it. Rendered patches (``calibration.synthesis.samples``) stay the measure.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.synthesis.digits import Hand, any_hand, decorated
from calibration.synthesis.flat_photograph import FINE, SIDE_PX, cover, photograph, srgb
from calibration.synthesis.warped_hands import warped
from vision.patches import NUMBER_RADIUS_PX

Floats = NDArray[Any]

_RADIUS = NUMBER_RADIUS_PX * FINE
_HANDS_KEPT = 400
_TALL = (0.4, 1.0)  # height of a number in circumradii of its face: bought dice have 0.45 to 0.9
_MASK_TALL = 128 * 0.6  # of a number in its mask (``digits``)
_LEAST_CONTRAST = 0.16  # of sRGB values between ink and body
_BLANK, _STRAYED, _COVERED = 0.03, 0.07, 0.03  # shares of patches that show no number that can be told
_PIXELS = (0.62, 1.25)  # of the camera for each of the patch
_BALANCE = (0.06, 0.04)  # errors of brightness and of each channel: the mat shows them
_UNMARKED = 0.03  # of hands: 6 and 9 without a bar
_DECORATED = 0.13
"""Of hands. Networks that had learned none took 62 of 300 numbers in a ring or box for others, with 0.97 or more."""

_WARPED = 0.5  # of hands: as many again as there are typefaces


@dataclass(frozen=True)
class FlatNumber:
    """A patch (48, 48, 3) uint8, BGR, and the number that it shows; 0 for none."""

    patch: NDArray[np.uint8]
    number: int


def flat_numbers(
    seed: int, fonts: Sequence[Path] = (), share_decorated: float = _DECORATED, share_warped: float = _WARPED
) -> Iterator[FlatNumber]:
    """Patches without end, the same for the same arguments; ``fonts`` are TrueType files.

    ``share_decorated`` is how many of the hands write their numbers in rings, boxes or the like, ``share_warped`` how
    many are bent from what they were.
    """
    rng = np.random.default_rng(seed)
    hands: list[tuple[Hand, bool]] = []
    while True:
        if len(hands) < _HANDS_KEPT or rng.random() < 0.02:
            marked = bool(rng.random() >= _UNMARKED)
            hand = any_hand(rng, fonts, None if marked else "none")
            if share_warped and rng.random() < share_warped:
                hand = warped(hand, rng)
            if rng.random() < share_decorated:
                hand = decorated(hand, rng)
            hands = [*hands[1 - _HANDS_KEPT :], (hand, marked)]
        hand, marked = hands[int(rng.integers(len(hands)))]
        number = int(rng.integers(1, 13))
        yield _drawn(rng, hand, number, marked or number not in (6, 9))


def _drawn(rng: np.random.Generator, hand: Hand, number: int, can_be_told: bool) -> FlatNumber:
    body, ink = _colors(rng)
    canvas = _face(rng, body)
    if rng.random() < 0.5:
        _beside(rng, canvas, hand, ink)
    what = rng.random()
    if what < _BLANK:
        return FlatNumber(photograph(rng, canvas, _PIXELS, _BALANCE), 0)
    if what < _BLANK + _STRAYED:  # a side of the die, or a face wrongly outlined
        for _ in range(int(rng.integers(1, 4))):
            turn = rng.uniform(0, 2 * np.pi)
            away = rng.uniform(0.45, 0.9) * _RADIUS * np.array([np.cos(turn), np.sin(turn)])
            _write(rng, canvas, hand, int(rng.integers(1, 13)), ink, away, float(rng.uniform(0.3, 0.9)))
        return FlatNumber(photograph(rng, canvas, _PIXELS, _BALANCE), 0)
    _write(rng, canvas, hand, number, ink, rng.normal(0, 0.035 * _RADIUS, 2))
    if what > 1 - _COVERED:
        cover(rng, canvas, (-0.1 * _RADIUS, 0.1 * _RADIUS))
        can_be_told = False
    return FlatNumber(photograph(rng, canvas, _PIXELS, _BALANCE), number if can_be_told else 0)


def _colors(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Body and ink, linear BGR, of a die whose numbers can be seen."""
    while True:
        if rng.random() < 0.35:
            body = np.full(3, rng.choice([rng.uniform(0.02, 0.12), rng.uniform(0.55, 0.9)]))
            body = body * np.exp(rng.normal(0, 0.06, 3))
        else:
            hue, deep = rng.uniform(0, 180), rng.uniform(0.3, 1)
            hsv = np.array([[[hue, 255 * deep, rng.uniform(60, 250)]]], np.uint8)
            body = (cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0] / 255.0) ** 2.2
        ink = np.full(3, rng.choice([rng.uniform(0.01, 0.06), rng.uniform(0.65, 0.92)])) * np.exp(
            rng.normal(0, 0.05, 3)
        )
        if rng.random() < 0.3:
            ink = (rng.uniform(0, 1, 3)) ** 2.2
        if abs(srgb(body).mean() - srgb(ink).mean()) > _LEAST_CONTRAST:
            return body, ink


def _face(rng: np.random.Generator, body: Floats) -> NDArray[np.float32]:
    """The upper face and parts of those beside it, each with its own share of the light: (side, side, 3), linear."""
    middle = np.full(2, SIDE_PX / 2 - 0.5)
    angles = np.deg2rad(72 * np.arange(5) - 90)
    ring = np.c_[np.cos(angles), np.sin(angles)]
    shade = np.zeros((SIDE_PX, SIDE_PX), np.float32)
    lit, spread = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 0.5)
    for i in range(5):
        between = np.stack([middle, middle + 3 * _RADIUS * ring[i], middle + 3 * _RADIUS * ring[(i + 1) % 5]])
        towards = angles[i] + np.deg2rad(36)
        value = float(np.clip(0.8 + spread * np.cos(towards - lit) + rng.normal(0, 0.05), 0.15, 1.5))
        cv2.fillConvexPoly(shade, np.round(between).astype(np.int32), value)
    corners = np.round((middle + _RADIUS * ring) * 16).astype(np.int32)
    cv2.fillConvexPoly(shade, corners, 1.0, cv2.LINE_AA, 4)
    if rng.random() < 0.4:  # worn or rounded edges shine, or lie in shadow
        thick = int(rng.integers(1, 4))
        cv2.polylines(shade, [corners], True, float(rng.uniform(0.7, 1.5)), thick, cv2.LINE_AA, 4)
    canvas = shade[..., None] * body.astype(np.float32)
    if rng.random() < 0.2:
        cloud = rng.random((5, 5, 1), dtype=np.float32)
        cloud = np.clip((cv2.resize(cloud, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC) - 0.5) * 3, 0, 1)
        second = (rng.uniform(0, 1, 3) ** 2.2).astype(np.float32)
        canvas += cloud[..., None] * np.float32(rng.uniform(0.1, 0.5)) * (second - canvas)
    return np.asarray(canvas, np.float32)


def _write(
    rng: np.random.Generator,
    canvas: NDArray[np.float32],
    hand: Hand,
    number: int,
    ink: Floats,
    away: Floats,
    squeezed: float = 1.0,
) -> None:
    """A number ``away`` from the middle (canvas px), as high as chance has it, feet to an edge or a corner."""
    turn = float(rng.choice([36.0, 0.0, 18.0], p=(0.75, 0.18, 0.07))) + 72.0 * int(rng.integers(5)) + rng.normal(0, 3)
    tall = rng.uniform(*_TALL) * (rng.uniform(0.72, 1.0) if number >= 10 else 1.0)
    scale = tall * _RADIUS / _MASK_TALL
    c, s = np.cos(np.deg2rad(turn)) * scale, np.sin(np.deg2rad(turn)) * scale
    skew = rng.normal(0, 0.04, (2, 2)) + np.diag([squeezed, 1.0])
    linear = skew @ np.array([[c, -s], [s, c]])
    shift = SIDE_PX / 2 - 0.5 + away - linear @ np.full(2, 63.5)
    mask = cv2.warpAffine(hand.masks[number - 1], np.c_[linear, shift], (SIDE_PX, SIDE_PX), flags=cv2.INTER_AREA)
    cover = mask.astype(np.float32) / 255
    if rng.random() < 0.15:  # worn paint
        spots = cv2.resize(rng.random((12, 12), dtype=np.float32), (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC)
        cover *= np.clip(1.2 - rng.uniform(0.2, 1.2) * np.clip(spots * 1.6 - 0.5, 0, 1), 0, 1)
    canvas += cover[..., None] * (ink.astype(np.float32) * np.float32(rng.uniform(0.85, 1.1)) - canvas)


def _beside(rng: np.random.Generator, canvas: NDArray[np.float32], hand: Hand, ink: Floats) -> None:
    """Parts of the numbers on the faces around, at the edge of the patch."""
    for _ in range(int(rng.integers(1, 5))):
        turn = rng.uniform(0, 2 * np.pi)
        away = rng.uniform(1.15, 1.5) * _RADIUS * np.array([np.cos(turn), np.sin(turn)])
        _write(rng, canvas, hand, int(rng.integers(1, 13)), ink, away, 0.5)
