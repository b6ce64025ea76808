"""Stage 5: look at the upper face of every fitted die, each in two ways that know nothing of one another."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.agreement import needs_another
from vision.any_pips import count_pips
from vision.camera import Camera
from vision.candidate import Candidate
from vision.dice import ACTION_DIE, KINDS, NUMBER_DIE, PIP_DIE, RIG_DIE
from vision.fit_solids import Fit
from vision.floor import Floor
from vision.framed import is_framed_in_blue
from vision.light import MatLight
from vision.marks import Marks, find_all_marks
from vision.network import NOTHING, FaceNetwork, Guess, chance_of
from vision.numbers import NumberNetwork, see_numbers
from vision.patches import Light, Patch, burnt_share, rectify, rectify_in_less_light, rectify_with_sides
from vision.read_chance_cube import read_chance_cube
from vision.read_marks import Opinion, read_marks
from vision.reading import Floats, Pixels, Point
from vision.reds import Told, are_both_awaited, may_be_either, tell
from vision.sample_faces import FaceColors, sample_faces
from vision.solids import CUBE, as_points
from vision.stand_out import Evidence
from vision.white_faces import hides_its_colour, is_glared_white

_LEAST_SECOND = 0.5  # of the best number, to be an opinion at all
_MAYBE_WHITE = 0.2  # of a white sticker, from which it matters whether a lamp makes it one
_MUCH_BURNT = 0.4  # of a face that may be white: of 598 that were read as white (drawn) 21 have more
_LEAST_CHANCE = 1e-6  # of what a network thinks impossible
_STEADY = 0.97  # of 90 RIG faces of less that were read rightly none looks otherwise in other turns


def look_at_faces(
    frame: Pixels, camera: Camera, floor: Floor, fits: Sequence[Fit], network: FaceNetwork | None
) -> list[Candidate]:
    """Cut out each die's upper face and ask the networks, where there are any.

    A cube's colours and pips look alike in each of its turns to the network; numbers do not, so that the network
    which reads them sees a twelve-sided die in all its five. Where two networks read numbers, what they say is their
    geometric mean, so that neither overrules the other; of one alone, the face network's opinion is kept beside.
    """
    light = MatLight(camera, floor)
    outlines = _upper_faces(camera, fits)
    patches = [rectify(frame, points(outline), light) for outline in outlines]
    dimmed = [
        rectify_in_less_light(frame, points(outline), light, patch)
        for outline, patch in zip(outlines, patches, strict=True)
    ]
    guesses: list[tuple[Guess, ...]] = [() for _ in fits]
    seconds: list[tuple[Opinion, ...]] = [() for _ in fits]
    if network is not None and fits:
        guesses = _less_unsteady(network, patches, dimmed, network.classify(patches, dimmed=dimmed))
        seconds = [_counted(frame, outlines[i], guesses[i]) for i in range(len(fits))]
        numbered = [i for i, fit in enumerate(fits) if fit.shape is not CUBE]
        if network.numbers and numbered:
            said = see_numbers(network.numbers, frame, [points(outlines[i]) for i in numbered], light)
            for row, i in enumerate(numbered):
                ranked = _ranked(_mean([one[row] for one in said]))
                seconds[i] = _number_among(guesses[i] if len(said) == 1 else ranked)
                guesses[i] = ranked
    white = [_may_be_white(said) for said in guesses]
    hide = [
        white[i] and (is_glared_white(patches[i]) or hides_its_colour(frame, points(outlines[i]), light))
        for i in range(len(fits))
    ]
    burnt = [
        white[i] and not hide[i] and burnt_share(frame, points(outlines[i])) >= _MUCH_BURNT for i in range(len(fits))
    ]
    every = zip(fits, outlines, patches, guesses, seconds, hide, dimmed, burnt, strict=True)
    return [Candidate(*one) for one in every]


def read_number_again(
    candidate: Candidate, frame: Pixels, light: Light, network: FaceNetwork, outline_px: Sequence[Point]
) -> Candidate:
    """A twelve-sided die whose number was read, read where something else outlines its face (px), as well.

    It shows what is likely by both outlines: their geometric mean.
    """
    if not network.numbers:
        return candidate
    before = np.zeros(len(candidate.guesses))
    for guess in candidate.guesses:
        before[0 if guess.kind == NOTHING else int(guess.face)] = guess.probability
    ranked = _ranked(_mean([before, see_number(network.numbers, frame, outline_px, light)]))
    return replace(candidate, guesses=ranked, seconds=_number_among(ranked))


def see_number(
    networks: Sequence[NumberNetwork], frame: Pixels, outline_px: Sequence[Point], light: Light
) -> npt.NDArray[np.float64]:
    """How likely a five-cornered face shows no number, and each from 1 to 12, to all of the networks together."""
    return _mean([said[0] for said in see_numbers(networks, frame, [outline_px], light)])


def _mean(chances: Sequence[npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
    """The geometric mean of probabilities, which add up to one."""
    together = np.exp(np.mean(np.log(np.maximum(chances, _LEAST_CHANCE)), axis=0))
    return np.asarray(together / together.sum(), np.float64)


def _less_unsteady(
    network: FaceNetwork,
    patches: Sequence[Patch],
    dimmed: Sequence[Patch | None],
    guesses: Sequence[tuple[Guess, ...]],
) -> list[tuple[Guess, ...]]:
    """The same, but for RIG faces that look otherwise in their other turns: half a plus looks like a minus."""
    doubtful = [i for i, own in enumerate(guesses) if own[0].kind == RIG_DIE and own[0].probability < _STEADY]
    seen_turned = network.classify([patches[i] for i in doubtful], turns=4, dimmed=[dimmed[i] for i in doubtful])
    turned = zip(doubtful, seen_turned, strict=True)
    other = {i: seen for i, seen in turned if seen[0].face != guesses[i][0].face}
    return [other.get(i, own) for i, own in enumerate(guesses)]


def _may_be_white(guesses: Sequence[Guess]) -> bool:
    """Whether a face may be an action die's white one."""
    return chance_of(guesses, ACTION_DIE, "white") >= _MAYBE_WHITE


def ask_apart(
    network: FaceNetwork | None, candidates: Sequence[Candidate], rules: Sequence[Sequence[Opinion]]
) -> list[Guess | None]:
    """What a network that was trained apart takes each candidate for; None of other shapes than cubes.

    Of pip dice it is the one that counts pips, in less light where they are very bright. Of others it is that of
    cubes, asked where it can make a difference to what the ``rules`` say of each.
    """
    seen: list[Guess | None] = [None for _ in candidates]
    if network is None:
        return seen
    own = [i for i, candidate in enumerate(candidates) if candidate.fit.shape is CUBE]
    dotted = [i for i in own if candidates[i].guesses and candidates[i].guesses[0].kind == PIP_DIE]
    if network.pips is not None and dotted:
        looks = [[np.rot90(candidates[i].in_best_light, turn) for turn in range(4)] for i in dotted]
        for i, chances in zip(dotted, network.pips.chances(looks), strict=True):
            best = int(chances.argmax())
            kind, face = (PIP_DIE, str(best)) if best else (NOTHING, "")
            seen[i] = Guess(kind, face, None, float(chances[best]))
    others = [i for i in own if seen[i] is None and needs_another(candidates[i].guesses, rules[i])]
    if network.cubes is not None and others:
        patches, dimmed = [candidates[i].patch for i in others], [candidates[i].dimmed for i in others]
        for i, ranked in zip(others, network.cubes.classify(patches, dimmed=dimmed), strict=True):
            seen[i] = ranked[0]
    return seen


def ask_of_reds(
    network: FaceNetwork | None,
    frame: Pixels,
    light: Light,
    candidates: Sequence[Candidate],
    kinds: Collection[str] | None,
) -> list[Told | None]:
    """Of each face that may be a red cube's or a red sticker, both of which are among ``kinds``, whose it is."""
    seen: list[Told | None] = [None for _ in candidates]
    if network is None or network.reds is None or not are_both_awaited(KINDS if kinds is None else kinds):
        return seen
    either = [i for i, one in enumerate(candidates) if one.fit.shape is CUBE and may_be_either(one.opinion)]
    patches = [rectify_with_sides(frame, points(candidates[i].outline_px), light) for i in either]
    for i, patch, cube in zip(either, patches, network.reds.chances(patches), strict=True):
        seen[i] = tell(candidates[i].opinion, cube, is_framed_in_blue(patch))
    return seen


def ask_the_rules(camera: Camera, evidence: Evidence, candidates: Sequence[Candidate]) -> list[tuple[Opinion, ...]]:
    """What each face may be by rule; of a number, what the face network says."""
    said = [candidate.seconds for candidate in candidates]
    cubes = [i for i, candidate in enumerate(candidates) if candidate.fit.shape is CUBE]
    colors = sample_faces(camera, evidence, [candidates[i].fit for i in cubes])
    marks = find_all_marks([candidates[i].patch for i in cubes])
    for i, seen, drawn in zip(cubes, colors, marks, strict=True):
        said[i] = _by_rule(seen, drawn, candidates[i].seconds)
    return said


def _by_rule(colors: FaceColors, marks: Marks, seconds: Sequence[Opinion]) -> tuple[Opinion, ...]:
    """What a cube's face may be by its colours and by what is drawn on it."""
    cube = read_chance_cube(colors)
    if cube is not None and cube.unmistakable:
        return (Opinion(cube.kind, cube.body, cube.face),)
    opinions = read_marks(marks)
    if not any(opinion.kind == PIP_DIE for opinion in opinions):
        opinions += seconds
    if cube is not None:
        opinions.append(Opinion(cube.kind, cube.body, cube.face))
    return tuple(opinions)


def _upper_faces(camera: Camera, fits: Sequence[Fit]) -> list[Floats]:
    """The corners (k, 2) of the dice's upper faces in the picture."""
    tops = [as_points(fit.shape.tops(camera, fit.row)[0]) for fit in fits]
    if not tops:
        return []
    ends = np.cumsum([len(top) for top in tops])
    return np.split(camera.project(np.concatenate(tops)), ends[:-1])


def _counted(frame: Pixels, outline: Floats, guesses: Sequence[Guess]) -> tuple[Opinion, ...]:
    """How many pips are counted on a face that may be a pip die's."""
    if guesses[0].kind != PIP_DIE:
        return ()
    count = count_pips(frame, tuple(points(outline)))
    return () if count is None else (Opinion(PIP_DIE, None, str(count)),)


def _number_among(guesses: Sequence[Guess]) -> tuple[Opinion, ...]:
    """The best number of the face network, if it has one."""
    numbers = [guess for guess in guesses if guess.kind == NUMBER_DIE]
    total = sum(guess.probability for guess in numbers)
    if not numbers or numbers[0].probability < _LEAST_SECOND * max(total, 0.5):
        return ()
    return (Opinion(NUMBER_DIE, None, numbers[0].face),)


def _ranked(chances: npt.NDArray[np.float64]) -> tuple[Guess, ...]:
    """What the number network says, most probable first."""
    guesses = [Guess(NOTHING, "", None, float(chances[0]))]
    guesses += [Guess(NUMBER_DIE, str(number), None, float(chances[number])) for number in range(1, len(chances))]
    return tuple(sorted(guesses, key=lambda guess: -guess.probability))


def points(outline: Floats) -> list[Point]:
    """An outline (k, 2) as pairs."""
    return [(float(u), float(v)) for u, v in outline]
