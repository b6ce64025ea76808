"""The two halves as processes that faults can be done to: ``python -m tests.faults.halves host|device FAULTS …``.

Both are the real program. FAULTS is a folder: where the file ``read-only`` lies in it SQLite refuses to write, and
``clock`` holds the seconds by which the host's clock is wrong. The device has no camera: it is shown frames drawn
from the file ``tray`` (which dice lie where), and told what they show.
"""

import json
import sys
import time
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from sqlalchemy import Connection, Engine, event

FRAME_S = 0.05
PAUSE_S = 0.004
"""Between frames, which pretend to be FRAME_S apart: an evening passes ten times as fast."""

PX_A_MM = 3

HAND = (*range(140, 30, -20), *range(40, 150, 20))
"""Where a hand's fingertips are, frame by frame, while it takes up what lies there and lets new dice fall."""


def hold_back_writes(faults: Path) -> None:
    """Have SQLite itself refuse to write while the file is there."""

    @event.listens_for(Engine, "begin")
    def hold_back(connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA query_only = {int((faults / 'read-only').exists())}")


def run_host(faults: Path, arguments: list[str]) -> None:
    """``croupier host`` with a clock that can be set."""
    from host.clock import utc_now
    from host.commands import host as command

    def clock() -> datetime:
        try:
            wrong_by_s = float((faults / "clock").read_text(encoding="ascii"))
        except (OSError, ValueError):
            wrong_by_s = 0.0
        return utc_now() + timedelta(seconds=wrong_by_s)

    command.utc_now = clock  # type: ignore[attr-defined]
    command.host.main(arguments, prog_name="croupier host")


def run_device(faults: Path, address: str, data: Path) -> None:
    """The device's loop, outbox and uplink before a drawn tray, until it is killed."""
    from device.camera import Frame
    from device.host_client import HostClient, read_token
    from device.loop import DeviceLoop
    from device.outbox import Outbox
    from device.uplink import Uplink
    from tests.device.scene import Tray, die
    from vision.reading import Pixels, Reading

    lying: list[dict[str, Any]] = []

    class Told:
        """Reads nothing: it is told what lies in the tray."""

        last_findings = ()

        def read(
            self, frame: Pixels, kinds: Collection[str] | None = None, expect: Mapping[str, int] | None = None
        ) -> Reading:
            """What lies there of these kinds."""
            seen = [d for d in lying if kinds is None or d["kind"] in kinds]
            dice = [replace(die(d["face"], d["x"], d["y"], kind=d["kind"]), body=d["body"]) for d in seen]
            return Reading("mat", tuple(dice), ())

    outbox = Outbox(data / "device.db")
    uplink = Uplink(HostClient(address, read_token(faults / "device-token", "")), outbox)
    loop = DeviceLoop(Told(), outbox, lambda: uplink.expectation)
    uplink.start()
    tray, now, thrown, state = Tray(), 0.0, None, None

    def show() -> None:
        nonlocal now, state
        now += FRAME_S
        grey = tray.picture()
        wide = cv2.resize(grey, None, fx=PX_A_MM, fy=PX_A_MM, interpolation=cv2.INTER_NEAREST)
        loop.step(Frame(np.asarray(cv2.cvtColor(wide, cv2.COLOR_GRAY2BGR), np.uint8), now, watched=grey))
        if loop.situation.state != state:
            state = loop.situation.state
            print(f"{now:.2f} {state} {uplink.expectation.id} {uplink.trouble}", file=sys.stderr, flush=True)
        time.sleep(PAUSE_S)

    print("device", flush=True)
    while True:
        text = (faults / "tray").read_text(encoding="utf-8")
        if text != thrown:
            if thrown is not None:
                for tray.hand_x in HAND:
                    if tray.hand_x == min(HAND):
                        tray.dice = []
                    show()
                tray.hand_x = None
            lying[:] = json.loads(text)
            tray.dice = [(d["x"] - 3.5, d["y"] - 3.5) for d in lying]
            thrown = text
        show()


if __name__ == "__main__":
    half, folder, *rest = sys.argv[1:]
    hold_back_writes(Path(folder))
    if half == "host":
        run_host(Path(folder), rest)
    else:
        run_device(Path(folder), rest[0], Path(rest[1]))
