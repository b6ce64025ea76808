"""What every camera gives the device: frames, one after another, each with the time at which it was taken."""

from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt

from device.states import State
from vision.reading import Pixels

Grey = npt.NDArray[np.uint8]
"""A small grey picture: uint8, shape (height, width)."""


class CameraError(RuntimeError):
    """A camera that cannot be opened or has failed; the message is one line that says what to do.

    ``state`` names the fault for the phones and the LED: missing, busy (another program has it), or stalled.
    """

    def __init__(self, message: str, state: State = State.CAMERA_STALLED) -> None:
        super().__init__(message)
        self.state = state


class CameraEnded(Exception):
    """The camera is a file, and its last frame has been taken."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the tray.

    ``pixels`` is uint8 of shape (height, width, 3), channels BGR. ``captured_at`` is in seconds on the camera's own
    clock: it grows from frame to frame and means nothing else. ``exposure_us`` (microseconds) and ``gain`` are
    given where the camera knows them, ``name`` where the frame comes from a file, ``watched`` (the same view, small
    and grey) where the camera makes it beside the large picture.
    """

    pixels: Pixels
    captured_at: float
    exposure_us: float | None = None
    gain: float | None = None
    name: str | None = None
    watched: Grey | None = None


class Camera(Protocol):
    """A source of frames. Entering it opens it, leaving it closes it; ``close`` may be called twice."""

    def __enter__(self) -> Self:
        """Open the camera; raises ``CameraError``."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the camera."""

    def next_frame(self) -> Frame:
        """Wait for the next frame. Raises ``CameraEnded`` after the last one, ``CameraError`` where it fails."""

    def hold_exposure(self, is_held: bool) -> None:
        """Keep exposure and colours as they are, or let the camera adapt them again; nothing where it cannot."""

    def close(self) -> None:
        """Give the camera back."""
