"""Synthetic frames of a tray, and readings of dice in it."""

import numpy as np

from device.camera import Grey
from vision.reading import ReadDie, Reading, Unread

HEIGHT, WIDTH = 120, 160
FRAME_S = 0.05


class Tray:
    """A grey tray under a noisy camera: small grey pictures with square dice and a hand drawn into them."""

    def __init__(self, seed: int = 1, noise: float = 1.5) -> None:
        self._chance = np.random.default_rng(seed)
        self._noise = noise
        self.light = 0.0
        self.dice: list[tuple[float, float]] = []
        self.hand_x: int | None = None

    def picture(self) -> Grey:
        """The tray as it is now, with fresh noise."""
        tray = np.full((HEIGHT, WIDTH), 120.0)
        tray[:8] = 40.0
        for x, y in self.dice:
            # A die's edge between two pixels lightens both, as a lens does.
            weights = np.outer(_covered(y, 7.0, HEIGHT), _covered(x, 7.0, WIDTH))
            tray += weights * 80.0
        if self.hand_x is not None:
            tray[30:90, max(0, self.hand_x) : max(0, self.hand_x + 50)] = 170.0
        noisy = tray + self.light + self._chance.normal(0.0, self._noise, tray.shape)
        return np.clip(np.rint(noisy), 0, 255).astype(np.uint8)


def _covered(start: float, length: float, count: int) -> np.ndarray:
    """How much of each pixel of a row lies between ``start`` and ``start + length``."""
    pixels = np.arange(count)
    return np.clip(np.minimum(pixels + 1, start + length) - np.maximum(pixels, start), 0.0, 1.0)


def die(
    face: str,
    x: float,
    y: float,
    *,
    kind: str = "chance-cube",
    body: str | None = None,
    on_mat: bool = True,
) -> ReadDie:
    """A die with its middle at (x, y) mm on the mat, which is also 3 px for each mm in the picture."""
    u, v = 3 * x, 3 * y
    outline = ((u - 24, v - 24), (u + 24, v - 24), (u + 24, v + 24), (u - 24, v + 24))
    return ReadDie(kind, body or face, face, 0.99, (u, v), (x, y) if on_mat else None, outline)


def reading(*dice: ReadDie, unread: tuple[Unread, ...] = ()) -> Reading:
    """A reading of those dice."""
    return Reading("mat", dice, unread)
