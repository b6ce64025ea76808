"""A solid that may explain what stands out, with what its upper face looks like, and which of several does."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.fit_solids import Fit
from vision.network import NOTHING, Guess
from vision.opinions import Label
from vision.polygons import shared
from vision.read_marks import Opinion
from vision.reading import Floats, Point

_PLAUSIBLE = 0.6
_MOST_SHARED = 0.25


@dataclass(frozen=True)
class Candidate:
    """One fitted die and what the network said of its upper face.

    ``outline_px`` (k, 2): the corners of the upper face in the picture; ``patch``: that face as ``vision.patches``
    cuts it. ``guesses`` are the network's, most probable first, empty where there is no network; ``seconds`` is what
    another one bears out: a number, or how many pips are counted. ``hides_colour``: it looks white
    and may be coloured. ``dimmed`` is the face in less light where it is very bright. ``is_burnt``: it may be white,
    hides no colour, and much of it is too bright for the camera.
    """

    fit: Fit
    outline_px: Floats
    patch: npt.NDArray[np.float32]
    guesses: tuple[Guess, ...]
    seconds: tuple[Opinion, ...] = ()
    hides_colour: bool = False
    dimmed: npt.NDArray[np.float32] | None = None
    is_burnt: bool = False

    @property
    def in_best_light(self) -> npt.NDArray[np.float32]:
        """The face in the light in which it shows most."""
        return self.patch if self.dimmed is None else self.dimmed

    @property
    def center_px(self) -> Point:
        """The middle of the upper face."""
        u, v = self.outline_px.mean(axis=0)
        return (float(u), float(v))

    @property
    def opinion(self) -> dict[Label, float]:
        """What the network said, by kind, face and body."""
        return {(one.kind, one.face, one.body): one.probability for one in self.guesses}

    @property
    def face_chance(self) -> float:
        """How likely the network sees a face at all; a half where there is none."""
        return 1 - next((guess.probability for guess in self.guesses if guess.kind == NOTHING), 0.5)

    @property
    def strength(self) -> float:
        """By which one of several explanations of the same thing is preferred."""
        return self.fit.score + 0.25 * self.face_chance


def plausible(fits: Sequence[Fit]) -> list[Fit]:
    """Those that are worth a look at their faces."""
    return [fit for fit in fits if fit.score >= _PLAUSIBLE]


def choose(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Those that explain something, the strongest first, no two the same thing."""
    chosen: list[Candidate] = []
    taken: list[npt.NDArray[np.float32]] = []
    for candidate in sorted(candidates, key=lambda one: -one.strength):
        outline = candidate.outline_px.astype(np.float32)
        if all(shared(outline, other) <= _MOST_SHARED for other in taken):
            taken.append(outline)
            chosen.append(candidate)
    return chosen
