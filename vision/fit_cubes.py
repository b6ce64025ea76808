"""Stage 4: fit upright cubes to what stands out, so that the upper face is told from the sides by geometry.

A cube on the mat has four unknowns: where it stands, how it is turned, how large it is. The pose of the camera says
where each of its edges must then appear; the cube whose edges the picture bears out best is taken. All blobs of a
frame are searched together, since a few large array operations cost less than many small ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.floor import VIEW_PX_PER_MM, view_mm, view_px
from vision.reading import Floats
from vision.solids import CUBE_SIZES_MM, Outlines, cube_outlines
from vision.stand_out import Blob, Evidence


def _on_sides(shares: Floats) -> npt.NDArray[np.float32]:
    """Weights (4 len(shares), 4) of a square's corners: side by side, at these shares along each."""
    rows = [(1 - t) * np.eye(4)[i] + t * np.eye(4)[(i + 1) % 4] for i in range(4) for t in shares]
    return np.array(rows, np.float32)


def _in_square(shares: Floats) -> npt.NDArray[np.float32]:
    """Weights of a square's corners for a grid inside it."""
    rows = [((1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v) for u in shares for v in shares]
    return np.array(rows, np.float32)


_EDGE = 0.10  # square-root light per mm at which half an edge is believed; noise measures 0.02, faint sides 0.08
_MOST_ROWS = 32_000  # cv2.remap counts rows in 16 bits
_SEED_STEP_MM = 2.0
_SEED_SIZES_MM = (12.0, 13.5, 15.0, 16.5, 18.0, 19.5)
_SEED_APART_MM = 6.0
# Points of a square as weights of its corners: along its sides, inside it, and three beside each side.
_ALONG = _on_sides((np.arange(6) + 0.5) / 6)
_EDGE_POINTS = len(_ALONG)
_RING = _on_sides(np.array([0.2, 0.5, 0.8]))
_INSIDE = _in_square(np.array([0.15, 0.38, 0.62, 0.85]))
_RING_MM = 0.9  # outside the die: beyond blur, within a sticker's border
_LARGER_MM = 2.0  # a sticker's border is narrower than this on each side
_PREFER_LARGER = 0.07
_MOST_SHARED = 0.15  # of a base; two dice cannot stand in the same place, and fits are off by a millimetre
_MOST_SHARED_ROUGH = 0.45
_LEAST_SCORE = 0.5

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


@dataclass(frozen=True)
class CubeFit:
    """One cube: x, y of the middle of its base (mm), turn (rad), size (mm), and how the picture bears it out.

    ``score`` weighs together, each 0 to 1: how well each edge of the upper face is seen (``top_edges``), how far
    it is ``filled`` with what stands out, and how ``clear`` the floor around it is.
    """

    x: float
    y: float
    turn: float
    size: float
    score: float
    top_edges: tuple[float, ...]
    filled: float
    clear: float

    @property
    def row(self) -> Floats:
        """The four numbers that ``cube_outlines`` takes, as shape (1, 4)."""
        return np.array([[self.x, self.y, self.turn, self.size]], np.float64)


def fit_cubes(camera: Camera, evidence: Evidence, blobs: Sequence[Blob]) -> list[CubeFit]:
    """The cubes that explain the blobs, best first, no two in one place."""
    seeds = _seeds(camera, evidence, blobs)
    if not len(seeds):
        return []
    rough = _climb(camera, evidence, seeds, np.array([0.9, 0.9, 0.1, 0.9]))
    best = rough[_apart(camera, rough, _scores(camera, evidence, rough), _MOST_SHARED_ROUGH)]
    if not len(best):
        return []
    for step in (0.45, 0.2):
        best = _climb(camera, evidence, best, np.array([step, step, 0.12 * step, step]))
    best = _prefer_larger(camera, evidence, best)
    parts = _parts(camera, evidence, best)
    scores = _combine(*parts)
    chosen: list[CubeFit] = []
    for i in _apart(camera, best, scores, _MOST_SHARED):
        edges = tuple(float(v) for v in parts[0][i])
        x, y, turn, size = (float(v) for v in best[i])
        score, filled, clear = (float(v[i]) for v in (scores, parts[2], parts[3]))
        chosen.append(CubeFit(x, y, turn, size, score, edges, filled, clear))
    return chosen


def _apart(camera: Camera, cubes: Floats, scores: Floats, most_shared: float) -> list[int]:
    """The best cubes that do not stand in one another's place, best first."""
    bases = cube_outlines(camera, cubes).base.astype(np.float32)
    chosen: list[int] = []
    for i in np.argsort(-scores):
        if scores[i] >= _LEAST_SCORE and all(_shared(bases[i], bases[k]) <= most_shared for k in chosen):
            chosen.append(int(i))
    return chosen


def _seeds(camera: Camera, evidence: Evidence, blobs: Sequence[Blob]) -> Floats:
    """Where to begin: the best few of a coarse grid over each blob, turned as the edges nearby are: shape (n, 4)."""
    grids = [_grid(camera, blob) for blob in blobs]
    if not grids:
        return np.zeros((0, 4))
    places = np.concatenate(grids)
    owners = np.concatenate([np.full(len(grid), i) for i, grid in enumerate(grids)])
    # The edges nearby tell the turn, or, where a shadow's edge misleads, the blob's own box.
    boxes = np.concatenate([np.full(len(grid), _box_turn(blob)) for grid, blob in zip(grids, blobs, strict=True)])
    turns = np.concatenate([_turns(evidence, camera.lift(places, 14.0)), boxes])
    places, owners = np.tile(places, (2, 1)), np.tile(owners, 2)
    sizes = np.array(_SEED_SIZES_MM)
    many = np.column_stack(
        [np.repeat(places, len(sizes), axis=0), np.repeat(turns, len(sizes)), np.tile(sizes, len(places))]
    )
    top = view_px(cube_outlines(camera, many).top).astype(np.float32)
    edges = _support(_sample(evidence.field, _ALONG @ top), top)
    rough = edges.mean(axis=1) + 0.5 * edges.min(axis=1)
    owner = np.repeat(owners, len(sizes))
    taken: list[int] = []
    for i, blob in enumerate(blobs):
        left = 1 + int(blob.area_mm2 / 110)
        mine = np.nonzero(owner == i)[0]
        mine = mine[np.argsort(-rough[mine])]
        near: list[Floats] = []
        for k in mine:
            if left == 0:
                break
            place = many[k, :2]
            if any(np.abs(place - other).max() < _SEED_APART_MM for other in near):
                continue
            near.append(place)
            taken.append(int(k))
            left -= 1
    return np.asarray(many[taken], np.float64)


def _box_turn(blob: Blob) -> float:
    """How the smallest box around a blob is turned (radians)."""
    (_, _), (_, _), degrees = cv2.minAreaRect(blob.pixels.astype(np.float32))
    return float(np.radians(degrees))


def _grid(camera: Camera, blob: Blob) -> Floats:
    """Places where the base of a die seen as this blob may be: shape (n, 2), mm."""
    seen = view_mm(blob.pixels.astype(np.float64))
    low, high = seen.min(axis=0), seen.max(axis=0)
    margin = np.minimum(5.0, (high - low) / 2 - 0.1)
    axes = [np.arange(a + m, b - m + _SEED_STEP_MM, _SEED_STEP_MM) for a, b, m in zip(low, high, margin, strict=True)]
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    if len(grid) > 60:  # a large blob: only where it is, not all over its box
        filled = np.zeros((int((high - low)[1]) + 2, int((high - low)[0]) + 2), bool)
        filled[tuple((seen - low).astype(int).T[::-1])] = True
        at = (grid - low).astype(int)
        grid = grid[filled[np.clip(at[:, 1], 0, filled.shape[0] - 1), np.clip(at[:, 0], 0, filled.shape[1] - 1)]]
    middle = camera.growth(7.0)  # a blob shows base and top: half its height up, on average
    return np.asarray(camera.foot_mm + (grid - camera.foot_mm) / middle, np.float64)


def _turns(evidence: Evidence, places_mm: Floats) -> Floats:
    """The turn that most edges around each place agree on, modulo a right angle (radians): shape (n,)."""
    sparse = evidence.field[::2, ::2]  # a whole picture's worth of edges: every other one tells as much
    real, imaginary = sparse[..., 0] - sparse[..., 2], 2 * sparse[..., 1]
    square = real * real + imaginary * imaginary + 1e-12
    strength = np.sqrt(square)
    # Four times the angle, so that the sides of a square agree; strong edges count, but not without bound.
    weight = strength / ((strength + _EDGE**2) * square)
    field = np.stack([(real * real - imaginary * imaginary) * weight, 2 * real * imaginary * weight], axis=-1)
    small = cv2.resize(field, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), 2.2)
    at = np.rint(view_px(places_mm) / 4).astype(int)
    seen = small[np.clip(at[:, 1], 0, small.shape[0] - 1), np.clip(at[:, 0], 0, small.shape[1] - 1)]
    return np.asarray(np.arctan2(seen[:, 1], seen[:, 0]) / 4, np.float64)


def _climb(camera: Camera, evidence: Evidence, starts: Floats, steps: Floats) -> Floats:
    """Walk each cube to its best neighbour a few times: shape (n, 4)."""
    best = starts
    for _ in range(4):
        tried = best[:, None, :] + _MOVES * steps
        tried[..., 3] = np.clip(tried[..., 3], *CUBE_SIZES_MM)
        scores = _scores(camera, evidence, tried.reshape(-1, 4)).reshape(len(best), -1)
        scores[:, 0] += 1e-6
        choice = scores.argmax(axis=1)
        best = tried[np.arange(len(best)), choice]
        if not choice.any():
            break
    return best


def _prefer_larger(camera: Camera, evidence: Evidence, cubes: Floats) -> Floats:
    """Where a larger cube about the same middle is nearly as good, the smaller one was only its sticker."""
    larger = cubes + np.array([0, 0, 0, _LARGER_MM])
    # Its upper face is higher, hence leans further out: keep the middle of the face where it was seen.
    now = cube_outlines(camera, cubes).top.mean(axis=1)
    then = cube_outlines(camera, larger).top.mean(axis=1)
    larger[:, :2] += now - then
    larger[:, 3] = np.clip(larger[:, 3], *CUBE_SIZES_MM)
    for step in (0.5, 0.25):
        larger = _climb(camera, evidence, larger, np.array([step, step, 0.0, step]))
    grown = larger[:, 3] > cubes[:, 3] + 0.5 * _LARGER_MM
    better = _scores(camera, evidence, larger) > _scores(camera, evidence, cubes) - _PREFER_LARGER
    return np.where((grown & better)[:, None], larger, cubes)


def _scores(camera: Camera, evidence: Evidence, cubes: Floats) -> Floats:
    return _combine(*_parts(camera, evidence, cubes))


def _combine(top: Floats, silhouette: Floats, filled: Floats, clear: Floats) -> Floats:
    # The weakest upper edge counts once more: three edges of a neighbour and one of nothing are no face.
    return np.asarray(
        0.35 * top.mean(axis=1) + 0.15 * top.min(axis=1) + 0.2 * silhouette + 0.15 * filled + 0.15 * clear
    )


def _parts(camera: Camera, evidence: Evidence, cubes: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Of each cube: support of its upper edges (n, 4), of its silhouette, how full it is, how clear around it."""
    outlines = cube_outlines(camera, cubes)
    seen = visible_base(camera, outlines)
    top, base = (view_px(corners).astype(np.float32) for corners in (outlines.top, outlines.base))
    ring = np.where(np.repeat(seen, 3, axis=1)[..., None], _RING @ _widened(base), _RING @ _widened(top))
    points = np.concatenate([_ALONG @ top, _ALONG @ base, _INSIDE @ top, ring], axis=1)
    field = _sample(evidence.field, points)
    upper = _support(field[:, :_EDGE_POINTS], top)
    lower = _support(field[:, _EDGE_POINTS : 2 * _EDGE_POINTS], base)
    count = np.maximum(seen.sum(axis=1), 1)
    silhouette = np.where(seen.any(axis=1), (lower * seen).sum(axis=1) / count, upper.mean(axis=1))
    filled = field[:, 2 * _EDGE_POINTS : -12, 3].mean(axis=1)
    clear = 1 - field[:, -12:, 3].mean(axis=1)
    return upper, silhouette, filled, clear


def visible_base(camera: Camera, outlines: Outlines) -> npt.NDArray[np.bool_]:
    """Which edges of the base the camera sees, (n, 4): those whose side faces it."""
    start, end = outlines.base, np.roll(outlines.base, -1, axis=1)
    along = end - start
    toward = camera.foot_mm - start
    # Clockwise as seen and y down: outward is the direction turned by a quarter to the left.
    return np.asarray(along[..., 1] * toward[..., 0] - along[..., 0] * toward[..., 1] > 0)


def _widened(squares: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    middle = squares.mean(axis=1, keepdims=True)
    reach = np.linalg.norm(squares[:, :1] - middle, axis=-1, keepdims=True)
    wider = 1 + _RING_MM * VIEW_PX_PER_MM * np.sqrt(2) / reach
    return np.asarray(middle + (squares - middle) * wider, np.float32)


def _support(field: npt.NDArray[np.float32], corners: npt.NDArray[np.float32]) -> Floats:
    """How well the picture's edges support the four sides of squares (n, 4, 2): shape (n, 4), 0 to 1."""
    along = np.roll(corners, -1, axis=1) - corners
    normal = np.stack([-along[..., 1], along[..., 0]], axis=-1)
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-6)
    tensor = field.reshape(len(field), 4, -1, 4)
    nx, ny = normal[:, :, None, 0], normal[:, :, None, 1]
    strength = tensor[..., 0] * (nx * nx) + tensor[..., 1] * (2 * nx * ny) + tensor[..., 2] * (ny * ny)
    return np.asarray((strength / (strength + _EDGE**2)).mean(axis=-1), np.float64)


def _sample(field: npt.NDArray[np.float32], points: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The field's values at points of the view (n, k, 2), to the nearest pixel: shape (n, k, channels)."""
    planes = np.ascontiguousarray(np.moveaxis(points, -1, 0), np.float32)
    seen = [
        cv2.remap(field, part[0], part[1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
        for part in np.split(planes, range(_MOST_ROWS, len(points), _MOST_ROWS), axis=1)
    ]
    return np.asarray(np.concatenate(seen), np.float32)


def _shared(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> float:
    """How much of the smaller of two squares they share."""
    area, _ = cv2.intersectConvexConvex(one, other)
    smaller = min(abs(cv2.contourArea(one)), abs(cv2.contourArea(other)))
    return float(area) / max(smaller, 1e-6)
