"""Twelve-sided dice with numbers."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration.synthesis.design import LIGHT_INKS, PIP_BODIES, WHITE, Design, any_shine
from calibration.synthesis.digits import any_hand
from calibration.synthesis.paint import FACE_PX, Brush, coat, near, plain, wear
from calibration.synthesis.solids import dodecahedron
from vision.dice import NUMBER_DIE

NUMBER_BODIES = {
    **{name: PIP_BODIES[name] for name in ("white", "black", "red", "orange", "purple", "blue", "green", "yellow")},
    "ivory": (226, 212, 170), "grey": (110, 112, 116), "teal": (30, 130, 140), "pink": (215, 110, 150),
}  # fmt: skip


def number_die(
    rng: np.random.Generator, size_mm: float | None = None, fonts: Sequence[Path] = (), mark: str | None = None
) -> Design:
    """A die with twelve numbered faces; opposite ones add up to thirteen, 6 and 9 carry a mark."""
    size = size_mm or rng.uniform(15.5, 21.5)
    solid = dodecahedron(size, rng.uniform(0.01, 0.05))
    named = str(rng.choice(list(NUMBER_BODIES)))
    color = near(NUMBER_BODIES[named], rng)
    bright = color.mean() > 0.2
    ink = near((20, 20, 22) if bright else WHITE, rng, 6)
    if rng.random() < 0.3:
        ink = near(
            rng.choice([(120, 20, 25), (25, 40, 120), (60, 60, 60)] if bright else LIGHT_INKS),
            rng,
        )
    if abs(np.log(ink.mean() + 0.03) - np.log(color.mean() + 0.03)) < 0.8:
        ink = near((20, 20, 22) if bright else WHITE, rng, 4)
    hand = any_hand(rng, fonts, mark)
    reach = float(np.linalg.norm(solid.sharp[0] - solid.sharp[0].mean(0), axis=1).max())
    tall = rng.uniform(0.45, 0.95)  # of a number, in half sides of the drawing
    crowded = rng.uniform(0.72, 0.95)
    turned = float(rng.choice([36.0, 0.0, 18.0], p=(0.78, 0.17, 0.05)))  # feet to an edge, to a corner, between
    depth = float(rng.choice([0, 0.7]))
    worn = rng.uniform(0.05, 0.5) if rng.random() < 0.15 else 0
    swirl = rng.uniform(0.1, 0.5) if rng.random() < 0.2 else 0
    second = near(rng.choice(list(NUMBER_BODIES.values())), rng)
    frame = rng.uniform(0.7, 0.78) if rng.random() < 0.06 else 0
    order = [
        n for low in rng.permutation(6) + 1 for n in ((low, 13 - low) if rng.random() < 0.5 else (13 - low, low))
    ]
    art = []
    for number in order:
        drawn = plain(color)
        if frame:
            t = np.arange(5) * 2 * np.pi / 5
            drawn = coat(plain(ink), Brush().union([np.c_[np.sin(t), -np.cos(t)] * frame * 1.15]), color)
        if swirl:
            cloud = cv2.resize(
                rng.random((5, 5), dtype=np.float32), (FACE_PX, FACE_PX), interpolation=cv2.INTER_CUBIC
            )
            drawn = coat(drawn, np.clip((cloud - 0.5) * 3, 0, 1) * swirl, second)
        turn = turned + 72.0 * int(rng.integers(5)) + float(rng.normal(0, 2))
        if rng.random() < 0.06:
            turn = float(rng.uniform(0, 360))
        scale = tall * (crowded if number >= 10 else 1.0) * FACE_PX / 2 / (128 * 0.6)
        c, s = np.cos(np.deg2rad(turn)) * scale, np.sin(np.deg2rad(turn)) * scale
        shift = FACE_PX / 2 - 0.5 + rng.normal(0, 1.0, 2)
        to = np.array([[c, -s, shift[0] - (c - s) * 63.5], [s, c, shift[1] - (s + c) * 63.5]])
        mask = cv2.warpAffine(hand.masks[number - 1], to, (FACE_PX, FACE_PX), flags=cv2.INTER_AREA)
        art.append(coat(drawn, wear((mask / 255).astype(np.float32), rng, worn), ink, depth))
    roughness, gloss = any_shine(rng)
    faces = tuple("?" if mark == "none" and n in (6, 9) else str(int(n)) for n in order)
    return Design(NUMBER_DIE, named, None, "d12", size, solid, faces, tuple(art), reach, color, roughness, gloss)
