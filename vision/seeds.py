"""Where the search for standing dice begins, and the quick look at edges that it is made of."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.camera import Camera
from vision.detector import Found
from vision.floor import VIEW_MM, VIEW_PX_PER_MM, view_mm, view_px
from vision.order import means
from vision.reading import Floats
from vision.solids import CUBE, NEXT_OF_4, Plane, Shape, standing_under
from vision.stand_out import Blob, Evidence

Field = npt.NDArray[np.float32]
Points = npt.NDArray[np.complex64]
"""Points of the view as complex numbers, column + i row."""

_EDGE = 0.10  # square-root light per mm at which half an edge is believed; noise measures 0.02, faint sides 0.08
_MOST_ROWS = 32_000  # cv2.remap counts rows in 16 bits
_STEP_MM = 2.0
_SIZES = 6
_AREA_MM2 = 110.0  # of a blob in which one die more may hide
_APART_MM = 6.0
_MOST_PLACES = 160  # of a blob; only hands and papers have more
SHARES = ((np.arange(6) + 0.5) / 6).astype(np.float32)
_ORIGIN_PX = complex(*VIEW_MM[:2]) * VIEW_PX_PER_MM + (0.5 + 0.5j)


def find_seeds(camera: Camera, evidence: Evidence, blobs: Sequence[Blob], shape: Shape) -> Floats:
    """The best few of a coarse grid over each blob, turned as the edges nearby are: shape (n, 4)."""
    grids = [_grid(camera, blob) for blob in blobs]
    if not grids:
        return np.zeros((0, 4))
    places = np.concatenate(grids)
    owners = np.concatenate([np.full(len(grid), i) for i, grid in enumerate(grids)])
    # The edges nearby tell the turn, or, where a shadow's edge misleads, the blob's own box.
    boxes = np.concatenate([np.full(len(grid), _box_turn(blob)) for grid, blob in zip(grids, blobs, strict=True)])
    if shape is CUBE:
        turns = [_turns(evidence, camera.lift(places, 14.0)), boxes]
    else:
        turns = [np.full(len(places), np.pi / 5 * k / 2) for k in range(4)]
    sizes = np.linspace(*shape.sizes_mm, _SIZES + 2)[1:-1]
    every = np.column_stack([np.tile(places, (len(turns), 1)), np.concatenate(turns)])
    many = np.column_stack([np.repeat(every, len(sizes), axis=0), np.tile(sizes, len(every))])
    owner = np.repeat(np.tile(owners, len(turns)), len(sizes))
    if shape is CUBE:
        start = seen_at(shape.tops(camera, many))
        along = start[:, NEXT_OF_4] - start
    else:
        outlines = shape.outlines(camera, many)
        start = seen_at(outlines.rim_start)
        along = seen_at(outlines.rim_end) - start
    edges = edge_support(sample_field(evidence.field, on_sides(start, along)), along)
    rough = means(edges) + 0.5 * np.ascontiguousarray(edges.T).min(axis=0)
    return np.asarray(many[_best_apart(many, rough, owner, blobs)], np.float64)


def seeds_under(camera: Camera, faces: Sequence[Found]) -> Floats:
    """Where dice would stand whose upper faces the detector sees: shape (n, 4)."""
    seeds = [standing_under(camera, camera.ground(np.array(face.outline_px))) for face in faces]
    return np.array(seeds, np.float64).reshape(-1, 4)


def _best_apart(many: Floats, rough: Floats, owner: npt.NDArray[np.intp], blobs: Sequence[Blob]) -> list[int]:
    """For each blob the best seeds, as many as dice may hide in it and one more, not too near to one another."""
    taken: list[int] = []
    for i, blob in enumerate(blobs):
        mine = np.nonzero(owner == i)[0]
        mine = mine[np.argsort(-rough[mine])]
        for _ in range(1 + int(blob.area_mm2 / _AREA_MM2)):
            if not len(mine):
                break
            taken.append(int(mine[0]))
            mine = mine[np.abs(many[mine, :2] - many[mine[0], :2]).max(axis=1) >= _APART_MM]
    return taken


def _box_turn(blob: Blob) -> float:
    """How the smallest box around a blob is turned (radians)."""
    (_, _), (_, _), degrees = cv2.minAreaRect(blob.hull)
    return float(np.radians(degrees))


def _grid(camera: Camera, blob: Blob) -> Floats:
    """Places where the base of a die seen as this blob may be: shape (n, 2), mm."""
    low, high = view_mm(blob.box.astype(np.float64))
    margin = np.minimum(5.0, (high - low) / 2 - 0.1)
    axes = [np.arange(a + m, b - m + _STEP_MM, _STEP_MM) for a, b, m in zip(low, high, margin, strict=True)]
    grid = np.column_stack([np.tile(axes[0], len(axes[1])), np.repeat(axes[1], len(axes[0]))])
    if len(grid) > 60:  # a large blob: only where it is, not all over its box
        filled = np.zeros((int((high - low)[1]) + 2, int((high - low)[0]) + 2), bool)
        seen = view_mm(blob.pixels.astype(np.float64))
        filled[tuple((seen - low).astype(int).T[::-1])] = True
        at = (grid - low).astype(int)
        grid = grid[filled[np.clip(at[:, 1], 0, filled.shape[0] - 1), np.clip(at[:, 0], 0, filled.shape[1] - 1)]]
        grid = grid[:: 1 + len(grid) // _MOST_PLACES]
    middle = camera.growth(7.0)  # a blob shows base and top: half its height up, on average
    return np.asarray(camera.foot_mm + (grid - camera.foot_mm) / middle, np.float64)


def _turns(evidence: Evidence, places_mm: Floats) -> Floats:
    """The turn that most edges around each place agree on, modulo a right angle (radians): shape (n,)."""
    sparse = evidence.field[::2, ::2]  # every other pixel of every other row tells as much
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


def seen_at(points_mm: Plane) -> Points:
    """Where points of the mat (...), mm, lie in the view: complex numbers (...), px."""
    return np.asarray(points_mm * VIEW_PX_PER_MM - _ORIGIN_PX, np.complex64)


def on_sides(start: Points, along: Points, shares: Field = SHARES) -> Points:
    """Points on edges (n, k) side by side, at these shares of the way ``along`` each: shape (n, k len(shares))."""
    return np.asarray((start[..., None] + along[..., None] * shares).reshape(len(start), -1), np.complex64)


def edge_support(field: Field, along: Points) -> Field:
    """How well the picture's edges support straight edges with these directions (n, k): shape (n, k), 0 to 1.

    ``field`` holds the structure tensor (channels 0 to 2) at the points that ``on_sides`` gives.
    """
    way = along / np.maximum(np.abs(along), np.float32(1e-6))
    across, down = way.real[..., None], way.imag[..., None]
    tensor = field.reshape(*along.shape, -1, field.shape[-1])
    # The normal is (-down, across), and the strength is the tensor's along it.
    strength = tensor[..., 0] * (down * down)
    strength -= tensor[..., 1] * (2 * across * down)
    strength += tensor[..., 2] * (across * across)
    strength /= strength + np.float32(_EDGE**2)
    return np.asarray(means(strength), np.float32)


def sample_field(field: Field, points: Points) -> Field:
    """The field's values at points of the view (n, k), to the nearest pixel: shape (n, k, channels)."""
    at = np.ascontiguousarray(points).view(np.float32).reshape(*points.shape, 2)  # column and row
    parts = [at[i : i + _MOST_ROWS] for i in range(0, len(at), _MOST_ROWS)]
    seen = [
        cv2.remap(field, part, None, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
        for part in parts
    ]
    return np.asarray(seen[0] if len(seen) == 1 else np.concatenate(seen), np.float32)
