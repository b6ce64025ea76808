"""What stands on the mat in one frame: solids fitted to what stands out, their upper faces looked at.

What leaves a doubt is looked at once more: the detector, which knows no geometry, says where upper faces lie, and the
fit begins there, too. In hard light an edge of a shadow or of a side can pass for one of the upper face.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from vision.camera import Camera
from vision.detector import Found
from vision.dice import NUMBER_DIE
from vision.fit_solids import Fit, fit_solids
from vision.floor import Floor
from vision.judge import Candidate, choose, plausible
from vision.look import look_at_faces
from vision.mat_layout import ROLL_AREA
from vision.network import FaceNetwork
from vision.reading import Floats, Pixels
from vision.situation import read_signs
from vision.solids import CUBE, DODECAHEDRON, standing_under
from vision.stand_out import Evidence, find_what_stands_out
from vision.upright import find_excess, unexplained

_LEAST_FACE = 0.5  # detector's score from which a face is worth a fit
_BEYOND_MM = 20.0  # of the roll area within which dice are sought


@dataclass(frozen=True)
class Seen:
    """What was found: the evidence, the solids chosen to explain it, and the signs of how each lies."""

    evidence: Evidence
    chosen: tuple[Candidate, ...]
    excess_mm: tuple[float, ...]
    signs: np.ndarray[tuple[int, int], np.dtype[np.float64]]


def see_on_mat(
    frame: Pixels,
    view: Pixels,
    floor: Floor,
    camera: Camera,
    network: FaceNetwork | None,
    kinds: Collection[str] | None,
    faces: Sequence[Found] = (),
) -> Seen:
    """Look at a frame and its view from above; only shapes that are among ``kinds`` are sought.

    ``faces`` are upper faces that the detector found in the frame: fits begin there as well.
    """
    evidence = find_what_stands_out(view, floor)
    fits: list[Fit] = []
    if kinds is None or not set(kinds) <= {NUMBER_DIE}:
        fits = fit_solids(camera, evidence, evidence.blobs, CUBE)
    if kinds is None or NUMBER_DIE in kinds:
        rest = unexplained(camera, evidence, fits)
        fits += fit_solids(camera, evidence, rest, DODECAHEDRON)
    for shape, what in ((CUBE, "cube"), (DODECAHEDRON, "number-die")):
        fits += fit_solids(camera, evidence, (), shape, _seeds(camera, faces, what))
    chosen = choose(look_at_faces(frame, camera, floor, plausible(fits), network))
    excess = find_excess(camera, evidence, [candidate.fit for candidate in chosen])
    return Seen(evidence, tuple(chosen), tuple(excess), read_signs(camera, evidence, chosen, excess))


def _seeds(camera: Camera, faces: Sequence[Found], what: str) -> Floats:
    """Where dice would stand whose upper faces the detector sees in the roll area: shape (n, 4)."""
    tops = [
        camera.ground(np.array(face.outline_px)) for face in faces if face.what == what and face.score >= _LEAST_FACE
    ]
    seeds = [
        standing_under(camera, top)
        for top in tops
        if ROLL_AREA.contains((top[:, 0].mean(), top[:, 1].mean()), -_BEYOND_MM)
    ]
    return np.array(seeds, np.float64).reshape(-1, 4)
