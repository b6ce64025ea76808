"""Runs inside the root: reads what the virtual camera plays, through the Pi's adapter, and prints what came of it.

The film begins again at its end; it is watched once, and again while a face of it was not read yet: the camera does
not wait for a busy machine, which may come upon a throw too late.

The last line is JSON: the faces of each reading that was agreed on, the frames taken and lost, what the camera
delivered, and how a camera fared that was closed and opened again.
"""

import json
import sys
import tempfile
from pathlib import Path

import virtual

from device.camera import Frame
from device.expectation import Expectation
from device.frame_feed import FrameFeed
from device.loop import DeviceLoop
from device.outbox import Outbox
from device.picamera2_camera import Picamera2Camera
from device.settings import CameraSettings
from device.trained import trained_reader
from vision.reading import Reading

FILM = ("red", "blue")
MOST_ROUNDS = 5

SETTINGS = CameraSettings(which="picamera2", width_px=768, height_px=576, exposure_us=8000)


def main(frames: int) -> None:
    """Watch for so many frames."""
    faces: list[str] = []
    shapes: set[tuple[object, ...]] = set()

    def note(frame: Frame, reading: Reading) -> None:
        assert frame.watched is not None
        shapes.add((*frame.pixels.shape, "watched", *frame.watched.shape))
        faces.append(" ".join(die.face for die in reading.dice))

    awaited = Expectation("t.1", "t", "open", ("chance-cube",), {"chance-cube": 1})
    feed = FrameFeed(lambda: Picamera2Camera(0, SETTINGS))
    with tempfile.TemporaryDirectory() as folder:
        outbox = Outbox(Path(folder) / "device.db")
        loop = DeviceLoop(trained_reader(), outbox, lambda: awaited, note, hold_exposure=feed.hold_exposure)
        feed.start()
        times: list[float] = []
        while feed.taken < frames or (set(FILM) - set(faces) and feed.taken < MOST_ROUNDS * frames):
            frame = feed.next_frame(1.0)
            if frame is not None:
                times.append(frame.captured_at)
                loop.step(frame)
        lost = feed.lost
        feed.close()
        outbox.close()
    virtual.stall()
    with Picamera2Camera(0, SETTINGS) as camera:
        stalled = virtual.fault_of(camera.next_frame)
    virtual.go_on()
    with Picamera2Camera(0, SETTINGS) as camera:
        is_back = camera.next_frame().pixels.any()
    print(
        json.dumps(
            {
                "faces": faces,
                "shapes": [list(shape) for shape in shapes],
                "frames": len(times),
                "lost": lost,
                "in_order": times == sorted(times),
                "stalled": stalled,
                "is_back": bool(is_back),
            }
        )
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
