"""The camera: one picture is taken with it, which also tells about the light and about what the tray is read by."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import cv2

from device.camera import CameraEnded, CameraError, Frame
from device.cameras import CameraChoice
from device.doctor.finding import Finding, Level
from device.frame_feed import CameraStuck, FrameFeed
from device.recording import RecordingError
from device.recording_folder import load_recording
from device.settings import CameraSettings
from device.states import State
from vision.reading import BadFrame, Pixels, Reading

_WAIT_S = 8.0
"""A Pi's camera gives its first picture within 3 s, a USB camera within 2 s."""

_SETTLING = 10
"""Pictures that automatic exposure gets before the one that is looked at."""

_DARK, _BRIGHT = 45, 200
"""Mean grey, 0 to 255. The repository's pictures that are read well lie between 82 and 132."""

_GLARE_SHARE = 0.01
"""Share of white pixels; in the same pictures it is 0.0001 at most."""

_TO_DO = {
    State.CAMERA_MISSING: "Push its cable in at both ends, with the power off; see which is meant by --camera.",
    State.CAMERA_BUSY: "Another program has it: close that one, or restart the box.",
    State.CAMERA_STALLED: "Unplug it and plug it in again, or restart the box; if that recurs, change the cable.",
}


class FrameReader(Protocol):
    """What reads a picture; ``vision.reader.Reader`` does."""

    def read(self, frame: Pixels) -> Reading:
        """What lies in the tray."""


def check_camera(
    choice: CameraChoice,
    settings: CameraSettings,
    used_by: str | None,
    make_reader: Callable[[], FrameReader],
) -> Iterator[Finding]:
    """Take a picture; ``used_by`` is who has the camera as it should be, and then nothing is taken."""
    if used_by is not None:
        yield Finding("camera", Level.OK, f"{choice} is in use by {used_by}, as it should be.")
        return
    try:
        frame = _recorded(choice) if choice.is_recording else _taken(choice, settings)
    except (CameraError, RecordingError, CameraStuck) as error:
        state = error.state if isinstance(error, CameraError) else State.CAMERA_MISSING
        to_do = "" if choice.is_file else _TO_DO.get(state, _TO_DO[State.CAMERA_MISSING])
        yield Finding("camera", Level.ISSUE, f"{error}.", to_do or "Name another with --camera.")
        return
    height, width = frame.shape[:2]
    yield Finding("camera", Level.OK, f"{choice} gives pictures of {width} x {height}.")
    yield from look_at_light(frame)
    yield from _read_by(frame, make_reader)


def _recorded(choice: CameraChoice) -> Pixels:
    recording = load_recording(choice.folder)
    return recording.pixels(recording.frames[0])


def _taken(choice: CameraChoice, settings: CameraSettings) -> Pixels:
    """Raises ``CameraError`` and ``CameraStuck``; never waits for long, whatever the driver does."""
    feed = FrameFeed(lambda: choice.camera(settings), is_file=True)
    feed.start()
    newest: Frame | None = None
    try:
        for _ in range(_SETTLING):
            frame = feed.next_frame(_WAIT_S)
            if frame is None:
                break
            newest = frame
    except CameraEnded:
        pass
    finally:
        feed.close()
    if newest is None:
        raise CameraError(f"no picture came within {_WAIT_S:.0f} s", State.CAMERA_STALLED)
    return newest.pixels


def look_at_light(frame: Pixels) -> Sequence[Finding]:
    """What a picture (uint8, height x width x 3, BGR) says about the light."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    mean, white = float(grey.mean()), float((grey >= 250).mean())
    if mean < _DARK:
        text = f"It is dark over the tray (grey {mean:.0f} of 255)."
        return [Finding("light", Level.WARNING, text, "Switch the light on, or take the cover off the lens.")]
    if mean > _BRIGHT or white > _GLARE_SHARE:
        text = f"There is glare: {white:.1%} of the picture is white (grey {mean:.0f} of 255)."
        to_do = "Move the light to the side or put paper before it (docs/hardware.md, Light)."
        return [Finding("light", Level.WARNING, text, to_do)]
    return [Finding("light", Level.OK, f"The light is good (grey {mean:.0f} of 255, no glare).")]


def _read_by(frame: Pixels, make_reader: Callable[[], FrameReader]) -> Iterator[Finding]:
    try:
        reading = make_reader().read(frame)
    except BadFrame as error:
        yield Finding("profile", Level.ISSUE, f"Its pictures cannot be read: {error}", "Set another size.")
        return
    if reading.calibration == "mat":
        yield Finding("profile", Level.OK, "The mat is seen, and the tray is read by it.")
    elif reading.calibration == "profile":
        yield Finding("profile", Level.OK, "The tray is read by its profile.")
    else:
        to_do = "Print the mat (croupier mat mat.pdf) and lay it under the camera, or show the empty tray once."
        yield Finding("profile", Level.WARNING, "Neither the mat nor a profile of this tray is there.", to_do)
