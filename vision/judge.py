"""Stage 6: what may be said of each thing that stands out: a die with a face, or a reason for leaving it.

Two independent opinions are asked: the network (``vision.network``), which has learned from drawn dice, and the rules
(``vision.read_marks``, ``vision.read_chance_cube``), which know how the games' dice are made. A die is read when the
geometry is that of a standing die, one of them is sure and the other does not contradict.
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from vision.agreement import agreed, of_any_body
from vision.camera import Camera
from vision.candidate import Candidate
from vision.dice import ACTION_DIE, CHANCE_CUBE, KINDS, NUMBER_DIE, PIP_DIE, RIG_DIE
from vision.fit_solids import Fit
from vision.mat_layout import ROLL_AREA
from vision.network import Guess
from vision.opinions import Label
from vision.read_marks import Opinion
from vision.reading import Floats, Point, ReadDie, Unread
from vision.reds import Told, is_doubtful, told_apart
from vision.solids import CUBE

SITUATIONS = ("standing", "cocked", "stacked", "occluded", "not-a-die")
"""How a solid that was fitted may lie; ``vision.situation`` weighs which."""

LYING = SITUATIONS[1:4]
"""Those of a die that does not stand."""

# Of 230 standing dice in rendered pictures the lowest score was 0.72 and the faintest upper edge of a cube 0.43.
_LEAST_SCORE: Mapping[bool, float] = {True: 0.72, False: 0.68}  # cube, twelve-sided
_LEAST_EDGE = 0.35
_MOST_EXCESS_MM = 0.5  # beside an upright die nothing stands out: 98 % of 325 had less (measured)
_LARGEST_CUBE_MM = 20.8  # dice are sold up to 19 mm; two of 19 mm (drawn) were fitted as 20.2 and 20.4
_INSIDE = 0.35  # of its size a die's middle must lie inside the roll area; half would be all of an even one
LEAST_STANDING = 0.6  # of 2,582 standing dice (drawn) 30 have less than 0.7, of 673 that lie otherwise 658 do
_LEAST_NAMED = 0.5  # of what a die does that does not stand
_LEAST_NAMED_FACELESS = 0.8  # of what has no face: 26 more of 141 leaning dice are named, and hardly a mere thing
_LEAST_LEANING_BEYOND = 0.65  # of 20 dice that stand across the border or beyond it three have more, 17 less than 0.3
# Of 23 dice on others that seemed to lie beyond the border 16 had more; of 20 others there one (drawn), and it was
# further out than a die's height.
_LEAST_STACKED_BEYOND = 0.7
_SURELY_NOTHING = 0.95
_LEAST_CONFIDENCE = 0.5  # of 790 drawn dice read, 6 had less, 2 of them leaning ones
_MOST_LIKELY, _LEAST_LIKELY = 4, 0.05  # of faces that are offered to whoever is asked
_OF_THE_CUBES = frozenset({CHANCE_CUBE, RIG_DIE, PIP_DIE, ACTION_DIE})


def judge(
    candidate: Candidate,
    rules: Sequence[Opinion],
    excess_mm: float,
    kinds: Collection[str] | None,
    situation: Floats | None = None,
    apart: Guess | None = None,
    red: Told | None = None,
    least_standing: float = LEAST_STANDING,
    camera: Camera | None = None,
) -> ReadDie | Unread:
    """What one candidate is, or why it is left.

    ``rules`` is what they say of it, ``excess_mm`` is what stands out beside it (``vision.upright``). ``situation``
    holds the probabilities of ``SITUATIONS`` (``vision.situation``), ``least_standing`` that of the first from which
    it is read; without it rules alone tell what does not stand. ``apart`` is what a network that was trained apart
    takes its face for; ``red`` says whose red face it is, where it may be a chance cube's or a sticker. From the
    ``camera`` is told whether what seems to lie beyond the border lies on a die inside it.
    """
    allowed = frozenset(KINDS) if kinds is None else frozenset(kinds)
    fit = candidate.fit
    if not is_inside((fit.x, fit.y), fit):
        return _beyond(candidate, situation, camera)
    cube = fit.shape is CUBE
    own = allowed & (_OF_THE_CUBES if cube else frozenset({NUMBER_DIE}))
    guesses = candidate.guesses if red is None else _ranked(told_apart(candidate.opinion, red))
    rules, apart = _told_of_red(rules, apart, red)
    said = agreed(candidate, guesses, rules, own, allowed, apart)
    if said is not None and is_doubtful(said[0].kind, said[0].face, red):
        said = None
    reason = lies_otherwise(fit, excess_mm, situation, least_standing)
    chance = 1.0 if situation is None else float(situation[0])
    if said is None or reason == "unsure":
        nothing = _is_nothing(candidate, allowed)
        is_sure = situation is None or float(situation[1:4].max()) >= _LEAST_NAMED_FACELESS
        named = reason if reason in LYING and (is_sure or not nothing) else None
        why = named or ("not-a-die" if nothing or reason == "not-a-die" else "unsure")
        return Unread(why, candidate.center_px, _likely(candidate.guesses, own))
    if reason is not None:
        return Unread(reason, candidate.center_px, _likely(candidate.guesses, own))
    opinion, sure = said
    confidence = sure * min(1.0, 0.6 + 0.5 * fit.score) * chance
    if confidence < _LEAST_CONFIDENCE:
        return Unread("unsure", candidate.center_px, _likely(candidate.guesses, own))
    outline = tuple((float(u), float(v)) for u, v in candidate.outline_px)
    return ReadDie(opinion.kind, opinion.body, opinion.face, confidence, candidate.center_px, (fit.x, fit.y), outline)


def is_inside(at_mm: Point, fit: Fit) -> bool:
    """Whether a solid that stands there (mm) is in the roll area."""
    return ROLL_AREA.contains(at_mm, margin_mm=_INSIDE * fit.size)


def _beyond(candidate: Candidate, situation: Floats | None, camera: Camera | None) -> Unread:
    """What is said of a solid that stands beyond the border or, lying on a die inside it, is only seen there."""
    fit = candidate.fit
    cocked, stacked = (0.0, 0.0) if situation is None else (float(situation[1]), float(situation[2]))
    if camera is not None and stacked >= _LEAST_STACKED_BEYOND:
        x, y = camera.beneath(np.array((fit.x, fit.y)), fit.size)
        if is_inside((float(x), float(y)), fit):
            return Unread("stacked", candidate.center_px)
    return Unread("cocked" if cocked >= _LEAST_LEANING_BEYOND else "outside", candidate.center_px, is_beyond=True)


def _told_of_red(
    rules: Sequence[Opinion], apart: Guess | None, red: Told | None
) -> tuple[Sequence[Opinion], Guess | None]:
    """What others say of a face that is told to be a sticker: who takes it for a red cube's sees that it is red."""
    if red is None or red.kind != ACTION_DIE:
        return rules, apart
    cube, sticker = (CHANCE_CUBE, "red"), Opinion(ACTION_DIE, None, "red")
    seen: dict[tuple[str, str], Opinion] = {}
    for one in rules:
        one = sticker if (one.kind, one.face) == cube else one
        seen.setdefault((one.kind, one.face), one)
    if apart is not None and (apart.kind, apart.face) == cube:
        apart = apart._replace(kind=ACTION_DIE, body=None)
    return tuple(seen.values()), apart


def _likely(guesses: Sequence[Guess], possible: Collection[str]) -> tuple[tuple[str, str | None, str], ...]:
    """What a face may be, the likeliest first, a few at most."""
    kept = [guess for guess in of_any_body(guesses, (PIP_DIE,)) if guess.kind in possible]
    return tuple((one.kind, one.body, one.face) for one in kept[:_MOST_LIKELY] if one.probability >= _LEAST_LIKELY)


def lies_otherwise(
    fit: Fit, excess_mm: float, situation: Floats | None, least_standing: float = LEAST_STANDING
) -> str | None:
    """Why a solid is not taken to stand upright on the floor; None where it is."""
    if situation is None:
        return _unlike_standing(fit, excess_mm)
    if fit.shape is CUBE and fit.size > _LARGEST_CUBE_MM:
        return "stacked"
    return _not_standing(situation, least_standing)


def _unlike_standing(fit: Fit, excess_mm: float) -> str | None:
    """Why a solid does not look like one that stands, by rule."""
    cube = fit.shape is CUBE
    if fit.score < _LEAST_SCORE[cube] or (cube and min(fit.top_edges) < _LEAST_EDGE):
        return "unsure"
    if cube and fit.size > _LARGEST_CUBE_MM:
        return "stacked"
    return "cocked" if excess_mm > _MOST_EXCESS_MM else None


def _not_standing(situation: Floats, least_standing: float) -> str | None:
    """Why a solid is not taken to stand, by its many signs; None where it is."""
    if situation[0] >= least_standing:
        return None
    best = int(np.argmax(situation[1:])) + 1
    if situation[best] >= _LEAST_NAMED:
        return SITUATIONS[best]
    # Of one that does not stand it may be open what it does.
    best = int(np.argmax(situation[1:4])) + 1
    return SITUATIONS[best] if situation[1:4].sum() >= _LEAST_NAMED else "unsure"


def _is_nothing(candidate: Candidate, allowed: frozenset[str]) -> bool:
    """Whether the network sees no face of a die, or one of a kind that is not awaited."""
    awaited = sum(g.probability for g in candidate.guesses if g.kind in allowed)
    return bool(candidate.guesses) and awaited <= 1 - _SURELY_NOTHING


def _ranked(opinion: dict[Label, float]) -> tuple[Guess, ...]:
    """Guesses, most probable first."""
    guesses = (Guess(kind, face, body, probability) for (kind, face, body), probability in opinion.items())
    return tuple(sorted(guesses, key=lambda guess: -guess.probability))
