"""The Raspberry Pi's own camera, through picamera2: a main picture to read from, a small one to watch.

picamera2 comes from the system (``apt install python3-picamera2``) and is loaded when the camera is opened.
"""

import logging
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

import numpy as np

from device.camera import CameraError, Frame
from device.pixel_formats import UnknownFormat, brightness, picture
from device.settings import CameraSettings
from device.states import State

log = logging.getLogger("croupier.device")

WATCHED_WIDTH_PX = 320
"""The watcher halves it again; smaller ones are not delivered by every sensor mode."""

BUFFERS = 4
"""Two requests in the camera, one being read, one to spare; more would use up the memory that cameras share."""

WAIT_S = 2.0
"""Without a limit a capture waits for ever once the camera has stalled; 20 frames a second come every 0.05 s."""

_FRAMES_TO_CONFIRM = 24
"""A control takes effect 6 to 8 frames later; three times that, and the camera is not going to."""

_TOLERANCE = 0.06
"""Sensors expose by whole lines and amplify in steps: a value within this part of the asked one is meant."""

_HELD = ("ExposureTime", "AnalogueGain", "ColourGains")


class Picamera2Camera:
    """The camera with that number (0 is the first), set as ``settings`` say as far as it has such controls.

    ``captured_at`` is the sensor's own time stamp, in seconds; ``clock`` (seconds) stands in where there is none.
    """

    def __init__(
        self, number: int = 0, settings: CameraSettings | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._number = number
        self._settings = settings or CameraSettings()
        self._clock = clock
        self._camera: Any = None
        self._layouts: dict[str, tuple[str, tuple[int, int], int]] = {}
        self._asked: dict[str, Any] = {}
        self._unconfirmed_for = 0
        self._metadata: Mapping[str, Any] = {}
        self._is_held = False

    def __enter__(self) -> Self:
        self._camera = _open(self._number)
        try:
            self._configure()
            self._camera.start()
        except (RuntimeError, ValueError, OSError) as error:
            self.close()
            raise CameraError(f"the camera cannot be started: {_in_one_line(error)}", _fault(error)) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the camera back to the system, whatever it was doing."""
        camera, self._camera = self._camera, None
        if camera is None:
            return
        try:
            # A stalled camera still holds the captures that were asked of it; closing would wait for them.
            camera.cancel_all_and_flush()
            camera.close()
        except (RuntimeError, ValueError, OSError) as error:
            log.warning("closing the camera: %s", _in_one_line(error))

    @property
    def is_confirmed(self) -> bool:
        """Whether the last frame was taken with the settings that were asked for."""
        return not self._asked

    def next_frame(self) -> Frame:
        """The next frame; raises ``CameraError`` if none comes within ``WAIT_S``.

        Whoever asks again at once gets every frame. (With picamera2's ``flush`` it would be every other one: a frame
        that began before the call does not count then. Its time stamp says when it was taken.)
        """
        if self._camera is None:
            raise CameraError("this camera is not open")
        try:
            with self._camera.captured_request(wait=WAIT_S) as request:
                buffers = {name: request.make_buffer(name) for name in self._layouts}
                self._metadata = request.get_metadata()
        except TimeoutError as error:
            raise CameraError(f"the camera has given no picture for {WAIT_S:g} s") from error
        except (RuntimeError, OSError) as error:
            raise CameraError(f"the camera has failed: {_in_one_line(error)}", _fault(error)) from error
        self._confirm()
        try:
            pixels = picture(buffers["main"], *self._layouts["main"])
            watched = brightness(buffers["lores"], *self._layouts["lores"])
        except (UnknownFormat, ValueError) as error:
            raise CameraError(str(error)) from error
        stamp = self._metadata.get("SensorTimestamp")
        return Frame(
            pixels,
            self._clock() if stamp is None else stamp / 1e9,
            exposure_us=self._metadata.get("ExposureTime"),
            gain=self._metadata.get("AnalogueGain"),
            watched=watched,
        )

    def hold_exposure(self, is_held: bool) -> None:
        """Fix what the last frame was taken with, or let the camera's automatics go on where no setting fixes it."""
        if self._camera is None or is_held == self._is_held:
            return
        self._is_held = is_held
        if is_held:
            # Setting a value is what switches its automatic off.
            self._set({name: self._metadata[name] for name in _HELD if self._metadata.get(name)})
        else:
            free = {"AeEnable": True} if self._settings.exposure_us is None and self._settings.gain is None else {}
            if self._settings.red_gain is None:
                free["AwbEnable"] = True
            self._set({**free, **self._fixed()})

    def _configure(self) -> None:
        camera, size = self._camera, (self._settings.width_px, self._settings.height_px)
        configuration = camera.create_video_configuration(
            main={"size": size, "format": "RGB888"},
            lores={"size": _watched_size(size), "format": "YUV420"},
            raw=None,
            buffer_count=BUFFERS,
        )
        camera.configure(configuration)
        # What was asked for is one thing, what the camera delivers another.
        delivered = camera.camera_configuration()
        for name in ("main", "lores"):
            stream = delivered[name]
            self._layouts[name] = (str(stream["format"]), tuple(stream["size"]), int(stream["stride"]))
        self._set(self._fixed())

    def _fixed(self) -> dict[str, Any]:
        """The settings as this camera's controls."""
        settings, period_us = self._settings, round(1e6 / self._settings.fps)
        wanted: dict[str, Any] = {"FrameDurationLimits": (period_us, period_us)}
        if settings.exposure_us is not None:
            wanted["ExposureTime"] = settings.exposure_us
        if settings.gain is not None:
            wanted["AnalogueGain"] = settings.gain
        if settings.red_gain is not None and settings.blue_gain is not None:
            wanted["ColourGains"] = (settings.red_gain, settings.blue_gain)
        if settings.lens_position_dioptres is not None and "AfMode" in self._camera.camera_controls:
            wanted["AfMode"] = _FOCUS_BY_HAND
            wanted["LensPosition"] = settings.lens_position_dioptres
        return wanted

    def _set(self, wanted: Mapping[str, Any]) -> None:
        controls = {name: value for name, value in wanted.items() if name in self._camera.camera_controls}
        if controls:
            self._camera.set_controls(controls)
        self._asked = {name: value for name, value in controls.items() if name in _CONFIRMED}
        self._unconfirmed_for = 0

    def _confirm(self) -> None:
        """A control counts once a frame's own metadata says so."""
        self._asked = {name: value for name, value in self._asked.items() if not self._has(name, value)}
        if not self._asked:
            return
        self._unconfirmed_for += 1
        if self._unconfirmed_for == _FRAMES_TO_CONFIRM:
            for name, value in self._asked.items():
                log.warning("the camera was asked for %s %s and has %s", name, value, self._metadata.get(name))

    def _has(self, name: str, value: Any) -> bool:
        has = self._metadata.get(name)
        return has is not None and bool(np.allclose(has, value, rtol=_TOLERANCE))


_CONFIRMED = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")
_FOCUS_BY_HAND = 0
"""libcamera's AfModeManual."""


def _open(number: int) -> Any:
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise CameraError(
            f"picamera2 cannot be loaded ({_in_one_line(error)}): sudo apt install python3-picamera2",
            State.CAMERA_MISSING,
        ) from error
    if number >= len(Picamera2.global_camera_info()):
        raise CameraError(
            f"picamera2:{number}: no such camera; check its cable with the power off", State.CAMERA_MISSING
        )
    try:
        return Picamera2(number)
    except (RuntimeError, OSError, IndexError) as error:
        raise CameraError(
            f"picamera2:{number}: it cannot be opened ({_in_one_line(error)}); close the program that uses it",
            State.CAMERA_BUSY,
        ) from error


def _fault(error: Exception) -> State:
    text = str(error).lower()
    return State.CAMERA_BUSY if "busy" in text or "acquire" in text else State.CAMERA_STALLED


def _watched_size(size: tuple[int, int]) -> tuple[int, int]:
    """The small picture's size in the large one's proportions, both even.

    >>> _watched_size((1280, 960)), _watched_size((2304, 1296))
    ((320, 240), (320, 180))
    """
    return WATCHED_WIDTH_PX, 2 * round(WATCHED_WIDTH_PX * size[1] / size[0] / 2)


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
