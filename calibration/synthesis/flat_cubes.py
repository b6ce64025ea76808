"""Patches of cubes' upper faces drawn flat, hundreds a second: not rendered, but of any maker, floor, size and light.

As ``flat_numbers`` is for twelve-sided dice: what a network needs is many dice and much that spoils their picture. A
face lies on the sides of its die that a camera sees beside it, on a floor of any colour, and is cut out a little
wrongly, as a finder outlines it. The dice are those of ``calibration.synthesis.dice``; renders stay the measure.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.synthesis.design import Design
from calibration.synthesis.dice import any_die
from calibration.synthesis.flat_photograph import FINE, SIDE_PX, cover, photograph
from calibration.synthesis.paint import FACE_PX, rounded_square
from vision.dice import ACTION_DIE, CHANCE_CUBE, PIP_DIE, RIG_DIE
from vision.patches import FACE_SIDE_PX

Floats = NDArray[Any]

SHARES = {CHANCE_CUBE: 0.1, RIG_DIE: 0.25, PIP_DIE: 0.45, ACTION_DIE: 0.2}
"""How often each kind is drawn: pip dice most, whose bodies and inks vary most."""

_HALF = FACE_SIDE_PX * FINE / 2
_DICE_KEPT = 300
_NOTHING, _COVERED = 0.14, 0.03  # shares of patches that show no upper face that can be told
_GLINTS = 0.25  # share of dice whose polished edges mirror a lamp
_SMALL = 0.25  # share of dice that are small in the picture
_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)


@dataclass(frozen=True)
class FlatFace:
    """A patch (48, 48, 3) uint8, BGR, and what it shows, as ``calibration.training.labels`` names it."""

    patch: NDArray[np.uint8]
    kind: str
    face: str
    body: str | None


def flat_cubes(seed: int, shares: Mapping[str, float] = SHARES) -> Iterator[FlatFace]:
    """Patches without end, the same for the same seed and shares of kinds (which add up to one)."""
    rng = np.random.default_rng(seed)
    dice: list[Design] = []
    while True:
        if len(dice) < _DICE_KEPT or rng.random() < 0.1:
            dice = [*dice[1 - _DICE_KEPT :], any_die(rng, str(rng.choice(list(shares), p=list(shares.values()))))]
        yield _drawn(rng, dice)


def _drawn(rng: np.random.Generator, dice: list[Design]) -> FlatFace:
    die = dice[int(rng.integers(len(dice)))]
    shown = int(rng.integers(6))
    canvas = _floor(rng, die)
    what = rng.random()
    strayed = what < _NOTHING
    if what < 0.2 * _NOTHING:
        return FlatFace(_photographed(rng, canvas), "nothing", "", None)
    for _ in range(int(rng.choice([0, 1, 2], p=(0.6, 0.3, 0.1)))):
        other = dice[int(rng.integers(len(dice)))] if rng.random() < 0.5 else die
        turn = rng.uniform(0, 2 * np.pi)
        away = np.array([np.cos(turn), np.sin(turn)]) * _HALF * rng.uniform(2.1, 3.2)
        _put(rng, canvas, other, int(rng.integers(6)), _square(rng) + away)
    outline = _astray(rng) if strayed else _found(rng)
    _put(rng, canvas, die, shown, outline)
    if what > 1 - _COVERED:
        cover(rng, canvas, (-0.3 * _HALF, 0.2 * _HALF))
        strayed = True
    patch = _photographed(rng, canvas)
    if strayed:
        return FlatFace(patch, "nothing", "", None)
    face = die.faces[shown]
    return FlatFace(patch, die.kind, face, face if die.kind == CHANCE_CUBE else die.seen_body)


def _square(rng: np.random.Generator) -> Floats:
    turn = rng.uniform(0, np.pi / 2)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(_CORNERS @ spin.T * _HALF * rng.uniform(0.85, 1.15))


def _found(rng: np.random.Generator) -> Floats:
    """Where the face really is when its outline was found a little wrongly: corners from the canvas' middle."""
    if rng.random() < 0.4:
        return np.asarray(_CORNERS * _HALF + rng.normal(0, 0.04 * _HALF, (4, 2)))
    turn = np.deg2rad(rng.normal(0, 5))
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * np.exp(rng.normal(0, 0.07))
    skew = rng.normal(0, 0.05 * _HALF, (4, 2))
    return np.asarray(_CORNERS @ spin.T * _HALF + skew + rng.normal(0, 0.08 * _HALF, 2))


def _astray(rng: np.random.Generator) -> Floats:
    """A face that lies beside its outline, or is much smaller or larger, or turned by half a quarter."""
    square = _CORNERS * _HALF
    what = rng.random()
    if what < 0.55:
        turn = rng.uniform(0, 2 * np.pi)
        return np.asarray(square + np.array([np.cos(turn), np.sin(turn)]) * _HALF * rng.uniform(0.9, 1.9))
    if what < 0.85:
        return np.asarray(square * (rng.uniform(1.7, 2.4) if rng.random() < 0.5 else rng.uniform(0.3, 0.55)))
    return np.asarray(square @ (np.array([[1, -1], [1, 1]]) / np.sqrt(2)).T)


def _floor(rng: np.random.Generator, die: Design) -> NDArray[np.float32]:
    """A floor of one colour or two, smooth, grainy, striped or with a print on it: (side, side, 3), linear."""
    colors = [(rng.uniform(0, 1, 3) * rng.uniform(0.2, 1)) ** 2.2 for _ in range(2)]
    if rng.random() < 0.3:
        colors[0] = np.full(3, rng.uniform(0.02, 0.9)) * np.exp(rng.normal(0, 0.08, 3))
    if rng.random() < 0.12 and die.edge is not None:  # dice on a floor of their own colour
        colors[0] = np.asarray(die.edge) * rng.uniform(0.7, 1.3)
    canvas = np.tile(colors[0].astype(np.float32), (SIDE_PX, SIDE_PX, 1))
    mixed = rng.random()
    if mixed < 0.45:
        cells = int(rng.integers(2, 30))
        shape = (cells, int(rng.integers(2, 30)) if rng.random() < 0.3 else cells, 1)
        cloud = cv2.resize(rng.random(shape, dtype=np.float32), (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC)
        canvas += np.clip(cloud, 0, 1)[..., None] * np.float32(rng.uniform(0.1, 1)) * (colors[1] - canvas)
    elif mixed < 0.6:
        line = tuple(float(v) for v in colors[1])
        for _ in range(int(rng.integers(1, 5))):
            ends = rng.uniform(-0.2, 1.2, (2, 2)) * SIDE_PX
            one, other = (tuple(int(v) for v in end) for end in ends)
            cv2.line(canvas, one, other, line, int(rng.integers(1, 12)), cv2.LINE_AA)
    if rng.random() < 0.5:
        grain = np.exp(rng.normal(0, rng.uniform(0.03, 0.3), (SIDE_PX, SIDE_PX, 1)))
        canvas *= cv2.GaussianBlur(grain.astype(np.float32), (0, 0), float(rng.uniform(0.6, 2)))[..., None]
    return np.asarray(canvas, np.float32)


def _put(rng: np.random.Generator, canvas: NDArray[np.float32], die: Design, shown: int, outline: Floats) -> None:
    """A die with its upper face there, the sides that the camera sees beside it, and its shadow on the floor."""
    middle = SIDE_PX / 2 - 0.5
    upper = (outline + middle).astype(np.float32)
    turn = rng.uniform(0, 2 * np.pi)
    far = rng.uniform(0, 0.9) * _HALF * float(rng.random() < 0.8)
    lower = (upper - upper.mean(0)) * rng.uniform(0.86, 0.97) + upper.mean(0)
    lower = (lower + np.array([np.cos(turn), np.sin(turn)]) * far).astype(np.float32)
    if rng.random() < 0.7:
        shadow = np.zeros((SIDE_PX, SIDE_PX), np.float32)
        fall = rng.normal(0, 0.35 * _HALF, 2)
        hull = cv2.convexHull(np.concatenate([lower, lower + fall]).astype(np.float32))
        cv2.fillConvexPoly(shadow, np.round(hull).astype(np.int32), 1.0)
        soft = cv2.GaussianBlur(shadow, (0, 0), float(rng.uniform(1, 8)))
        canvas *= 1 - np.float32(rng.uniform(0.15, 0.85)) * soft[..., None]
    lit, spread = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 0.5)
    others = [i for i in range(6) if i != shown]
    rng.shuffle(others)
    for i in range(4):
        j = (i + 1) % 4
        quad = np.stack([upper[i], upper[j], lower[j], lower[i]])
        a, b = quad[1] - quad[0], quad[3] - quad[0]
        if a[0] * b[1] - a[1] * b[0] >= 0:
            continue  # hidden under the upper face
        along = np.arctan2(*(quad[2:].mean(0) - quad[:2].mean(0))[::-1])
        shade = float(np.clip(0.65 + spread * np.cos(along - lit) + rng.normal(0, 0.06), 0.12, 1.2))
        _lay(canvas, die.art[others[i]].albedo * np.float32(shade), quad, 0.0)
    rounding = float(rng.choice([rng.uniform(0.0, 0.12), rng.uniform(0.12, 0.45)], p=(0.6, 0.4)))
    own = die.art[shown].albedo
    edge = np.asarray(die.edge if die.edge is not None else own[2, 2], np.float32)
    rim = np.empty_like(own)
    rim[:] = edge * np.float32(rng.uniform(0.55, 1.25))
    _lay(canvas, rim, upper, rounding * 0.6)
    inner = (upper - upper.mean(0)) * float(rng.choice([rng.uniform(0.9, 1.0), rng.uniform(0.74, 0.9)])) + upper.mean(
        0
    )
    _lay(canvas, own * np.float32(rng.uniform(0.9, 1.1)), inner.astype(np.float32), rounding)
    if rng.random() < _GLINTS:
        _glint(rng, canvas, upper)


def _lay(canvas: NDArray[np.float32], art: NDArray[Any], quad: Floats, rounding: float) -> None:
    """A drawing laid into a quadrangle of the canvas, its corners rounded by a share of half its side."""
    source = np.array([(0, 0), (FACE_PX, 0), (FACE_PX, FACE_PX), (0, FACE_PX)], np.float32) - 0.5
    to = cv2.getPerspectiveTransform(source, np.asarray(quad, np.float32))
    drawn = cv2.warpPerspective(art, to, (SIDE_PX, SIDE_PX), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    shape = (rounded_square(1.0, max(rounding, 1e-3)) + 1) / 2 * FACE_PX - 0.5
    outline = cv2.perspectiveTransform(shape[None].astype(np.float64), to.astype(np.float64))[0]
    mask = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    limited = np.clip(outline, -4 * SIDE_PX, 4 * SIDE_PX)
    cv2.fillConvexPoly(mask, np.round(limited * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    cover = mask[..., None].astype(np.float32) / 255
    canvas += cover * (drawn - canvas)


def _glint(rng: np.random.Generator, canvas: NDArray[np.float32], face: NDArray[np.float32]) -> None:
    """Lamps seen in polished edges: arcs along a rounded or hollow face."""
    light = np.zeros((SIDE_PX, SIDE_PX), np.float32)
    middle = face.mean(0) + rng.normal(0, 1.5, 2)
    reach = np.linalg.norm(face - face.mean(0), axis=1).mean() * rng.uniform(0.45, 0.8)
    at = (round(float(middle[0]) * 16), round(float(middle[1]) * 16))
    axes = (round(float(reach) * 16), round(float(reach * rng.uniform(0.75, 1.0)) * 16))
    for _ in range(int(rng.integers(1, 4))):
        first = float(rng.uniform(0, 360))
        last = first + float(rng.uniform(15, 130))
        thick = int(rng.integers(1, 4))
        cv2.ellipse(light, at, axes, float(rng.uniform(0, 180)), first, last, 1.0, thick, cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.5, 2)))
    canvas += np.float32(rng.uniform(0.2, 1.0)) * soft[..., None] * (1 - canvas)


def _photographed(rng: np.random.Generator, canvas: NDArray[np.float32]) -> NDArray[np.uint8]:
    small = rng.random() < _SMALL
    return photograph(rng, canvas, (0.45, 0.7) if small else (0.62, 1.25), balance=(0.2, 0.1))
