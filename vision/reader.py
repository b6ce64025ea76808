"""The reader: one frame in, one reading out."""

from collections.abc import Collection, Mapping

import numpy as np

from vision.any_floor import AnyFloor
from vision.find_mat import Mat, as_grey, find_mat, is_where_it_was
from vision.floor import ViewMap, fit_floor
from vision.judge import judge
from vision.leftovers import covered, name_leftovers
from vision.light import MatLight
from vision.look import ask_the_rules
from vision.network import FaceNetwork
from vision.on_mat import see_on_mat
from vision.own_tray import OwnTray
from vision.profile import Profile
from vision.reading import BadFrame, Pixels, ReadDie, Reading, Unread
from vision.situation import SituationNetwork
from vision.stages import draw_evidence, draw_mat, draw_patches, draw_relative, draw_solids
from vision.still_calibrated import MOST_MOVED_MM, Finding, moved_mm
from vision.taught_dice import TaughtDice
from vision.trace import Stage, Trace

SMALLEST_SIDE_PX = 32
LARGEST_SIDE_PX = 10_000


class Reader:
    """Reads the frames of one camera.

    >>> reader = Reader()
    >>> reader.read(np.zeros((48, 64, 3), np.uint8)).calibration
    'none'

    The pose of the camera above the mat is kept from frame to frame and only checked. ``network`` is the trained
    face network, ``any_floor`` reads pictures without a mat, ``profile`` with an empty tray is what stands in for
    the mat (and needs both of them), ``taught`` dice stand in for the games' own, ``situations`` tells on the mat
    how dice lie; all may be missing. Not for two threads at once.
    """

    def __init__(
        self,
        profile: Profile | None = None,
        network: FaceNetwork | None = None,
        any_floor: AnyFloor | None = None,
        taught: TaughtDice | None = None,
        situations: SituationNetwork | None = None,
    ) -> None:
        self._profile = profile
        self._network = network
        self._any_floor = any_floor
        self._taught = taught
        self._situations = situations
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
        mat, view_map = self._find_mat(frame)
        if stages is not None:
            stages.append(draw_mat(frame, mat))
        if mat is None or view_map is None:
            return self._read_any_floor(frame, kinds, expect)
        view = view_map.draw(frame)
        floor = fit_floor(view)
        if floor is None:
            return Reading("mat", (), ())
        if not floor.is_the_mats:
            return self._read_any_floor(frame, kinds, expect)
        seen = see_on_mat(frame, view, floor, mat.camera, self._network, kinds)
        evidence, chosen = seen.evidence, seen.chosen
        used = [candidate.fit for candidate in chosen]
        opinions = [ask_the_rules(mat.camera, evidence, candidate) for candidate in chosen]
        # All kinds in play are looked for, so that a die which is not expected is known for what it is.
        awaited = kinds if not expect else set(expect) if kinds is None else set(kinds) & set(expect)
        situations = self._situations.chances(seen.signs) if self._situations is not None else None
        answers = [
            judge(candidate, said, over, awaited, situations[i] if situations is not None else None)
            for i, (candidate, said, over) in enumerate(zip(chosen, opinions, seen.excess_mm, strict=True))
        ]
        if self._taught is not None:
            light = MatLight(mat.camera, floor)
            answers = [
                self._taught.judge(frame, light, candidate, over, kinds, answer)
                for candidate, over, answer in zip(chosen, seen.excess_mm, answers, strict=True)
            ]
        dice = tuple(answer for answer in answers if isinstance(answer, ReadDie))
        unread = [answer for answer in answers if isinstance(answer, Unread)]
        unread += name_leftovers(mat.camera, evidence, used)
        read = [fit for fit, answer in zip(used, answers, strict=True) if isinstance(answer, ReadDie)]
        unread = covered(mat.camera, evidence, read, unread)
        if stages is not None:
            stages += [
                draw_relative(evidence),
                draw_evidence(evidence),
                draw_solids(mat.camera, evidence, used),
            ]
            stages.append(draw_patches([candidate.patch for candidate in chosen]))
        return Reading("mat", dice, tuple(unread))

    def _read_any_floor(
        self, frame: Pixels, kinds: Collection[str] | None, expect: Mapping[str, int] | None
    ) -> Reading:
        if self._any_floor is None:
            return Reading("none", (), ())
        dice, unread = self._any_floor.read(frame, kinds, expect)
        return Reading("none", dice, unread)

    def _find_mat(self, frame: Pixels) -> tuple[Mat | None, ViewMap | None]:
        grey = as_grey(frame)
        self._last_findings = ()
        if self._mat is not None and frame.shape == self._shape and is_where_it_was(self._mat, grey):
            return self._mat, self._view_map
        before, self._mat = self._mat, find_mat(grey)
        if before is not None and self._mat is not None and frame.shape == self._shape:
            has_moved = moved_mm(before.camera, self._mat.camera) > MOST_MOVED_MM
            self._last_findings = (Finding.MAT_MOVED,) if has_moved else ()
        self._shape = frame.shape
        self._view_map = ViewMap.of(self._mat.camera) if self._mat is not None else None
        return self._mat, self._view_map


def _check(frame: Pixels) -> None:
    if not isinstance(frame, np.ndarray) or frame.dtype != np.uint8 or frame.ndim != 3 or frame.shape[2] != 3:
        raise BadFrame("a frame is a uint8 array of shape (height, width, 3)")
    height, width = frame.shape[:2]
    if min(height, width) < SMALLEST_SIDE_PX:
        raise BadFrame(f"the picture is {width} x {height} px; a side of {SMALLEST_SIDE_PX} px is the least")
    if max(height, width) > LARGEST_SIDE_PX:
        raise BadFrame(f"the picture is {width} x {height} px; a side of {LARGEST_SIDE_PX} px is the most")
