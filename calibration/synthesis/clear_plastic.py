"""Dice of clear, speckled or marbled plastic, as dice for role play often are.

Nothing is traced through the plastic: what glimmers through it is drawn on each face, below the paint.
"""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from calibration.synthesis.design import PIP_BODIES, Design
from calibration.synthesis.paint import FACE_PX, Floats, clouds, coat, near, plain

_EDGES = (2, 7)  # of the far side, that are seen through one face
_POLISHED = (0.025, 0.1)  # radians


def in_clear_plastic(rng: np.random.Generator, design: Design) -> Design:
    """The same die of another plastic; one whose body has no colour of its own stays as it is."""
    if design.edge is None:
        return design
    within = _LOOKS[str(rng.choice(list(_LOOKS), p=(0.5, 0.3, 0.2)))](rng, np.asarray(design.edge, float))
    art = []
    for face in design.art:
        away = np.abs(face.albedo - design.edge).sum(axis=2, keepdims=True)
        paint = np.clip(away / max(float(away.max()), 1e-3) * 2, 0, 1)
        body = np.clip(within(), 0, 1)
        art.append(replace(face, albedo=np.asarray(face.albedo * paint + body * (1 - paint), np.float32)))
    return replace(design, art=tuple(art), roughness=float(rng.uniform(*_POLISHED)))


Look = Callable[[], Floats]
"""Draws what a face of that plastic looks like: linear BGR (96, 96, 3)."""


def _clear(rng: np.random.Generator, color: Floats) -> Look:
    depth, strength = rng.uniform(0.3, 1.2), rng.uniform(0.15, 0.6)

    def look() -> Floats:
        shade = 1 + depth * (clouds(rng) - 0.4)
        far = np.zeros((FACE_PX, FACE_PX), np.float32)
        for _ in range(int(rng.integers(*_EDGES))):
            first, last = np.round(rng.uniform(-0.3, 1.3, (2, 2)) * FACE_PX).astype(int).tolist()
            line = cv2.line(np.zeros_like(far), first, last, 1.0, int(rng.integers(1, 6)), cv2.LINE_AA)
            far += cv2.GaussianBlur(line, (0, 0), rng.uniform(0.5, 3)) * rng.uniform(-1, 1)
        lit = np.clip(clouds(rng) * 2 - 1.2, 0, 1) * strength / 2  # where the lamp's light leaves it again
        return np.asarray(color * np.clip(shade + strength * far, 0.1, 3)[..., None] + lit[..., None] * (color + 0.2))

    return look


def _speckled(rng: np.random.Generator, color: Floats) -> Look:
    second = _second(rng)
    size, share, strength = rng.uniform(0.8, 2.5), rng.uniform(0.1, 0.4), rng.uniform(0.4, 1)

    def look() -> Floats:
        noise = cv2.GaussianBlur(rng.random((FACE_PX, FACE_PX), dtype=np.float32), (0, 0), size)
        return coat(plain(color), (noise > np.quantile(noise, 1 - share)) * strength, second).albedo

    return look


def _marbled(rng: np.random.Generator, color: Floats) -> Look:
    second = _second(rng)
    strength = rng.uniform(0.3, 0.9)
    return lambda: coat(plain(color), clouds(rng) * strength, second).albedo


_LOOKS: dict[str, Callable[[np.random.Generator, Floats], Look]] = {
    "clear": _clear,
    "speckled": _speckled,
    "marbled": _marbled,
}


def _second(rng: np.random.Generator) -> Floats:
    """Another colour of a body."""
    return near(list(PIP_BODIES.values())[int(rng.integers(len(PIP_BODIES)))], rng)
