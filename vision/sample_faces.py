"""Stage 5: the colours of a fitted cube: its upper face, the rim of that face, and the sides that are seen."""

from dataclasses import dataclass

import numpy as np

from vision.camera import Camera
from vision.colors import Names, name_colors, to_lab
from vision.fit_solids import Fit
from vision.floor import FLOOR_LINEAR, view_px
from vision.reading import Floats
from vision.solids import CUBE
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


def sample_faces(camera: Camera, evidence: Evidence, fit: Fit) -> FaceColors:
    """The colours on the faces of one cube."""
    top = CUBE.outlines(camera, fit.row).top[0]
    base = CUBE.base(camera, fit.row)
    steps = 0.125 + 0.75 * (np.arange(_GRID) + 0.5) / _GRID
    edge = np.linspace(0.14, 0.86, 12)
    near = _RIM_MM / fit.size
    parts = [_on_square(top, steps, steps)]
    parts += [_on_square(top, *pair) for at in (near, 1 - near) for pair in ((edge, [at]), ([at], edge))]
    for side in np.nonzero(CUBE.sides_seen(camera, base)[0])[0]:
        after = (side + 1) % 4
        quad = np.array([top[side], top[after], base[0, after], base[0, side]])
        depth = np.linalg.norm((quad[3] + quad[2] - quad[0] - quad[1]) / 2)
        if depth >= _LEAST_DEPTH_MM:
            parts.append(_on_square(quad, np.linspace(0.2, 0.8, 10), np.linspace(0.35, 0.75, 4)))
    # All at once: a few hundred samples cost little more than one.
    flat = np.concatenate([part.reshape(-1, 2) for part in parts])
    lab = to_lab(evidence.relative(view_px(flat)) * np.float32(FLOOR_LINEAR))
    inner, *others = np.split(lab, np.cumsum([part.size // 2 for part in parts[:-1]]))
    return FaceColors(inner.reshape(_GRID, _GRID, 3), np.concatenate(others[:4]), tuple(others[4:]))


def _on_square(corners: Floats, across: object, down: object) -> Floats:
    """Points of a quadrilateral by their shares of its first two sides: shape (len(down), len(across), 2)."""
    u = np.asarray(across, np.float64)[None, :, None]
    v = np.asarray(down, np.float64)[:, None, None]
    top = corners[0] + u * (corners[1] - corners[0])
    bottom = corners[3] + u * (corners[2] - corners[3])
    return np.asarray(top + v * (bottom - top), np.float64)
