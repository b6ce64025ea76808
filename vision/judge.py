"""Stage 6: what may be said of each thing that stands out: a die with a face, or a reason for leaving it.

Two independent opinions are asked: the network (``vision.network``), which has learned from drawn dice, and the rules
(``vision.read_marks``, ``vision.read_chance_cube``), which know how the games' dice are made. A die is read when the
geometry is that of a standing die, one of them is sure and the other does not contradict.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.dice import ACTION_DIE, CHANCE_CUBE, KINDS, NUMBER_DIE, PIP_DIE, RIG_DIE
from vision.fit_solids import Fit, shared
from vision.mat_layout import ROLL_AREA
from vision.network import NOTHING, Guess
from vision.read_chance_cube import read_chance_cube
from vision.read_marks import Opinion
from vision.reading import Floats, Point, ReadDie, Unread
from vision.sample_faces import FaceColors
from vision.solids import CUBE

# Of 230 standing dice in rendered pictures the lowest score was 0.72 and the faintest upper edge of a cube 0.43.
_LEAST_SCORE: Mapping[bool, float] = {True: 0.74, False: 0.62}  # cube, twelve-sided
_LEAST_EDGE = 0.35
_PLAUSIBLE = 0.6
_LEAST_SURE = 0.9  # of the network, where the rules agree
_LEAST_ALONE = 0.98  # of the network, where the rules have no opinion
_MOST_SHARED = 0.25
_OF_THE_CUBES = frozenset({CHANCE_CUBE, RIG_DIE, PIP_DIE, ACTION_DIE})


@dataclass(frozen=True)
class Candidate:
    """One fitted die and everything that was said of its upper face.

    ``outline_px`` (k, 2): the corners of the upper face in the picture. ``colors`` only of cubes. ``guesses`` are the
    network's, most probable first, empty where there is no network; ``opinions`` the rules'.
    """

    fit: Fit
    outline_px: Floats
    colors: FaceColors | None
    guesses: tuple[Guess, ...]
    opinions: tuple[Opinion, ...]

    @property
    def center_px(self) -> Point:
        """The middle of the upper face."""
        u, v = self.outline_px.mean(axis=0)
        return (float(u), float(v))

    @property
    def strength(self) -> float:
        """By which one of several explanations of the same thing is preferred."""
        likely = 1 - next((guess.probability for guess in self.guesses if guess.kind == NOTHING), 0.5)
        return self.fit.score + 0.25 * likely


def judge(candidates: Sequence[Candidate], kinds: Collection[str] | None) -> list[ReadDie | Unread | None]:
    """For each candidate the die that it is, the reason why it is left, or None where it explains nothing."""
    allowed = frozenset(KINDS) if kinds is None else frozenset(kinds)
    answers: list[ReadDie | Unread | None] = [None] * len(candidates)
    taken: list[npt.NDArray[np.float32]] = []
    for i in sorted(range(len(candidates)), key=lambda k: -candidates[k].strength):
        candidate = candidates[i]
        outline = candidate.outline_px.astype(np.float32)
        if candidate.fit.score < _PLAUSIBLE or any(shared(outline, other) > _MOST_SHARED for other in taken):
            continue
        taken.append(outline)
        answers[i] = _judge_one(candidate, allowed)
    return answers


def _judge_one(candidate: Candidate, allowed: frozenset[str]) -> ReadDie | Unread:
    fit = candidate.fit
    if not ROLL_AREA.contains((fit.x, fit.y)):
        return Unread("outside", candidate.center_px)
    cube = fit.shape is CUBE
    if fit.score < _LEAST_SCORE[cube] or (cube and min(fit.top_edges) < _LEAST_EDGE):
        return Unread("unsure", candidate.center_px)
    said = _agreed(candidate, allowed & (_OF_THE_CUBES if cube else frozenset({NUMBER_DIE})), allowed)
    if said is None:
        return Unread("unsure", candidate.center_px)
    opinion, sure = said
    confidence = sure * min(1.0, 0.6 + 0.5 * fit.score)
    outline = tuple((float(u), float(v)) for u, v in candidate.outline_px)
    place = (fit.x, fit.y)
    return ReadDie(opinion.kind, opinion.body, opinion.face, confidence, candidate.center_px, place, outline)


def _agreed(candidate: Candidate, possible: frozenset[str], allowed: frozenset[str]) -> tuple[Opinion, float] | None:
    """What network and rules say together, and how sure that is."""
    opinions = [opinion for opinion in _by_rule(candidate, allowed) if opinion.kind in possible]
    if not candidate.guesses:
        whole = [opinion for opinion in opinions if opinion.body is not None or opinion.kind == PIP_DIE]
        return (whole[0], 0.9) if len(opinions) == 1 and whole else None
    best = candidate.guesses[0]
    if best.kind == NOTHING or best.kind not in possible or best.probability < _LEAST_SURE:
        return None
    said = Opinion(best.kind, best.body, best.face)
    agrees = any(_fits(opinion, said) for opinion in opinions)
    if agrees or (not opinions and best.probability >= _LEAST_ALONE):
        return said, best.probability
    return None


def _by_rule(candidate: Candidate, allowed: frozenset[str]) -> list[Opinion]:
    opinions = list(candidate.opinions)
    if candidate.colors is not None and CHANCE_CUBE in allowed:
        cube = read_chance_cube(candidate.colors)
        if cube is not None:
            if cube.unmistakable:
                return [Opinion(cube.kind, cube.body, cube.face)]
            opinions.append(Opinion(cube.kind, cube.body, cube.face))
    return opinions


def _fits(opinion: Opinion, said: Opinion) -> bool:
    if opinion.kind != said.kind or opinion.face != said.face:
        return False
    return None in (opinion.body, said.body) or opinion.body == said.body or said.body == "other"
