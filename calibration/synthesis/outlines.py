"""Outlines of upper faces as a reader may find them: nearly right, or plainly wrong.

An outline is (n, 2) px, four or five corners.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.polygons import reach_of

Floats = NDArray[Any]

JITTER = 0.03  # circumradii by which corners found err (the detector's: 0.06 of a side)


def _clockwise(corners: Floats) -> Floats:
    x, y = corners[:, 0], corners[:, 1]
    area = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())
    return np.asarray(corners if area > 0 else corners[::-1])


def turned(rng: np.random.Generator, corners: Floats) -> list[tuple[float, float]]:
    """The same outline clockwise as seen, beginning with any corner."""
    ring = np.roll(_clockwise(corners), int(rng.integers(len(corners))), 0)
    return [(float(x), float(y)) for x, y in ring]


def jittered(rng: np.random.Generator, corners: Floats) -> Floats:
    """An outline found with small errors: moved, turned, swollen and skewed by a few percent of an edge."""
    edge = float(np.linalg.norm(corners[0] - corners[1]))
    loose = float(rng.choice([0.012, 0.03, 0.05], p=(0.5, 0.35, 0.15)))
    middle = corners.mean(0)
    turn = np.deg2rad(rng.normal(0, 60 * loose))
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    out = (corners - middle) @ spin.T * (1 + rng.normal(-0.01, loose * 1.3)) + middle
    return np.asarray(
        out + rng.normal(0, loose * edge, 2) + rng.normal(0, loose * edge * 0.5, corners.shape), np.float32
    )


def astray(rng: np.random.Generator, corners: Floats) -> Floats:
    """An outline that is plainly wrong: beside the face, too large or small, turned across it, of another solid."""
    middle = corners.mean(0)
    edge = float(np.linalg.norm(corners[0] - corners[1]))
    way = int(rng.integers(4))
    if way == 0:
        turn = rng.uniform(0, 2 * np.pi)
        return np.asarray(corners + np.array([np.cos(turn), np.sin(turn)]) * edge * rng.uniform(0.4, 1.0))
    if way == 1:
        factor = rng.uniform(1.5, 2.1) if rng.random() < 0.6 else rng.uniform(0.35, 0.55)
        return np.asarray((corners - middle) * factor + middle)
    count = 9 - len(corners)
    reach = reach_of(corners) * rng.uniform(0.8, 1.3)
    if way == 2 and count == 5:
        count = 4
        turn = np.arctan2(*(corners[0] - middle)[::-1]) + np.pi / 4 + rng.uniform(-0.2, 0.2)
        reach *= rng.uniform(0.9, 1.3)
    else:
        turn = rng.uniform(0, 2 * np.pi)
    t = turn + np.arange(count) * 2 * np.pi / count
    return np.asarray(middle + np.c_[np.cos(t), np.sin(t)] * reach)


def anywhere(rng: np.random.Generator, side: int, reach: float) -> Floats:
    """A square or pentagon somewhere in a picture ``side`` px wide, up to ``reach`` px large."""
    middle = rng.uniform(0.2 * side, 0.8 * side, 2)
    t = rng.uniform(0, 2 * np.pi) + np.arange(count := int(rng.choice([4, 4, 5]))) * 2 * np.pi / count
    return np.asarray(middle + np.c_[np.cos(t), np.sin(t)] * reach * rng.uniform(0.3, 0.7))
