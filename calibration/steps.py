"""The steps of calibration as a plain list, for the command line and for whoever else walks through them.

A step looks at pictures and at what is known so far, and gives a verdict: in words, with a place where there is one,
and with what is known after it. Nothing is kept: going back is looking again with what was known before.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.checks import Fault, check_focus, check_light, check_markers
from calibration.lens import FEWEST_PICTURES, Lens, error_of, measure_lens
from calibration.tray import (
    ASSUMED_HEIGHT_MM,
    bare_camera,
    find_cut_markers,
    pose_from_dice,
    pose_from_markers,
    white_of_markers,
)
from vision.any_floor import AnyFloor
from vision.camera import Camera
from vision.find_mat import as_grey, find_mat
from vision.floor import FLOOR_LINEAR, ViewMap, fit_floor
from vision.mat_layout import MARKER_SIDE_MM, ROLL_AREA
from vision.profile import ASSUMED_DIE_MM, Profile
from vision.reader import Reader
from vision.reading import Pixels, Point

RULER_MM = 50.0
_FAIR_PRINT = 0.005  # of the ruler's length; a person reads half a millimetre of 50 as 1 %


@dataclass(frozen=True)
class Known:
    """What is known so far.

    ``ruler_mm`` is what the mat's 50 mm ruler measures as printed, ``marker_side_mm`` and ``die_mm`` what cut-out
    markers and the known dice measure; ``truth`` the faces of the known dice, as (kind, face).
    """

    lens: Lens | None = None
    mat: Camera | None = None
    profile: Profile | None = None
    pose_from: str = "assumed"
    white: tuple[float, float, float] | None = None
    ruler_mm: float = RULER_MM
    marker_side_mm: float = MARKER_SIDE_MM
    die_mm: float = ASSUMED_DIE_MM
    truth: tuple[tuple[str, str], ...] = ()
    any_floor: AnyFloor | None = None
    reader: Callable[[Profile | None], Reader] = field(default=Reader)


@dataclass(frozen=True)
class Verdict:
    """Whether the step is done, in words; ``place_px`` is where to look, ``known`` what is known from now on."""

    is_good: bool
    words: str
    known: Known
    place_px: Point | None = None


@dataclass(frozen=True)
class Step:
    """One step: its name, what it needs (told to the person), and the least number of pictures."""

    name: str
    needs: str
    pictures: int
    look: Callable[[Sequence[Pixels], Known], Verdict]


def look_at_light(frames: Sequence[Pixels], known: Known) -> Verdict:
    """Focus and exposure of the newest picture."""
    frame = frames[-1]
    markers = find_cut_markers(frame)
    mat = find_mat(as_grey(frame))
    area = None if mat is None else mat.camera.project(np.array(ROLL_AREA.corners_mm))
    fault = check_light(frame, bool(markers), area) or check_focus(frame, markers)
    return _faulty(fault, known) if fault else Verdict(True, "light and focus are good", known)


def look_at_lens(frames: Sequence[Pixels], known: Known) -> Verdict:
    """The lens from all pictures; kept only if it fits them better than the one before."""
    found = measure_lens(frames)
    if found is None:
        words = f"the mat is seen in fewer than {FEWEST_PICTURES} of the pictures: move it about and take more"
        return Verdict(False, words, known)
    before = error_of(known.lens, frames) if known.lens is not None else None
    if before is not None and before <= found.error_px:
        return Verdict(True, f"the lens known before fits as well ({before:.2f} px) and is kept", known)
    words = f"lens measured, off by {found.error_px:.2f} px" + (f" ({before:.2f} px before)" if before else "")
    return Verdict(True, words, replace(known, lens=found))


def look_at_mat(frames: Sequence[Pixels], known: Known) -> Verdict:
    """The mat's pose and its paper's white; in a tray of one's own it is laid in once and taken out again."""
    frame = frames[-1]
    mat = find_mat(as_grey(frame))
    if mat is None:
        return Verdict(False, "no mat is seen: lay it under the camera, flat and uncovered", known)
    fault = check_markers(set(mat.markers)) or check_light(
        frame, True, mat.camera.project(np.array(ROLL_AREA.corners_mm))
    )
    if fault:
        return _faulty(fault, known)
    floor = fit_floor(ViewMap.of(mat.camera).draw(frame))
    if floor is None or not floor.is_the_mats:
        return Verdict(False, "the mat's grey is not seen: clear it, and light it evenly", known)
    middle = np.array([(frame.shape[1] - 1) / 2, (frame.shape[0] - 1) / 2])
    blue, green, red = (float(v) / FLOOR_LINEAR for v in floor.at(mat.camera.ground(middle[None])[0]))
    share = known.ruler_mm / RULER_MM
    camera = mat.camera
    if known.lens is not None:
        camera = known.lens.on(camera)
    camera = replace(camera, translation=camera.translation * share)
    words = f"mat seen from {camera.height_mm:.0f} mm, off by {mat.camera.error_px:.2f} px"
    if abs(share - 1) > _FAIR_PRINT:
        words += f"; the printer scaled the page to {share:.0%}, which is allowed for from now on"
    profile = Profile((frame.shape[1], frame.shape[0]), camera, True, None, (blue, green, red))
    return Verdict(
        True, words, replace(known, mat=camera, white=(blue, green, red), profile=profile, pose_from="mat")
    )


def look_at_tray(frames: Sequence[Pixels], known: Known, is_lit_well: bool = False) -> Verdict:
    """The empty tray, from the first picture; further ones show dice of known size, for the height.

    ``is_lit_well`` takes the picture as it is: it was accepted before.
    """
    frame = frames[0]
    fault = None if is_lit_well else check_light(frame, has_paper=False)
    if fault:
        return _faulty(fault, known)
    size = (frame.shape[1], frame.shape[0])
    lens = known.lens.on(bare_camera(size, None, ASSUMED_HEIGHT_MM)) if known.lens is not None else None
    markers = list(find_cut_markers(frame).values())
    camera, pose_from = known.mat, "mat"
    white = known.white or white_of_markers(frame, markers)
    if camera is None and markers:
        camera, pose_from = pose_from_markers(markers, size, lens, known.marker_side_mm), "markers"
        if camera is None:
            return Verdict(False, "the markers do not lie flat: press them onto the tray's floor", known)
    if camera is None and known.any_floor is not None and len(frames) > 1:
        camera, pose_from = pose_from_dice(frames[1:], known.any_floor.detector, known.die_mm, lens), "dice"
    if camera is None:
        camera, pose_from = bare_camera(size, lens, ASSUMED_HEIGHT_MM), "assumed"
    profile = Profile(size, camera, pose_from != "assumed", frame, white)
    if not is_lit_well and known.reader(None).read(frame).dice:
        return Verdict(False, "there are dice in the tray: take them out", known)
    said = {
        "mat": "by the mat that lay in it",
        "markers": f"by {len(markers)} marker{'s' * (len(markers) > 1)}",
        "dice": "by the dice in it",
        "assumed": "guessed until dice are seen; lay the mat or a marker in for millimetres",
    }
    words = f"empty tray taken; camera {camera.height_mm:.0f} mm above it, {said[pose_from]}"
    return Verdict(True, words, replace(known, profile=profile, pose_from=pose_from, white=white))


def look_at_known_dice(frames: Sequence[Pixels], known: Known) -> Verdict:
    """Known dice, rolled once in each picture, are read with what was measured."""
    wanted = Counter(known.truth)
    kinds = {kind for kind, _ in wanted}
    reader = known.reader(known.profile)
    right = total = 0
    for number, frame in enumerate(frames, 1):
        reading = reader.read(frame, kinds)
        seen = Counter((die.kind, die.face) for die in reading.dice)
        wrong = seen - wanted
        if wrong:
            kind, face = next(iter(wrong))
            place = next(die.center_px for die in reading.dice if (die.kind, die.face) == (kind, face))
            return Verdict(False, f"picture {number}: read {kind} {face}, which does not lie there", known, place)
        right, total = right + sum((seen & wanted).values()), total + sum(wanted.values())
    if right < total:
        words = f"{right} of {total} known dice were read and none wrongly: light them better, or roll again"
        return Verdict(False, words, known)
    return Verdict(True, f"all {total} known dice were read rightly", known)


def _faulty(fault: Fault, known: Known) -> Verdict:
    return Verdict(False, fault.words, known, fault.place_px)


LIGHT = Step("light", "one picture of the tray as it is lit in play, best with the mat in it", 1, look_at_light)
LENS = Step("lens", "three pictures or more of the mat, moved and turned between them", FEWEST_PICTURES, look_at_lens)
MAT = Step("mat", "one picture of the empty mat", 1, look_at_mat)
TRAY = Step(
    "tray", "one picture of the empty tray; then, if nothing else gives its size, of known dice", 1, look_at_tray
)
VERIFY = Step("verify", "one picture or more of the known dice, rolled", 1, look_at_known_dice)

STEPS: Mapping[str, Step] = {step.name: step for step in (LIGHT, LENS, MAT, TRAY, VERIFY)}
"""The steps in their order. For the mat alone: without ``tray``; for a tray of one's own ``mat`` may be left out."""
