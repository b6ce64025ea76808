"""Which dice of one picture lean, judged together: all of them stand below the same camera.

Off the mat nobody knows how the camera hangs, and a leaning die shows what a standing one would show elsewhere. Where
several dice lie, though, the bases of those that stand run away from one point, the farther from it the more, as
perspective has it. Every way of calling some of the dice leaning is weighed by how well the others agree on such a
point (a linear model with Gaussian errors, for which the evidence has a closed form: Bishop, "Pattern Recognition and
Machine Learning", 3.5.1), and by what a network says of each die alone.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.lean_network import HEIGHTS, USUAL_FOCAL
from vision.reading import Floats

_LENSES = ((1.0, 0.15, 0.85), (2.1, 0.25, 0.15))
"""Mean and spread of how much wider than usual a lens draws, and how often it does: cameras, and wide ones."""

HANGING_TILT_DEG, ANY_TILT_DEG = 5.0, 25.0
"""How far cameras lean, along either axis (one standard deviation): those that hang above a tray, and any. With odds
above 0 by the former 42 of 2,000 photographed dice that stand seem to lean, 12 of 3,107 drawn ones; by the latter 24
and 7. Of 135 drawn leaning ones 103 and 102 do."""

_LEAN = 0.32  # spread of the base's offset, in heights of a die, where it leans by 12 to 42 degrees
_LEANING = 0.1  # share of dice that lean
_FURTHER_OFF = 1.3  # than the network says, on pictures that it has not learned; with 2.0 13 of 150 are missed
_LEAST_SPREAD = 0.03
_WEIGHT = 0.7  # of what is said of each die alone: of the same picture, so not quite another witness
_ALL_WAYS = 6  # dice, of which any may lean; of more, two at most
_MOST_LEANING = 2


@dataclass(frozen=True)
class Seen:
    """One upper face: its ``outline_px`` (k, 2), its base's ``offset`` (2,) and the ``spread`` of it in circumradii
    (``vision.base_network``), and the log ``odds`` that it leans, judged alone."""

    outline_px: Floats
    offset: Floats
    spread: float
    odds: float


def odds_of_leaning(dice: Sequence[Seen], shape: tuple[int, ...], tilt_deg: float = ANY_TILT_DEG) -> Floats:
    """The log odds that each of these dice leans, in a picture of that ``shape``: (n,).

    ``tilt_deg`` is how far such cameras lean.

    >>> def die(x, y, off): return Seen(np.array([(x - 9, y - 9), (x + 9, y - 9), (x + 9, y + 9), (x - 9, y + 9)]),
    ...                                 np.array([off, 0.0]), 0.05, -1.0)
    >>> odds = odds_of_leaning([die(320, 240, 0.0), die(200, 240, 0.0), die(440, 240, 0.4)], (480, 640, 3))
    >>> [bool(each > 0) for each in odds]
    [False, False, True]
    """
    if not dice:
        return np.zeros(0)
    foot = np.array([shape[1] - 1, shape[0] - 1]) / 2
    focal = USUAL_FOCAL * max(shape[:2])
    middles = np.array([die.outline_px.mean(axis=0) for die in dice])
    reach = np.array([np.linalg.norm(die.outline_px - die.outline_px.mean(axis=0), axis=1).mean() for die in dice])
    heights = np.array([HEIGHTS[len(die.outline_px)] for die in dice])
    # Seen as high as it is, a die's base would be off by (foot - middle) / focal of its height.
    per_height = (1 + heights * reach / focal) / heights
    offsets = np.array([die.offset for die in dice]) * per_height[:, None]
    spreads = np.array([die.spread for die in dice]) * per_height * _FURTHER_OFF + _LEAST_SPREAD
    slopes = np.zeros((len(dice), 2, 3))
    slopes[:, 0, 0] = slopes[:, 1, 1] = 1
    slopes[:, :, 2] = -(middles - foot) / focal
    ways = _ways(len(dice))
    before = ways @ (np.array([die.odds for die in dice]) * _WEIGHT + math.log(_LEANING / (1 - _LEANING)))
    tilt = math.tan(math.radians(tilt_deg))
    each_lens = [_evidence(offsets, spreads, slopes, ways, lens, tilt) for lens in _LENSES]
    evidence = np.logaddexp.reduce([before + one for one in each_lens])
    chances = np.exp(evidence - evidence.max())
    leaning = np.clip(chances @ ways / chances.sum(), 1e-6, 1 - 1e-6)
    return np.asarray(np.log(leaning / (1 - leaning)), np.float64)


def _ways(count: int) -> npt.NDArray[np.bool_]:
    """Every choice of dice that may lean: (m, count)."""
    most = count if count <= _ALL_WAYS else _MOST_LEANING
    chosen = [way for many in range(most + 1) for way in itertools.combinations(range(count), many)]
    ways = np.zeros((len(chosen), count), np.bool_)
    for row, way in zip(ways, chosen, strict=True):
        row[list(way)] = True
    return ways


def _evidence(
    offsets: Floats,
    spreads: Floats,
    slopes: Floats,
    ways: npt.NDArray[np.bool_],
    lens: tuple[float, float, float],
    tilt: float,
) -> Floats:
    """How well each way explains the offsets below a camera of that lens, wherever it hangs: logarithms, (m,).

    ``tilt`` is the usual tangent of the camera's lean.
    """
    wide, spread, share = lens
    usual = np.array([0.0, 0.0, wide])
    known = np.diag([1 / tilt**2, 1 / tilt**2, 1 / spread**2])
    off = offsets - slopes @ usual
    variance = np.where(ways, spreads**2 + _LEAN**2, spreads**2)
    precision = known + np.einsum("mn,nij,nik->mjk", 1 / variance, slopes, slopes)
    pull = np.einsum("mn,nij,ni->mj", 1 / variance, slopes, off)
    found = np.linalg.solve(precision, pull[..., None])[..., 0]
    misfit = ((off**2).sum(axis=1) / variance).sum(axis=1) - (pull * found).sum(axis=1)
    return np.asarray(
        math.log(share) - misfit / 2 - np.log(variance).sum(axis=1) - np.linalg.slogdet(precision)[1] / 2
        + math.log(np.linalg.det(known)) / 2,
        np.float64,
    )  # fmt: skip
