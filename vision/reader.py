"""The reader: one frame in, one reading out."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache

import numpy as np

from vision.any_floor import AnyFloor
from vision.beyond import name_beyond
from vision.camera import Camera
from vision.covered_network import CoveredNetwork
from vision.detect_on_mat import find_on_mat
from vision.detected_dice import DetectedDice, faint_places, find_at
from vision.dice import NUMBER_DIE
from vision.find_mat import Grey, Mat, as_grey, find_mat, is_where_it_was
from vision.floor import Floor, ViewMap, fit_floor
from vision.lean_on_mat import BaseOnMat
from vision.light import MatLight
from vision.looked import Looked, borne_out, poorly_fitted, settled, unless_read_otherwise
from vision.network import FaceNetwork
from vision.on_mat import is_worth_a_fit
from vision.own_tray import OwnTray
from vision.profile import Profile
from vision.read_mat import MatReader
from vision.reading import BadFrame, Pixels, Reading
from vision.situation import SituationNetwork
from vision.stages import draw_evidence, draw_mat, draw_patches, draw_relative, draw_solids
from vision.still_calibrated import MOST_MOVED_MM, Finding, mat_findings, moved_mm
from vision.taught_dice import TaughtDice
from vision.trace import Stage, Trace
from vision.two_looks import agreed, more_of

SMALLEST_SIDE_PX = 32
LARGEST_SIDE_PX = 10_000

_WORTH_ANOTHER_LOOK = ("unsure", "not-a-die", "cocked", "stacked")
"""Reasons of things on the mat that may yet be a standing die whose edges were mistaken."""


class Reader:
    """Reads the frames of one camera.

    >>> reader = Reader()
    >>> reader.read(np.zeros((48, 64, 3), np.uint8)).calibration
    'none'

    The pose of the camera above the mat is kept from frame to frame and only checked. ``network`` is the trained
    face network, ``any_floor`` reads pictures without a mat, ``profile`` with an empty tray is what stands in for
    the mat (and needs both of them), ``taught`` dice stand in for the games' own, ``situations`` tells on the mat
    how dice lie, ``covered`` finds there what a hand hides; all may be missing. Not for two threads at once.
    """

    def __init__(
        self,
        profile: Profile | None = None,
        network: FaceNetwork | None = None,
        any_floor: AnyFloor | None = None,
        taught: TaughtDice | None = None,
        situations: SituationNetwork | None = None,
        covered: CoveredNetwork | None = None,
    ) -> None:
        self._profile = profile
        self._any_floor = any_floor
        self._taught = taught
        self._on_mat = MatReader(network, situations, taught, _bases_of(any_floor), covered)
        self._tray: OwnTray | None = None
        if profile is not None and profile.empty is not None and network is not None and any_floor is not None:
            self._tray = OwnTray(profile, network, any_floor, taught)
        self._last_findings: tuple[Finding, ...] = ()
        self._mat: Mat | None = None
        self._view_map: ViewMap | None = None
        self._shape: tuple[int, ...] = ()

    @property
    def last_findings(self) -> tuple[Finding, ...]:
        """What the newest frame showed to have changed: since calibration, or on the mat since the frame before."""
        return self._last_findings

    def read(
        self, frame: Pixels, kinds: Collection[str] | None = None, expect: Mapping[str, int] | None = None
    ) -> Reading:
        """What lies in the tray; raises ``BadFrame`` for an array that is no uint8 (height, width, 3) picture."""
        return self._read(frame, kinds, expect, None)

    def read_with_trace(
        self, frame: Pixels, kinds: Collection[str] | None = None, expect: Mapping[str, int] | None = None
    ) -> tuple[Reading, Trace]:
        """As ``read``, with the pictures of every stage."""
        stages: list[Stage] = []
        reading = self._read(frame, kinds, expect, stages)
        return reading, Trace(tuple(stages))

    def _read(
        self,
        frame: Pixels,
        kinds: Collection[str] | None,
        expect: Mapping[str, int] | None,
        stages: list[Stage] | None,
    ) -> Reading:
        _check(frame)
        if stages is not None:
            stages.append(Stage("picture", f"as given, {frame.shape[1]} x {frame.shape[0]} px", frame))
        if self._tray is not None and self._profile is not None and self._profile.fits(frame):
            dice, left = self._tray.read(frame, kinds, stages)
            self._last_findings = self._tray.findings
            return Reading("profile", dice, left)
        grey = as_grey(frame)
        mat, view_map = self._find_mat(grey)
        if stages is not None:
            stages.append(draw_mat(frame, mat))
        if mat is None or view_map is None:
            return self._read_any_floor(frame, kinds, expect, stages)
        view = view_map.draw(frame)
        floor = fit_floor(view)
        if floor is None:
            return Reading("mat", (), ())
        if not floor.is_the_mats:
            return self._read_any_floor(frame, kinds, expect, stages)
        self._last_findings += mat_findings(grey, mat)
        looked = self._on_mat.look(frame, view, floor, mat.camera, kinds, expect)
        if self._any_floor is not None:
            looked = self._look_closer(self._any_floor, looked, frame, floor, mat.camera, kinds, expect)
            looked = self._on_mat.with_covered(looked, mat.camera)
            if (looked.dice or looked.unread) and not _is_complete(looked, expect):
                looked = _with_beyond(self._any_floor, looked, frame, mat.camera, kinds)
        if stages is not None:
            fits = [candidate.fit for candidate in looked.seen.chosen]
            stages += [
                draw_relative(looked.seen.evidence),
                draw_evidence(looked.seen.evidence),
                draw_solids(mat.camera, looked.seen.evidence, fits),
                draw_patches([candidate.patch for candidate in looked.seen.chosen]),
            ]
        return Reading("mat", looked.dice, looked.unread)

    def _look_closer(
        self,
        any_floor: AnyFloor,
        looked: Looked,
        frame: Pixels,
        floor: Floor,
        camera: Camera,
        kinds: Collection[str] | None,
        expect: Mapping[str, int] | None,
    ) -> Looked:
        """What was seen on the mat, after the detector has been asked of what is doubtful or may have been missed."""
        number_dice = kinds is None or NUMBER_DIE in kinds
        # The networks know no taught dice: what those leave is not to be read as something else.
        may_add = self._taught is None or not self._taught.sets
        light = MatLight(camera, floor)
        is_doubtful = any(thing.reason in _WORTH_ANOTHER_LOOK and not thing.is_beyond for thing in looked.unread)
        if is_doubtful or poorly_fitted(looked):
            known = [die.center_px for die in settled(looked)]
            faces = find_on_mat(any_floor.detector, frame, camera, number_dice, known)
            number_on = cache(lambda face: self._on_mat.number_on(frame, light, face))
            fewer = unless_read_otherwise(looked, faces, number_on)
            if is_doubtful or fewer.dice != looked.dice:
                again = self._on_mat.look_again(fewer, frame, floor, camera, kinds, expect, faces)
                looked = unless_read_otherwise(agreed(fewer, again), faces, number_on)
            looked = borne_out(looked, faces)
        elif may_add and not _is_complete(looked, expect):
            known = [die.center_px for die in looked.dice]
            places = faint_places(looked.seen.evidence)
            faces = find_at(any_floor.detector, frame, camera, places, number_dice, known)
            more = (face for face in faces if not any(face.is_at(place) for place in known))
            if any(is_worth_a_fit(face, camera) for face in more):
                again = self._on_mat.look_again(looked, frame, floor, camera, kinds, expect, faces)
                looked = more_of(looked, again)
        else:
            return looked
        if not may_add:
            return looked
        return DetectedDice(frame, camera, light, faces, any_floor).added_to(looked, kinds)

    def _read_any_floor(
        self,
        frame: Pixels,
        kinds: Collection[str] | None,
        expect: Mapping[str, int] | None,
        stages: list[Stage] | None,
    ) -> Reading:
        if self._any_floor is None:
            return Reading("none", (), ())
        dice, unread = self._any_floor.read(frame, kinds, expect, self._taught, stages)
        return Reading("none", dice, unread)

    def _find_mat(self, grey: Grey) -> tuple[Mat | None, ViewMap | None]:
        self._last_findings = ()
        if self._mat is not None and grey.shape == self._shape and is_where_it_was(self._mat, grey):
            return self._mat, self._view_map
        before, self._mat = self._mat, find_mat(grey)
        if before is not None and self._mat is not None and grey.shape == self._shape:
            has_moved = moved_mm(before.camera, self._mat.camera) > MOST_MOVED_MM
            self._last_findings = (Finding.MAT_MOVED,) if has_moved else ()
        self._shape = grey.shape
        self._view_map = ViewMap.of(self._mat.camera) if self._mat is not None else None
        return self._mat, self._view_map


def _bases_of(any_floor: AnyFloor | None) -> BaseOnMat | None:
    """Who sees on the mat where the bases of dice are."""
    if any_floor is None or any_floor.leaning is None or any_floor.leaning.bases is None:
        return None
    return BaseOnMat(any_floor.detector, any_floor.leaning.bases)


def _is_complete(looked: Looked, expect: Mapping[str, int] | None) -> bool:
    """Whether as many dice were read as are awaited."""
    return bool(expect) and len(looked.dice) >= sum((expect or {}).values())


def _with_beyond(
    any_floor: AnyFloor, looked: Looked, frame: Pixels, camera: Camera, kinds: Collection[str] | None
) -> Looked:
    """What was seen, and what lies beyond the roll area."""
    known = [die.center_px for die in looked.dice] + [thing.center_px for thing in looked.unread]
    beyond = name_beyond(any_floor, frame, camera, kinds is None or NUMBER_DIE in kinds, known)
    return replace(looked, unread=(*looked.unread, *beyond))


def _check(frame: Pixels) -> None:
    if not isinstance(frame, np.ndarray) or frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3:
        raise BadFrame("a frame is a uint8 array of shape (height, width, 3)")
    height, width = frame.shape[:2]
    if min(height, width) < SMALLEST_SIDE_PX:
        raise BadFrame(f"the picture is {width} x {height} px; a side of {SMALLEST_SIDE_PX} px is the least")
    if max(height, width) > LARGEST_SIDE_PX:
        raise BadFrame(f"the picture is {width} x {height} px; a side of {LARGEST_SIDE_PX} px is the most")
