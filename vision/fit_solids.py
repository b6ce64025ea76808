"""Stage 4: fit standing dice to what stands out, so that the upper face is told from the sides by geometry.

A die on the mat has four unknowns: where it stands, how it is turned, how large it is. The pose of the camera says
where each of its edges must then appear; the die whose edges the picture bears out best is taken. All blobs of a
frame are searched together, since a few large array operations cost less than many small ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vision.camera import Camera
from vision.floor import VIEW_PX_PER_MM
from vision.order import means
from vision.polygons import are_near, shared
from vision.reading import Floats
from vision.seeds import SHARES, Field, Points, edge_support, find_seeds, on_sides, sample_field, seen_at
from vision.solids import CUBE, DODECAHEDRON, NEXT_OF_4, Shape, as_points
from vision.stand_out import Blob, Evidence

_RING_MM = 0.9  # outside the die: beyond blur, within a sticker's border
_RING_SHARES = np.array([0.2, 0.5, 0.8], np.float32)
# How far from the middle of the upper face to its corners and sides.
_INSIDE = np.array([0.25, 0.55, 0.8], np.float32)
# A sticker leaves up to 1.7 mm of its die bare on each side. Support of the edges falls to 0.9 of its best where the
# outline lies 0.2 mm outside the die (measured on 70 cubes of 12 to 19 mm).
_GROWTH_MM = np.arange(0.0, 3.6, 0.5)
_GROW_WHILE = 0.95
_MOST_SHARED = 0.15  # of a base; two dice cannot stand in the same place, and fits are off by a millimetre
_MOST_SHARED_ROUGH = 0.45
_LEAST_SCORE = 0.5
_TURN_PER_MM = 0.12  # radians that move a corner about as far as a millimetre does

# The moves of the climb: along each unknown, along two of them, and growing while one corner stays.
_MOVES = np.array(
    [
        (0, 0, 0, 0),
        *[(a, b, 0, 0) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b],
        *[(0, 0, turn, 0) for turn in (-1, 1)],
        *[(a / 2, b / 2, 0, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)],
    ],
    np.float64,
)


_GOOD_SCORE = 0.9  # of a twelve-sided die: of those that score more, 99 % lie where they were found (measured)
_OTHER_TURNS = np.array([(0, 0, np.pi / 10 * k, 0) for k in range(4) for _ in range(3)], np.float64)
_OTHER_SIZES = np.array([(1, 1, 1, size) for _ in range(4) for size in (0.88, 1.0, 1.14)], np.float64)

_SHIFTS = np.array([(0, 0, 0, 0), (1, 0, 0, 0), (-1, 0, 0, 0), (0, 1, 0, 0), (0, -1, 0, 0)], np.float64)


@dataclass(frozen=True)
class Fit:
    """One die: its shape, x and y of the middle of its base (mm), turn (rad), size (mm), and what bears it out.

    ``score`` weighs together, each 0 to 1: how well each edge of the upper face is seen (``top_edges``) and the
    rest of the silhouette (``rim``), how far the face is ``filled`` with what stands out, and how ``clear`` the
    floor around it is.
    """

    shape: Shape
    x: float
    y: float
    turn: float
    size: float
    score: float
    top_edges: tuple[float, ...]
    rim: float
    filled: float
    clear: float

    @property
    def row(self) -> Floats:
        """The four numbers that ``Shape.outlines`` takes, as shape (1, 4)."""
        return np.array([[self.x, self.y, self.turn, self.size]], np.float64)


def fit_solids(
    camera: Camera, evidence: Evidence, blobs: Sequence[Blob], shape: Shape, also: Floats | None = None
) -> list[Fit]:
    """The dice of one shape that explain the blobs, best first, no two in one place.

    ``also`` (n, 4) are further dice to begin the search from: x, y, turn, size.
    """
    seeds = find_seeds(camera, evidence, blobs, shape)
    if also is not None and len(also):
        seeds = np.concatenate([seeds, also])
    if not len(seeds):
        return []
    best = _climb(camera, evidence, shape, seeds, 0.9)
    best = best[_apart(camera, shape, best, _scores(camera, evidence, shape, best), _MOST_SHARED_ROUGH)]
    if not len(best):
        return []
    for step in (0.45, 0.2):
        best = _climb(camera, evidence, shape, best, step)
    if shape is not CUBE:
        best = _turn_over(camera, evidence, _try_again(camera, evidence, best))
    measures = _measure(camera, evidence, shape, best)
    scores = measures.score(shape)
    if shape is CUBE:  # measured by its clearest edges, drawn by its outermost ones
        best = _grow(camera, evidence, best)
    fits = []
    for i in _apart(camera, shape, best, scores, _MOST_SHARED):
        x, y, turn, size = (float(v) for v in best[i])
        score, rim, filled, clear = (float(v[i]) for v in (scores, measures.rim, measures.filled, measures.clear))
        edges = tuple(float(v) for v in measures.top[i])
        fits.append(Fit(shape, x, y, turn, size, score, edges, rim, filled, clear))
    return fits


def refitted_scores(camera: Camera, evidence: Evidence, shape: Shape, dice: Floats, step_mm: float) -> Floats:
    """How well dice (n, 4) near these fit as another camera would see them: the scores (n,) after a short climb."""
    return _scores(camera, evidence, shape, _climb(camera, evidence, shape, dice, step_mm))


@dataclass(frozen=True)
class _Measures:
    """Of n dice: support of their upper edges (n, k), of the rest of the silhouette, how full, how clear around."""

    top: Field
    rim: Field
    filled: Field
    clear: Field

    def score(self, shape: Shape) -> Floats:
        """One figure of them all, 0 to 1: shape (n,)."""
        if shape is CUBE:
            # The weakest upper edge counts once more: three edges of a neighbour and one of nothing are no face.
            edges = 0.35 * means(self.top) + 0.15 * self.top.min(axis=1) + 0.2 * self.rim
        else:  # the faces of a twelve-sided die differ little, its belt stands out
            edges = 0.2 * means(self.top) + 0.05 * self.top.min(axis=1) + 0.45 * self.rim
        return np.asarray(edges + 0.15 * self.filled + 0.15 * self.clear, np.float64)


def _measure(camera: Camera, evidence: Evidence, shape: Shape, dice: Floats) -> _Measures:
    outlines = shape.outlines(camera, dice)
    weights = _weights(outlines.top.shape[1], outlines.rim_own.shape[1])
    corners = seen_at(np.concatenate([outlines.top, outlines.rim_start, outlines.rim_end], axis=1))
    ways, points = corners @ weights.ways, corners @ weights.points
    upper, ring, spots = outlines.top.shape[1], weights.ring, weights.ring.stop
    # The outside of an edge is to the left of it, clockwise with y down.
    along = ways[:, upper:]
    outside = along * (np.complex64(-1j * _RING_MM * VIEW_PX_PER_MM) / np.maximum(np.abs(along), np.float32(1e-6)))
    points[:, ring] += np.repeat(outside, len(_RING_SHARES), axis=1)
    field = sample_field(evidence.field, points)
    support = edge_support(field[:, : ring.start], ways)
    own = outlines.rim_own.astype(np.float32)
    count = np.einsum("ij->i", own)
    top, rim = support[:, :upper], np.einsum("ij,ij->i", support[:, upper:], own) / np.maximum(count, 1)
    return _Measures(
        top, np.where(count > 0, rim, means(top)), means(field[:, spots:, 3]), 1 - means(field[:, ring, 3])
    )


@dataclass(frozen=True)
class _Weights:
    """How much each corner of a die's outlines (its upper face, starts and ends of its rim) counts for every edge's
    way (corners, edges) and for every point that is looked at (corners, points): on edges, at ``ring``, on the face.
    """

    ways: Points
    points: Points
    ring: slice


@lru_cache(maxsize=2)
def _weights(upper: int, rim: int) -> _Weights:
    """Those of a shape with so many edges of its upper face and of its rim."""
    corners = np.eye(upper + 2 * rim)
    top, rim_start, rim_end = np.split(corners, [upper, upper + rim])
    after = np.roll(top, -1, axis=0)
    start, end = np.concatenate([top, rim_start]), np.concatenate([after, rim_end])
    edges = _between(start, end, SHARES)
    ring = _between(rim_start, rim_end, _RING_SHARES)
    middle = top.mean(axis=0, keepdims=True)
    spots = _between(middle, np.concatenate([top, (top + after) / 2]), _INSIDE)
    points = np.concatenate([edges, ring, spots])
    ways, many = (np.ascontiguousarray(one.T, np.complex64) for one in (end - start, points))
    return _Weights(ways, many, slice(len(edges), len(edges) + len(ring)))


def _between(start: Floats, end: Floats, shares: Field) -> Floats:
    """What lies at these shares of the ways from each start to its end (n, k): (n shares, k)."""
    return np.asarray((start[:, None] + (end - start)[:, None] * shares[:, None]).reshape(-1, end.shape[1]))


def _scores(camera: Camera, evidence: Evidence, shape: Shape, dice: Floats) -> Floats:
    return _measure(camera, evidence, shape, dice).score(shape)


def _climb(
    camera: Camera, evidence: Evidence, shape: Shape, starts: Floats, step: float, turning: bool = True
) -> Floats:
    """Walk each die to its best neighbour a few times: shape (n, 4)."""
    steps = np.array([step, step, _TURN_PER_MM * step if turning else 0.0, step])
    best = starts.copy()
    walking = np.arange(len(best))
    for _ in range(4):
        tried = best[walking, None, :] + _MOVES * steps
        tried[..., 3] = np.clip(tried[..., 3], *shape.sizes_mm)
        scores = _scores(camera, evidence, shape, tried.reshape(-1, 4)).reshape(len(walking), -1)
        scores[:, 0] += 1e-6
        choice = scores.argmax(axis=1)
        best[walking] = tried[np.arange(len(walking)), choice]
        walking = walking[choice > 0]
        if not len(walking):
            break
    return best


def _grow(camera: Camera, evidence: Evidence, cubes: Floats) -> Floats:
    """Grow each cube as long as the edges of its upper face stay as good: a sticker's edges are not the die's."""
    grown = cubes[:, None] + _GROWTH_MM[:, None] * np.array([0, 0, 0, 1.0])
    grown[..., 3] = np.clip(grown[..., 3], *CUBE.sizes_mm)
    many = grown.reshape(-1, 4)
    # A larger die's upper face is higher, hence leans further out: keep its middle where the first one's was seen.
    middle = CUBE.tops(camera, cubes).mean(axis=1)
    many[:, :2] += as_points(np.repeat(middle, len(_GROWTH_MM)) - CUBE.tops(camera, many).mean(axis=1))
    each = np.zeros((len(many), 1))
    for step in (0.4, 0.2):
        tried = many[:, None, :] + _SHIFTS * step
        each = _upper_support(camera, evidence, tried.reshape(-1, 4)).reshape(len(many), -1)
        choice = each.argmax(axis=1)
        many = tried[np.arange(len(many)), choice]
    support = each.max(axis=1).reshape(len(cubes), -1)
    enough = support >= _GROW_WHILE * np.maximum.accumulate(support, axis=1)
    last = len(_GROWTH_MM) - 1 - enough[:, ::-1].argmax(axis=1)
    return np.asarray(many.reshape(len(cubes), -1, 4)[np.arange(len(cubes)), last], np.float64)


def _upper_support(camera: Camera, evidence: Evidence, cubes: Floats) -> Floats:
    """How well the picture's edges support each cube's upper face, the mean of its four: shape (n,)."""
    top = seen_at(CUBE.tops(camera, cubes))
    side = top[:, NEXT_OF_4] - top
    edges = edge_support(sample_field(evidence.field, on_sides(top, side)), side)
    return np.asarray(means(edges), np.float64)


def _turn_over(camera: Camera, evidence: Evidence, dice: Floats) -> Floats:
    """The belt of a twelve-sided die looks alike after a tenth of a turn; its upper face does not."""
    turned = _climb(camera, evidence, DODECAHEDRON, dice + np.array([0, 0, np.pi / 5, 0]), 0.2)
    now, then = (_measure(camera, evidence, DODECAHEDRON, one).top.mean(axis=1) for one in (dice, turned))
    return np.where((then > now)[:, None], turned, dice)


def _try_again(camera: Camera, evidence: Evidence, dice: Floats) -> Floats:
    """Twelve-sided dice that fit badly are sought once more, turned and sized otherwise: large numbers mislead."""
    scores = _scores(camera, evidence, DODECAHEDRON, dice)
    poor = np.flatnonzero(scores < _GOOD_SCORE)
    if not len(poor):
        return dice
    starts = (dice[poor, None] + _OTHER_TURNS) * _OTHER_SIZES
    other = _climb(camera, evidence, DODECAHEDRON, starts.reshape(-1, 4), 0.9)
    for step in (0.45, 0.2):
        other = _climb(camera, evidence, DODECAHEDRON, other, step)
    tried = _scores(camera, evidence, DODECAHEDRON, other).reshape(len(poor), -1)
    best = other.reshape(len(poor), -1, 4)[np.arange(len(poor)), tried.argmax(axis=1)]
    out = dice.copy()
    out[poor] = np.where((tried.max(axis=1) > scores[poor])[:, None], best, dice[poor])
    return out


def _apart(camera: Camera, shape: Shape, dice: Floats, scores: Floats, most_shared: float) -> list[int]:
    """The best dice that do not stand in one another's place, best first."""
    places = as_points(shape.tops(camera, np.column_stack([dice[:, :3], dice[:, 3] * 0.999]))).astype(np.float32)
    near = are_near(places)
    chosen: list[int] = []
    for i in np.argsort(-scores).tolist():
        if scores[i] >= _LEAST_SCORE and all(
            shared(places[i], places[k]) <= most_shared for k in chosen if near[i, k]
        ):
            chosen.append(i)
    return chosen
