"""Stage 5: the colours of a fitted cube: its upper face, the rim of that face, and the sides that are seen."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.camera import Camera
from vision.colors import Names, name_colors, to_lab
from vision.fit_solids import Fit
from vision.floor import FLOOR_LINEAR, view_px
from vision.reading import Floats
from vision.solids import CUBE, as_points
from vision.stand_out import Evidence

_GRID = 14
_RIM_MM = 1.5  # inside the edge: past its blur and rounding, within a sticker's border
_LEAST_DEPTH_MM = 1.5  # three pixels of the view, of which the outer two are blurred with what lies beside


@dataclass(frozen=True)
class FaceColors:
    """Samples of one die in CIE Lab, the last axis being L, a, b.

    ``inner_lab`` (14, 14, 3): the middle three quarters of the upper face, rows and columns along its edges.
    ``rim_lab``: what lies within the upper face near its edges, where a sticker shows its body. ``sides_lab``: one
    array for each side that is seen well enough.
    """

    inner_lab: Floats
    rim_lab: Floats
    sides_lab: tuple[Floats, ...]

    @property
    def inner(self) -> Names:
        """The names of the inner samples' colours."""
        return name_colors(self.inner_lab)

    @property
    def rim(self) -> Names:
        """The names of the rim's colours."""
        return name_colors(self.rim_lab)

    @property
    def sides(self) -> tuple[Names, ...]:
        """The names of each side's colours."""
        return tuple(name_colors(side) for side in self.sides_lab)


def sample_faces(camera: Camera, evidence: Evidence, fits: Sequence[Fit]) -> list[FaceColors]:
    """The colours on the faces of cubes."""
    if not fits:
        return []
    rows = np.concatenate([fit.row for fit in fits])
    outlines, bases = CUBE.outlines(camera, rows), CUBE.base(camera, rows)
    tops = as_points(outlines.top)
    parts = []
    for i, fit in enumerate(fits):
        top, base, near = tops[i], bases[i], _RIM_MM / fit.size
        rims = [part for one in (top, top[[0, 3, 2, 1]]) for part in _rims(one, near)]
        quads = []
        for side in np.nonzero(outlines.rim_own[i])[0]:
            after = (side + 1) % 4
            quad = np.array([top[side], top[after], base[after], base[side]])
            if math.dist(quad[2] + quad[3], quad[0] + quad[1]) / 2 >= _LEAST_DEPTH_MM:
                quads.append(_SIDE @ quad)
        parts.append(np.concatenate([_INNER @ top, *rims, *quads]))
    # All at once: a few thousand samples cost little more than one.
    lab = to_lab(evidence.relative(view_px(np.concatenate(parts))) * np.float32(FLOOR_LINEAR))
    first, rim = len(_INNER), len(_INNER) + 4 * len(_EDGE)
    return [
        FaceColors(own[:first].reshape(_GRID, _GRID, 3), own[first:rim], tuple(own[rim:].reshape(-1, len(_SIDE), 3)))
        for own in np.split(lab, np.cumsum([len(part) for part in parts[:-1]]))
    ]


def _shares(across: Sequence[float], down: Sequence[float]) -> Floats:
    """How far each corner of a quadrilateral counts at these shares of its first two sides: (points, 4), by rows."""
    u, v = np.tile(across, len(down)), np.repeat(down, len(across))
    return np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=1)


def _rims(corners: Floats, near: float) -> tuple[Floats, Floats]:
    """Points beside the first and the third side of a face (4, 2), that share of its size within it."""
    first, third = _EDGE @ corners[:2], _EDGE @ corners[[3, 2]]
    return first + near * (third - first), third + near * (first - third)


_STEPS = (0.125 + 0.75 * (np.arange(_GRID) + 0.5) / _GRID).tolist()
_INNER = _shares(_STEPS, _STEPS)
_EDGE = np.stack([1 - np.linspace(0.14, 0.86, 12), np.linspace(0.14, 0.86, 12)], axis=1)
_SIDE = _shares(np.linspace(0.2, 0.8, 10).tolist(), np.linspace(0.35, 0.75, 4).tolist())
