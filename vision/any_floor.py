"""Reading a picture without the mat and without a profile: any floor, any light, any camera that looks down.

The detector finds upper faces and outlines them; what each one shows is read by three networks that were trained
apart from each other (on photographs and rendered floors, on the mat, on flat drawings) and, on pip dice, by counting
blobs. Where they do not bear each other out, or the dice are of sizes that cannot lie side by side, the die is left
unread.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from vision.any_flat import look_around
from vision.any_leaning import AnyLeaning, LeaningTogether
from vision.any_light import NO_COLOR, PlainLight, light_of, may_be_made_white
from vision.any_pips import count_pips
from vision.any_sizes import SURE_FACE, ReadFace, is_of_size, is_speck, usual_width, width_of_read, with_large
from vision.aslant import AslantNetworks, SeenAslant
from vision.detector import Detector, Found
from vision.dice import ACTION_DIE, CHANCE_CUBE, KINDS, NUMBER_DIE, PIP_DIE, RIG_DIE
from vision.framed import is_framed_in_blue
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
    sticker_shows,
    taken_together,
    without_bodies,
)
from vision.other_network import against
from vision.patches import Light, Patch, looks_at_face, rectify, rectify_with_sides
from vision.pip_faces import may_be_pips, pips_seen
from vision.presence import PresenceNetwork, WhereDiceLie
from vision.reading import MOST_DICE, Pixels, ReadDie, Unread
from vision.reds import Told, are_both_awaited, is_doubtful, may_be_either, tell, told_apart
from vision.seen_twice import SeenTwice
from vision.sheen import less_sheen
from vision.side_network import SideNetwork
from vision.stages import draw_found, draw_patches
from vision.taught_dice import TaughtDice
from vision.trace import Stage
from vision.white_faces import hides_its_colour, is_glared_white

Lying = LeaningTogether | SeenTwice | SeenAslant
"""What tells how dice lie."""

_MAYBE_FACE = 0.35  # detector's score from which something may be an upper face
_SURE_IF_FLAT = 0.77  # and from which it is one though nothing seems to stand up about it: 580 of 586 dice have it
_MORE_OF_ANYTHING = 0.06  # where nobody says what may lie there: a square token had 0.75 and 0.79
_PER_STANDING = 0.05  # less for each unit of CIE Lab by which its surroundings differ from the floor
_LEAST_AGREEING = 2  # networks that say the same
# Of 3,705 drawn faces off the mat without pips and numbers one that was read rightly has less than the next, and one
# of four read wrongly; of 1,228 numbers six and one of three have less than the one after.
_LEAST_TOGETHER = 0.8  # of all of them
_LEAST_NUMBER = 0.95
_LEAST_IF_FAINT = 0.9  # where the detector is less sure
_MAY_BE_A_SIGN = 0.1  # of a cube, on average: 6 of 121 drawn lone pips where cubes are awaited, and 4 dots on cubes
_SURELY_ITS_COLOUR = 0.95  # of 443 black and purple stickers three do not show it, and the one read wrongly has 0.82
_RATHER_NOTHING = 0.5  # of one network, that it is no face
_SURE_THOUGH_FLAT = 0.95
_SURELY_NOTHING = 0.9
_LEAST_BODY = 0.97
_AMONG_OTHERS = 10.0  # CIE Lab by which the surroundings of a face differ among themselves; on plain paper 1
_PENTAGON = 5  # corners
_BESIDE = 2.2  # circumradii within which a covered die's neighbour may lie on it


@dataclass(frozen=True)
class AnyFloor:
    """The networks that read pictures without a mat: ``apart`` trained for such pictures, ``faces`` for the mat.

    ``leaning`` tells which dice lean, ``aslant`` gives the networks for pictures that were taken from the side,
    ``presence`` tells dice from everything else, ``sides`` tells sides of dice; all five may be missing.
    """

    detector: Detector
    apart: FaceNetwork
    faces: FaceNetwork | None
    leaning: AnyLeaning | None = None
    aslant: Callable[[], AslantNetworks] | None = None
    presence: PresenceNetwork | None = None
    sides: SideNetwork | None = None

    def read(
        self,
        frame: Pixels,
        kinds: Collection[str] | None = None,
        expect: Mapping[str, int] | None = None,
        taught: TaughtDice | None = None,
        stages: list[Stage] | None = None,
    ) -> tuple[tuple[ReadDie, ...], tuple[Unread, ...]]:
        """The dice in a picture (uint8 BGR, of any size) and what was left; ``kinds`` narrows what they may be.

        ``taught`` dice stand in for kinds of the games; ``stages`` takes pictures in between.
        """
        allowed = set(KINDS if kinds is None else kinds)
        if expect:
            allowed &= set(expect)
        light = light_of(frame)
        where = WhereDiceLie(self.presence, frame)
        read_face = cache(lambda face: self._read_present(where, face, light, allowed, taught))
        found, usual, lying = self._seen(where, allowed, read_face)
        if stages is not None:
            stages.append(draw_found(frame, found, usual, is_aslant=isinstance(lying, SeenAslant)))
            stages.append(draw_patches([rectify(frame, face.outline_px, light) for face in found]))
        dice: list[ReadDie] = []
        unread: list[Unread] = []
        for face in found:
            reason = _reason_against(face, found, frame.shape, usual, allowed)
            read = None if reason else read_face(face)
            may_be_one = isinstance(read, ReadDie) or (read is not None and taught is not None)
            lies = lying.against(face) if may_be_one and lying is not None else None
            if lies is None and isinstance(read, ReadDie) and where.is_among_things(read_face, face, found):
                lies = "unsure"
            if lies and isinstance(read, ReadDie):
                read = lies
            elif read is not None and taught is not None and not lies:
                read = taught.judge_seen(frame, light, face, allowed, read)
            if isinstance(read, ReadDie) and len(dice) < MOST_DICE:
                dice.append(read)
            else:
                unread.append(Unread(reason or (read if isinstance(read, str) else "unsure"), face.center_px))
        if self._are_sides(frame, dice, lying):
            return (), (*unread, *(Unread("unsure", die.center_px) for die in dice))
        return tuple(dice), tuple(unread)

    def _are_sides(self, frame: Pixels, dice: Sequence[ReadDie], lying: Lying | None) -> bool:
        """Whether what would be read are sides of dice rather than their upper faces."""
        if self.sides is None:
            return False
        # Cubes in photographs from above look like sides to that network alone: of 110 pictures 4.
        most_lean = lying is not None and lying.most_lean
        asked = [np.array(die.outline_px) for die in dice if most_lean or len(die.outline_px) == _PENTAGON]
        return self.sides.sees_sides(frame, asked)

    def _seen(
        self, where: WhereDiceLie, allowed: set[str], read: ReadFace
    ) -> tuple[list[Found], float, Lying | None]:
        """What may be upper faces, how wide dice are (px), and what tells how they lie."""
        frame = where.frame
        found = _found(self.detector, frame, allowed, read)
        usual = width_of_read(found, read)
        if self.leaning is None:
            return found, usual, None
        leaning = LeaningTogether(self.leaning, frame, found, usual, is_a_die=partial(where.is_a_die, read))
        if self.aslant is None:
            return found, usual, leaning
        if leaning.may_be_aslant:
            networks = self.aslant()
            self.detector.rest()  # two at once would take half as much memory again
            beside = _found(networks.detector, frame, allowed, read)
            networks.detector.rest()
            aslant = SeenAslant(networks, frame, beside, width_of_read(beside, read), leaning)
            if aslant.is_aslant:
                return [face for face in beside if face not in aslant.sides], aslant.usual_px, aslant
        return found, usual, SeenTwice(leaning, self.aslant, read)

    def read_one(
        self,
        frame: Pixels,
        face: Found,
        found: Sequence[Found],
        kinds: Collection[str] | None = None,
        known_light: Light | None = None,
        lamp_color: tuple[float, ...] = NO_COLOR,
    ) -> ReadDie | Unread:
        """One of the faces that were ``found`` in a picture (uint8 BGR), or why it is not read.

        By a ``known_light`` red faces are told apart, for a lamp's colour makes them others; a ``lamp_color`` (as in
        ``PlainLight``) is taken out of what the networks see.
        """
        allowed = set(KINDS if kinds is None else kinds)
        usual = usual_width([f for f in found if f.score >= _MAYBE_FACE])
        reason = _reason_against(face, found, frame.shape, usual, allowed)
        light = light_of(frame, lamp_color)
        read = reason or self._read_face(WhereDiceLie(self.presence, frame), face, light, allowed, known_light)
        if isinstance(read, ReadDie) and self.leaning is not None and self.leaning.leans_alone(frame, face):
            read = "cocked"
        return read if isinstance(read, ReadDie) else Unread(read, face.center_px)

    def _read_present(
        self, where: WhereDiceLie, face: Found, light: PlainLight, allowed: set[str], taught: TaughtDice | None
    ) -> ReadDie | str:
        """As ``_read_face``, where a die lies: on floors of which nothing is known anything may look like one."""
        read = self._read_face(where, face, light, allowed, taught=taught)
        if isinstance(read, ReadDie):
            return where.against(face) or read
        return read

    def _read_face(
        self,
        where: WhereDiceLie,
        face: Found,
        light: PlainLight,
        allowed: set[str],
        known_light: Light | None = None,
        taught: TaughtDice | None = None,
    ) -> ReadDie | str:
        """The die, or the reason why it is not read; what may be ``taught`` is another game's to the networks."""
        frame = where.frame
        alike = {kind for kind in KINDS if (kind == NUMBER_DIE) == (face.what == "number-die")}
        patches, dimmed = looks_at_face(frame, face.outline_px, light)
        apart = chances_of(self.apart, [*patches, *dimmed], alike)
        seen_by_each = [apart, *self._other_opinions(frame, face, light, [*patches, *dimmed], alike)]
        every = less_sheen(seen_by_each, allowed, frame, [face.outline_px], known_light)
        red = self._red(frame, face, known_light or light, every, allowed)
        every = every if red is None else [told_apart(opinion, red) for opinion in every]
        of_any_kind = taken_together([without_bodies(opinion) for opinion in every])
        opinions = [narrowed(opinion, allowed) for opinion in every]
        faces = [without_bodies(opinion) for opinion in opinions]
        together = taken_together(faces)
        best = likeliest(together)
        if self.faces is not None and self.faces.pips is not None and may_be_pips(together):
            counted = count_pips(frame, face.outline_px)
            is_unanimous = all(likeliest(one) == best for one in faces)
            agreed = together if is_unanimous else None
            seen = pips_seen(self.faces.pips, dimmed or patches, faces[0], counted, face.score < SURE_FACE, agreed)
        else:
            seen = _agreed(faces, together, face)
        # Of real pip dice, which are of more sorts than were drawn, the networks may think of other kinds.
        may_be_others = PIP_DIE not in allowed if seen is None else seen[0][0] != PIP_DIE
        if may_be_others and (
            are_others(allowed, of_any_kind) or (seen is not None and is_of_another_kind(seen[0], of_any_kind))
        ):
            return "not-a-die"  # that is awaited
        if seen is None:
            return "not-a-die" if best[0] == NOTHING and together[best] >= _SURELY_NOTHING else "unsure"
        (kind, shown, _), sure, is_plain = seen
        if (kind, shown) == (ACTION_DIE, "white") and (
            is_glared_white(patches[0])
            or may_be_made_white(frame, face.outline_px, sure)
            or (known_light is not None and hides_its_colour(frame, face.outline_px, known_light))
        ):
            return "unsure"
        body = body_of(opinions, seen[0], _LEAST_BODY)
        if is_doubtful(kind, shown, red) or _may_be_lit_otherwise(seen[0], sure, patches[0]):
            return "unsure"
        if (kind, shown) == (PIP_DIE, "1") and _may_be_a_sign(faces):
            return "unsure"
        if kind == RIG_DIE and not body_shows(patches[0], shown, body):
            body = None
        if (is_plain or sure < _SURE_THOUGH_FLAT) and _is_flat(where, face, allowed >= set(KINDS)):
            return "not-a-die"
        may_be_taught = taught is not None and taught.stand_in(face.what == "cube", allowed)
        others = None if self.faces is None or may_be_taught else self.faces.others
        if reason := against(others, patches[0], face.outline_px, kind, shown):
            return reason
        return ReadDie(kind, body, shown, min(sure, 0.999), face.center_px, None, face.outline_px)

    def _red(
        self, frame: Pixels, face: Found, light: Light, opinions: Sequence[Opinion], allowed: Collection[str]
    ) -> Told | None:
        """Whose red face it is, where it may be a cube's or a sticker."""
        reds = None if self.faces is None else self.faces.reds
        if reds is None or face.what != "cube" or not are_both_awaited(allowed):
            return None
        together = taken_together(opinions)
        if not may_be_either(together):
            return None
        patch = rectify_with_sides(frame, face.outline_px, light)
        return tell(together, reds.chances([patch])[0], is_framed_in_blue(patch))

    def _other_opinions(
        self, frame: Pixels, face: Found, light: PlainLight, patches: Sequence[Patch], own: Collection[str]
    ) -> list[dict[Label, float]]:
        """What the mat's networks say of a face."""
        if self.faces is None:
            return []
        if self.faces.numbers and face.what == "number-die":
            return numbers_seen(self.faces.numbers, frame, face.outline_px, light)
        beside = [] if self.faces.cubes is None else [self.faces.cubes]
        return [chances_of(network, patches, own) for network in (self.faces, *beside)]


def _found(detector: Detector, frame: Pixels, allowed: set[str], read: ReadFace) -> list[Found]:
    """What may be upper faces; only pip dice have marks that look like dice."""
    large: tuple[Found, ...] = ()
    if PIP_DIE in allowed:
        seen, large = detector.find_with_large(frame, NUMBER_DIE in allowed)
    else:
        seen = detector.find(frame, NUMBER_DIE in allowed)
    return with_large([face for face in seen if face.score >= _MAYBE_FACE], large, frame, read)


def _agreed(faces: Sequence[Opinion], together: Opinion, face: Found) -> tuple[Label, float, bool] | None:
    """What enough networks say a face shows, how sure that is, and whether prints look like it; None where it is not.

    ``faces`` is what each of them says of it, ``together`` all of them.
    """
    best = likeliest(together)
    agreeing = sum(likeliest(one) == best for one in faces)
    least = _LEAST_NUMBER if face.what == "number-die" else _LEAST_TOGETHER
    least = _LEAST_IF_FAINT if face.score < SURE_FACE else least
    sure = together[best]
    if best[0] == NOTHING or agreeing < min(_LEAST_AGREEING, len(faces)) or sure < least:
        return None
    if any(one.get((NOTHING, "", None), 0.0) >= _RATHER_NOTHING for one in faces):
        return None
    kind, shown, _ = best
    # As printed squares and rubbers are.
    return best, sure, kind in (CHANCE_CUBE, ACTION_DIE) or shown.endswith("blank") or agreeing < len(faces)


def _may_be_a_sign(faces: Sequence[Opinion]) -> bool:
    """Whether a lone pip may be a dot on a chance cube, by what each network says of the face."""
    cubes = [sum(chance for (kind, _, _), chance in one.items() if kind == CHANCE_CUBE) for one in faces]
    return sum(cubes) / len(cubes) >= _MAY_BE_A_SIGN


def _may_be_lit_otherwise(label: Label, sure: float, patch: Patch) -> bool:
    """Whether the sticker of a RIG die that is not surely black or purple does not show it, either."""
    return label[0] == RIG_DIE and sure < _SURELY_ITS_COLOUR and not sticker_shows(patch, label[1])


def _is_flat(where: WhereDiceLie, face: Found, may_be_anything: bool) -> bool:
    """Whether a cube's face rather is a print: the less stands up about it, the surer the detector must be.

    Where other dice are all around it that cannot be seen; there it is none if a die surely lies there.
    """
    if face.what != "cube":
        return False
    around = look_around(where.frame, face.outline_px)
    least = _SURE_IF_FLAT + (_MORE_OF_ANYTHING if may_be_anything else 0.0)
    if face.score >= least - _PER_STANDING * max(around.standing, 0.0):
        return False
    return around.restless < _AMONG_OTHERS or not where.surely(face)


def _reason_against(
    face: Found, found: Sequence[Found], shape: tuple[int, ...], usual: float, allowed: set[str]
) -> str | None:
    """Why a face must not be read, whatever it shows; None if it may be."""
    if is_speck(face, usual):
        return "not-a-die"
    if face.what == "cocked":
        return "cocked"
    if face.what == "covered":
        beside = any(
            other is not face
            and other.stands
            and np.hypot(*np.subtract(other.center_px, face.center_px)) < _BESIDE * face.radius_px / 2
            for other in found
        )
        return "stacked" if beside else "occluded"
    corners = np.asarray(face.outline_px)
    height, width = shape[:2]
    slack = 0.08 * face.radius_px
    if corners.min() < -slack or (corners > np.array([width, height]) - 1 + slack).any():
        return "outside"
    if not any((kind == NUMBER_DIE) == (face.what == "number-die") for kind in allowed):
        return "not-a-die"
    if not is_of_size(face, usual):
        return "unsure"
    return None
