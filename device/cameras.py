"""From what the command line says (``usb:0``, ``video:FILE``, ``recording:DIR``) to a camera."""

from dataclasses import dataclass
from pathlib import Path

from device.camera import Camera, CameraError
from device.video_camera import UsbCamera, VideoCamera

USAGE = "usb:0, video:FILE or recording:DIR"


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """Which camera was asked for: its kind (``usb``, ``video``, ``recording``), and which of them.

    >>> CameraChoice.parse("video:throws.mp4")
    CameraChoice(kind='video', which='throws.mp4')
    >>> CameraChoice.parse("polaroid")
    Traceback (most recent call last):
    ...
    ValueError: 'polaroid' is no camera; it is one of usb:0, video:FILE or recording:DIR
    """

    kind: str
    which: str

    @classmethod
    def parse(cls, text: str) -> "CameraChoice":
        """The choice; raises ``ValueError`` with one line that says what there is."""
        kind, colon, which = text.partition(":")
        known = kind in ("video", "recording") or (kind == "usb" and which.isascii() and which.isdigit())
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

    def camera(self) -> Camera:
        """The camera, not open yet."""
        if self.kind == "usb":
            return UsbCamera(int(self.which))
        if self.kind == "video":
            return VideoCamera(self.which)
        raise CameraError("a recording is shown by its player")
