"""Dice of other games: with numbers or signs on six sides, or with eight, ten or twenty sides.

They look like dice and are none of the games': whoever reads a face on them guesses.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, product
from pathlib import Path

import cv2
import numpy as np

from calibration.synthesis.clear_plastic import in_clear_plastic
from calibration.synthesis.design import LIGHT_INKS, PIP_BODIES, WHITE, Design, any_cube, any_shine
from calibration.synthesis.digits import Hand, any_hand
from calibration.synthesis.glyphs import any_glyph
from calibration.synthesis.paint import FACE_PX, Art, Brush, Floats, Mask, coat, near, plain, wear
from calibration.synthesis.solids import Solid, faces_along, rounded_solid
from calibration.synthesis.things import Thing, as_thing, lay

OTHER = "other"
"""What stands for the kind and the faces of such a die."""

_BODIES = [rgb for name, rgb in PIP_BODIES.items() if name not in ("red", "blue")]  # with signs: chance cubes
_OTHER_NUMBERS, _CLEAR = 0.4, 0.4  # of them: with numbers such as twelve-sided dice do not have; of clear plastic
_MASK_PX = 128  # side of a hand's masks, in which a number is 0.6 high
_DOUBLING = (2, 4, 8, 16, 32, 64)  # backgammon's cube
_TWENTY = tuple(range(1, 21))
_TENS = (10, 20, 30, 40, 50, 60, 70, 80, 90)
_DARK_INKS = ((150, 20, 25), (25, 40, 120), (190, 60, 20))  # on bright bodies, where they are not black


def other_die(
    rng: np.random.Generator, at: tuple[float, float], base_mm: float = 0.0, fonts: Sequence[Path] = ()
) -> Thing:
    """Some die of another game, standing at (x, y) mm on ``base_mm``, its numbers in one of the fonts."""
    hand, beside = any_hand(rng, fonts), rng.spawn(1)[0]
    is_cube = rng.random() < 0.6
    if beside.random() < _OTHER_NUMBERS:
        numbers = _DOUBLING if is_cube else _TWENTY if beside.random() < 0.7 else _TENS
        hand = any_hand(beside, fonts, numbers=beside.choice(numbers, 12).tolist())
    design = _cube(rng, hand) if is_cube else _polyhedron(rng, hand)
    if beside.random() < _CLEAR:
        design = in_clear_plastic(beside, design)
    face = int(rng.integers(len(design.faces)))
    return as_thing(design, *lay(design, face, at, float(rng.uniform(0, 360)), None, base_mm))


def _cube(rng: np.random.Generator, hand: Hand) -> Design:
    size, solid = any_cube(rng, None)
    return _design(rng, hand, size, solid, size / 2, 0.8 if rng.random() < 0.4 else 0.0)


def _polyhedron(rng: np.random.Generator, hand: Hand) -> Design:
    corners, faces = _POLYHEDRA[int(rng.integers(len(_POLYHEDRA)))]()
    ring = corners[list(faces[0])]
    normal = np.cross(ring[1] - ring[0], ring[2] - ring[1])
    inradius = abs(float(normal @ ring[0])) / float(np.linalg.norm(normal))
    size = rng.uniform(13, 21)
    solid = rounded_solid(corners / (2 * inradius), faces, rng.uniform(0.01, 0.05)).scaled(size)
    within = solid.sharp[0] - solid.sharp[0].mean(0)
    return _design(rng, hand, size, solid, float(np.linalg.norm(within, axis=1).min()), rng.uniform(0.8, 1.0))


def _design(rng: np.random.Generator, hand: Hand, size: float, solid: Solid, reach: float, numbered: float) -> Design:
    """A die with numbers on that share of its sides, and signs on the others."""
    color = near(_BODIES[int(rng.integers(len(_BODIES)))], rng)
    is_bright = bool(color.mean() > 0.2)
    ink = near((20, 20, 22) if is_bright else WHITE, rng, 6)
    beside = rng.spawn(1)[0]
    if beside.random() < 0.3:
        ink = near(beside.choice(_DARK_INKS if is_bright else LIGHT_INKS), beside)
    worn = rng.uniform(0.05, 0.5) if rng.random() < 0.15 else 0.0
    frame = rng.uniform(0.5, 0.8) if rng.random() < 0.3 else 0.0
    tall = rng.uniform(0.55, 1.1)
    depth = float(rng.choice([0, 0.7]))
    art: list[Art] = []
    for _ in solid.normals:
        drawn = plain(color)
        if frame:  # a disc or a sticker about the sign
            drawn = coat(drawn, Brush().discs(np.zeros((1, 2)), frame), near(rng.uniform(15, 240, 3), rng))
        if rng.random() < numbered:
            mark = _number(hand.masks[int(rng.integers(len(hand.masks)))], tall, float(rng.uniform(0, 360)))
        else:
            mark = _sign(rng)
        art.append(coat(drawn, wear(mark, rng, worn), ink, depth))
    roughness, gloss = any_shine(rng)
    faces = (OTHER,) * len(art)
    return Design(OTHER, OTHER, None, OTHER, size, solid, faces, tuple(art), reach, color, roughness, gloss)


def _sign(rng: np.random.Generator) -> Mask:
    """One sign, or two over one another."""
    brush = Brush()
    sign = any_glyph(brush, rng, discs=False)  # a disc would be a pip
    return np.maximum(sign, any_glyph(brush, rng)) if rng.random() < 0.4 else sign


def _number(mask: np.ndarray, tall: float, turn_deg: float) -> Mask:
    scale = tall * FACE_PX / 2 / (_MASK_PX * 0.6)
    to = cv2.getRotationMatrix2D(((_MASK_PX - 1) / 2, (_MASK_PX - 1) / 2), turn_deg, scale)
    to = to + np.array([[0, 0, (FACE_PX - _MASK_PX) / 2]])
    return np.asarray(cv2.warpAffine(mask, to, (FACE_PX, FACE_PX), flags=cv2.INTER_AREA) / 255, np.float32)


Faces = Sequence[Sequence[int]]


@lru_cache(maxsize=1)
def _octahedron() -> tuple[Floats, Faces]:
    corners = np.r_[np.eye(3), -np.eye(3)]
    return corners, faces_along(corners, 3, np.array(list(product((-1.0, 1.0), repeat=3))) / 3**0.5)


@lru_cache(maxsize=1)
def _icosahedron() -> tuple[Floats, Faces]:
    golden = (1 + 5**0.5) / 2
    plane = [(0.0, a, b * golden) for a in (-1, 1) for b in (-1, 1)]
    corners = np.array([np.roll(each, turn) for each in plane for turn in range(3)])
    edge = 2.0 + 1e-6
    rings = [
        ring
        for ring in combinations(range(12), 3)
        if all(np.linalg.norm(corners[a] - corners[b]) < edge for a, b in combinations(ring, 2))
    ]
    middles = np.array([corners[list(ring)].mean(0) for ring in rings])
    return corners, faces_along(corners, 3, middles / np.linalg.norm(middles, axis=1, keepdims=True))


@lru_cache(maxsize=1)
def _trapezohedron() -> tuple[Floats, Faces]:
    """Ten kites: the dual of a pentagonal antiprism."""
    turn = np.pi / 5 * np.arange(10)
    lift = 0.105  # of the zigzag about the middle: the apex is then as high as that is wide
    apex = lift * (1 + np.cos(np.pi / 5)) / (1 - np.cos(np.pi / 5))  # where the kites are flat
    corners = np.r_[np.c_[np.cos(turn), np.sin(turn), lift * (-1.0) ** np.arange(10)], [[0, 0, apex], [0, 0, -apex]]]
    # A corner below the middle belongs to a kite of the upper half.
    faces = [[10 if i % 2 else 11, (i - 1) % 10, i, (i + 1) % 10] for i in range(10)]
    return corners, faces


_POLYHEDRA = (_octahedron, _icosahedron, _trapezohedron)
