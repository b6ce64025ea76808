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
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.base_network import BaseNetwork
from vision.lean_network import HEIGHTS, USUAL_FOCAL
from vision.polygons import reach_of
from vision.reading import Floats, Pixels

_LENSES = ((1.0, 0.15, 0.85), (2.1, 0.25, 0.15))
"""Mean and spread of how much wider than usual a lens draws, and how often it does: cameras, and wide ones."""

HANGING_TILT_DEG, ANY_TILT_DEG = 5.0, 25.0
"""How far cameras lean, along either axis (one standard deviation): those that hang above a tray, and any. With odds
above 0 by the former 42 of 2,000 photographed dice that stand seem to lean, 12 of 3,107 drawn ones; by the latter 24
and 7. Of 135 drawn leaning ones 103 and 102 do."""

_HARDLY_KNOWN_TILT_DEG = 45.0
"""As if cameras leaned by any angle: none is less likely than another for that alone."""

_LEAN = 0.32  # spread of the base's offset, in heights of a die, where it leans by 12 to 42 degrees
_LEANING = 0.1  # share of dice that lean
_FURTHER_OFF = 1.3  # than the network says, on pictures that it has not learned; with 2.0 13 of 150 are missed
_LEAST_SPREAD = 0.03
_WEIGHT = 0.7  # of what is said of each die alone: of the same picture, so not quite another witness
_ALL_WAYS = 6  # dice, of which any may lean; of more, two at most
_MOST_LEANING = 2
_ONE_MAY_LEAN = 4  # dice of which one may lean without making them disagree


@dataclass(frozen=True)
class Seen:
    """One upper face: its ``outline_px`` (k, 2), its base's ``offset`` (2,) and the ``spread`` of it in circumradii
    (``vision.base_network``), and the log ``odds`` that it leans, judged alone."""

    outline_px: Floats
    offset: Floats
    spread: float
    odds: float


def seen_by(bases: BaseNetwork, frame: Pixels, outlines: Sequence[Floats]) -> list[Seen]:
    """What a network sees of the bases of dice with those upper faces (k, 2) px in a frame (uint8 BGR); odds even."""
    offsets, spreads = bases.bases(frame, outlines)
    return [Seen(*each, 0.0) for each in zip(outlines, offsets, spreads.tolist(), strict=True)]


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
    sight = _sight(dice, shape)
    ways = _ways(len(dice))
    before = ways @ (np.array([die.odds for die in dice]) * _WEIGHT + math.log(_LEANING / (1 - _LEANING)))
    tilt = math.tan(math.radians(tilt_deg))
    each_lens = [_explained(*sight, ways, lens, tilt).evidence for lens in _LENSES]
    evidence = np.logaddexp.reduce([before + one for one in each_lens])
    chances = np.exp(evidence - evidence.max())
    leaning = np.clip(chances @ ways / chances.sum(), 1e-6, 1 - 1e-6)
    return np.asarray(np.log(leaning / (1 - leaning)), np.float64)


def bases_by_others(
    dice: Sequence[Seen], tell: Sequence[bool], shape: tuple[int, ...], tilt_deg: float = ANY_TILT_DEG
) -> Floats:
    """Where each die's base would appear (px) if it stood, below the camera that all others show: (n, 2).

    Only those count for the camera that ``tell``; where none does, it hangs as usual ones do.
    """
    if not dice:
        return np.zeros((0, 2))
    offsets, spreads, slopes, per_height = (*_sight(dice, shape), _per_height(dice, shape))
    middles = np.array([die.outline_px.mean(axis=0) for die in dice])
    reach = np.array([reach_of(die.outline_px) for die in dice])
    tilt = math.tan(math.radians(tilt_deg))
    cameras: dict[bytes, Floats] = {}
    bases = []
    for i in range(len(dice)):
        rest = np.array(tell, np.bool_) & (np.arange(len(dice)) != i)
        if rest.tobytes() not in cameras:
            cameras[rest.tobytes()] = _camera(offsets[rest], spreads[rest], slopes[rest], tilt)
        bases.append(middles[i] + slopes[i] @ cameras[rest.tobytes()] / per_height[i] * reach[i])
    return np.array(bases)


def lean_above(dice: Sequence[Seen], shape: tuple[int, ...], tilt_deg: float = ANY_TILT_DEG) -> float:
    """How far the camera leans below which most of these dice stand: the sine."""
    offsets, spreads, slopes = _sight(dice, shape)
    return float(np.hypot(*_camera(offsets, spreads, slopes, math.tan(math.radians(tilt_deg)))[:2]))


def disagreement(dice: Sequence[Seen], shape: tuple[int, ...]) -> float:
    """How ill the dice's bases agree on a camera below which all of them stand: squares of spreads for each die.

    Where there are four or more, one of them may lean. About 0.3 where all faces are upper ones.

    >>> def die(x, off): return Seen(np.array([(x - 9, 231), (x + 9, 231), (x + 9, 249), (x - 9, 249)]),
    ...                              np.array([off, 0.0]), 0.05, 0.0)
    >>> disagreement([die(310, 0.3), die(330, 0.3)], (480, 640, 3)) < 0.5
    True
    >>> disagreement([die(310, 0.3), die(330, -0.3)], (480, 640, 3)) > 5
    True
    """
    ways = _ways(len(dice))
    ways = ways[ways.sum(axis=1) <= (len(dice) >= _ONE_MAY_LEAN)]
    sight, tilt = _sight(dice, shape), math.tan(math.radians(_HARDLY_KNOWN_TILT_DEG))
    return min(float(_explained(*sight, ways, lens, tilt).misfit.min()) for lens in _LENSES) / len(dice)


def _camera(offsets: Floats, spreads: Floats, slopes: Floats, tilt: float) -> Floats:
    """The camera below which most of the dice stand: its lean's sines along either axis, and its lens (3,)."""
    ways = _ways(len(offsets))
    before = ways.sum(axis=1) * math.log(_LEANING / (1 - _LEANING))
    seen = [_explained(offsets, spreads, slopes, ways, lens, tilt) for lens in _LENSES]
    likely = np.array([before + each.evidence for each in seen])
    lens, way = np.unravel_index(int(likely.argmax()), likely.shape)
    return np.asarray(seen[lens].camera[way] + np.array([0.0, 0.0, _LENSES[lens][0]]))


def _focal(shape: tuple[int, ...]) -> float:
    return USUAL_FOCAL * max(shape[:2])


def _per_height(dice: Sequence[Seen], shape: tuple[int, ...]) -> Floats:
    """What offsets in circumradii are to be multiplied with, (n,)."""
    heights = np.array([HEIGHTS[len(die.outline_px)] for die in dice])
    reach = np.array([reach_of(die.outline_px) for die in dice])
    # Seen as high as it is, a die's base would be off by (foot - middle) / focal of its height.
    return np.asarray((1 + heights * reach / _focal(shape)) / heights)


def _sight(dice: Sequence[Seen], shape: tuple[int, ...]) -> tuple[Floats, Floats, Floats]:
    """Of each die the offset (n, 2) and its spread (n,), in heights, and how the camera moves it, (n, 2, 3)."""
    foot = np.array([shape[1] - 1, shape[0] - 1]) / 2
    middles = np.array([die.outline_px.mean(axis=0) for die in dice])
    per_height = _per_height(dice, shape)
    slopes = np.zeros((len(dice), 2, 3))
    slopes[:, 0, 0] = slopes[:, 1, 1] = 1
    slopes[:, :, 2] = -(middles - foot) / _focal(shape)
    offsets = np.array([die.offset for die in dice]) * per_height[:, None]
    return offsets, np.array([die.spread for die in dice]) * per_height * _FURTHER_OFF + _LEAST_SPREAD, slopes


def _ways(count: int) -> npt.NDArray[np.bool_]:
    """Every choice of dice that may lean: (m, count)."""
    most = count if count <= _ALL_WAYS else _MOST_LEANING
    chosen = [way for many in range(most + 1) for way in itertools.combinations(range(count), many)]
    ways = np.zeros((len(chosen), count), np.bool_)
    for row, way in zip(ways, chosen, strict=True):
        row[list(way)] = True
    return ways


class _Explained(NamedTuple):
    """Of each of m ways: how well it explains the offsets, a logarithm, and by how many squares of spreads its
    likeliest camera misses them, (m,); and how that camera differs from a usual one, (m, 3)."""

    evidence: Floats
    misfit: Floats
    camera: Floats


def _explained(
    offsets: Floats,
    spreads: Floats,
    slopes: Floats,
    ways: npt.NDArray[np.bool_],
    lens: tuple[float, float, float],
    tilt: float,
) -> _Explained:
    """The offsets by each way, below a camera of that lens, wherever it hangs.

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
    evidence = (
        math.log(share)
        - misfit / 2
        - np.log(variance).sum(axis=1)
        - np.linalg.slogdet(precision)[1] / 2
        + math.log(np.linalg.det(known)) / 2
    )
    return _Explained(*(np.asarray(each, np.float64) for each in (evidence, misfit, found)))
