"""What may be said of a die that stands in a tray of one's own.

On the mat the light is known, and rules of colour are the second opinion. Here the light is only guessed, so that
networks which were trained apart are asked instead, each of the face as the fitted solid outlines it and as the
detector does, which knows no geometry.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.any_floor import AnyFloor
from vision.any_pips import count_pips
from vision.camera import Camera
from vision.candidate import Candidate
from vision.detector import Found
from vision.dice import ACTION_DIE, KINDS, NUMBER_DIE, PIP_DIE, RIG_DIE
from vision.framed import is_framed_in_blue
from vision.light import MatLight
from vision.look import points
from vision.network import NOTHING, FaceNetwork
from vision.opinions import (
    Label,
    Opinion,
    are_others,
    body_of,
    body_shows,
    chances_of,
    is_of_another_kind,
    likeliest,
    narrowed,
    numbers_seen,
    taken_together,
    without_bodies,
)
from vision.other_network import against
from vision.patches import Patch, all_turns, rectify, rectify_with_sides
from vision.pip_faces import may_be_pips, pips_seen
from vision.polygons import reach_of
from vision.reading import Pixels, Point, ReadDie, Unread
from vision.reds import Told, is_doubtful, is_one_awaited, may_be_either, rather_awaited, tell, told_apart
from vision.sheen import less_sheen
from vision.solids import CUBE
from vision.sticker_colors import without_black
from vision.taught_dice import TaughtDice
from vision.tray_doubts import is_contradicted
from vision.tray_leaning import TrayLeaning

# Of 842 standing cubes and 195 number dice drawn on felt, wood and cloth:
_LEAST_TOGETHER = {True: 0.75, False: 0.8}  # cube, number die: 97.5 % and 84 % had it, 3 and 1 of them wrongly
_LEAST_BODY = {RIG_DIE: 0.9, ACTION_DIE: 0.955}  # pip dice have a measure of their own
"""Of 125 bodies of action dice in 36 drawn trays one would be wrong, a black one in blue light, with 0.953; about six
right ones have less than that."""
_LEAST_WHITE = 0.9  # of an action die: glare makes any glossy sticker a white one
_LEAST_SCORE = 0.66  # of the fit
_LEAST_IF_LOOSE = {True: 0.6, False: 0.5}  # where a die's sides are hidden in its own shadow
_SURE_THOUGH_LOOSE = 0.95
_LEAST_SEEN = 0.5  # detector's score of a die to which no solid was fitted
_LEAST_CONFIDENCE = {NUMBER_DIE: 0.9, RIG_DIE: 0.85}
"""Of 941 drawn ones that were read rightly in trays 17 have less, of 10 that were misread 7."""
_UNFITTED = 0.95  # how far its face is believed
_SAME_PLACE = 0.4  # circumradii between the middles of what the fit and the detector see
_LARGEST_CUBE_MM = 20.5
_SEEN_OTHERWISE = 0.5  # detector's score of a cube where a pentagon was fitted; where that was wrong it had 0.90
_SURELY_NOTHING = 0.9
_SURE_FIT = 0.8  # from which something stands there, where the detector sees an upper face, too
_LEAST_WEIGHT = 0.05  # of an outline in which nothing is seen
_MORE_OF_PENTAGONS = 2.0
"""By which the detector's outline of a twelve-sided die, which may be fitted turned or aside, counts more. Of 232
that stand in 30 drawn trays the fit's alone tells 205, both alike 218, so 228; the others have 0.5 at most."""
_NOTHING_THEN = 0.2  # by which it is less likely then that there is no face


@dataclass(frozen=True)
class TrayFaces:
    """One frame and everything that is asked about its upper faces.

    ``camera`` and ``light`` are the tray's as the geometry knows them, ``found`` what the detector sees in the frame;
    dice that were ``taught`` are another game's to the networks.
    """

    frame: Pixels
    camera: Camera
    light: MatLight
    faces: FaceNetwork
    apart: AnyFloor
    found: Sequence[Found]
    kinds: Collection[str] | None
    taught: TaughtDice | None = None

    def judge(self, candidate: Candidate, excess_mm: float, has_scale: bool) -> ReadDie | Unread:
        """The die with its face, or why it is left; ``center_mm`` is the fit's, in the view's millimetres."""
        fit = candidate.fit
        cube = fit.shape is CUBE
        own = self._awaited(cube)
        if not own:
            return Unread("not-a-die", candidate.center_px)
        outline = tuple(points(candidate.outline_px))
        beside = self._seen_there(candidate)
        if _is_another_shape(cube, beside):
            return Unread("unsure" if self._awaited(not cube) else "not-a-die", candidate.center_px)
        seen = _outline_of(beside, candidate)
        outlines = [outline] if seen is None else [outline, seen]
        looks = [self._patches(corners) for corners in outlines]
        seen_by_each = [
            opinion
            for corners, patches in zip(outlines, looks, strict=True)
            for opinion in self._opinions(corners, patches)
        ]
        every = less_sheen(seen_by_each, own, self.frame, outlines)
        red = self._red(outlines, every, own)
        every = every if red is None else [told_apart(opinion, red) for opinion in every]
        weights = _weights(every, len(outlines), cube)
        of_any_kind = taken_together([without_bodies(opinion) for opinion in every], weights)
        if PIP_DIE not in own and are_others(own, of_any_kind):  # of real ones networks may think of other kinds
            return Unread("not-a-die", candidate.center_px)
        opinions = [narrowed(opinion, own) for opinion in every]
        together = taken_together([without_bodies(opinion) for opinion in opinions], weights)
        if beside and beside.what != "cocked" and fit.score >= _SURE_FIT:
            together = _of_something(together)
        if RIG_DIE in own:
            together = without_black(together, looks)
        best = likeliest(together)
        sure = together[best]
        counted = self._counted(opinions, together, outlines, looks)
        if counted is not None:
            best, sure = counted
        kind, face, _ = best
        if kind == NOTHING:
            return Unread("not-a-die" if sure >= _SURELY_NOTHING else "unsure", candidate.center_px)
        if kind != PIP_DIE and is_of_another_kind(best, of_any_kind):
            return Unread("not-a-die", candidate.center_px)
        least = _LEAST_WHITE if (kind, face) == (ACTION_DIE, "white") else _LEAST_TOGETHER[cube]
        doubtful = sure < least or not _is_borne_out(candidate, beside, sure)
        if doubtful or (counted is None and is_contradicted(self.frame, best, sure, outlines, looks[0])):
            return Unread("unsure", candidate.center_px)
        if has_scale and cube and fit.size > _LARGEST_CUBE_MM:
            return Unread("stacked", candidate.center_px)
        if self.leans(candidate, excess_mm):
            return Unread("cocked", candidate.center_px)
        confidence = sure * min(1.0, 0.6 + 0.5 * fit.score)
        if not _is_confident(kind, confidence):
            return Unread("unsure", candidate.center_px)
        body = _body(opinions, best, looks[0])
        if is_doubtful(kind, face, red):
            return Unread("unsure", candidate.center_px)
        may_be_taught = self.taught is not None and self.taught.stand_in(cube, self.kinds)
        others = None if may_be_taught else self.faces.others
        if reason := against(others, candidate.patch, outline, kind, face):
            return Unread(reason, candidate.center_px)
        return ReadDie(kind, body, face, confidence, candidate.center_px, (fit.x, fit.y), outline)

    def judge_seen(self, face: Found) -> ReadDie | None:
        """A die that only the detector sees, where it is beyond doubt; it has no place in millimetres."""
        if not face.stands or self._leaning.leans_alone(face):
            return None
        die = self._judged_alone(face) or self._as_on_any_floor(face)
        if die is None or not _is_confident(die.kind, die.confidence):
            return None
        return die

    def _as_on_any_floor(self, face: Found) -> ReadDie | None:
        """The die as it is read where nothing is known of the tray.

        Not one that shows a single pip: that may be all that is seen of another face, where a lamp is mirrored in it.
        """
        color = self.light.floor.lamp_color
        die = self.apart.read_one(self.frame, face, self.found, self.kinds, lamp_color=color)
        return die if isinstance(die, ReadDie) and (die.kind, die.face) != (PIP_DIE, "1") else None

    def _judged_alone(self, face: Found) -> ReadDie | None:
        """The same by the light of the tray, and by what speaks against a face."""
        cube = face.what == "cube"
        own = self._awaited(cube)
        corners = np.array(face.outline_px)
        inside = (corners >= 0).all() and (corners < self.frame.shape[1::-1]).all()
        if face.score < _LEAST_SEEN or not (own and inside):
            return None
        patches = self._patches(face.outline_px)
        every = less_sheen(self._opinions(face.outline_px, patches), own, self.frame, [face.outline_px])
        red = self._red([face.outline_px], every, own)
        every = every if red is None else [told_apart(opinion, red) for opinion in every]
        of_any_kind = taken_together([without_bodies(opinion) for opinion in every])
        opinions = [narrowed(opinion, own) for opinion in every]
        together = taken_together([without_bodies(opinion) for opinion in opinions])
        if RIG_DIE in own:
            together = without_black(together, [patches])
        best = likeliest(together)
        kind, shown, _ = best
        sure = together[best]
        if (
            kind == NOTHING
            or sure < _SURE_THOUGH_LOOSE
            or (kind != PIP_DIE and is_of_another_kind(best, of_any_kind))
            or is_doubtful(kind, shown, red)
            or is_contradicted(self.frame, best, sure, [face.outline_px], patches)
            or self._may_be_anothers(face, kind, shown)
        ):
            return None
        body = _body(opinions, best, patches)
        return ReadDie(kind, body, shown, _UNFITTED * sure, face.center_px, None, face.outline_px)

    def _may_be_anothers(self, face: Found, kind: str, shown: str) -> bool:
        patch = rectify(self.frame, face.outline_px, self.light)
        return against(self.faces.others, patch, face.outline_px, kind, shown) is not None

    def _counted(
        self,
        opinions: Sequence[Opinion],
        together: Opinion,
        outlines: Sequence[tuple[Point, ...]],
        looks: Sequence[Sequence[Patch]],
    ) -> tuple[Label, float] | None:
        """The pips that are counted on a face however it is outlined, and how surely; None where that is in doubt."""
        if self.faces.pips is None or len(outlines[0]) != 4 or not may_be_pips(together):
            return None
        each = len(opinions) // len(outlines)  # the network for any floor is asked first of each outline
        found = []
        for number, (corners, patches) in enumerate(zip(outlines, looks, strict=True)):
            beside = without_bodies(opinions[number * each])
            found.append(pips_seen(self.faces.pips, patches, beside, count_pips(self.frame, corners), False))
        seen = [one for one in found if one is not None]
        if len(seen) < len(found) or len({label for label, _, _ in seen}) != 1:
            return None
        return seen[0][0], max(sure for _, sure, _ in seen)

    def _red(
        self, outlines: Sequence[tuple[Point, ...]], opinions: Sequence[Opinion], own: Collection[str]
    ) -> Told | None:
        """Whose red face it is, where it may be a cube's or a sticker: what is seen in all the outlines."""
        if self.faces.reds is None or not is_one_awaited(own):
            return None
        together = taken_together(opinions)
        if not may_be_either(together):
            return None
        patches = [rectify_with_sides(self.frame, corners, self.light) for corners in outlines]
        cube = float(np.mean(self.faces.reds.chances(patches)))
        return rather_awaited(tell(together, cube, any(is_framed_in_blue(patch) for patch in patches)), own)

    def _awaited(self, cubes: bool) -> set[str]:
        """The kinds that are awaited: those of cubes, or of twelve-sided dice."""
        return {kind for kind in (KINDS if self.kinds is None else self.kinds) if (kind != NUMBER_DIE) == cubes}

    def _patches(self, outline: tuple[Point, ...]) -> list[Patch]:
        """A face in all its turns; none where the network of numbers cuts it out closer."""
        if len(outline) == 5 and self.faces.numbers:
            return []
        return [rectify(self.frame, turned, self.light) for turned in all_turns(outline)]

    def _opinions(self, outline: tuple[Point, ...], patches: Sequence[Patch]) -> list[dict[Label, float]]:
        """What each network says of a face with this outline, which ``patches`` show, among all kinds."""
        if len(outline) == 5 and self.faces.numbers:
            return numbers_seen(self.faces.numbers, self.frame, outline, self.light)
        beside = [self.faces.cubes] if len(outline) == 4 and self.faces.cubes is not None else []
        alike = [kind for kind in KINDS if (kind == NUMBER_DIE) == (len(outline) == 5)]
        return [chances_of(network, patches, alike) for network in (self.apart.apart, self.faces, *beside)]

    def seen_outline(self, candidate: Candidate) -> tuple[Point, ...] | None:
        """The upper face of a candidate as the detector sees it; None where it sees none of as many corners there."""
        return _outline_of(self._seen_there(candidate), candidate)

    def _seen_there(self, candidate: Candidate) -> Found | None:
        """What the detector sees in the same place."""
        corners = candidate.outline_px
        radius = reach_of(corners)
        near = [face for face in self.found if _apart(face.center_px, candidate.center_px) < _SAME_PLACE * radius]
        return max(near, key=lambda face: face.score, default=None)

    def leans(self, candidate: Candidate, excess_mm: float) -> bool:
        """Whether it looks like a leaning die; ``excess_mm`` is what stands out beside it (``vision.upright``)."""
        return self._leaning.leans(candidate, excess_mm, self._seen_there(candidate))

    @cached_property
    def _leaning(self) -> TrayLeaning:
        return TrayLeaning(self.frame, self.camera, self.apart.leaning, self.found)


def _weights(opinions: Sequence[Opinion], outlines: int, cube: bool) -> list[float]:
    """How much each opinion counts; as many belong to each of the outlines, the fit's and then the detector's.

    An outline in which nothing is seen says little of what lies there.
    """
    each = len(opinions) // outlines
    weights: list[float] = []
    for number in range(outlines):
        own = taken_together([without_bodies(one) for one in opinions[number * each : (number + 1) * each]])
        seen = 1 - sum(chance for (kind, _, _), chance in own.items() if kind == NOTHING)
        times = _MORE_OF_PENTAGONS if number and not cube else 1.0
        weights += [times * max(seen, _LEAST_WEIGHT)] * each
    return weights


def _outline_of(beside: Found | None, candidate: Candidate) -> tuple[Point, ...] | None:
    """The outline of what the detector sees beside a candidate, where it has as many corners."""
    if beside is None or len(beside.outline_px) != len(candidate.outline_px):
        return None
    return beside.outline_px


def _is_confident(kind: str, confidence: float) -> bool:
    return confidence >= _LEAST_CONFIDENCE.get(kind, 0.0)


def _body(opinions: Sequence[Opinion], best: Label, patches: Sequence[Patch]) -> str | None:
    """The body of a die that shows ``best``, where networks are sure of it and its border does not belie them."""
    kind, face, _ = best
    body = body_of(opinions, best, _LEAST_BODY.get(kind, 1.0))
    return None if kind == RIG_DIE and not body_shows(patches[0], face, body) else body


def _of_something(chances: Opinion) -> dict[Label, float]:
    """The same where something stands that looks like a die to two who know no faces."""
    weighed = {label: chance * (_NOTHING_THEN if label[0] == NOTHING else 1) for label, chance in chances.items()}
    total = sum(weighed.values())
    return {label: chance / total for label, chance in weighed.items()}


def _is_borne_out(candidate: Candidate, beside: Found | None, sure: float) -> bool:
    """Whether a die fits well; or the detector sees it, too, and its face is beyond doubt."""
    cube = candidate.fit.shape is CUBE
    seen = beside is not None and beside.what == ("cube" if cube else "number-die")
    loose = candidate.fit.score >= _LEAST_IF_LOOSE[cube] and seen and sure >= _SURE_THOUGH_LOOSE
    return candidate.fit.score >= _LEAST_SCORE or loose


def _is_another_shape(cube: bool, beside: Found | None) -> bool:
    """Whether the detector sees a die of the other shape where this one was fitted.

    A cube as large as a twelve-sided die fits that well enough; among cubes that touch the detector, too, sees a
    pentagon now and then, but not surely.
    """
    if beside is None or not beside.stands or (beside.what == "cube") == cube:
        return False
    return cube or beside.score >= _SEEN_OTHERWISE


def _apart(one: Point, other: Point) -> float:
    return float(np.hypot(*np.subtract(one, other)))
