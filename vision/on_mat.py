"""What stands on the mat in one frame: solids fitted to what stands out, their upper faces looked at.

What leaves a doubt is looked at once more: the detector, which knows no geometry, says where upper faces lie, and the
fit begins there, too. In hard light an edge of a shadow or of a side can pass for one of the upper face.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.agreement import least_number
from vision.camera import Camera
from vision.candidate import Candidate, choose, plausible
from vision.detector import Found, face_at
from vision.dice import NUMBER_DIE
from vision.fit_solids import Fit, fit_solids
from vision.floor import Floor, view_px
from vision.light import MatLight
from vision.look import look_at_faces, read_number_again
from vision.mat_layout import ROLL_AREA
from vision.network import FaceNetwork
from vision.reading import Pixels, Point
from vision.seeds import seeds_under
from vision.situation import read_signs
from vision.solids import CUBE, DODECAHEDRON, Shape
from vision.stand_out import Evidence, find_what_stands_out
from vision.upright import find_excess, unexplained

_LEAST_FACE = 0.5  # detector's score from which a face is worth a fit
_SHAPES: Mapping[str, Shape] = {"cube": CUBE, "number-die": DODECAHEDRON}  # of dice with such faces
_BEYOND_MM = 20.0  # of the roll area within which dice are sought


@dataclass(frozen=True)
class Seen:
    """What was found: the evidence, the solids chosen to explain it, and the signs of how each lies.

    ``looked_at`` are all the solids that the evidence suggested.
    """

    evidence: Evidence
    looked_at: tuple[Candidate, ...]
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
    return _choose_from(look_at_faces(frame, camera, floor, plausible(fits), network), evidence, camera)


def see_again(
    first: Seen,
    frame: Pixels,
    floor: Floor,
    camera: Camera,
    network: FaceNetwork | None,
    faces: Sequence[Found],
    read: Sequence[Fit],
    kinds: Collection[str] | None,
) -> Seen:
    """Look once more at what was seen in the frame ``first``.

    ``faces`` are the upper faces that the detector found in it: fits begin there as well, and those of which too
    little stands out for any fit are taken to stand out. What was not ``read`` may be a die of another shape than
    those of ``kinds``: it is sought, to be known for what it is.
    """
    tops = [face for face in faces if is_worth_a_fit(face, camera)]
    faint = [
        face
        for face in tops
        if ROLL_AREA.contains(_middle(camera, face)) and all(face.apart(one.center_px) > 1 for one in first.chosen)
    ]
    evidence = first.evidence.with_faces([view_px(camera.ground(np.array(face.outline_px))) for face in faint])
    more: list[Fit] = []
    other = _shape_not_among(kinds)
    if other is not None:
        more += fit_solids(camera, evidence, unexplained(camera, evidence, read, 0.0), other)
    for what, shape in _SHAPES.items():
        seeds = seeds_under(camera, [face for face in tops if face.what == what])
        more += fit_solids(camera, evidence, (), shape, seeds)
    looked_at = [*first.looked_at, *look_at_faces(frame, camera, floor, plausible(more), network)]
    if network is not None:
        light = MatLight(camera, floor)
        looked_at = [_with_number_again(one, frame, light, network, faces) for one in looked_at]
    return _choose_from(looked_at, evidence, camera)


def is_worth_a_fit(face: Found, camera: Camera) -> bool:
    """Whether a face that the detector found may be the upper one of a die in the roll area, or hardly beside it."""
    is_sure = face.what in _SHAPES and face.score >= _LEAST_FACE
    return is_sure and ROLL_AREA.contains(_middle(camera, face), -_BEYOND_MM)


def _with_number_again(
    candidate: Candidate, frame: Pixels, light: MatLight, network: FaceNetwork, faces: Sequence[Found]
) -> Candidate:
    """A candidate, its number read where the detector outlines the face, too, if the fit alone leaves a doubt."""
    if candidate.fit.shape is CUBE or not candidate.guesses:
        return candidate
    if candidate.guesses[0].probability >= least_number(candidate):
        return candidate
    near = (face for face in faces if face.what == "number-die" and face.score >= _LEAST_FACE)
    face = face_at(near, candidate.center_px)
    return candidate if face is None else read_number_again(candidate, frame, light, network, face.outline_px)


def _shape_not_among(kinds: Collection[str] | None) -> Shape | None:
    """The shape of which there are no dice among these kinds."""
    if kinds is None:
        return None
    if NUMBER_DIE not in kinds:
        return DODECAHEDRON
    return CUBE if set(kinds) <= {NUMBER_DIE} else None


def _choose_from(looked_at: Sequence[Candidate], evidence: Evidence, camera: Camera) -> Seen:
    chosen = choose(looked_at)
    excess = find_excess(camera, evidence, [candidate.fit for candidate in chosen])
    signs = read_signs(camera, evidence, chosen, excess)
    return Seen(evidence, tuple(looked_at), tuple(chosen), tuple(excess), signs)


def _middle(camera: Camera, face: Found) -> Point:
    x, y = camera.ground(np.array(face.outline_px)).mean(axis=0)
    return float(x), float(y)
