"""A real device half against a host, whose camera sees what the test puts under it."""

import threading
import time
from contextlib import ExitStack
from pathlib import Path

from calibration.profile_store import ProfileStore
from device.camera import Frame
from device.device_half import DeviceHalf
from device.host_client import HostClient
from device.outbox import Outbox
from device.taught_store import TaughtStore
from tests.host.running import RunningHost
from vision.reading import Pixels

FRAME_S = 0.05
"""Of the camera's own clock; how fast frames are really dealt with does not matter."""


class ShownTray:
    """The device's half, from its making to ``close``."""

    def __init__(self, host: RunningHost, folder: Path, pixels: Pixels) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._pixels = pixels
        self._closing = ExitStack()
        outbox = Outbox(folder / "device.db")
        self._closing.callback(outbox.close)
        client = HostClient(host.address, host.token("device"))
        profiles, taught = ProfileStore(folder / "profile.json"), TaughtStore(folder / "dice")
        self._half = DeviceHalf(client, outbox, None, profiles, taught, self._closing)
        self._loop = self._half.begin()
        self._stopping = threading.Event()
        self._shown = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def show(self, pixels: Pixels) -> None:
        """From now on this lies under the camera; returns once the device has seen it."""
        self._pixels = pixels
        seen = self._shown
        while self._shown < seen + 2:
            time.sleep(0.01)

    def close(self) -> None:
        """Switch the device off."""
        self._stopping.set()
        self._thread.join()
        self._closing.close()

    def _run(self) -> None:
        while not self._stopping.wait(FRAME_S):
            self._loop.step(Frame(self._pixels, self._shown * FRAME_S, name=f"shown {self._shown}"))
            self._shown += 1
