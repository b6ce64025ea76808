"""From what the command line says (``picamera2``, ``usb:0``, ``video:FILE``, ``recording:DIR``) to a camera."""

from dataclasses import dataclass
from pathlib import Path

from device.camera import Camera, CameraError
from device.picamera2_camera import Picamera2Camera
from device.settings import CameraSettings
from device.states import State
from device.usb_camera import UsbCamera
from device.video_camera import VideoCamera

USAGE = "picamera2, usb:0, video:FILE or recording:DIR"


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """Which camera was asked for: its kind (``picamera2``, ``usb``, ``video``, ``recording``), and which of them.

    >>> CameraChoice.parse("video:throws.mp4")
    CameraChoice(kind='video', which='throws.mp4')
    >>> str(CameraChoice.parse("picamera2"))
    'picamera2:0'
    >>> CameraChoice.parse("polaroid")
    Traceback (most recent call last):
    ...
    ValueError: 'polaroid' is no camera; it is one of picamera2, usb:0, video:FILE or recording:DIR
    """

    kind: str
    which: str

    @classmethod
    def parse(cls, text: str) -> "CameraChoice":
        """The choice; raises ``ValueError`` with one line that says what there is."""
        kind, colon, which = text.partition(":")
        if text == "picamera2":
            return cls(text, "0")
        is_number = which.isascii() and which.isdigit()
        known = kind in ("video", "recording") or (kind in ("usb", "picamera2") and is_number)
        if not (known and colon and which):
            raise ValueError(f"{text!r} is no camera; it is one of {USAGE}")
        return cls(kind, which)

    @property
    def is_recording(self) -> bool:
        """Whether it is a recording, which its own player shows."""
        return self.kind == "recording"

    @property
    def folder(self) -> Path:
        """The recording's folder."""
        return Path(self.which)

    @property
    def is_file(self) -> bool:
        """Whether it is a file, which ends and is never unplugged."""
        return self.kind in ("video", "recording")

    def __str__(self) -> str:
        return f"{self.kind}:{self.which}"

    def camera(self, settings: CameraSettings | None = None) -> Camera:
        """The camera, not open yet; raises ``CameraError`` for a recording."""
        if self.kind == "picamera2":
            return Picamera2Camera(int(self.which), settings)
        if self.kind == "usb":
            return UsbCamera(int(self.which), settings)
        if self.kind == "video":
            return VideoCamera(self.which)
        raise CameraError("a recording is shown by its player", State.CAMERA_MISSING)
