"""What stands on the mat in one frame: solids fitted to what stands out, their upper faces looked at."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from vision.camera import Camera
from vision.dice import NUMBER_DIE
from vision.fit_solids import Fit, fit_solids
from vision.floor import Floor
from vision.judge import Candidate, choose, plausible
from vision.look import look_at_faces
from vision.network import FaceNetwork
from vision.reading import Pixels
from vision.situation import read_signs
from vision.solids import CUBE, DODECAHEDRON
from vision.stand_out import Evidence, find_what_stands_out
from vision.upright import find_excess, unexplained


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
) -> Seen:
    """Look at a frame and its view from above; only shapes that are among ``kinds`` are sought."""
    evidence = find_what_stands_out(view, floor)
    fits: list[Fit] = []
    if kinds is None or not set(kinds) <= {NUMBER_DIE}:
        fits = fit_solids(camera, evidence, evidence.blobs, CUBE)
    if kinds is None or NUMBER_DIE in kinds:
        rest = unexplained(camera, evidence, fits)
        fits += fit_solids(camera, evidence, rest, DODECAHEDRON)
    chosen = choose(look_at_faces(frame, camera, floor, plausible(fits), network))
    excess = find_excess(camera, evidence, [candidate.fit for candidate in chosen])
    return Seen(evidence, tuple(chosen), tuple(excess), read_signs(camera, evidence, chosen, excess))
