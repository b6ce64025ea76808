"""Reading dice in a tray of one's own: the solids and faces of the mat's pipeline above a profile's empty tray."""

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from vision.any_floor import AnyFloor
from vision.camera import Camera
from vision.detector import Found
from vision.dice import NUMBER_DIE
from vision.empty_tray import EmptyTray
from vision.fit_solids import Fit, fit_solids
from vision.floor import view_px
from vision.judge import Candidate, choose, plausible
from vision.leftovers import covered, name_leftovers
from vision.light import MatLight
from vision.look import look_at_faces
from vision.network import FaceNetwork
from vision.profile import ASSUMED_DIE_MM, Profile
from vision.reading import MOST_DICE, Floats, Pixels, Point, ReadDie, Unread
from vision.solids import CUBE, DODECAHEDRON, standing_under
from vision.stages import draw_evidence, draw_patches, draw_relative, draw_solids
from vision.stand_out import Blob, Evidence, Mask
from vision.still_calibrated import Finding, tray_findings
from vision.taught_dice import TaughtDice
from vision.trace import Stage
from vision.tray_faces import TrayFaces
from vision.upright import find_excess, unexplained

_SURE_FACE = 0.55  # detector's score from which something that no solid was fitted to is named
_SCALE_OFF = 1.2  # dice are 12 to 19 mm; beyond that the guessed height is set anew
_MOST_SIZES = 40
_SAME_THING = 0.7  # circumradii between two middles that are one die's


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
        self._sizes: deque[float] = deque(maxlen=_MOST_SIZES)  # of cubes seen, in heights of the camera

    def read(
        self, frame: Pixels, kinds: Collection[str] | None, stages: list[Stage] | None
    ) -> tuple[tuple[ReadDie, ...], tuple[Unread, ...]]:
        """The dice in a frame of the profile's camera, what was left; ``stages`` takes pictures in between."""
        self.findings = self._look_at_tray(frame)
        if Finding.CAMERA_MOVED in self.findings:
            # The empty picture says nothing of another place: what the detector sees is named, nothing is read.
            return (), tuple(Unread("unsure", face.center_px) for face in self._apart.detector.find(frame))
        number_dice = kinds is None or NUMBER_DIE in kinds
        evidence, places = self._tray.find_what_stands_out(frame)
        found = self._apart.detector.find(frame, number_dice) if places else ()
        if not self._profile.has_scale and self._adapt_scale(found):
            evidence, places = self._tray.find_what_stands_out(frame)
        camera = self._tray.camera
        fits = fit_solids(camera, evidence, places, CUBE, self._seeds(found, evidence, "cube"))
        if number_dice:
            rest = unexplained(camera, replace(evidence, blobs=places), fits)
            seeds = self._seeds(found, evidence, "number-die")
            fits += fit_solids(camera, evidence, rest, DODECAHEDRON, seeds)
        chosen = choose(look_at_faces(frame, camera, evidence.floor, plausible(fits), self._faces))
        used = [candidate.fit for candidate in chosen]
        asked = TrayFaces(frame, MatLight(camera, evidence.floor), self._faces, self._apart, found, kinds)
        excess = find_excess(camera, evidence, used)
        answers = [asked.judge(*each, self._profile.has_scale) for each in zip(chosen, excess, strict=True)]
        if self._taught is not None:
            answers = [
                self._taught.judge(frame, asked.light, candidate, over, kinds, answer)
                for candidate, over, answer in zip(chosen, excess, answers, strict=True)
            ]
        dice = tuple(self._placed(answer) for answer in answers if isinstance(answer, ReadDie))[:MOST_DICE]
        unread = [answer for answer in answers if isinstance(answer, Unread)]
        read = [fit for fit, answer in zip(used, answers, strict=True) if isinstance(answer, ReadDie)]
        unread += self._unfitted(found, places_mask(evidence, places), chosen)
        unread += self._leftovers(camera, evidence, used)
        unread = covered(camera, evidence, read, unread)
        if stages is not None:
            stages += [draw_relative(evidence), draw_evidence(evidence), draw_solids(camera, evidence, used)]
            stages.append(draw_patches([candidate.patch for candidate in chosen]))
        return dice, tuple(unread)

    def _look_at_tray(self, frame: Pixels) -> tuple[Finding, ...]:
        if self._profile.empty is None:
            return ()
        camera = self._profile.camera
        return tray_findings(self._profile.empty, frame, float(camera.matrix[0, 0]) / camera.height_mm)

    def _adapt_scale(self, found: Sequence[Found]) -> bool:
        """Whether the camera was raised or lowered so that the cubes seen have the size that dice usually have."""
        camera = self._profile.camera
        for face in found:
            if face.what == "cube" and face.score >= _SURE_FACE:
                size_mm = float(standing_under(camera, camera.ground(np.array(face.outline_px)))[3])
                self._sizes.append(size_mm / camera.height_mm)
        if not self._sizes:
            return False
        off = ASSUMED_DIE_MM / (float(np.median(self._sizes)) * camera.height_mm)
        if 1 / _SCALE_OFF < off < _SCALE_OFF:
            return False
        self._profile = replace(self._profile, camera=replace(camera, translation=camera.translation * off))
        self._tray = EmptyTray(self._profile)
        return True

    def _seeds(self, found: Sequence[Found], evidence: Evidence, what: str) -> Floats:
        """Where dice would stand whose upper faces the detector sees: shape (n, 4), none beyond the view."""
        camera = self._tray.camera
        height, width = evidence.mask.shape
        tops = [camera.ground(np.array(face.outline_px)) for face in found if face.what == what]
        seeds = [standing_under(camera, top) for top in tops if _is_within(view_px(top), width, height)]
        return np.array(seeds, np.float64).reshape(-1, 4)

    def _placed(self, die: ReadDie) -> ReadDie:
        """The die with its place in the profile's millimetres, where these are true ones."""
        if not self._profile.has_scale or die.center_mm is None:
            return replace(die, center_mm=None)
        x, y = np.array(die.center_mm) + self._tray.view.origin_mm
        return replace(die, center_mm=(float(x), float(y)))

    def _unfitted(self, found: Sequence[Found], changed: Mask, chosen: Sequence[Candidate]) -> list[Unread]:
        """Upper faces that the detector is sure of, where the tray has changed and no solid was fitted."""
        height, width = changed.shape
        things = []
        for face in found:
            column, row = np.rint(view_px(self._tray.camera.ground(np.array([face.center_px])))[0]).astype(int)
            if face.score < _SURE_FACE or not (0 <= row < height and 0 <= column < width and changed[row, column]):
                continue
            if all(_apart(face.center_px, one) > _SAME_THING * face.radius_px for one in chosen):
                things.append(Unread("cocked" if face.what == "cocked" else "unsure", face.center_px))
        return things

    def _leftovers(self, camera: Camera, evidence: Evidence, fits: Sequence[Fit]) -> list[Unread]:
        # All that the camera sees of a tray may be rolled in: nothing lies outside of it.
        return [
            replace(thing, reason="unsure") if thing.reason == "outside" else thing
            for thing in name_leftovers(camera, evidence, fits)
        ]


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
