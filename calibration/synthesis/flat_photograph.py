"""What a camera and a reader make of a flat drawing: uneven light, glare, lens, pixels, noise, JPEG, balance."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.patches import PATCH_SIDE_PX

Floats = NDArray[Any]

FINE = 2
"""Pixels of a canvas for each of the patch."""

SIDE_PX = PATCH_SIDE_PX * FINE
"""Of a canvas."""


def srgb(linear: Floats) -> Floats:
    """Linear values as a camera codes them, nearly: a power of 1 / 2.2."""
    return np.asarray(np.clip(linear, 0, 1) ** (1 / 2.2))


def cover(rng: np.random.Generator, canvas: NDArray[np.float32], beyond_px: tuple[float, float]) -> None:
    """Something of any colour lies over a side of the canvas, from so far beyond its middle on."""
    turn = rng.uniform(0, 2 * np.pi)
    across = np.array([np.cos(turn), np.sin(turn)])
    edge = SIDE_PX / 2 + across * rng.uniform(*beyond_px)
    along = np.array([-across[1], across[0]]) * 2 * SIDE_PX
    beyond = across * 2 * SIDE_PX
    quad = np.stack([edge - along, edge + along, edge + along + beyond, edge - along + beyond])
    color = tuple(float(v) for v in rng.uniform(0, 1, 3) ** 2.2)
    cv2.fillConvexPoly(canvas, np.round(quad).astype(np.int32), color, cv2.LINE_AA)


def photograph(
    rng: np.random.Generator,
    canvas: NDArray[np.float32],
    pixels_each: tuple[float, float],
    balance: tuple[float, float],
) -> NDArray[np.uint8]:
    """The patch (48, 48, 3), uint8 BGR, that a reader cuts from a photograph of the canvas.

    ``canvas`` is (96, 96, 3), linear BGR; ``pixels_each`` the least and most camera pixels for each of the patch;
    ``balance`` the errors of the reader's white balance, in brightness and in each channel (standard deviations of
    their logarithms).
    """
    ys, xs = np.mgrid[0:SIDE_PX, 0:SIDE_PX].astype(np.float32) / SIDE_PX - 0.5
    turn, fall = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.35)
    light = 1 + fall * (xs * np.cos(turn) + ys * np.sin(turn))
    if rng.random() < 0.15:  # the edge of a shadow
        turn, far = rng.uniform(0, 2 * np.pi), rng.uniform(-0.3, 0.3)
        beyond = np.clip((xs * np.cos(turn) + ys * np.sin(turn) - far) * rng.uniform(5, 40) + 0.5, 0, 1)
        light = light * (1 - rng.uniform(0.2, 0.75) * beyond)
    seen = canvas * light[..., None].astype(np.float32)
    if rng.random() < 0.4:  # gloss: a lamp seen in the face, small and hard or wide and faint
        at, wide = rng.uniform(-0.5, 0.5, 2), rng.uniform(0.04, 0.5)
        glare = np.exp(-((xs - at[0]) ** 2 + (ys - at[1]) ** 2) / (2 * wide**2)) * rng.exponential(0.25)
        seen = seen + np.minimum(glare, 0.9)[..., None].astype(np.float32)
    to_pixels = rng.uniform(*pixels_each)
    if rng.random() < 0.06:
        length = int(rng.integers(3, 9))
        streak = np.zeros((length, length), np.float32)
        end = np.array([np.cos(turn), np.sin(turn)]) * length
        middle = np.full(2, (length - 1) / 2)
        ends = [tuple(int(v) for v in np.round(middle + s * end / 2)) for s in (-1, 1)]
        cv2.line(streak, ends[0], ends[1], 1.0)
        seen = cv2.filter2D(seen, -1, streak / max(streak.sum(), 1e-6))
    blur = FINE / to_pixels * float(rng.choice([rng.uniform(0.3, 0.8), rng.uniform(0.8, 1.7)], p=(0.7, 0.3)))
    seen = cv2.GaussianBlur(seen, (0, 0), blur)
    side = round(PATCH_SIDE_PX * to_pixels)
    pixels = cv2.resize(seen, (side, side), interpolation=cv2.INTER_AREA)
    exposure = np.exp(rng.normal(-0.25, 0.3))
    level = 10 ** rng.uniform(-3.2, -1.3)  # noise of a pixel as a part of full scale
    noise = rng.normal(0, 1, pixels.shape).astype(np.float32)
    if rng.random() < 0.5:  # as demosaicing and denoising leave it: grains
        noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * 2
    pixels = pixels * exposure + noise * level * np.sqrt(np.clip(pixels, 0.02, 1))
    coded = np.round(srgb(pixels) * 255).astype(np.uint8)
    if rng.random() < 0.8:
        quality = int(rng.integers(60, 96))
        jpeg = cv2.imencode(".jpg", coded, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        coded = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
    fine = cv2.resize(coded, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_LINEAR)
    patch = cv2.resize(fine, (PATCH_SIDE_PX, PATCH_SIDE_PX), interpolation=cv2.INTER_AREA)
    gain = np.exp(rng.normal(0, balance[0]) + rng.normal(0, balance[1], 3)) / min(exposure, 1.0)
    balanced = srgb((patch / 255.0) ** 2.2 * gain)
    return np.asarray(np.round(balanced * 255), np.uint8)
