"""The steps of calibration for a phone: the device looks, judges and keeps; the phone shows and decides.

One walk through the steps at a time, in memory; the profile that it measures is pending in the store until it is
accepted. What is said travels as slug and values, so that every phone can have it in its own language.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import cv2
import numpy as np

from calibration.detector_model import any_floor
from calibration.profile_file import MeasuredProfile, ProfileError
from calibration.profile_store import KEPT, ProfileStore
from calibration.steps import STEPS, Known, Step, Verdict
from calibration.words import Saying
from device.camera import Frame
from device.host_commands import Command, CommandFailed, Done
from device.trained import trained_reader
from device.tray_picture import small_jpeg
from vision.dice import KINDS
from vision.profile import Profile
from vision.reader import Reader
from vision.reading import Pixels, Point

MOST_PICTURE_BYTES = 60_000
_MOST_PICTURES = 8
"""Of one step; each is a whole frame in memory."""

_LOOKS_KEPT = 3
_MOST_DICE = 24
_LARGEST_MM = 500.0
_LOST = "The device has begun anew since: start from the first step."
_MARK = (60, 60, 255)


@dataclass
class Walk:
    """A way through some of the steps: ``known`` holds what was known before each step done, and now.

    ``pictures`` are those taken of the step at hand, ``measured_on`` when the pictures of each step were taken.
    ``looks`` are the newest frames that were looked at, by the ids of their commands: a person takes what they see.
    """

    id: str
    steps: Sequence[Step]
    known: list[Known]
    pictures: list[Pixels] = field(default_factory=list)
    measured_on: dict[str, tuple[str, ...]] = field(default_factory=dict)
    looks: dict[str, Frame] = field(default_factory=dict)

    def note_look(self, command_id: str, frame: Frame) -> None:
        """Remember what was seen; one look may be under way while a person taps on the one before it."""
        self.looks[command_id] = frame
        for old in list(self.looks)[:-_LOOKS_KEPT]:
            del self.looks[old]

    @property
    def step(self) -> Step | None:
        """The step at hand, None after the last."""
        place = len(self.known) - 1
        return self.steps[place] if place < len(self.steps) else None


class Calibrating:
    """Carries out ``{"type": "calibrate", "do": …}``.

    ``newest`` gives the frame to look at, ``use`` is called once another profile is in use.
    """

    def __init__(self, store: ProfileStore, newest: Callable[[], Frame], use: Callable[[], None]) -> None:
        self._store = store
        self._newest = newest
        self._use = use
        self._walk: Walk | None = None
        self._reader_of = _Readers()

    def carry_out(self, command: Command) -> Done:
        """``do``: state, begin, look, take, back, accept, undo. Raises ``CommandFailed``."""
        do = command.body.get("do")
        try:
            if do == "undo":
                self._store.undo()
                self._use()
                return Done("The profile before is in use again.", self._state())
            if do == "state":
                return Done("", self._state())
            if do == "begin":
                self._begin(command.body)
                return self._look(command)
            walk = self._walk_of(command.body)
            if do == "accept":
                self._store.accept()
                self._walk = None
                self._use()
                return Done("This profile is in use from now on.", self._state())
            if do == "back":
                self._go_back(walk)
            elif do == "take":
                return self._take(walk, command.body)
            elif do != "look":
                raise CommandFailed("calibrate does state, begin, look, take, back, accept or undo.")
            return self._look(command)
        except ProfileError as error:
            raise CommandFailed(f"{error}"[:200]) from None

    def _begin(self, body: Mapping[str, Any]) -> None:
        names = body.get("steps")
        if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
            raise CommandFailed("begin needs steps, a list of their names.")
        if not set(names) <= set(STEPS) or len(set(names)) < len(names):
            raise CommandFailed(f"The steps are {', '.join(STEPS)}.")
        steps = [step for name, step in STEPS.items() if name in names]
        known = Known(any_floor=any_floor(), reader=self._reader_of)
        self._walk = Walk(str(body.get("walk"))[:64], steps, [known])

    def _walk_of(self, body: Mapping[str, Any]) -> Walk:
        if self._walk is None or self._walk.id != body.get("walk"):
            raise CommandFailed(_LOST)
        return self._walk

    def _go_back(self, walk: Walk) -> None:
        """Forget the newest picture of this step, or else the step before."""
        if walk.pictures:
            walk.pictures.pop()
        elif len(walk.known) > 1:
            walk.known.pop()

    def _look(self, command: Command) -> Done:
        walk, frame = self._walk_of(command.body), self._newest()
        walk.note_look(command.id, frame)
        if walk.step is None:
            return Done("", self._told(walk, None, frame), _picture(frame.pixels, None))
        verdict = self._judge(walk, walk.step, frame, command.body)
        return Done("", self._told(walk, verdict, frame), _picture(frame.pixels, verdict.place_px))

    def _take(self, walk: Walk, body: Mapping[str, Any]) -> Done:
        """Take the picture of a look, named by its ``look``, or else the newest."""
        frame = walk.looks.get(str(body.get("look"))) or self._newest()
        step = walk.step
        if step is None:
            raise CommandFailed("All steps are done.")
        verdict = self._judge(walk, step, frame, body)
        picture = _picture(frame.pixels, verdict.place_px)
        if not verdict.is_good:
            return Done("", self._told(walk, verdict, frame), picture)
        self._keep(walk, step, frame, verdict)
        passed = [_plain(saying) for saying in verdict.sayings]
        return Done("", self._told(walk, None, frame) | {"passed": passed}, picture)

    def _judge(self, walk: Walk, step: Step, frame: Frame, body: Mapping[str, Any]) -> Verdict:
        known = _with_sizes(walk.known[-1], body)
        return step.look(_seen(step, walk.pictures, frame.pixels), known)

    def _keep(self, walk: Walk, step: Step, frame: Frame, verdict: Verdict) -> None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        walk.pictures.append(frame.pixels)
        if len(walk.pictures) < step.pictures:
            return
        walk.measured_on[step.name] = (now,) * len(walk.pictures)
        walk.pictures.clear()
        walk.known.append(verdict.known)
        profile, lens = verdict.known.profile, verdict.known.lens
        if profile is not None:
            done = {name: walk.measured_on[name] for name in (one.name for one in walk.steps[: len(walk.known) - 1])}
            error = None if lens is None else lens.error_px
            self._store.propose(MeasuredProfile(profile, now, done, verdict.known.pose_from, error))

    def _told(self, walk: Walk, verdict: Verdict | None, frame: Frame) -> dict[str, Any]:
        step = walk.step
        height, width = frame.pixels.shape[:2]
        return {
            "walk": walk.id,
            "steps": [one.name for one in walk.steps],
            "at": len(walk.known) - 1,
            "taken": len(walk.pictures),
            "wanted": 0 if step is None else step.pictures,
            "is_good": verdict is not None and verdict.is_good,
            "passed": [],
            "sayings": [] if verdict is None else [_plain(saying) for saying in verdict.sayings],
            "place_px": None if verdict is None or verdict.place_px is None else _rounded(verdict.place_px),
            "size_px": [width, height],
            "is_verified": "verify" in walk.measured_on and step is None,
            "has_profile": walk.known[-1].profile is not None,
        }

    def _state(self) -> dict[str, Any]:
        """The profile in use, and how many before it are kept."""
        try:
            measured = self._store.in_use()
        except ProfileError:
            measured = None
        kept = sum(self._store.kept_path(number).exists() for number in range(1, KEPT + 1))
        if measured is None:
            return {"in_use": None, "kept": kept}
        in_use = {
            "created": measured.created,
            "is_own_tray": measured.profile.empty is not None,
            "is_verified": "verify" in measured.measured_on,
        }
        return {"in_use": in_use, "kept": kept}


class _Readers:
    """One reader for no profile and one for the newest: loading the networks takes longer than a look."""

    def __init__(self) -> None:
        self._bare: Reader | None = None
        self._newest: tuple[Profile, Reader] | None = None

    def __call__(self, profile: Profile | None) -> Reader:
        if profile is None:
            self._bare = self._bare or trained_reader()
            return self._bare
        if self._newest is None or self._newest[0] is not profile:
            self._newest = (profile, trained_reader(profile))
        return self._newest[1]


def _seen(step: Step, taken: Sequence[Pixels], newest: Pixels) -> list[Pixels]:
    return [*taken, newest][-_MOST_PICTURES:] if step.pictures > 1 else [newest]


def _with_sizes(known: Known, body: Mapping[str, Any]) -> Known:
    """What the person has measured and says of the known dice. Raises ``CommandFailed``."""
    sizes: dict[str, float] = {}
    for name in ("ruler_mm", "marker_side_mm", "die_mm"):
        size = body.get(name)
        if size is None:
            continue
        if isinstance(size, bool) or not isinstance(size, int | float) or not 0 < size < _LARGEST_MM:
            raise CommandFailed(f"Sizes are millimetres above 0 and below {_LARGEST_MM:.0f}.")
        sizes[name] = float(size)
    truth = body.get("truth", [])
    if not isinstance(truth, list) or len(truth) > _MOST_DICE:
        raise CommandFailed(f"The known dice are {_MOST_DICE} at most.")
    pairs = []
    for die in truth:
        kind, face = (die.get("kind"), die.get("face")) if isinstance(die, dict) else (None, None)
        if not isinstance(kind, str) or kind not in KINDS or not isinstance(face, str):
            raise CommandFailed("A known die has a kind and a face.")
        if not KINDS[kind].has_face(face):
            raise CommandFailed("A known die cannot show that face.")
        pairs.append((kind, face))
    return replace(known, truth=tuple(pairs), **sizes)  # type: ignore[arg-type]


def _plain(saying: Saying) -> dict[str, Any]:
    return {"slug": saying.slug, "values": dict(saying.values)}


def _rounded(place_px: Point) -> list[float]:
    return [round(float(value), 1) for value in place_px]


def _picture(pixels: Pixels, place_px: Point | None) -> bytes | None:
    """The frame with a ring about the place that is spoken of."""
    drawn = pixels
    if place_px is not None:
        drawn = pixels.copy()
        radius = round(0.06 * pixels.shape[1])
        at = (round(place_px[0]), round(place_px[1]))
        for color, width in (((0, 0, 0), 0.012), (_MARK, 0.006)):
            cv2.circle(drawn, at, radius, color, max(2, round(width * pixels.shape[1])), cv2.LINE_AA)
    return small_jpeg(np.ascontiguousarray(drawn), MOST_PICTURE_BYTES)
