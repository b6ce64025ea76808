"""Red faces of chance cubes and of action dice, photographed with their sides: what tells the one from the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.synthesis.design import Design
from calibration.synthesis.dice import action_die, any_die, chance_cube
from calibration.synthesis.outlines import jittered, turned
from calibration.synthesis.samples import close_ups
from vision.dice import ACTION_DIE, CHANCE_CUBE, NUMBER_DIE, PIP_DIE, RIG_DIE
from vision.patches import rectify_with_sides

RED_KINDS = (CHANCE_CUBE, ACTION_DIE)
LEAST_SEEN = 0.85
_SHARES = MappingProxyType({CHANCE_CUBE: 0.46, ACTION_DIE: 0.46, RIG_DIE: 0.03, PIP_DIE: 0.03, NUMBER_DIE: 0.02})
"""Of dice drawn; the last three only lie beside."""


@dataclass(frozen=True)
class RedFace:
    """A patch (64, 64, 3) as ``rectify_with_sides`` cuts it, and what shows red: a chance cube, or a sticker on a
    ``body``."""

    patch: NDArray[Any]
    kind: str
    body: str | None


BORDERED = MappingProxyType({CHANCE_CUBE: 0.04, ACTION_DIE: 0.4})
"""Of all dice of a kind, those drawn alike. A border alone must not say everything, so that the network looks at the
sides; but a sticker always has one, and a cube hardly ever (``calibration.synthesis.dice``)."""


def _any_red(rng: np.random.Generator, kind: str, size_mm: float, fonts: Sequence[Path]) -> Design:
    if rng.random() >= BORDERED.get(kind, 0):
        return any_die(rng, kind, size_mm, fonts)
    half = rng.uniform(0.84, 0.985)
    border = (half, half * rng.choice([rng.uniform(0.0, 0.12), rng.uniform(0.12, 0.35)]))
    return chance_cube(rng, size_mm, border) if kind == CHANCE_CUBE else action_die(rng, size_mm, None, border)


def red_faces(seed: int) -> Iterator[RedFace]:
    """Red faces without end, half of them cubes, the same for the same seed; on mats and on all other floors."""
    rng = np.random.default_rng(seed)
    for one in close_ups(rng, (), _SHARES, "red", _any_red):
        for die, corners, seen in one.dice:
            if die.face != "red" or die.state != "flat" or seen < LEAST_SEEN or die.design.kind not in RED_KINDS:
                continue
            patch = rectify_with_sides(one.picture, turned(rng, jittered(rng, corners)), one.light)
            yield RedFace(patch, die.design.kind, die.design.seen_body if die.design.kind == ACTION_DIE else None)
