"""Whether a cube that leans would explain the picture better than one that stands.

A leaning die's upper face is nearly a standing one's; what gives it away is where all its edges run. Both cubes are
fitted alike to the edges around, the leaning one about many axes, and compared.
"""

from collections.abc import Sequence

import numpy as np

from vision.camera import Camera
from vision.fit_solids import Fit
from vision.reading import Floats
from vision.seeds import edge_support, on_sides, sample_field, seen_at
from vision.solids import CUBE, Plane, as_plane, as_points
from vision.stand_out import Evidence

LEAST_LEAN = np.radians(9.0)
"""What leans less stands, as far as a face can be told."""

_LEANS = np.radians([13.0, 22.0, 32.0])
_MOST_LEAN = np.radians(44.0)
_TOWARDS = 8
_KEPT = 4
_STEPS = (1.0, 0.5)
_ROUNDS = 2
# Corners of a cube of side 1 about its middle, z up: the lower four, then the upper four.
_CORNERS = np.array([(x, y, z) for z in (-0.5, 0.5) for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))])
_PLAN, _UP = as_plane(_CORNERS[:, :2]), _CORNERS[:, 2]
_FACES = np.array([(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)])
_EDGES = np.array(
    [(a, b) for a in range(8) for b in range(a + 1, 8) if np.abs(_CORNERS[a] - _CORNERS[b]).sum() == 1.0]
)
_SIDES_OF = np.array([[f for f, face in enumerate(_FACES) if {a, b} <= set(face)] for a, b in _EDGES])
_DIAGONALS = [(np.eye(8)[_FACES[:, i + 2]] - np.eye(8)[_FACES[:, i]]).T.astype(np.complex64) for i in (0, 1)]
# Steps of the climb in x, y (mm), turn (rad), size (mm), lean (rad), towards (rad).
_SCALE = np.array([0.8, 0.8, 0.06, 0.6, np.radians(4.0), 0.25])
_MOVES = np.concatenate([np.zeros((1, 6)), np.eye(6), -np.eye(6)]) * _SCALE


def find_lean(camera: Camera, evidence: Evidence, fits: Sequence[Fit]) -> Floats:
    """For each fit by how much a leaning cube explains more edges than a standing one, and how far it leans.

    Shape (n, 2): the difference of the edges' support (-1 to 1) and the lean in radians; zeros for other shapes.
    """
    out = np.zeros((len(fits), 2))
    cubes = [i for i, fit in enumerate(fits) if fit.shape is CUBE]
    if not cubes:
        return out
    upright = np.array([(fits[i].x, fits[i].y, fits[i].turn, fits[i].size, 0.0, 0.0) for i in cubes])
    leaning = _leaning_alike(camera, evidence, upright)
    # Both climb together: a few large array operations cost less than many small ones.
    found, scores = _climb(camera, evidence, np.concatenate([leaning, upright]), len(leaning))
    leans = scores[: len(leaning)].reshape(len(cubes), _KEPT)
    out[cubes, 0] = leans.max(axis=1) - scores[len(leaning) :]
    out[cubes, 1] = found[: len(leaning), 4].reshape(leans.shape)[np.arange(len(cubes)), leans.argmax(axis=1)]
    return out


def _leaning_alike(camera: Camera, evidence: Evidence, upright: Floats) -> Floats:
    """For each cube the few leaning ones, upper faces in the same place, that explain most: (n kept, 6)."""
    each = len(_LEANS) * _TOWARDS
    leaning = np.repeat(upright, each, axis=0)
    leaning[:, 4] = np.tile(np.repeat(_LEANS, _TOWARDS), len(upright))
    leaning[:, 5] = np.tile(2 * np.pi * np.arange(_TOWARDS) / _TOWARDS, len(leaning) // _TOWARDS) + leaning[:, 2]
    leaning[:, :2] += np.repeat(_upper(camera, upright), each, axis=0) - _upper(camera, leaning)
    support = _support(camera, evidence, leaning).reshape(len(upright), each)
    kept = np.argsort(-support, axis=1)[:, :_KEPT]
    return leaning.reshape(len(upright), each, 6)[np.arange(len(upright))[:, None], kept].reshape(-1, 6)


def _climb(camera: Camera, evidence: Evidence, cubes: Floats, leaning: int) -> tuple[Floats, Floats]:
    """Better ones near cubes (n, 6), of which the first few are ``leaning`` and go on to, and their support (n,)."""
    best, support = cubes.copy(), np.zeros(len(cubes))
    leans = np.arange(len(cubes)) < leaning
    least, most = np.where(leans, LEAST_LEAN, 0.0)[:, None], np.where(leans, _MOST_LEAN, 0.0)[:, None]
    for step in _STEPS:
        walking = np.arange(len(cubes))
        for _ in range(_ROUNDS):
            tried = best[walking, None] + _MOVES * step
            tried[..., 3] = np.clip(tried[..., 3], *CUBE.sizes_mm)
            tried[..., 4] = np.clip(tried[..., 4], least[walking], most[walking])
            scores = _support(camera, evidence, tried.reshape(-1, 6)).reshape(len(walking), -1)
            choice = scores.argmax(axis=1)
            best[walking], support[walking] = tried[np.arange(len(walking)), choice], scores.max(axis=1)
            walking = walking[choice > 0]
            if not len(walking):
                break
    return best, support


def _seen(camera: Camera, cubes: Floats) -> Plane:
    """The corners of cubes (n, 6) in the mat's plane as the camera projects them: (n, 8)."""
    turn, lean, towards = cubes[:, 2], cubes[:, 4], cubes[:, 5]
    # Seen along the direction in which each leans: what lies along it rises and falls.
    flat = (cubes[:, 3] * np.exp(1j * (turn - towards)))[:, None] * _PLAN
    rises = cubes[:, 3, None] * _UP
    cosine, sine = np.cos(lean)[:, None], np.sin(lean)[:, None]
    height = rises * cosine - flat.real * sine
    flat.real = flat.real * cosine + rises * sine
    height -= height.min(axis=1, keepdims=True)
    growth = camera.height_mm / (camera.height_mm - height)
    foot = complex(*camera.foot_mm)
    beside = flat * np.exp(1j * towards)[:, None] + (as_plane(cubes[:, :2]) - foot)[:, None]
    return np.asarray(foot + beside * growth, np.complex128)


def _upper(camera: Camera, cubes: Floats) -> Floats:
    return as_points(_seen(camera, cubes)[:, 4:].mean(axis=1))


def _support(camera: Camera, evidence: Evidence, cubes: Floats) -> Floats:
    """How well the picture's edges support those of each cube that the camera sees: (n,)."""
    seen = seen_at(_seen(camera, cubes))
    one, other = seen @ _DIAGONALS[0], seen @ _DIAGONALS[1]
    areas = (one.conj() * other).imag
    facing = areas * np.sign(areas[:, 1:2]) > 0  # the upper face is seen; others that turn the same way are, too
    shown = facing[:, _SIDES_OF[:, 0]] | facing[:, _SIDES_OF[:, 1]]
    start = seen[:, _EDGES[:, 0]]
    along = seen[:, _EDGES[:, 1]] - start
    # Only what is seen is looked at: nine edges of the twelve.
    start, along = start[shown][:, None], along[shown][:, None]
    support = edge_support(sample_field(evidence.field, on_sides(start, along)), along)
    of = np.nonzero(shown)[0]
    return np.asarray(np.bincount(of, support.ravel(), len(cubes)) / np.maximum(shown.sum(axis=1), 1), np.float64)
