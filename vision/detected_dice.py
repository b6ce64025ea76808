"""Dice on the mat that no fit made out, and that the detector sees: they are read as on any floor.

Of dice nearly of the mat's grey too little stands out to be fitted; hard light or a neighbour spoils other fits.
Three networks that were trained apart must agree then, none of which needs a fit.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.agreement import may_be_pink
from vision.any_floor import AnyFloor
from vision.camera import Camera
from vision.candidate import Candidate
from vision.detect_on_mat import find_on_mat, look_closer, look_over_part, scale_on_mat
from vision.detector import Detector, Found, face_at, surest
from vision.dice import KINDS, NUMBER_DIE, PIP_DIE, RIG_DIE
from vision.faint_pips import WITH_MIDDLE, middle_is_inked
from vision.floor import SRGB_TO_LINEAR, VIEW_PX_PER_MM, template, view_mm, view_px
from vision.judge import LYING
from vision.lean_on_mat import face_crop
from vision.light import MatLight
from vision.looked import Looked
from vision.mat_layout import ROLL_AREA
from vision.opinions import sticker_shows
from vision.patches import burnt_share, rectify
from vision.polygons import shared
from vision.reading import MOST_DICE, Floats, Pixels, Point, ReadDie, Unread
from vision.seeds import seeds_under
from vision.stand_out import Evidence
from vision.upright import silhouette

_COARSE = 2  # pixels of the view for each that is looked at for edges
_EDGE = 0.10  # relative square-root light per mm; the outlines of the faintest of 22 grey dice had 0.11
_FLOOR_PX = 61  # of the coarse view: the light about a place is the mean of 40 mm
_DARKEST = 0.02
_KNOWN_MM = 5.0  # around what stands out
_LEAST_MM = 5.0  # of an edge; numbers of small dice are as large
_BESIDE_MM = 16.0  # around edges: a die of which only a number is seen
_CONTEXT_MM = 16.0  # more, for the detector: of 122 dice 101 are found in windows of 44 mm, 119 of 64, 121 of 80
_WIDEST_MM, _MOST_PLACES = 45.0, 5  # beyond these all of the picture is looked at

_ROOTS = np.sqrt(SRGB_TO_LINEAR)

_INSIDE_MM = 2.0
_SURE_INSTEAD = 0.65  # of what the fit takes for no die: a red rubber has 0.59, of 586 dice 557 have 0.75 or more
_SURE_FACE = 0.55  # of 14 unfitted faces with that score 13 were dice, and one a leaning one
_SURE_BESIDE = 0.7  # and though something lies close beside it
_MAYBE_FACE = 0.35  # of 46 with less 4 were standing dice: named only if they are read
_APART = 2.2  # circumradii from what is doubtful or was named; what is nearer may be a die's side
_MOST_SHARED = 0.25  # of a face, with a die that was read
_SAME = 0.6  # circumradii between a doubtful thing and the face that is its; a neighbour's is 1.1 away and more
_DOUBTFUL = ("unsure", "not-a-die")  # of 39 held-back cubes so named 36 were read then, and none wrongly
_MAY_BE_MISFITTED = (*_DOUBTFUL, *LYING)  # of twelve-sided dice
_LEAST_SURE = 0.9  # of a cube in doubt
_SURELY_ANOTHER = 0.9
"""Of another face of the same kind, where a solid is fitted: of 148 dice read instead (drawn) two have as much, and
both are wrong, two worn 2s that were taken for a 3 and a 4, with 0.997 and 0.999."""
_MOST_BURNT = 0.02  # of a face: a lamp mirrored in it hides what is drawn there
_MOST_LEANING = 0.75
# Of 97 twelve-sided dice that stand and were left 24 are so sure and lean so little, and none other of 113 faces.
_LEAST_NUMBER = 0.99  # of 95 numbers seven have less (drawn), among them the two that are wrong: a 4 as 12, an 8 as 3
_MOST_LEANING_NUMBER = 0.2
_NUMBER_DIE_ALL_THE_SAME = 0.6  # of what the fit takes for no die: all four of such drawn things were leaning ones
_SAME_NUMBER = 1.2  # circumradii: as far as where a solid was fitted to the sides of a twelve-sided die
_INSIDE_NUMBER_MM = 6.0


def faint_places(evidence: Evidence) -> Floats:
    """Where in the view edges lie in the roll area and nothing stands out: shape (n, 3), middle and length, px.

    Shadows of dice may have such edges, too.
    """
    height, width = evidence.mask.shape
    size = (width // _COARSE, height // _COARSE)
    light = cv2.LUT(cv2.resize(evidence.quiet, size, interpolation=cv2.INTER_AREA), _ROOTS)
    grey = cv2.transform(light, np.full((1, 3), 1 / 3, np.float32))
    even = grey / np.maximum(cv2.blur(grey, (_FLOOR_PX, _FLOOR_PX)), np.float32(_DARKEST))
    scale = VIEW_PX_PER_MM / _COARSE / 32  # of Scharr's kernel
    slope = cv2.magnitude(*(cv2.Scharr(even, cv2.CV_32F, *axis, scale=scale) for axis in ((1, 0), (0, 1))))
    known = np.zeros_like(evidence.mask)
    for blob in evidence.blobs:
        known[blob.pixels[:, 1], blob.pixels[:, 0]] = 255
    reach = 2 * round(_KNOWN_MM * VIEW_PX_PER_MM / 2) + 1
    free = cv2.bitwise_and(
        cv2.erode(template().roll_area, np.ones((7, 7), np.uint8)),
        cv2.bitwise_not(cv2.dilate(known, np.ones((reach, reach), np.uint8))),
    )
    edges = ((slope > _EDGE) & (cv2.resize(free, size, interpolation=cv2.INTER_NEAREST) > 0)).astype(np.uint8)
    if not cv2.countNonZero(edges):
        return np.empty((0, 3))
    closed = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    boxes = stats[1:, [cv2.CC_STAT_LEFT, cv2.CC_STAT_TOP, cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].astype(np.float64)
    longest = boxes[:, 2:].max(axis=1, initial=0.0)
    kept = longest >= _LEAST_MM * VIEW_PX_PER_MM / _COARSE
    return np.column_stack([boxes[kept, :2] + boxes[kept, 2:] / 2, longest[kept]]) * _COARSE


def find_at(
    detector: Detector, frame: Pixels, camera: Camera, places: Floats, number_dice: bool, known_px: Sequence[Point]
) -> tuple[Found, ...]:
    """What the detector finds around ``faint_places``: where they are few that costs less than all of the picture.

    ``known_px`` are the middles of upper faces that need no closer look.
    """
    if not len(places):
        return ()
    reach_mm = places[:, 2] / VIEW_PX_PER_MM / 2 + _BESIDE_MM
    if len(places) > _MOST_PLACES or reach_mm.max() > _WIDEST_MM:
        return find_on_mat(detector, frame, camera, number_dice, known_px)
    scale = scale_on_mat(camera, number_dice)
    found: list[Found] = []
    at_mm = view_mm(places[:, :2])
    rims_mm = at_mm + np.array([1.0, 0.0]) * (reach_mm + _CONTEXT_MM)[:, None]
    middles, ends = camera.project(at_mm), camera.project(rims_mm)
    for middle, half in zip(middles, np.linalg.norm(ends - middles, axis=1), strict=True):
        low = np.maximum(np.floor(middle - half).astype(int), 0)
        high = np.ceil(middle + half).astype(int)
        found += look_over_part(detector, frame, low, high, number_dice, scale)
    # What lies in several windows is looked at closely once.
    return tuple(surest(look_closer(detector, frame, surest(found), number_dice, known_px)))


@dataclass(frozen=True)
class DetectedDice:
    """One frame (uint8 BGR) of the mat, its light, what the detector found in it, and who reads that."""

    frame: Pixels
    camera: Camera
    light: MatLight
    found: Sequence[Found]
    any_floor: AnyFloor
    _seen: dict[tuple[Found, frozenset[str] | None], ReadDie | Unread] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def added_to(self, looked: Looked, kinds: Collection[str] | None) -> Looked:
        """What was seen, with doubtful things that can be read after all, and what stands away from all else."""
        contradicted = self._contradicted(looked, kinds)
        looked = replace(looked, dice=tuple(die for die in looked.dice if die.center_px not in contradicted))
        dice = list(looked.dice)
        unread = list(contradicted.values())
        for thing in looked.unread:
            if any(self._is_its_side(thing, die) for die in dice[len(looked.dice) :]):
                continue
            read = self._instead_of(thing, dice, kinds, looked.seen.chosen)
            if read is None:
                unread.append(self._named(thing, kinds))
            else:
                dice.append(read)
        fitted = {die.center_px for die in looked.dice}
        known = [silhouette(self.camera, fit, 0.0) for fit in looked.fits_read] if self.found else []
        taken = [die.center_px for die in dice[len(looked.dice) :]] + [thing.center_px for thing in unread]
        taken += [one.center_px for one in looked.seen.chosen if one.center_px not in fitted]
        # No dice: a sure face close beside them is one all the same, and so is one close beside another die's.
        mere = [thing.center_px for thing in unread if thing.reason == "not-a-die"]
        taken = [place for place in taken if place not in mere]
        for face in self.found:
            if face.stands and face.score >= _MAYBE_FACE and self._is_alone(face, taken, mere, known):
                answer = self._read(face, kinds)
                if isinstance(answer, ReadDie):
                    dice.append(answer)
                elif face.score >= _SURE_FACE:
                    unread.append(answer)
        return replace(looked, dice=tuple(dice[:MOST_DICE]), unread=tuple(unread))

    def _contradicted(self, looked: Looked, kinds: Collection[str] | None) -> dict[Point, Unread]:
        """What is said instead of dice, by their middles, that are something else where no solid is fitted.

        That is asked where too little stands out for a fit to be trusted: to a grey die's number one was fitted in
        another turn, and a 3 was read as 2, with 0.99.
        """
        instead: dict[Point, Unread] = {}
        told = [outline.astype(np.float32) for outline in looked.seen.evidence.told]
        for die in looked.dice if told else ():
            at = view_px(self.camera.ground(np.array([die.center_px])))[0].tolist()
            if all(cv2.pointPolygonTest(outline, at, False) < 0 for outline in told):
                continue
            face = face_at(self.found, die.center_px)
            answer = None if face is None else self._read(face, kinds)
            if isinstance(answer, ReadDie) and (answer.kind, answer.face) != (die.kind, die.face):
                instead[die.center_px] = Unread("unsure", die.center_px)
            elif isinstance(answer, Unread) and answer.reason != "unsure":
                instead[die.center_px] = replace(answer, center_px=die.center_px)
        return instead

    def _instead_of(
        self, thing: Unread, dice: Sequence[ReadDie], kinds: Collection[str] | None, fitted: Sequence[Candidate]
    ) -> ReadDie | None:
        """The die that a thing is which was left, where its face is sure.

        Nor may it be another to the network where a solid is ``fitted``.
        """
        near = [face for face in self.found if face.score >= _SURE_INSTEAD and self._may_be(face, thing)]
        if not near or any(near[0].apart(die.center_px) < 1 for die in dice):
            return None
        answer = self._read(near[0], kinds)
        if not isinstance(answer, ReadDie) or answer.confidence < _LEAST_SURE:
            return None
        if any(_shows_another(one, answer, kinds) for one in fitted if near[0].apart(one.center_px) < _SAME):
            return None
        if answer.kind == NUMBER_DIE:
            return answer
        # Of a 3 or a 5 with faint pips only the middle one may be seen.
        may_be_more = (answer.kind, answer.face) == (PIP_DIE, "1")
        return None if may_be_more or burnt_share(self.frame, near[0].outline_px) > _MOST_BURNT else answer

    def _may_be(self, face: Found, thing: Unread) -> bool:
        """Whether a thing that was left may be a die with this upper face.

        Of twelve-sided dice what seems to lean may have been fitted to other edges, too.
        """
        if face.what == "cube":
            return thing.reason in _DOUBTFUL and face.apart(thing.center_px) < _SAME
        is_one = face.what == "number-die" and not thing.is_beyond and thing.reason in _MAY_BE_MISFITTED
        return is_one and face.apart(thing.center_px) < _SAME_NUMBER

    @staticmethod
    def _is_its_side(thing: Unread, die: ReadDie) -> bool:
        """Whether a thing that was left is a side of a twelve-sided die that was read instead of another."""
        if die.kind != NUMBER_DIE or thing.reason not in _MAY_BE_MISFITTED:
            return False
        reach = math.dist(die.center_px, die.outline_px[0])
        return math.dist(thing.center_px, die.center_px) < _SAME_NUMBER * reach

    def _named(self, thing: Unread, kinds: Collection[str] | None) -> Unread:
        """The same thing, which is none where the face that is seen in its place is no die's, or leans after all."""
        near = [face for face in self.found if face.stands and face.apart(thing.center_px) < _SAME]
        if not near or thing.reason not in _DOUBTFUL:
            return thing
        if thing.reason == "not-a-die" and (near[0].what != "number-die" or near[0].score < _NUMBER_DIE_ALL_THE_SAME):
            return thing
        answer = self._as_on_any_floor(near[0], kinds)
        if isinstance(answer, Unread) and answer.reason in ("not-a-die", "cocked"):
            return replace(thing, reason=answer.reason)
        return thing

    def _is_alone(
        self,
        face: Found,
        taken_px: Sequence[Point],
        mere_px: Sequence[Point],
        known: Sequence[npt.NDArray[np.int32]],
    ) -> bool:
        """Whether it lies in the roll area, away from all places taken and from ``mere_px``, where no dice are.

        Nor is it a side of a die whose outline in the view is ``known``.
        """
        x, y = self.camera.ground(np.array([face.center_px]))[0]
        own = [place for place in taken_px if not self._is_of_another(place, face)]
        apart = min((face.apart(other) for other in own), default=np.inf)
        away = min((face.apart(other) for other in mere_px), default=np.inf)
        if apart <= _APART or away <= (_APART if face.score < _SURE_BESIDE else _SAME):
            return False
        if not ROLL_AREA.contains((float(x), float(y)), _INSIDE_MM):
            return False
        outline = view_px(self.camera.ground(np.array(face.outline_px)))
        return all(shared(outline, other) <= _MOST_SHARED for other in known)

    def _is_of_another(self, place_px: Point, face: Found) -> bool:
        """Whether what lies there is another sure face's die, and not this ``face``'s."""
        others = (other for other in self.found if other is not face and other.score >= _SURE_BESIDE)
        return face.apart(place_px) > 1 and any(other.apart(place_px) < _SAME for other in others)

    def _as_on_any_floor(self, face: Found, kinds: Collection[str] | None) -> ReadDie | Unread:
        """What a face is read as without a mat: each is looked at once, whoever asks."""
        asked = (face, None if kinds is None else frozenset(kinds))
        if asked not in self._seen:
            self._seen[asked] = self.any_floor.read_one(self.frame, face, self.found, kinds, self.light)
        return self._seen[asked]

    def _read(self, face: Found, kinds: Collection[str] | None) -> ReadDie | Unread:
        answer = self._as_on_any_floor(face, kinds)
        if isinstance(answer, Unread):
            return answer
        if not self._shows_as_it_is_read(answer, face):
            return Unread("unsure", face.center_px)
        is_number = answer.kind == NUMBER_DIE
        x, y = seeds_under(self.camera, [face])[0, :2]
        if is_number and (
            answer.confidence < _LEAST_NUMBER or not ROLL_AREA.contains((float(x), float(y)), _INSIDE_NUMBER_MM)
        ):
            return Unread("unsure", face.center_px)
        most = _MOST_LEANING_NUMBER if is_number else _MOST_LEANING
        leaning = self.any_floor.leaning
        if leaning is not None and leaning.alone.chances([face_crop(self.frame, self.camera, face)])[0] > most:
            return Unread("cocked", face.center_px)
        return replace(answer, center_mm=(float(x), float(y)))

    def _shows_as_it_is_read(self, answer: ReadDie, face: Found) -> bool:
        """Whether a RIG die's sticker has its colour by the mat's light, as where a solid was fitted.

        Nor may there be a trace of a worn pip in the middle of a 2 or a 4, which is then a 3 or a 5.
        """
        if answer.kind == RIG_DIE:
            return sticker_shows(rectify(self.frame, face.outline_px, self.light), answer.face)
        if answer.kind == PIP_DIE and answer.face in WITH_MIDDLE:
            return not middle_is_inked(rectify(self.frame, face.outline_px, self.light), answer.face)
        return True


def _shows_another(fitted: Candidate, answer: ReadDie, kinds: Collection[str] | None) -> bool:
    """Whether a fitted die may show another face to the network: surely of the same kind, or a red pip on pink."""
    if not fitted.guesses:
        return False
    best = fitted.guesses[0]
    is_another = best.kind == answer.kind and best.face != answer.face and best.probability >= _SURELY_ANOTHER
    return is_another or may_be_pink(answer, fitted.guesses, KINDS if kinds is None else kinds)
