"""What several commands take from the command line, checked: a mistake ends with one line and exit status 2."""

import os
from pathlib import Path

import click

from device.cameras import CameraChoice

_SLOWEST, _FASTEST = 0.01, 1_000_000.0


def camera_choice(ctx: click.Context, param: click.Parameter, value: str) -> CameraChoice:
    """A camera, for click's ``callback``."""
    try:
        return CameraChoice.parse(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def speed(ctx: click.Context, param: click.Parameter, value: str) -> float:
    """How many times faster than recorded, for click's ``callback``."""
    try:
        times = float(value)
    except ValueError:
        times = 0.0
    if not _SLOWEST <= times <= _FASTEST:
        raise click.BadParameter(f"{value!r} is no speed: 1 is as recorded, 2 is twice as fast", ctx, param)
    return times


def default_profile() -> Path:
    """Where the appliance keeps its profile."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "croupier" / "profile.json"
