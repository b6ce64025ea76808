"""The steps of calibration as a plain list, for the command line and for whoever else walks through them.

A step looks at pictures and at what is known so far, and gives a verdict: in words, with a place where there is one,
and with what is known after it. Nothing is kept: going back is looking again with what was known before.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.checks import Fault, check_focus, check_light, check_markers
from calibration.lens import FEWEST_PICTURES, Lens, error_of, measure_lens, shows_mat, shows_same
from calibration.tray import (
    ASSUMED_HEIGHT_MM,
    bare_camera,
    find_cut_markers,
    pose_from_dice,
    pose_from_markers,
    white_of_markers,
)
from calibration.words import Saying, Value
from vision.any_floor import AnyFloor
from vision.camera import Camera
from vision.find_mat import as_grey, find_mat
from vision.floor import FLOOR_LINEAR, ViewMap, fit_floor
from vision.mat_layout import MARKER_SIDE_MM, ROLL_AREA
from vision.profile import ASSUMED_DIE_MM, Profile
from vision.reader import Reader
from vision.reading import Pixels, Point

RULER_MM = 50.0
_MARKERS_OF_A_SHEET = 4  # where a mat has them; single ones may have been cut out and laid so by chance
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
    """Whether the step is done, and what to say of it.

    ``place_px`` is where to look, ``known`` what is known from now on.
    """

    is_good: bool
    sayings: tuple[Saying, ...]
    known: Known
    place_px: Point | None = None

    @property
    def words(self) -> str:
        """What is said, in English."""
        return "; ".join(map(str, self.sayings))


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
    return _faulty(fault, known) if fault else _good("light-good", known)


def look_at_lens(frames: Sequence[Pixels], known: Known) -> Verdict:
    """The lens from all pictures; kept only if it fits them better than the one before.

    Of fewer pictures than a lens needs only the newest is judged: whether it adds to the others.
    """
    if len(frames) < FEWEST_PICTURES:
        if not shows_mat(frames[-1]):
            return _bad("no-mat", known)
        if any(shows_same(frames[-1], before) for before in frames[:-1]):
            return _bad("mat-unmoved", known)
        return _good("picture-good", known, left=FEWEST_PICTURES - len(frames))
    found = measure_lens(frames)
    if found is None:
        return _bad("lens-too-few", known, fewest=FEWEST_PICTURES)
    before = error_of(known.lens, frames) if known.lens is not None else None
    if before is not None and before <= found.error_px:
        return _good("lens-kept", known, before=f"{before:.2f}")
    known, error = replace(known, lens=found), f"{found.error_px:.2f}"
    if before is None:
        return _good("lens-measured", known, error=error)
    return _good("lens-better", known, error=error, before=f"{before:.2f}")


def look_at_mat(frames: Sequence[Pixels], known: Known) -> Verdict:
    """The mat's pose and its paper's white; in a tray of one's own it is laid in once and taken out again."""
    frame = frames[-1]
    mat = find_mat(as_grey(frame))
    if mat is None:
        return _bad("no-mat", known)
    fault = check_markers(set(mat.markers), mat.camera) or check_light(
        frame, True, mat.camera.project(np.array(ROLL_AREA.corners_mm))
    )
    if fault:
        return _faulty(fault, known)
    floor = fit_floor(ViewMap.of(mat.camera).draw(frame))
    if floor is None or not floor.is_the_mats:
        return _bad("mat-unlit", known)
    middle = np.array([(frame.shape[1] - 1) / 2, (frame.shape[0] - 1) / 2])
    blue, green, red = (float(v) / FLOOR_LINEAR for v in floor.at(mat.camera.ground(middle[None])[0]))
    share = known.ruler_mm / RULER_MM
    camera = mat.camera
    if known.lens is not None:
        camera = known.lens.on(camera)
    camera = replace(camera, translation=camera.translation * share)
    sayings = [Saying("mat-good", {"height": round(camera.height_mm), "error": f"{mat.camera.error_px:.2f}"})]
    if abs(share - 1) > _FAIR_PRINT:
        sayings.append(Saying("page-scaled", {"percent": round(100 * share)}))
    profile = Profile((frame.shape[1], frame.shape[0]), camera, True, None, (blue, green, red))
    known = replace(known, mat=camera, white=(blue, green, red), profile=profile, pose_from="mat")
    return Verdict(True, tuple(sayings), known)


def look_at_tray(frames: Sequence[Pixels], known: Known, is_lit_well: bool = False) -> Verdict:
    """The empty tray, from the first picture; further ones show dice of known size, for the height.

    ``is_lit_well`` takes the picture as it is: it was accepted before.
    """
    frame = frames[0]
    fault = None if is_lit_well else check_light(frame, has_paper=False)
    if fault:
        return _faulty(fault, known)
    if not is_lit_well and _mat_lies_in(frame, known):
        return _bad("mat-in-tray", known)
    size = (frame.shape[1], frame.shape[0])
    lens = known.lens.on(bare_camera(size, None, ASSUMED_HEIGHT_MM)) if known.lens is not None else None
    markers = list(find_cut_markers(frame).values())
    camera, pose_from = known.mat, "mat"
    white = known.white or white_of_markers(frame, markers)
    if camera is None and markers:
        camera, pose_from = pose_from_markers(markers, size, lens, known.marker_side_mm), "markers"
        if camera is None:
            return _bad("markers-bent", known)
    if camera is None and known.any_floor is not None and len(frames) > 1:
        camera, pose_from = pose_from_dice(frames[1:], known.any_floor.detector, known.die_mm, lens), "dice"
    if camera is None:
        camera, pose_from = bare_camera(size, lens, ASSUMED_HEIGHT_MM), "assumed"
    profile = Profile(size, camera, pose_from != "assumed", frame, white)
    if not is_lit_well and known.reader(None).read(frame).dice:
        return _bad("dice-in-tray", known)
    slug = "tray-by-marker" if pose_from == "markers" and len(markers) == 1 else _TRAY_TAKEN[pose_from]
    known = replace(known, profile=profile, pose_from=pose_from, white=white)
    return _good(slug, known, height=round(camera.height_mm), count=len(markers))


def _mat_lies_in(frame: Pixels, known: Known) -> bool:
    """Whether the mat was not taken out; markers cut out of one and laid somewhere are no mat."""
    mat = find_mat(as_grey(frame))
    return mat is not None and (known.mat is not None or len(mat.markers) >= _MARKERS_OF_A_SHEET)


_TRAY_TAKEN = {
    "mat": "tray-by-mat",
    "markers": "tray-by-markers",
    "dice": "tray-by-dice",
    "assumed": "tray-assumed",
}


def look_at_size(frames: Sequence[Pixels], known: Known) -> Verdict:
    """Dice of known size in the tray that was taken empty before: they say how high the camera hangs."""
    if known.profile is None or known.profile.empty is None:
        return _bad("tray-unlit", known)
    verdict = look_at_tray([known.profile.empty, frames[-1]], known, is_lit_well=True)
    return _bad("no-cube", known) if verdict.known.pose_from == "assumed" else verdict


def look_at_known_dice(frames: Sequence[Pixels], known: Known) -> Verdict:
    """Known dice, rolled once in each picture, are read with what was measured."""
    if not known.truth:
        return _bad("no-truth", known)
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
            said = Saying("dice-wrong", {"picture": number, "kind": kind, "face": face})
            return Verdict(False, (said,), known, place)
        right, total = right + sum((seen & wanted).values()), total + sum(wanted.values())
    if right < total:
        return _bad("dice-unread", known, right=right, total=total)
    return _good("dice-right", known, total=total)


def _good(slug: str, known: Known, **values: Value) -> Verdict:
    return Verdict(True, (Saying(slug, values),), known)


def _bad(slug: str, known: Known, **values: Value) -> Verdict:
    return Verdict(False, (Saying(slug, values),), known)


def _faulty(fault: Fault, known: Known) -> Verdict:
    return Verdict(False, (fault.saying,), known, fault.place_px)


LIGHT = Step("light", "one picture of the tray as it is lit in play, best with the mat in it", 1, look_at_light)
LENS = Step("lens", "three pictures or more of the mat, moved and turned between them", FEWEST_PICTURES, look_at_lens)
MAT = Step("mat", "one picture of the empty mat", 1, look_at_mat)
TRAY = Step(
    "tray", "one picture of the empty tray; then, if nothing else gives its size, of known dice", 1, look_at_tray
)
SIZE = Step("size", "one picture of dice of known size in that tray", 1, look_at_size)
VERIFY = Step("verify", "one picture or more of the known dice, rolled", 1, look_at_known_dice)

STEPS: Mapping[str, Step] = {step.name: step for step in (LIGHT, LENS, MAT, TRAY, SIZE, VERIFY)}
"""The steps in their order. For the mat alone: without ``tray`` and ``size``; for a tray of one's own ``mat`` may be
left out, and ``size`` is for where neither mat nor markers give it."""
