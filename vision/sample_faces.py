"""Stage 5: the colours of a fitted cube: its upper face, the rim of that face, and the sides that are seen."""

from dataclasses import dataclass

import numpy as np

from vision.camera import Camera
from vision.colors import Names, name_colors, to_lab
from vision.fit_cubes import CubeFit, visible_base
from vision.floor import FLOOR_LINEAR, view_px
from vision.reading import Floats
from vision.solids import Outlines, cube_outlines
from vision.stand_out import Evidence

_GRID = 14


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


def sample_faces(camera: Camera, evidence: Evidence, fit: CubeFit) -> FaceColors:
    """Name the colours on the faces of one cube."""
    outlines = cube_outlines(camera, fit.row)
    steps = 0.125 + 0.75 * (np.arange(_GRID) + 0.5) / _GRID
    inner = _lab(evidence, _on_square(outlines.top[0], steps, steps))
    edge = np.linspace(0.12, 0.88, 12)
    rim = np.concatenate(
        [
            _on_square(outlines.top[0], *pair).reshape(-1, 2)
            for at in (0.05, 0.95)
            for pair in ((edge, [at]), ([at], edge))
        ]
    )
    return FaceColors(inner, _lab(evidence, rim), _sides(camera, evidence, outlines))


def _sides(camera: Camera, evidence: Evidence, outlines: Outlines) -> tuple[Floats, ...]:
    sides = []
    for edge in np.nonzero(visible_base(camera, outlines)[0])[0]:
        following = (edge + 1) % 4
        quad = np.array(
            [outlines.top[0, edge], outlines.top[0, following], outlines.base[0, following], outlines.base[0, edge]]
        )
        depth = np.linalg.norm((quad[3] + quad[2] - quad[0] - quad[1]) / 2)
        if depth < 1.5:  # mm: three pixels of the view, of which the outer two are blurred with what lies beside
            continue
        sides.append(_lab(evidence, _on_square(quad, np.linspace(0.2, 0.8, 10), np.linspace(0.35, 0.75, 4))))
    return tuple(sides)


def _on_square(corners: Floats, across: object, down: object) -> Floats:
    """Points of a quadrilateral by their shares of its first two sides: shape (len(down), len(across), 2)."""
    u = np.asarray(across, np.float64)[None, :, None]
    v = np.asarray(down, np.float64)[:, None, None]
    top = corners[0] + u * (corners[1] - corners[0])
    bottom = corners[3] + u * (corners[2] - corners[3])
    return np.asarray(top + v * (bottom - top), np.float64)


def _lab(evidence: Evidence, points_mm: Floats) -> Floats:
    at = (view_px(points_mm) + 0.5).astype(np.intp)
    height, width = evidence.mask.shape
    seen = evidence.relative[np.clip(at[..., 1], 0, height - 1), np.clip(at[..., 0], 0, width - 1)]
    return to_lab(np.asarray(seen * np.float32(FLOOR_LINEAR), np.float32))
