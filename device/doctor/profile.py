"""The profile of the tray, which lies with the device."""

from collections.abc import Iterator
from pathlib import Path

from calibration.profile_file import ProfileError, load_profile
from device.doctor.finding import Finding, Level
from vision.profile import Profile


def profile_of(device_data: Path) -> Profile | None:
    """The profile that the device reads by; None if there is none, or none that can be used."""
    try:
        return load_profile(device_data / "profile.json").profile
    except (ProfileError, OSError):
        return None


def check_profile(device_data: Path) -> Iterator[Finding]:
    """Whether the profile, if there is one, can be used."""
    file = device_data / "profile.json"
    try:
        is_there = file.is_file()
    except OSError:
        return
    if not is_there:
        return
    try:
        measured = load_profile(file)
    except (ProfileError, OSError) as error:
        to_do = "Calibrate again: croupier calibrate --help"
        yield Finding("profile", Level.ISSUE, f"The profile cannot be used: {error}.", to_do)
        return
    width, height = measured.profile.size_px
    yield Finding("profile", Level.OK, f"There is a profile for pictures of {width} x {height}.")
