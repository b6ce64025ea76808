"""Stage 5: look at the upper face of every fitted die, once by the network and once by the rules."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from vision.camera import Camera
from vision.fit_solids import Fit
from vision.floor import Floor
from vision.judge import Candidate
from vision.light import MatLight
from vision.marks import find_marks
from vision.network import FaceNetwork, Guess
from vision.patches import rectify
from vision.read_chance_cube import read_chance_cube
from vision.read_marks import Opinion, read_marks
from vision.reading import Floats, Pixels, Point
from vision.sample_faces import sample_faces
from vision.solids import CUBE
from vision.stand_out import Evidence

_TURNS_OF_A_CUBE = 1
"""A cube's colours and pips look alike in each of its turns to the network, and more looks cost time; numbers do not:
a twelve-sided die is looked at in all its five."""


def look_at_faces(
    frame: Pixels, camera: Camera, floor: Floor, fits: Sequence[Fit], network: FaceNetwork | None
) -> list[Candidate]:
    """Cut out each die's upper face and ask the network, where there is one."""
    light = MatLight(camera, floor)
    outlines = [camera.project(fit.shape.outlines(camera, fit.row).top[0]) for fit in fits]
    looks = []
    for fit, outline in zip(fits, outlines, strict=True):
        turns = _TURNS_OF_A_CUBE if fit.shape is CUBE else fit.shape.corners
        looks.append([rectify(frame, points(np.roll(outline, -turn, axis=0)), light) for turn in range(turns)])
    guesses: list[tuple[Guess, ...]] = [() for _ in fits]
    if network is not None and fits:
        every = network.classify([patch for own in looks for patch in own])
        ends = np.cumsum([len(own) for own in looks])
        guesses = [_together(every[end - len(own) : end]) for end, own in zip(ends, looks, strict=True)]
    return [Candidate(*one) for one in zip(fits, outlines, (own[0] for own in looks), guesses, strict=True)]


def ask_the_rules(camera: Camera, evidence: Evidence, candidate: Candidate) -> list[Opinion]:
    """What the face may be by rule; numbers have none."""
    if candidate.fit.shape is not CUBE:
        return []
    opinions = read_marks(find_marks(candidate.patch))
    cube = read_chance_cube(sample_faces(camera, evidence, candidate.fit))
    if cube is not None and cube.unmistakable:
        return [Opinion(cube.kind, cube.body, cube.face)]
    if cube is not None:
        opinions.append(Opinion(cube.kind, cube.body, cube.face))
    return opinions


def points(outline: Floats) -> list[Point]:
    """An outline (k, 2) as pairs."""
    return [(float(u), float(v)) for u, v in outline]


def _together(looks: Sequence[tuple[Guess, ...]]) -> tuple[Guess, ...]:
    """Several looks at one face as one: the geometric mean of their probabilities, most probable first."""
    if len(looks) == 1:
        return looks[0]
    logs: dict[tuple[str, str, str | None], float] = defaultdict(float)
    for look in looks:
        for guess in look:
            logs[guess.kind, guess.face, guess.body] += float(np.log(max(guess.probability, 1e-9))) / len(looks)
    total = sum(np.exp(value) for value in logs.values())
    ranked = sorted(logs.items(), key=lambda item: -item[1])
    return tuple(Guess(kind, face, body, float(np.exp(value) / total)) for (kind, face, body), value in ranked)
