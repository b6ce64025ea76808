"""The profile that the device reads by: kept with it, taken over from the host; what it says of the camera."""

import json
import logging
from collections.abc import Callable

from calibration.profile_file import MeasuredProfile, ProfileError, read_profile
from calibration.profile_store import ProfileStore
from device.host_commands import Command, CommandFailed, Done, Handler
from device.settings import CameraSettings

log = logging.getLogger("croupier.device")


def adopt_profile(store: ProfileStore, use: Callable[[MeasuredProfile], None]) -> Handler:
    """The handler of ``{"type": "adopt-profile", "profile": …}``; ``profile`` is what a profile's file holds.

    It is kept in ``store``, the one before it beside it, and given to ``use``.
    """

    def adopt(command: Command) -> Done:
        try:
            measured = read_profile(json.dumps(command.body.get("profile")).encode())
            store.propose(measured)
            store.accept()
        except ProfileError as error:
            raise CommandFailed(f"The profile cannot be used: {error}.") from None
        use(measured)
        return Done("The device reads by this profile from now on.")

    return adopt


def kept_profile(store: ProfileStore) -> MeasuredProfile | None:
    """The profile in use; one that cannot be read is told of, and the device goes on as if there were none."""
    try:
        return store.in_use()
    except ProfileError as error:
        log.error("%s; reading without it, calibrate again", error)
        return None


def with_profile(settings: CameraSettings, measured: MeasuredProfile | None) -> CameraSettings:
    """The camera's settings, what they leave open filled in from what the profile was measured with.

    >>> with_profile(CameraSettings(gain=2.0), None).gain
    2.0
    """
    if measured is None:
        return settings
    found = measured.settings
    filled: dict[str, float | int | None] = {}
    if settings.exposure_us is None and isinstance(exposure_s := found.get("exposure_s"), float | int):
        filled["exposure_us"] = round(exposure_s * 1e6)
    if settings.gain is None and isinstance(gain := found.get("gain"), float | int):
        filled["gain"] = float(gain)
    if settings.red_gain is None and isinstance(balance := found.get("white_balance"), tuple) and len(balance) == 2:
        filled["red_gain"], filled["blue_gain"] = map(float, balance)
    if settings.lens_position_dioptres is None and isinstance(focus := found.get("focus"), float | int):
        filled["lens_position_dioptres"] = float(focus)
    return settings.model_copy(update=filled)
