"""Stage 5: look at the upper face of every fitted die, once by the network and once by the rules."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from vision.camera import Camera
from vision.fit_solids import Fit
from vision.judge import Candidate
from vision.light import MatLight
from vision.marks import find_marks
from vision.network import FaceNetwork, Guess
from vision.patches import rectify
from vision.read_marks import read_marks
from vision.reading import Floats, Pixels, Point
from vision.sample_faces import sample_faces
from vision.solids import CUBE
from vision.stand_out import Evidence

_TURNS_OF_A_CUBE = 1
"""A cube's colours and pips look alike in each of its turns to the network, and more looks cost time; numbers do not:
a twelve-sided die is looked at in all its five."""


def look_at_faces(
    frame: Pixels,
    camera: Camera,
    evidence: Evidence,
    fits: Sequence[Fit],
    network: FaceNetwork | None,
) -> list[Candidate]:
    """What network and rules say of each die's upper face; without a network, the rules alone."""
    light = MatLight(camera, evidence.floor)
    outlines = [camera.project(fit.shape.outlines(camera, fit.row).top[0]) for fit in fits]
    turned = [
        _turns(outline, _TURNS_OF_A_CUBE if fit.shape is CUBE else 5)
        for fit, outline in zip(fits, outlines, strict=True)
    ]
    patches = [[rectify(frame, points(turn), light) for turn in turns] for turns in turned]
    guesses: list[tuple[Guess, ...]] = [() for _ in fits]
    if network is not None and fits:
        every = network.classify([patch for own in patches for patch in own])
        ends = np.cumsum([len(own) for own in patches])
        guesses = [_together(every[end - len(own) : end]) for end, own in zip(ends, patches, strict=True)]
    candidates = []
    for fit, outline, own, guess in zip(fits, outlines, patches, guesses, strict=True):
        cube = fit.shape is CUBE
        colors = sample_faces(camera, evidence, fit) if cube else None
        opinions = tuple(read_marks(find_marks(own[0]))) if cube else ()
        candidates.append(Candidate(fit, outline, colors, guess, opinions))
    return candidates


def points(outline: Floats) -> list[Point]:
    """An outline (k, 2) as pairs."""
    return [(float(u), float(v)) for u, v in outline]


def _turns(outline: Floats, count: int) -> list[Floats]:
    """The outline counted from its first corner, its second, and so on."""
    return [np.roll(outline, -turn, axis=0) for turn in range(count)]


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
