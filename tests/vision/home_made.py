"""Dice that nobody sells, for teaching them."""

from dataclasses import replace

import numpy as np

from calibration.synthesis.design import Design
from calibration.synthesis.dice import any_die
from calibration.synthesis.paint import Brush, coat, plain

FACES = tuple("123456")


def home_made(
    rng: np.random.Generator,
    ground: tuple[float, float, float] = (0.55, 0.75, 0.8),
    ink: tuple[float, float, float] = (0.02, 0.02, 0.03),
) -> Design:
    """A cube with signs of nobody's, standing for a pip die; colours are linear reflectances (blue, green, red)."""
    brush, size = Brush(), 0.45
    triangle = np.array([(0, -size), (size, size), (-size, size)])
    signs = [
        brush.union([triangle]),
        brush.discs(np.zeros((1, 2)), 0.22),
        brush.strokes([np.array([(-size, 0), (size, 0)])], 0.12),
        brush.strokes([np.array([(-size, 0), (size, 0)]), np.array([(0, -size), (0, size)])], 0.12),
        brush.discs(np.array([(-0.35, 0), (0.35, 0.0)]), 0.15),
        brush.strokes([np.array([(-size, -size), (-size, size), (size, size)])], 0.12),
    ]
    die = any_die(rng, "pip-die", 16.0)
    return replace(die, faces=FACES, art=tuple(coat(plain(np.array(ground)), sign, np.array(ink)) for sign in signs))
