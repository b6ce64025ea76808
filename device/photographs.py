"""One picture from a camera, for calibration and for teaching dice."""

from device.camera import CameraEnded, CameraError
from device.cameras import CameraChoice
from device.decode import decode_picture
from device.recording import RecordingError
from device.recording_folder import load_recording
from vision.reading import Pixels

_WARM_UP = 8
"""Frames until a camera's exposure has settled."""


class PhotographError(RuntimeError):
    """No picture could be taken; the message is one line that says what to do."""


def photograph(choice: CameraChoice) -> Pixels:
    """The picture of a camera that has settled; of a recording, the first picture at rest."""
    try:
        if choice.is_recording:
            recording = load_recording(choice.folder)
            empty = choice.folder / "empty.jpg"
            if empty.is_file():
                return decode_picture(empty)
            return recording.pixels(next((f for f in recording.frames if f.rest), recording.frames[0]))
        with choice.camera() as camera:
            frame = camera.next_frame()
            for _ in range(0 if choice.is_file else _WARM_UP):
                frame = camera.next_frame()
            return frame.pixels
    except (CameraError, CameraEnded, RecordingError) as error:
        raise PhotographError(str(error) or f"{choice} shows no picture") from None
