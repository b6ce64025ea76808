"""Reading dice in a tray of one's own: the solids and faces of the mat's pipeline above a profile's empty tray."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from vision.any_floor import AnyFloor
from vision.camera import Camera
from vision.candidate import Candidate, choose, plausible
from vision.detector import Found
from vision.dice import NUMBER_DIE
from vision.empty_tray import EmptyTray, TrayEvidence
from vision.fit_solids import Fit, fit_solids
from vision.floor import VIEW_PX_PER_MM, view_px
from vision.leftovers import covered, is_on, name_leftovers
from vision.light import MatLight
from vision.look import look_at_faces
from vision.network import NOTHING, FaceNetwork
from vision.profile import Profile
from vision.reading import MOST_DICE, Floats, Pixels, Point, ReadDie, Unread
from vision.seeds import seeds_under
from vision.solids import CUBE, DODECAHEDRON
from vision.stages import draw_evidence, draw_patches, draw_relative, draw_solids
from vision.stand_out import Blob, Evidence, Mask
from vision.still_calibrated import Finding, tray_findings
from vision.taught_dice import TaughtDice
from vision.trace import Stage
from vision.tray_faces import TrayFaces
from vision.tray_pose import Throw, TrayPose, hung_at
from vision.tray_scale import TrayScale
from vision.upright import find_excess, unexplained

_SURE_FACE = 0.55  # detector's score from which something that no solid was fitted to is named
_SURE_THOUGH_UNCHANGED = 0.77  # and from which where the tray seems as it was: nearly all dice have it
_USUAL_MM2 = 360.0  # that a die covers, its sides counted
_MOST_SLENDER, _LEAST_SOLID = 1.35, 0.9
_SURE_FIT = 0.76  # from which a die says something of the camera's pose
_SAME_THING = 0.7  # circumradii between two middles that are one die's


@dataclass(frozen=True)
class _Seen:
    """One frame compared with the empty tray: ``places`` where it has changed, ``found`` what the detector sees,
    ``chosen`` the solids that explain it."""

    evidence: Evidence
    places: tuple[Blob, ...]
    found: tuple[Found, ...]
    chosen: list[Candidate]
    excess_mm: list[float]

    @cached_property
    def changed(self) -> Mask:
        """255 where the tray has changed, in the view."""
        return places_mask(self.evidence, self.places)


class OwnTray:
    """One tray of a profile with an empty picture, the networks that read faces in it, and dice that were taught."""

    def __init__(
        self, profile: Profile, faces: FaceNetwork, apart: AnyFloor, taught: TaughtDice | None = None
    ) -> None:
        self._profile = profile
        self._tray = EmptyTray(profile)
        self._faces = faces
        self._apart = apart
        self._taught = taught
        self.findings: tuple[Finding, ...] = ()
        # Only a pose that was assumed looks straight down to the last digit.
        self._is_measured = bool(np.any(profile.camera.rotation[:2]))
        self._pose = TrayPose()
        self._seen_when_empty: Sequence[Found] | None = None
        self._scale = TrayScale()

    def read(
        self, frame: Pixels, kinds: Collection[str] | None, stages: list[Stage] | None
    ) -> tuple[tuple[ReadDie, ...], tuple[Unread, ...]]:
        """The dice in a frame of the profile's camera, what was left; ``stages`` takes pictures in between."""
        self.findings = self._look_at_tray(frame)
        if Finding.CAMERA_MOVED in self.findings:
            # The empty picture says nothing of another place: what the detector sees is named, nothing is read.
            return (), tuple(Unread("unsure", face.center_px) for face in self._apart.detector.find(frame))
        seen = self._look(frame, kinds)
        if self._are_sized_otherwise(seen):
            seen = self._look(frame, kinds, seen.found)
        if self._hangs_otherwise(seen):
            seen = self._look(frame, kinds, seen.found)
        evidence, found, chosen = seen.evidence, seen.found, seen.chosen
        camera, used = self._tray.camera, [candidate.fit for candidate in chosen]
        light = MatLight(camera, evidence.floor)
        asked = TrayFaces(frame, camera, light, self._faces, self._apart, found, kinds, self._taught)
        excess = seen.excess_mm
        answers = [asked.judge(*each, self._profile.has_scale) for each in zip(chosen, excess, strict=True)]
        if self._taught is not None:
            answers = [
                self._taught.judge(
                    frame,
                    asked.light,
                    candidate,
                    asked.leans(candidate, over),
                    kinds,
                    answer,
                    asked.seen_outline(candidate),
                )
                for candidate, over, answer in zip(chosen, excess, answers, strict=True)
            ]
        changed = seen.changed
        alone = [] if self._taught is not None else self._read_unfitted(asked, changed, answers)
        read_dice = [*(answer for answer in answers if isinstance(answer, ReadDie)), *alone]
        dice = tuple(self._placed(die) for die in read_dice)[:MOST_DICE]
        unread = [answer for answer in answers if isinstance(answer, Unread)]
        read = [fit for fit, answer in zip(used, answers, strict=True) if isinstance(answer, ReadDie)]
        unread += self._unfitted(found, changed, chosen)
        unread += self._leftovers(camera, evidence, used)
        unread = [thing for thing in unread if not any(_is_within_face(thing.center_px, die) for die in alone)]
        unread = covered(camera, evidence, read, unread)
        if stages is not None:
            stages += [draw_relative(evidence), draw_evidence(evidence), draw_solids(camera, evidence, used)]
            stages.append(draw_patches([candidate.patch for candidate in chosen]))
        return dice, tuple(unread)

    def _look(self, frame: Pixels, kinds: Collection[str] | None, known: tuple[Found, ...] | None = None) -> "_Seen":
        """What stands in the tray, in shapes that are among ``kinds``; ``known`` is what the detector saw."""
        number_dice = kinds is None or NUMBER_DIE in kinds
        seen = self._tray.find_what_stands_out(frame)
        found = known or (self._apart.detector.find(frame, number_dice) if seen.places else ())
        if not (self._profile.has_scale or self._scale.is_known) and self._guess_scale(seen):
            seen = self._tray.find_what_stands_out(frame)
        evidence, places, camera = seen.evidence, seen.places, self._tray.camera
        fits: list[Fit] = []
        if kinds is None or not set(kinds) <= {NUMBER_DIE}:
            fits = fit_solids(camera, evidence, places, CUBE, self._seeds(found, evidence, "cube"))
        if number_dice:
            rest = unexplained(camera, replace(evidence, blobs=places), fits)
            seeds = self._seeds(found, evidence, "number-die")
            fits += fit_solids(camera, evidence, rest, DODECAHEDRON, seeds)
        chosen = choose(look_at_faces(frame, camera, evidence.floor, plausible(fits), self._faces))
        excess = find_excess(camera, replace(evidence, mask=seen.matter), [candidate.fit for candidate in chosen])
        return _Seen(evidence, places, found, chosen, excess)

    def _hangs_otherwise(self, seen: "_Seen") -> bool:
        """Whether the dice seen say that the camera, of which nothing said how it hangs, hangs otherwise."""
        if self._is_measured or self._pose.is_settled:
            return False
        dice = [candidate.fit for candidate in seen.chosen if _is_surely_a_die(candidate)]
        cubes, others = ([fit for fit in dice if (fit.shape is CUBE) == wanted] for wanted in (True, False))
        throws = [
            Throw(seen.evidence, part is cubes, np.concatenate([f.row for f in part]))
            for part in (cubes, others)
            if part
        ]
        self._pose, offset = self._pose.learn(self._tray.camera, throws)
        if offset is None:
            return False
        self._profile = replace(self._profile, camera=hung_at(self._profile.camera, offset))
        self._tray = EmptyTray(self._profile)
        return True

    def _look_at_tray(self, frame: Pixels) -> tuple[Finding, ...]:
        if self._profile.empty is None:
            return ()
        camera = self._profile.camera
        return tray_findings(self._profile.empty, frame, float(camera.matrix[0, 0]) / camera.height_mm)

    def _guess_scale(self, seen: TrayEvidence) -> bool:
        """Whether the camera was raised or lowered by how large what stands out is, before any fit.

        Cubes and twelve-sided dice of the usual sizes cover almost the same area.
        """
        areas = [blob.area_mm2 for blob in seen.evidence.blobs if _is_compact(blob)]
        return bool(areas) and self._rescale(float(np.sqrt(np.median(areas) / _USUAL_MM2)))

    def _are_sized_otherwise(self, seen: "_Seen") -> bool:
        """Whether the camera was raised or lowered so that the dice that are seen have the sizes of dice."""
        if self._profile.has_scale:
            return False
        camera = self._tray.camera
        self._scale.learn(camera, [face for face in seen.found if is_on(seen.changed, camera, face.center_px)])
        return self._rescale(self._scale.times_too_large(camera))

    def _rescale(self, times: float) -> bool:
        """Lower the camera by so many times, which dice are too large; False where they are not."""
        if times == 1:
            return False
        hanging = self._profile.camera
        self._profile = replace(self._profile, camera=replace(hanging, translation=hanging.translation / times))
        self._tray = EmptyTray(self._profile)
        return True

    def _seeds(self, found: Sequence[Found], evidence: Evidence, what: str) -> Floats:
        """Where dice would stand whose upper faces the detector sees: shape (n, 4), none beyond the view."""
        camera = self._tray.camera
        height, width = evidence.mask.shape
        faces = [face for face in found if face.what == what]
        within = [_is_within(view_px(camera.ground(np.array(face.outline_px))), width, height) for face in faces]
        return seeds_under(camera, [face for face, is_within in zip(faces, within, strict=True) if is_within])

    def _placed(self, die: ReadDie) -> ReadDie:
        """The die with its place in the profile's millimetres, where these are true ones."""
        if not self._profile.has_scale or die.center_mm is None:
            return replace(die, center_mm=None)
        x, y = np.array(die.center_mm) + self._tray.view.origin_mm
        return replace(die, center_mm=(float(x), float(y)))

    def _read_unfitted(self, asked: TrayFaces, changed: Mask, answers: Sequence[ReadDie | Unread]) -> list[ReadDie]:
        """Dice that the detector sees beyond doubt where the tray has changed, and no solid was fitted rightly."""
        dice = []
        for face in asked.found:
            known = [
                answer
                for answer in answers
                if not (isinstance(answer, Unread) and answer.reason in ("unsure", "not-a-die"))
                and np.hypot(*np.subtract(answer.center_px, face.center_px)) < 2 * face.radius_px
            ]
            if not known and self._is_new(face, changed):
                die = asked.judge_seen(face)
                dice += [] if die is None else [die]
        return dice

    def _unfitted(self, found: Sequence[Found], changed: Mask, chosen: Sequence[Candidate]) -> list[Unread]:
        """Upper faces that the detector is sure of, where the tray has changed and no solid was fitted."""
        things = []
        for face in found:
            if face.score < _SURE_FACE or not self._is_new(face, changed):
                continue
            if all(_apart(face.center_px, one) > _SAME_THING * face.radius_px for one in chosen):
                things.append(Unread("cocked" if face.what == "cocked" else "unsure", face.center_px))
        return things

    def _is_new(self, face: Found, changed: Mask) -> bool:
        """Whether an upper face was not there in the empty tray.

        Of a die of the floor's own colour hardly more than its marks has changed.
        """
        if is_on(changed, self._tray.camera, face.center_px):
            return True
        if face.score < _SURE_THOUGH_UNCHANGED or self._profile.empty is None:
            return False
        if self._seen_when_empty is None:
            self._seen_when_empty = self._apart.detector.find(self._profile.empty)
        return all(face.apart(one.center_px) > _SAME_THING for one in self._seen_when_empty)

    def _leftovers(self, camera: Camera, evidence: Evidence, fits: Sequence[Fit]) -> list[Unread]:
        # All that the camera sees of a tray may be rolled in: nothing lies outside of it.
        return [
            replace(thing, reason="unsure", is_beyond=False) if thing.is_beyond else thing
            for thing in name_leftovers(camera, evidence, fits)
        ]


def _is_surely_a_die(candidate: Candidate) -> bool:
    nothing = next((guess.probability for guess in candidate.guesses if guess.kind == NOTHING), 0.0)
    return candidate.fit.score >= _SURE_FIT and nothing < 1 / 2


def _is_within_face(at_px: Point, die: ReadDie) -> bool:
    """Whether a place is on the die, its sides counted."""
    corners = np.array(die.outline_px, np.float32)
    return float(cv2.pointPolygonTest(corners, at_px, True)) > -_SAME_THING * float(np.ptp(corners[:, 0]))


def _is_compact(blob: Blob) -> bool:
    """Whether a thing may be a single die: about as wide as long, without bays."""
    points = blob.pixels.astype(np.float32)
    (_, _), sides, _ = cv2.minAreaRect(points)
    hull_mm2 = float(cv2.contourArea(cv2.convexHull(points))) / VIEW_PX_PER_MM**2
    return max(sides) < _MOST_SLENDER * min(sides) and blob.area_mm2 > _LEAST_SOLID * hull_mm2


def _is_within(at_px: Floats, width: int, height: int) -> bool:
    return bool((at_px >= 0).all() and (at_px < np.array([width, height])).all())


def places_mask(evidence: Evidence, places: Sequence[Blob]) -> Mask:
    """255 where the tray has changed, in the view."""
    mask = np.zeros_like(evidence.mask)
    for place in places:
        mask[place.pixels[:, 1], place.pixels[:, 0]] = 255
    return mask


def _apart(point: Point, candidate: Candidate) -> float:
    return float(np.hypot(*np.subtract(point, candidate.center_px)))
