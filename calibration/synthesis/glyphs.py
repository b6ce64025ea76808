"""The signs that are engraved or printed on the faces of chance cubes."""

import numpy as np

from calibration.synthesis.paint import Brush, Mask, placed


def any_glyph(brush: Brush, rng: np.random.Generator, discs: bool = True) -> Mask:
    """The mask of some sign: diamond, frame, cross, star, ring, triangle, rune, bar, or a disc if ``discs``."""
    r = rng.uniform(0.22, 0.55)
    pen = rng.uniform(0.07, 0.2)
    draw = int(rng.integers(0 if discs else 1, 10))
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float) * r * 0.85
    turn = float(rng.choice([0, 45, rng.uniform(0, 360)]))
    if draw == 0:
        return brush.discs(np.zeros((1, 2)), r * rng.uniform(0.4, 1))
    if draw == 1:
        return brush.union([placed(square * [0.6, 1], turn_deg=45 if rng.random() < 0.5 else 0)])
    if draw == 2:
        return brush.strokes([placed(np.r_[square, square[:1]], turn_deg=turn)], pen * 0.8)
    if draw == 3:
        return brush.strokes([placed(p, turn_deg=turn) for p in (square[[0, 2]], square[[1, 3]])], pen)
    if draw == 4:
        t = np.arange(10) * np.pi / 5
        star = (
            np.c_[np.sin(t), -np.cos(t)] * np.where(np.arange(10) % 2, rng.uniform(0.35, 0.55), 1)[:, None] * r * 1.2
        )
        return brush.union([placed(star, turn_deg=turn)])
    if draw == 5:
        t = np.linspace(0, 2 * np.pi, 40)
        return brush.strokes([np.c_[np.cos(t), np.sin(t)] * r], pen)
    if draw == 6:
        t = np.array([0, 2, 4]) * np.pi / 3
        return brush.union([placed(np.c_[np.sin(t), -np.cos(t)] * r * 1.2, turn_deg=turn)])
    if draw == 7:  # a crest, a beast: some blot
        t = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        blot = np.c_[np.cos(t), np.sin(t)] * (r * rng.uniform(0.4, 1.3, 24))[:, None]
        return brush.union([blot])
    if draw == 8:  # two swords, a rune
        return brush.strokes([rng.uniform(-r, r, (int(rng.integers(2, 5)), 2)) for _ in range(3)], pen)
    return brush.strokes([placed([[-r, 0], [r, 0]], turn_deg=turn)], pen)
