"""Stage 6: what may be said of each thing that stands out: a die with a face, or a reason for leaving it.

Two independent opinions are asked: the network (``vision.network``), which has learned from drawn dice, and the rules
(``vision.read_marks``, ``vision.read_chance_cube``), which know how the games' dice are made. A die is read when the
geometry is that of a standing die, one of them is sure and the other does not contradict.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.dice import ACTION_DIE, CHANCE_CUBE, KINDS, NUMBER_DIE, PIP_DIE, RIG_DIE
from vision.fit_solids import Fit
from vision.mat_layout import ROLL_AREA
from vision.network import NOTHING, Guess
from vision.opinions import Label, sticker_shows
from vision.polygons import shared
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
_PLAUSIBLE = 0.6
_LEAST_AGREED = 0.6  # of the network, where the rules leave nothing else
_LEAST_SURE = 0.93  # of the network, where the rules allow other things, too
_LEAST_ALONE = 0.97  # of the network, where the rules have no opinion
# Of 2,051 drawn numbers 1,871 are so sure where the fit outlines them, 3 of them wrongly; of the others 59 where the
# detector outlines them, too, one wrongly. With 0.85 of the fit's alone 1,952 were read, 10 of them wrongly.
_LEAST_NUMBER: Mapping[bool, float] = {False: 0.95, True: 0.9}
_LEAST_BORNE_OUT = 0.6  # of the other network, where the rules say something else and the first is that sure
_RATHER = 0.5  # of the other network, that it is another face
_LEAST_TWICE = 0.8  # in both cases, where the other network bears it out
_MOST_EXCESS_MM = 0.5  # beside an upright die nothing stands out: 98 % of 325 had less (measured)
_LARGEST_CUBE_MM = 20.8  # dice are sold up to 19 mm; two of 19 mm (drawn) were fitted as 20.2 and 20.4
_INSIDE = 0.35  # of its size a die's middle must lie inside the roll area; half would be all of an even one
LEAST_STANDING = 0.6  # of 1,992 standing dice (drawn) 38 have less, of 415 leaning, stacked and covered ones 386
_LEAST_NAMED = 0.5  # of what a die does that does not stand
_LEAST_NAMED_FACELESS = 0.8  # of what has no face: 26 more of 141 leaning dice are named, and hardly a mere thing
_LEAST_LEANING_BEYOND = 0.7  # of 33 dice that stand across the border or beyond it the likeliest to lean had 0.36
_SURELY_NOTHING = 0.95
_LEAST_LONE_PIP = 0.93  # of a 3 or a 5 with faint or glared pips only the middle one may be seen, by all who look
_LEAST_BODY: Mapping[str, float] = {PIP_DIE: 0.98, RIG_DIE: 0.97, ACTION_DIE: 0.97}
"""Of a die's body among those of its face: a red die painted red was once given a black body, with 0.95, and of
1,180 pip dice two ivory ones a yellow body, with 0.95 and 0.978."""
_LEAST_CONFIDENCE = 0.5  # of 790 drawn dice read, 6 had less, 2 of them leaning ones
_LEAST_AMONG_ALL = 0.3  # of the network, kinds that are not awaited counted
_SURELY_COUNTED = 0.97  # of the network that counts pips, where the other thinks the same likeliest
_BESIDE_COUNTED = 0.97
_MOST_UNSURE = 0.6  # of a face that it is not: who is surer contradicts
_MOST_SHARED = 0.25
_MOST_LIKELY, _LEAST_LIKELY = 4, 0.05  # of faces that are offered to whoever is asked
_OF_THE_CUBES = frozenset({CHANCE_CUBE, RIG_DIE, PIP_DIE, ACTION_DIE})


@dataclass(frozen=True)
class Candidate:
    """One fitted die and what the network said of its upper face.

    ``outline_px`` (k, 2): the corners of the upper face in the picture; ``patch``: that face as ``vision.patches``
    cuts it. ``guesses`` are the network's, most probable first, empty where there is no network; ``seconds`` is what
    another one bears out: a number, or how many pips are counted. ``hides_colour``: it looks white
    and may be coloured. ``outlined_twice``: a number was read where the fit and where the detector outlines the face.
    """

    fit: Fit
    outline_px: Floats
    patch: npt.NDArray[np.float32]
    guesses: tuple[Guess, ...]
    seconds: tuple[Opinion, ...] = ()
    hides_colour: bool = False
    outlined_twice: bool = False

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
    def strength(self) -> float:
        """By which one of several explanations of the same thing is preferred."""
        likely = 1 - next((guess.probability for guess in self.guesses if guess.kind == NOTHING), 0.5)
        return self.fit.score + 0.25 * likely


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


def judge(
    candidate: Candidate,
    rules: Sequence[Opinion],
    excess_mm: float,
    kinds: Collection[str] | None,
    situation: Floats | None = None,
    apart: Guess | None = None,
    red: Told | None = None,
    least_standing: float = LEAST_STANDING,
) -> ReadDie | Unread:
    """What one candidate is, or why it is left.

    ``rules`` is what they say of it, ``excess_mm`` is what stands out beside it (``vision.upright``). ``situation``
    holds the probabilities of ``SITUATIONS`` (``vision.situation``), ``least_standing`` that of the first from which
    it is read; without it rules alone tell what does not stand. ``apart`` is what a network that was trained apart
    takes its face for; ``red`` says whose red face it is, where it may be a chance cube's or a sticker.
    """
    allowed = frozenset(KINDS) if kinds is None else frozenset(kinds)
    fit = candidate.fit
    if not ROLL_AREA.contains((fit.x, fit.y), margin_mm=_INSIDE * fit.size):
        leans = situation is not None and float(situation[1]) >= _LEAST_LEANING_BEYOND
        return Unread("cocked" if leans else "outside", candidate.center_px, is_beyond=True)
    cube = fit.shape is CUBE
    own = allowed & (_OF_THE_CUBES if cube else frozenset({NUMBER_DIE}))
    guesses = candidate.guesses if red is None else _ranked(told_apart(candidate.opinion, red))
    said = _agreed(candidate, guesses, rules, own, allowed, apart)
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


def _likely(guesses: Sequence[Guess], possible: Collection[str]) -> tuple[tuple[str, str | None, str], ...]:
    """What a face may be, the likeliest first, a few at most."""
    kept = [guess for guess in _of_any_body(guesses, (PIP_DIE,)) if guess.kind in possible]
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


def _agreed(
    candidate: Candidate,
    guesses: Sequence[Guess],
    every: Sequence[Opinion],
    possible: frozenset[str],
    allowed: frozenset[str],
    apart: Guess | None,
) -> tuple[Opinion, float] | None:
    """What networks and rules say together, and how sure that is."""
    opinions = [opinion for opinion in every if opinion.kind in possible]
    if not guesses:
        whole = [opinion for opinion in opinions if opinion.body is not None or opinion.kind == PIP_DIE]
        return (whole[0], 0.9) if len(opinions) == 1 and whole else None
    if ACTION_DIE not in allowed and any((said.kind, said.face) == (CHANCE_CUBE, "red") for said in opinions):
        guesses = _red_is_a_cube(guesses)
    best = _narrowed(guesses, possible)
    if best is None or best.kind == NOTHING:
        return None
    said = Opinion(best.kind, best.body, best.face)
    is_counted = apart is not None and apart.probability >= _SURELY_COUNTED
    if (said.kind, said.face) == (PIP_DIE, "1") and not is_counted and CHANCE_CUBE in (one.kind for one in opinions):
        return None  # one pip on red or blue may as well be a sign on a cube
    is_seen_twice = apart is not None and _fits(Opinion(apart.kind, apart.body, apart.face), said)
    is_borne_out = is_seen_twice and apart is not None and apart.probability >= _LEAST_BORNE_OUT
    is_beyond_doubt = is_borne_out and best.probability >= _LEAST_ALONE
    if not is_beyond_doubt and ACTION_DIE not in allowed and _is_on_black(every):
        return None  # a sticker on black, where no such die is awaited
    may_be_a_pip = said.kind == CHANCE_CUBE and any((one.kind, one.face) == (PIP_DIE, "1") for one in opinions)
    if may_be_a_pip and not is_borne_out and best.probability < _LEAST_ALONE:
        return None  # and the other way round
    if best.kind == PIP_DIE and apart is not None and is_counted:
        counted = [opinion for opinion in opinions if opinion.kind == PIP_DIE]
        if best.probability < _MOST_UNSURE and counted and all(one.face == apart.face for one in counted):
            return Opinion(PIP_DIE, None, apart.face), apart.probability * _BESIDE_COUNTED
        others = [one for one in opinions if one.kind == PIP_DIE and not _fits(one, said)]
        # Of a 3 or a 5 with faint or glared pips only the middle one may be seen by the rules.
        may_be_faint = is_beyond_doubt and said.face in ("3", "5") and all(one.face == "1" for one in others)
        if not is_seen_twice or (others and not may_be_faint):
            return None
        return said, max(apart.probability * _BESIDE_COUNTED, best.probability)
    if not opinions:
        if (said.kind, said.face) == (ACTION_DIE, "white"):
            return None  # what a lamp burns out looks like that, too
        if _is_lit_otherwise(candidate, said):
            return None
        least = _LEAST_TWICE if is_borne_out else _LEAST_ALONE
        return (said, best.probability) if best.probability >= least else None
    if not any(_fits(opinion, said) for opinion in opinions):
        # Of 57 looks at standing dice (drawn) whose rules say something else a network with 0.9 was always right.
        return (said, best.probability) if is_beyond_doubt and not _is_lit_otherwise(candidate, said) else None
    least = _LEAST_AGREED if len(opinions) == 1 else _LEAST_TWICE if is_borne_out else _LEAST_SURE
    if said.kind == NUMBER_DIE:
        return (said, best.probability) if best.probability >= _LEAST_NUMBER[candidate.outlined_twice] else None
    is_disputed = apart is not None and not is_seen_twice and apart.kind in possible
    if is_disputed and apart is not None and apart.probability >= _RATHER:
        least = max(least, _LEAST_SURE)
    least = max(least, _LEAST_LONE_PIP) if (said.kind, said.face) == (PIP_DIE, "1") else least
    if _is_lit_otherwise(candidate, said):
        return None
    return (said, _both(best.probability)) if best.probability >= least else None


def _is_lit_otherwise(candidate: Candidate, said: Opinion) -> bool:
    """Whether a mirrored lamp may be what gives the face that colour."""
    if said.kind == RIG_DIE:
        return not sticker_shows(candidate.patch, said.face)
    return (said.kind, said.face) == (ACTION_DIE, "white") and candidate.hides_colour


def needs_another(guesses: Sequence[Guess], rules: Sequence[Opinion]) -> bool:
    """Whether it matters what a network that was trained apart says of a face.

    It counts pips. Of other kinds it lowers what the first one needs: where that is so sure, either it is read
    anyway, or its kind is not awaited and nothing else is likely. It decides where the ``rules`` say otherwise.
    """
    if not guesses or guesses[0].kind == PIP_DIE or guesses[0].probability < _LEAST_ALONE:
        return True
    said = Opinion(guesses[0].kind, guesses[0].body, guesses[0].face)
    return (
        said.kind != NOTHING and bool(rules) and (_is_on_black(rules) or not any(_fits(one, said) for one in rules))
    )


def _is_on_black(rules: Sequence[Opinion]) -> bool:
    """Whether a face looks like an action die's sticker on black."""
    return any(one.kind == ACTION_DIE and one.body == "black" for one in rules)


def _narrowed(guesses: Sequence[Guess], possible: frozenset[str]) -> Guess | None:
    """The best guess among what is possible, its probability among those; None where it looks like another kind."""
    kept = _of_any_body([guess for guess in guesses if guess.kind in possible or guess.kind == NOTHING])
    total = sum(guess.probability for guess in kept)
    if not kept or kept[0].probability < _LEAST_AMONG_ALL:
        return None
    return kept[0]._replace(probability=kept[0].probability / total)


def _red_is_a_cube(guesses: Sequence[Guess]) -> list[Guess]:
    """The same where no action die is in play: a red sticker looks like a red cube, and then it is one."""
    alike = [guess for guess in guesses if (guess.kind, guess.face) in ((ACTION_DIE, "red"), (CHANCE_CUBE, "red"))]
    red = Guess(CHANCE_CUBE, "red", "red", sum(guess.probability for guess in alike))
    return sorted([red, *(guess for guess in guesses if guess not in alike)], key=lambda guess: -guess.probability)


def _ranked(opinion: dict[Label, float]) -> tuple[Guess, ...]:
    """Guesses, most probable first."""
    guesses = (Guess(kind, face, body, probability) for (kind, face, body), probability in opinion.items())
    return tuple(sorted(guesses, key=lambda guess: -guess.probability))


def _of_any_body(guesses: Sequence[Guess], kinds: Collection[str] = tuple(_LEAST_BODY)) -> list[Guess]:
    """The same, dice of these kinds told by their face alone; the body is named only where it is sure in itself."""
    faces: dict[tuple[str, str], list[Guess]] = defaultdict(list)
    for guess in guesses:
        if guess.kind in kinds:
            faces[guess.kind, guess.face].append(guess)
    merged = [guess for guess in guesses if guess.kind not in kinds]
    for (kind, face), own in faces.items():
        total = sum(guess.probability for guess in own)
        best = max(own, key=lambda guess: guess.probability)
        body = best.body if best.probability >= _LEAST_BODY[kind] * total else None
        merged.append(Guess(kind, face, body, total))
    return sorted(merged, key=lambda guess: -guess.probability)


def _both(probability: float) -> float:
    """The network's probability once the rules have said the same, which are guessed to err in one of 20 faces."""
    return probability / (probability + 0.05 * (1 - probability))


def _fits(opinion: Opinion, said: Opinion) -> bool:
    if opinion.kind != said.kind or opinion.face != said.face:
        return False
    if said.kind == PIP_DIE:  # pips are counted; ivory is white to one and yellow to the other
        return True
    return None in (opinion.body, said.body) or opinion.body == said.body or said.body == "other"
