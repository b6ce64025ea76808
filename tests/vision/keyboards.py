"""Keyboards drawn beside dice: keys are squares with a sign, as large as a die's face and next to one another."""

import cv2
import numpy as np

from calibration.synthesis.scene import Picture
from vision.reading import Pixels

_KEY_PX, _COLUMNS, _ROWS = 40, 9, 4
_SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+=/.,;*<>"
_COLORS = (((90, 90, 90), (27, 26, 26)), ((202, 200, 200), (245, 245, 245)), ((42, 40, 40), (25, 25, 25)))
"""Of boards and their keys."""

_WIDER = 1.25  # a key with the gap beside it than a die's face
_ASLANT = np.array([[1.0, -0.12, 0.0], [0.1, 0.75, 0.0]])


def with_keyboard(drawn: Picture, seed: int) -> tuple[Pixels, list[dict[str, object]]]:
    """A picture with a keyboard laid into its upper left corner, and the labels of the dice that it leaves."""
    rng = np.random.default_rng(seed)
    labels = drawn.label["dice"]
    width = float(np.median([np.ptp(np.array(label["top_quad_px"])[:, 0]) for label in labels]))
    pixels = np.ascontiguousarray(drawn.pixels)
    size = pixels.shape[1::-1]
    to = _ASLANT * width / _KEY_PX * _WIDER
    board = _board(rng)
    mask = cv2.warpAffine(np.full(board.shape[:2], 255, np.uint8), to, size)
    share = cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None] / 255
    laid = cv2.GaussianBlur(cv2.warpAffine(board, to, size, flags=cv2.INTER_AREA), (0, 0), 0.7)
    seen = np.asarray(pixels * (1 - share) + laid * share, np.uint8)
    beside = cv2.dilate(mask, np.ones((3, 3), np.uint8), iterations=int(width))
    return seen, [label for label in labels if not _is_on(beside, np.array(label["top_quad_px"]).mean(axis=0))]


def _board(rng: np.random.Generator) -> Pixels:
    floor, key = _COLORS[int(rng.integers(len(_COLORS)))]
    ink = (235, 235, 235) if sum(key) < 390 else (30, 30, 30)
    board = np.full((_ROWS * _KEY_PX, _COLUMNS * _KEY_PX, 3), floor, np.uint8)
    gap = int(rng.integers(4, 8))
    for y in range(0, board.shape[0], _KEY_PX):
        for x in range(0, board.shape[1], _KEY_PX):
            far = (x + _KEY_PX - 1 - gap, y + _KEY_PX - 1 - gap)
            cv2.rectangle(board, (x + gap, y + gap), far, key, -1, cv2.LINE_AA)
            sign, scale = _SIGNS[int(rng.integers(len(_SIGNS)))], float(rng.choice([0.45, 0.6, 0.8]))
            (across, down), _ = cv2.getTextSize(sign, 0, scale, 1)
            at = (x + (_KEY_PX - across) // 2, y + (_KEY_PX + down) // 2)
            cv2.putText(board, sign, at, 0, scale, ink, 1 + int(scale > 0.7), cv2.LINE_AA)
    return np.asarray(board, np.uint8)


def _is_on(mask: Pixels, at: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> bool:
    x, y = np.clip(at, 0, np.array(mask.shape[::-1]) - 1).astype(int)
    return bool(mask[y, x])
