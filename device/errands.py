"""What the device does when the host asks: handlers of commands, by type."""

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol

import cv2

from device.camera import Frame
from device.host_commands import Command, CommandFailed, Done, Handler
from device.loop import DeviceLoop

_QUALITY = 92
"""JPEG: the markers' corners are found as exactly as in the picture itself, within 0.02 px."""

_WAIT_S = 3.0
"""For a frame, where none is there yet."""


class Lamp(Protocol):
    """What is needed of the panel."""

    def set_light(self, is_lit: bool) -> None:
        """The light over the tray."""


def errands(
    loop: DeviceLoop, is_guarded: Callable[[], bool], more: Mapping[str, Handler] = MappingProxyType({})
) -> dict[str, Handler]:
    """The handlers that every device has, and ``more``. ``is_guarded``: a die is secret now."""

    def read_again(command: Command) -> Done:
        loop.read_again()
        return Done("What lies in the tray is read again.")

    def calibration_picture(command: Command) -> Done:
        frame = newest_frame(loop)
        done, jpeg = cv2.imencode(".jpg", frame.pixels, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        if not done:
            raise CommandFailed("The picture cannot be made.")
        height, width = frame.pixels.shape[:2]
        figures = {"size": [width, height], "exposure_us": frame.exposure_us, "gain": frame.gain}
        return Done("The tray, as the camera sees it.", figures, jpeg.tobytes())

    return {"read-again": read_again, "calibration-picture": unless_secret(is_guarded, calibration_picture), **more}


def only_looks(command: Command) -> bool:
    """Whether a command changes nothing. A phone that calibrates sends one a second, which spares the SD card.

    >>> only_looks(Command("c1", "calibrate", {"do": "look"})), only_looks(Command("c2", "teach", {"do": "name"}))
    (True, False)
    """
    return command.type in ("calibrate", "teach") and command.body.get("do") in ("look", "state", "sets", "export")


def unless_secret(is_guarded: Callable[[], bool], handler: Handler) -> Handler:
    """The same handler, which nothing leaves while a die is secret."""

    def carry_out(command: Command) -> Done:
        if is_guarded():
            raise CommandFailed("A die is secret now: no picture leaves the device.")
        done = handler(command)
        # Asked again: the cup may have gone down meanwhile.
        if is_guarded():
            raise CommandFailed("A die is secret now: no picture leaves the device.")
        return done

    return carry_out


def light(lamp: Lamp) -> Handler:
    """The handler of ``{"type": "light", "is_lit": true}``."""

    def switch(command: Command) -> Done:
        is_lit = command.body.get("is_lit")
        if not isinstance(is_lit, bool):
            raise CommandFailed("light needs is_lit, true or false.")
        lamp.set_light(is_lit)
        return Done("The light is on." if is_lit else "The light is off.")

    return switch


def newest_frame(loop: DeviceLoop) -> Frame:
    """The newest frame, waited for a moment. Raises ``CommandFailed`` where there is none."""
    until = time.monotonic() + _WAIT_S
    while (frame := loop.newest) is None:
        if time.monotonic() >= until:
            raise CommandFailed("The camera gives no pictures now.")
        time.sleep(0.05)
    return frame
