"""What networks and rules say together of an upper face: one must be sure and none may contradict."""

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from vision.candidate import Candidate
from vision.dice import ACTION_DIE, CHANCE_CUBE, NUMBER_DIE, PIP_DIE, RIG_DIE
from vision.faint_pips import WITH_MIDDLE, middle_is_inked
from vision.network import NOTHING, Guess, chance_of
from vision.opinions import plastic_shows, sticker_shows
from vision.read_marks import Opinion
from vision.reading import ReadDie

_LEAST_AGREED = 0.6  # of the network, where the rules leave nothing else
_LEAST_SURE = 0.93  # of the network, where the rules allow other things, too
_LEAST_ALONE = 0.97  # of the network, where the rules have no opinion
_LEAST_NUMBER = 0.98  # of 3,740 in 59 typefaces (drawn) 92.7 % have it, 8 of them wrongly; 12 are wrong by 0.97
_LEAST_ILL_FITTED = 0.99  # of a number: on a face for which others' edges were taken a 2 looked like a 5 with 0.98
_LEAST_FITTED = 0.65
"""Score of a twelve-sided solid: of five numbers read from worse ones (drawn, of 1,488) one was wrong, with 1.0."""
WELL_FITTED = 0.85
"""Score of a twelve-sided solid: of 441 drawn number dice read 87 have less, and all three that were read wrongly."""
_LEAST_BORNE_OUT = 0.6  # of the other network, to bear out what the first one sees
_RATHER = 0.5  # of the other network, that it is another face
_LEAST_TWICE = 0.8  # of the first, where the rules allow other things or have no opinion, and the other bears it out
_LEAST_SIGN_ALONE, _LEAST_SIGN_TWICE = 0.98, 0.85
"""Of a RIG die's plus or minus. Of 284 that no rule sees (drawn) one that was read rightly has less. A minus was
taken for a plus with 0.973, and 0.37 of the other network, and a plus for a minus with 0.80 and 0.77."""
_MOST_LONE_PIP = 0.05
"""Of a pip in the middle of what looks like a red cube: two pink dice with a pale red one, of which it is 0.133 and
0.057, were read as cubes. Of 1,050 red cubes read rightly (drawn) eight have more."""
_LEAST_LONE_PIP = 0.93  # of a 3 or a 5 with faint or glared pips only the middle one may be seen, by all who look
_LEAST_SEEN_LONE_PIP = 0.6
"""The same where rules see one pip, too: of 235 drawn ones the least has 0.71, a plus that a lamp washed out 0.41."""
_BLUE = {(CHANCE_CUBE, "blue"): (RIG_DIE, "blue blank"), (RIG_DIE, "blue blank"): (CHANCE_CUBE, "blue")}
_MAYBE_OTHER_BLUE, _LEAST_BLUE = 0.045, 0.87
"""Of plain blue faces, by the first network and that of cubes: of 2,765 read (drawn) 16 may be the other one. Of 13
that were read rightly 11 are so surely seen twice, and none of three others, with 0.66, 0.69 and 0.86."""
_LEAST_BODY: Mapping[str, float] = {PIP_DIE: 0.98, RIG_DIE: 0.97, ACTION_DIE: 0.97}
"""Of a die's body among those of its face: a red die painted red was once given a black body, with 0.95, and of
1,180 pip dice two ivory ones a yellow body, with 0.95 and 0.978."""
_LEAST_RED_BODY = 0.995
"""The same of a red body below a red sticker where the rules see no border: of 323 rightly read (drawn) a fifth has
less, and all three black ones in dim light that were taken for red."""
_LEAST_AMONG_ALL = 0.3  # of the network, kinds that are not awaited counted
_SURELY_COUNTED = 0.97  # of the network that counts pips, where the other thinks the same likeliest
_BESIDE_COUNTED = 0.97
_ONE_PIP_TO_BOTH = (0.98, 0.85)
"""Of a pip where the rules may see a cube's sign. Who counts pips counts dots on cubes, too, and was sure of two by
0.999: it is not believed alone. Of 2,087 drawn dice of all kinds one of those dots alone is left for it."""
_LEAST_WITH_MIDDLE = 0.003  # of a face with a pip in the middle, of which little may be left
_LEAST_WHITE = 0.7
"""Of a white sticker by the network of cubes, where the first is not so sure that it need not be asked: what a lamp
burns out looks white. Of 300 white ones read rightly (drawn) one has less, and so have two of three others."""
_LEAST_BURNT_WHITE = 0.9
"""The same of both networks where much of the face is too bright for the camera: a blue cube and a red sticker were
read as white, with 0.763 and 0.906, 0.942 and 0.717; of 19 white ones read rightly (drawn) one is left for it."""
_WHITE_ON_BLACK = (0.985, 0.95)
"""Of both networks, where rules see the border: a lamp that burns out a sticker is mirrored in the black about it,
too. Of 57 drawn ones that would be left else all are white; on red and blue four of 60 are not."""
_MOST_UNSURE = 0.6  # of a face that it is not: who is surer contradicts

Said = tuple[Opinion, float]
"""What a face shows, and how sure that is."""


def agreed(
    candidate: Candidate,
    guesses: Sequence[Guess],
    rules: Sequence[Opinion],
    possible: frozenset[str],
    allowed: frozenset[str],
    apart: Guess | None,
) -> Said | None:
    """What is said of a face by the network (``guesses``), the rules and a network that was trained ``apart``.

    ``possible`` are the kinds of dice of this shape that are ``allowed``. None where nothing is sure enough.
    """
    opinions = tuple(opinion for opinion in rules if opinion.kind in possible)
    if not guesses:
        whole = [opinion for opinion in opinions if opinion.body is not None or opinion.kind == PIP_DIE]
        return (whole[0], 0.9) if len(opinions) == 1 and whole else None
    if ACTION_DIE not in allowed and any((said.kind, said.face) == (CHANCE_CUBE, "red") for said in opinions):
        guesses = _red_is_a_cube(guesses)
    best = _narrowed(guesses, possible)
    if best is None or best.kind == NOTHING:
        return None
    if best.body is not None and _is_body_open(candidate, best, guesses, opinions, apart):
        best = best._replace(body=None)
    face = _Face(candidate, best, opinions, apart, possible)
    if face.may_be_a_pip_or_a_sign or _may_lack_its_middle(candidate, best, guesses):
        return None
    if may_be_pink(best, guesses, possible):
        return None
    if apart is not None and _may_be_other_blue(best, guesses, possible) and not face.is_seen_twice_by(_LEAST_BLUE):
        return None
    if not face.is_beyond_doubt and ACTION_DIE not in allowed and _is_on_black(rules):
        return None  # a sticker on black, where no such die is awaited
    if best.kind == PIP_DIE and apart is not None and face.is_surely_apart:
        return face.counted(apart)
    return face.by_rules() if opinions else face.without_rules()


@dataclass(frozen=True)
class _Face:
    """The network's ``best`` guess of a face among what is possible, and what else is said of it."""

    candidate: Candidate
    best: Guess
    rules: tuple[Opinion, ...]
    apart: Guess | None
    possible: frozenset[str]

    @property
    def said(self) -> Opinion:
        return Opinion(self.best.kind, self.best.body, self.best.face)

    @property
    def is_surely_apart(self) -> bool:
        """Whether the network that was trained apart, which counts pips, is sure of what it sees."""
        return self.apart is not None and self.apart.probability >= _SURELY_COUNTED

    @property
    def is_seen_twice(self) -> bool:
        """Whether the network that was trained apart sees the same."""
        apart = self.apart
        return apart is not None and _fits(Opinion(apart.kind, apart.body, apart.face), self.said)

    @property
    def is_borne_out(self) -> bool:
        """Whether it is fairly sure of that, too."""
        return self.is_seen_twice_by(_LEAST_BORNE_OUT)

    def is_seen_twice_by(self, least: float) -> bool:
        """Whether the network that was trained apart sees the same, and is at least so sure of it."""
        return self.apart is not None and self.is_seen_twice and self.apart.probability >= least

    @property
    def is_beyond_doubt(self) -> bool:
        """Whether both networks are that sure of the same."""
        return self.is_borne_out and self.best.probability >= _LEAST_ALONE

    @property
    def is_one_pip_to_both(self) -> bool:
        """Whether both networks are fairly sure of a pip where the rules may see a sign."""
        surely, fairly = _ONE_PIP_TO_BOTH
        return self.best.probability >= surely and self.is_seen_twice_by(fairly)

    @property
    def is_disputed(self) -> bool:
        """Whether it rather sees another face that may lie there, or none."""
        apart = self.apart
        if apart is None or apart.kind not in self.possible | {NOTHING} or self.is_seen_twice:
            return False
        return apart.probability >= _RATHER

    @property
    def may_be_a_pip_or_a_sign(self) -> bool:
        """Whether one pip on red or blue may as well be a sign on a cube, or the other way round."""
        said = self.said
        if (said.kind, said.face) == (PIP_DIE, "1"):
            return not self.is_one_pip_to_both and any(one.kind == CHANCE_CUBE for one in self.rules)
        if said.kind != CHANCE_CUBE or self.best.probability >= _LEAST_ALONE:
            return False
        return any((one.kind, one.face) == (PIP_DIE, "1") for one in self.rules)

    @property
    def may_be_lit_otherwise(self) -> bool:
        """Whether a mirrored lamp may be what gives the face that colour."""
        said = self.said
        if said.kind == RIG_DIE:
            return not sticker_shows(self.candidate.patch, said.face)
        if (said.kind, said.face) != (ACTION_DIE, "white"):
            return False
        surely, also = _WHITE_ON_BLACK
        if _is_on_black(self.rules) and self.best.probability >= surely and self.is_seen_twice_by(also):
            return False
        if self.candidate.hides_colour:
            return True
        if self.apart is None or self.best.probability >= _LEAST_ALONE:
            return False
        if self.candidate.is_burnt:
            return self.best.probability < _LEAST_BURNT_WHITE or not self.is_seen_twice_by(_LEAST_BURNT_WHITE)
        return not self.is_seen_twice_by(_LEAST_WHITE)

    def counted(self, count: Guess) -> Said | None:
        """Of pips, where the network that counts them is sure."""
        own = [opinion for opinion in self.rules if opinion.kind == PIP_DIE]
        if count.face == "1" and self.best.probability < (_LEAST_SEEN_LONE_PIP if own else _LEAST_LONE_PIP):
            return None  # one of two pips in a row was counted with 0.976, and the first network had 0.55
        if self.best.probability < _MOST_UNSURE and own and all(one.face == count.face for one in own):
            return Opinion(PIP_DIE, None, count.face), count.probability * _BESIDE_COUNTED
        others = [one for one in own if not _fits(one, self.said)]
        # Of a 3 or a 5 with faint or glared pips only the middle one may be seen by the rules.
        may_be_faint = (
            self.is_beyond_doubt and self.said.face in ("3", "5") and all(one.face == "1" for one in others)
        )
        if not self.is_seen_twice or (others and not may_be_faint):
            return None
        return self.said, max(count.probability * _BESIDE_COUNTED, self.best.probability)

    def without_rules(self) -> Said | None:
        """Where the rules have no opinion."""
        if (self.said.kind, self.said.face) == (ACTION_DIE, "white") or self.may_be_lit_otherwise:
            return None  # what a lamp burns out looks white, too
        if self.said.kind == PIP_DIE:
            # Of 341 pip dice that no rule sees (drawn) two were read that are not surely counted; a 3 of which a lamp
            # hid two pips was taken for a 2 with 0.92 and 0.97.
            return None
        least = _LEAST_TWICE if self.is_borne_out else _LEAST_ALONE
        if _bears_a_sign(self.said):
            # A painted minus was taken for a plus with 0.996.
            if self.is_disputed:
                return None
            least = _LEAST_SIGN_TWICE if self.is_borne_out else _LEAST_SIGN_ALONE
        return (self.said, self.best.probability) if self.best.probability >= least else None

    def by_rules(self) -> Said | None:
        """Where they have one or several."""
        said, sure = self.said, self.best.probability
        if not any(_fits(opinion, said) for opinion in self.rules):
            # Of 57 looks at standing dice (drawn) whose rules say otherwise a network with 0.9 was always right.
            return (said, sure) if self.is_beyond_doubt and not self.may_be_lit_otherwise else None
        if said.kind == NUMBER_DIE:
            return (said, sure) if sure >= least_number(self.candidate) else None
        if said.kind == PIP_DIE and self.apart is not None and not self.is_seen_twice:
            # Two 5s of which only the middle pip is plain were taken for a 1, with 0.96 and 0.98, and counted as 5,
            # with 0.76 and 0.51. Of 3,600 pip dice read (drawn) no other is counted otherwise.
            return None
        least = _LEAST_AGREED if len(self.rules) == 1 else _LEAST_TWICE if self.is_borne_out else _LEAST_SURE
        if self.is_disputed:
            least = max(least, _LEAST_SURE)
        if (said.kind, said.face) == (PIP_DIE, "1"):
            least = max(least, _LEAST_LONE_PIP)
        return (said, _both(sure)) if sure >= least and not self.may_be_lit_otherwise else None


def least_number(candidate: Candidate) -> float:
    """How sure a number must be, by how well its solid fits; of one that hardly does, more than anybody is."""
    if candidate.fit.score < _LEAST_FITTED:
        return math.inf
    return _LEAST_NUMBER if candidate.fit.score >= WELL_FITTED else _LEAST_ILL_FITTED


def needs_another(guesses: Sequence[Guess], rules: Sequence[Opinion]) -> bool:
    """Whether it matters what a network that was trained apart says of a face.

    It counts pips. Of other kinds it lowers what the first one needs: where that is so sure, either it is read
    anyway, or its kind is not awaited and nothing else is likely. It decides where the ``rules`` say otherwise, or do
    not see a sign.
    """
    if not guesses or guesses[0].kind == PIP_DIE or guesses[0].probability < _LEAST_ALONE:
        return True
    said = Opinion(guesses[0].kind, guesses[0].body, guesses[0].face)
    if said.kind == NOTHING:
        return False
    is_seen = any(_fits(one, said) for one in rules)
    return (not is_seen and (bool(rules) or _bears_a_sign(said))) or _is_on_black(rules)


def _bears_a_sign(said: Opinion) -> bool:
    """Whether it is a RIG die's sticker with a plus or a minus."""
    return said.kind == RIG_DIE and not said.face.endswith("blank")


def _may_lack_its_middle(candidate: Candidate, best: Guess, guesses: Sequence[Guess]) -> bool:
    """Whether a 2 may be a worn 3, or a 4 a worn 5: the network thinks it possible, and there is a trace of a pip."""
    if best.kind != PIP_DIE or best.face not in WITH_MIDDLE:
        return False
    chance = chance_of(guesses, PIP_DIE, WITH_MIDDLE[best.face])
    return chance >= _LEAST_WITH_MIDDLE and middle_is_inked(candidate.patch, best.face)


def _may_be_other_blue(best: Guess, guesses: Sequence[Guess], possible: Collection[str]) -> bool:
    """Whether a plain blue face may be a cube's where it looks like a sticker, or the other way round."""
    other = _BLUE.get((best.kind, best.face))
    return other is not None and other[0] in possible and chance_of(guesses, *other) >= _MAYBE_OTHER_BLUE


def may_be_pink(said: Guess | ReadDie, guesses: Sequence[Guess], possible: Collection[str]) -> bool:
    """Whether what is ``said`` to be a red cube may be a pink die with a red pip, to the network (``guesses``).

    ``possible`` are the kinds that may lie there.
    """
    is_red_cube = (said.kind, said.face) == (CHANCE_CUBE, "red")
    return is_red_cube and PIP_DIE in possible and chance_of(guesses, PIP_DIE, "1") >= _MOST_LONE_PIP


def _is_body_open(
    candidate: Candidate,
    best: Guess,
    guesses: Sequence[Guess],
    rules: Sequence[Opinion],
    apart: Guess | None,
) -> bool:
    """Whether the die may have another body than that of the ``best`` guess, sure as its face may be.

    A pip die's plastic must show it. What is around an action die's red sticker must be seen by rules, too, or be
    sure beyond doubt: a black border is lost in dim light. And no other network may see something else there.
    """
    own = (best.kind, best.face)
    if best.kind == PIP_DIE:
        return not plastic_shows(candidate.patch, best.body or "", _share_of_bodies(best, guesses))
    if best.kind != ACTION_DIE:
        return False
    if apart is not None and (apart.kind, apart.face) == own and apart.body not in (None, best.body):
        return True
    is_seen = any((one.kind, one.face) == own and one.body == best.body for one in rules)
    return best.face == best.body == "red" and not is_seen and _share_of_bodies(best, guesses) < _LEAST_RED_BODY


def _share_of_bodies(best: Guess, guesses: Sequence[Guess]) -> float:
    """How likely the likeliest body is among those of the same face."""
    own = [one.probability for one in guesses if (one.kind, one.face) == (best.kind, best.face)]
    return max(own) / sum(own)


def _is_on_black(rules: Sequence[Opinion]) -> bool:
    """Whether a face looks like an action die's sticker on black."""
    return any(one.kind == ACTION_DIE and one.body == "black" for one in rules)


def of_any_body(guesses: Sequence[Guess], kinds: Collection[str] = tuple(_LEAST_BODY)) -> list[Guess]:
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


def _narrowed(guesses: Sequence[Guess], possible: frozenset[str]) -> Guess | None:
    """The best guess among what is possible, its probability among those; None where it looks like another kind."""
    kept = of_any_body([guess for guess in guesses if guess.kind in possible or guess.kind == NOTHING])
    total = sum(guess.probability for guess in kept)
    if not kept or kept[0].probability < _LEAST_AMONG_ALL:
        return None
    return kept[0]._replace(probability=kept[0].probability / total)


def _red_is_a_cube(guesses: Sequence[Guess]) -> list[Guess]:
    """The same where no action die is in play: a red sticker looks like a red cube, and then it is one."""
    alike = [guess for guess in guesses if (guess.kind, guess.face) in ((ACTION_DIE, "red"), (CHANCE_CUBE, "red"))]
    red = Guess(CHANCE_CUBE, "red", "red", sum(guess.probability for guess in alike))
    return sorted([red, *(guess for guess in guesses if guess not in alike)], key=lambda guess: -guess.probability)


def _both(probability: float) -> float:
    """The network's probability once the rules have said the same, which are guessed to err in one of 20 faces."""
    return probability / (probability + 0.05 * (1 - probability))


def _fits(opinion: Opinion, said: Opinion) -> bool:
    if opinion.kind != said.kind or opinion.face != said.face:
        return False
    if said.kind == PIP_DIE:  # pips are counted; ivory is white to one and yellow to the other
        return True
    return None in (opinion.body, said.body) or opinion.body == said.body or said.body == "other"
