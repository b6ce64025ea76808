"""One look at what stands on the mat, from the view above it to dice read or left."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.camera import Camera
from vision.candidate import Candidate
from vision.covered_dice import name_covered
from vision.covered_network import CoveredNetwork
from vision.detector import Found
from vision.floor import Floor
from vision.judge import LEAST_STANDING, LYING, is_inside, judge, lies_otherwise
from vision.lean_on_mat import BaseOnMat, with_base
from vision.leftovers import covered, half_hidden, is_mere, name_leftovers
from vision.light import MatLight
from vision.look import ask_apart, ask_of_reds, ask_the_rules, see_number
from vision.looked import Asked, Looked, edge_px, is_among, settled
from vision.network import FaceNetwork
from vision.on_mat import Seen, see_again, see_on_mat
from vision.other_network import unless_another
from vision.reading import Floats, Pixels, Point, ReadDie, Unread
from vision.situation import SituationNetwork
from vision.solids import CUBE
from vision.taught_dice import TaughtDice
from vision.two_looks import unless_worse

_ITS_FACE = 1.2  # circumradii of a face within which a thing's middle is that face's
_LEAST_STANDING_AGAIN = 0.85
"""Of what was taken for leaning at first: of 83 drawn dice that then stand with 0.65 or more, and do, 82 have more,
and one that leans, fitted to another edge, has 0.80. And of what was so doubtful that its base was looked for."""
_DOUBTFUL = (0.05, 0.97)
"""Of standing: below, a base where it should be does not make it stand; of 3,150 standing dice 277 have less than the
latter, of 127 leaning ones that had less than 0.985 all but two."""
_LEAST_FACE_IF_DOUBTFUL = 0.3  # what is no die's face needs no base
_LEAST_LIKE_A_FACE = 0.3  # of 40 leaning dice 37 have more, coins less
_SAME_FACE = 0.3  # circumradii between a die that was read and its face as the detector sees it
_BESIDE = 2.0  # edges from a die's middle: in 9 of 200 pictures in hard light what lies so near was taken for a die


@dataclass(frozen=True)
class MatReader:
    """The networks that read what stands on the mat, and dice that were taught; all may be missing."""

    network: FaceNetwork | None
    situations: SituationNetwork | None
    taught: TaughtDice | None
    bases: BaseOnMat | None = None
    covered: CoveredNetwork | None = None

    def look(
        self,
        frame: Pixels,
        view: Pixels,
        floor: Floor,
        camera: Camera,
        kinds: Collection[str] | None,
        expect: Mapping[str, int] | None,
    ) -> Looked:
        """Read a frame (uint8 BGR) and its ``view`` from above."""
        seen = see_on_mat(frame, view, floor, camera, self.network, kinds)
        asked = self._asked(frame, camera, seen, kinds, None)
        return self._judged(seen, asked, frame, floor, camera, kinds, expect)

    def look_again(
        self,
        first: Looked,
        frame: Pixels,
        floor: Floor,
        camera: Camera,
        kinds: Collection[str] | None,
        expect: Mapping[str, int] | None,
        faces: Sequence[Found],
    ) -> Looked:
        """Read the frame of the ``first`` look once more, beginning at the ``faces`` that the detector found, too.

        What is doubtful and has no face for the detector either is no die; and so is what seems to lean or lie on
        another close beside a die that was read: its shadow, or one of its sides.
        """
        known = settled(first)
        doubtful = [face for face in faces if all(face.apart(die.center_px) >= _SAME_FACE for die in known)]
        seen = see_again(first.seen, frame, floor, camera, self.network, doubtful, first.fits_read, kinds)
        asked = self._asked(frame, camera, seen, kinds, first)
        leaning = [thing.center_px for thing in first.lying]
        judged = self._judged(seen, asked, frame, floor, camera, kinds, expect, leaning)
        again = unless_worse(judged, first)
        others = [face for face in faces if all(face.apart(die.center_px) >= _SAME_FACE for die in again.dice)]
        things = [
            replace(one, reason="not-a-die")
            if _is_faceless(one, faces if one.reason == "unsure" else others)
            and (one.reason == "unsure" or (one.reason in LYING and _is_beside(one, again.dice)))
            else one
            for one in again.unread
        ]
        things = half_hidden(camera, again.seen.evidence, again.fits_read, things, faces)
        return replace(again, unread=tuple(things))

    def number_on(self, frame: Pixels, light: MatLight, face: Found) -> str | None:
        """What a five-cornered face that the detector outlines most likely shows; "0" is no number.

        None where no network reads numbers.
        """
        if self.network is None or not self.network.numbers:
            return None
        return str(int(see_number(self.network.numbers, frame, face.outline_px, light).argmax()))

    def _judged(
        self,
        seen: Seen,
        asked: Sequence[Asked],
        frame: Pixels,
        floor: Floor,
        camera: Camera,
        kinds: Collection[str] | None,
        expect: Mapping[str, int] | None,
        leaning: Sequence[Point] = (),
    ) -> Looked:
        """The dice; where something was taken for ``leaning`` before, only what hardly may lean now."""
        evidence, chosen = seen.evidence, seen.chosen
        used = [candidate.fit for candidate in chosen]
        # All kinds in play are looked for, so that a die which is not expected is known for what it is.
        awaited = kinds if not expect else set(expect) if kinds is None else set(kinds) & set(expect)
        situations = self._situations(camera, seen, asked)
        asked = self._asked_of_bases(frame, camera, seen, asked, situations)
        situations = [
            with_base(said, one.base) if said is not None and one.base is not None else said
            for said, one in zip(situations, asked, strict=True)
        ]
        answers = [
            judge(
                candidate,
                asked[i].rules,
                over,
                awaited,
                situations[i],
                asked[i].apart,
                asked[i].red,
                _LEAST_STANDING_AGAIN if asked[i].base or is_among(candidate, leaning) else LEAST_STANDING,
                camera,
            )
            for i, (candidate, over) in enumerate(zip(chosen, seen.excess_mm, strict=True))
        ]
        asked = self._asked_of_others(chosen, asked, answers, kinds)
        answers = [unless_another(answer, one.other or 0.0) for answer, one in zip(answers, asked, strict=True)]
        if self.taught is not None:
            light = MatLight(camera, floor)
            answers = [
                self.taught.judge(
                    frame,
                    light,
                    candidate,
                    lies_otherwise(candidate.fit, seen.excess_mm[i], situations[i]) is not None,
                    kinds,
                    answers[i],
                )
                for i, candidate in enumerate(chosen)
            ]
        dice = tuple(answer for answer in answers if isinstance(answer, ReadDie))
        unread = [answer for answer in answers if isinstance(answer, Unread)]
        judged = list(zip(used, answers, strict=True))
        mere = [fit for fit, answer in judged if is_mere(answer)]
        unread += name_leftovers(camera, evidence, [fit for fit, answer in judged if not is_mere(answer)], mere)
        read = [fit for fit, answer in judged if isinstance(answer, ReadDie)]
        return Looked(seen, tuple(asked), dice, tuple(covered(camera, evidence, read, unread)))

    def _asked_of_bases(
        self,
        frame: Pixels,
        camera: Camera,
        seen: Seen,
        asked: Sequence[Asked],
        situations: Sequence[Floats | None],
    ) -> list[Asked]:
        """What was said of each candidate, and by the bases of those that are doubtful; nobody is asked twice."""
        more = list(asked)
        if self.bases is None:
            return more
        doubtful = [
            (i, float(said[0]))
            for i, (one, said) in enumerate(zip(asked, situations, strict=True))
            if said is not None
            and one.base is None
            and _DOUBTFUL[0] <= said[0] < _DOUBTFUL[1]
            and seen.chosen[i].face_chance >= _LEAST_FACE_IF_DOUBTFUL
            and is_inside((seen.chosen[i].fit.x, seen.chosen[i].fit.y), seen.chosen[i].fit)
        ]
        for i, standing in doubtful:
            more[i] = replace(asked[i], base=self.bases.odds(frame, camera, seen.chosen[i], standing))
        return more

    def _asked_of_others(
        self,
        chosen: Sequence[Candidate],
        asked: Sequence[Asked],
        answers: Sequence[ReadDie | Unread],
        kinds: Collection[str] | None,
    ) -> list[Asked]:
        """What was said of each candidate, and how likely those that were read are another game's.

        Taught dice are, to the network: nobody is asked of their shape.
        """
        others = None if self.network is None else self.network.others
        if others is None:
            return list(asked)
        new = [
            i
            for i, (said, answer) in enumerate(zip(asked, answers, strict=True))
            if isinstance(answer, ReadDie)
            and said.other is None
            and not (self.taught is not None and self.taught.stand_in(chosen[i].fit.shape is CUBE, kinds))
        ]
        chances = others.chances([chosen[i].patch for i in new], [len(chosen[i].outline_px) for i in new])
        more = list(asked)
        for i, chance in zip(new, chances, strict=True):
            more[i] = replace(asked[i], other=chance)
        return more

    def with_covered(self, looked: Looked, camera: Camera) -> Looked:
        """What was seen, and the dice of which a hand or the like leaves little to be seen."""
        if self.covered is None or not any(not thing.is_beyond for thing in looked.unread):
            return looked
        seen, fits = looked.seen.evidence, looked.fits_read
        return replace(
            looked, unread=tuple(name_covered(self.covered, camera, seen, fits, looked.dice, looked.unread))
        )

    def _asked(
        self, frame: Pixels, camera: Camera, seen: Seen, kinds: Collection[str] | None, first: Looked | None
    ) -> list[Asked]:
        """What is said of each candidate; nobody is asked again of those that were chosen in the ``first`` look."""
        known = {} if first is None else {id(one): a for one, a in zip(first.seen.chosen, first.asked, strict=True)}
        new = [one for one in seen.chosen if id(one) not in known]
        odds = self.situations.odds(frame, camera, new) if self.situations is not None else [None] * len(new)
        rules = ask_the_rules(camera, seen.evidence, new)
        apart = ask_apart(self.network, new, rules)
        reds = ask_of_reds(self.network, frame, MatLight(camera, seen.evidence.floor), new, kinds)
        known |= {id(one): Asked(*said) for one, *said in zip(new, rules, apart, odds, reds, strict=True)}
        return [known[id(one)] for one in seen.chosen]

    def _situations(self, camera: Camera, seen: Seen, asked: Sequence[Asked]) -> Sequence[Floats | None]:
        """How likely each candidate stands, leans and so on; None where nothing was trained to tell."""
        odds = [one.odds for one in asked if one.odds is not None]
        if self.situations is None or not odds:
            return [None] * len(seen.chosen)
        fits = [candidate.fit for candidate in seen.chosen]
        return list(self.situations.weighed(camera, seen.evidence, fits, np.array(odds), seen.signs))


def _is_faceless(thing: Unread, faces: Sequence[Found]) -> bool:
    """Whether what is doubtful looks like no die to the detector, which finds 98 of 100 of them."""
    likely = (face for face in faces if face.score >= _LEAST_LIKE_A_FACE)
    return min((face.apart(thing.center_px) for face in likely), default=math.inf) > _ITS_FACE


def _is_beside(thing: Unread, dice: Sequence[ReadDie]) -> bool:
    """Whether it is so near to a die that was read that it may be its shadow or a side of it."""
    return any(math.dist(thing.center_px, die.center_px) < _BESIDE * edge_px(die) for die in dice)
