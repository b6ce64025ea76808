"""What a die is made of, and the colours that makers choose from (sRGB, red first)."""

from dataclasses import dataclass

import numpy as np

from calibration.synthesis.paint import Art, Floats
from calibration.synthesis.solids import Solid, cube

RED, BLUE, GREEN = (200, 30, 40), (30, 70, 180), (30, 140, 60)
GOLD, PURPLE, BLACK, WHITE = (235, 175, 60), (100, 50, 140), (26, 26, 28), (238, 236, 230)

PIP_BODIES = {
    "white": (236, 235, 228), "yellow": (240, 190, 50), "ivory": (226, 212, 170), "red": (190, 25, 35),
    "black": (25, 25, 28), "blue": (30, 60, 160), "green": (25, 130, 60), "brown": (90, 50, 35),
    "purple": (95, 40, 130), "orange": (225, 110, 35), "grey": (120, 122, 125), "pink": (220, 120, 160),
}  # fmt: skip

LIGHT_INKS = ((225, 185, 70), (190, 200, 215), (150, 230, 150))
"""Of numbers on dark bodies, where they are not white."""


@dataclass(frozen=True)
class Design:
    """One die: its solid, what is on each face, and how it shines.

    ``faces`` names each face as the games do; ``art`` is drawn on the face's square, ``reach_mm`` half its side.
    ``edge`` is the linear colour of the rounded edges, None where each half has its face's own. ``body`` is what the
    body is called, ``seen_body`` what a reader should call it (None where any will do).
    """

    kind: str
    body: str
    seen_body: str | None
    variant: str
    size_mm: float
    solid: Solid
    faces: tuple[str, ...]
    art: tuple[Art, ...]
    reach_mm: float
    edge: Floats | None
    roughness: float
    gloss: float


def any_cube(rng: np.random.Generator, size_mm: float | None, most_round: float = 0.14) -> tuple[float, Solid]:
    """Edge (mm) and solid of a cube, its rounding up to ``most_round`` of the edge."""
    size = size_mm or rng.uniform(11.5, 19.5)
    return size, cube(size, rng.uniform(0.03, most_round))


def any_shine(rng: np.random.Generator) -> tuple[float, float]:
    """Roughness (radians) and reflectance of a surface: from polished to matte."""
    if rng.random() < 0.3:  # matte wood or stone
        return rng.uniform(0.3, 0.6), rng.uniform(0.015, 0.04)
    return float(np.exp(rng.uniform(np.log(0.025), np.log(0.3)))), rng.uniform(0.03, 0.06)
