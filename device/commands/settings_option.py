"""``--settings FILE``: what the file says becomes the defaults of the command's other options.

Given before the command's name (or as CROUPIER_SETTINGS) the file holds for whichever command follows, the host
included, which never reads it itself.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from device.settings import Settings
from device.settings_file import SettingsError, load_settings

_SETTINGS = "croupier.settings"
_FILE = "croupier.settings.file"
_FAULT = "croupier.settings.fault"

_ALL = "croupier"

_Command = TypeVar("_Command", bound=Callable[..., Any])


def settings_option(found_at: Path | None = None) -> Callable[[_Command], _Command]:
    """A decorator that gives a command the option; ``found_at`` is the file where none is named and that one exists.

    The command takes no parameter for it, and asks ``settings_of`` and ``fault_of``.
    """
    return click.option(
        "--settings",
        type=click.Path(path_type=Path),
        default=lambda: found_at if found_at is not None and found_at.exists() else None,
        is_eager=True,
        expose_value=False,
        callback=_take_up,
        metavar="FILE",
        help="Settings to go by (docs/settings.md); what the command line says wins.",
    )


def settings_of(ctx: click.Context) -> Settings:
    """The settings that hold for this command: those of its file, as far as they are right, or the defaults."""
    settings: Settings = ctx.meta.get(_SETTINGS) or Settings()
    return settings


def fault_of(ctx: click.Context) -> SettingsError | None:
    """What is wrong with the settings' file, if anything."""
    fault: SettingsError | None = ctx.meta.get(_FAULT)
    return fault


def file_of(ctx: click.Context) -> Path | None:
    """The settings' file, if there is one."""
    file: Path | None = ctx.meta.get(_FILE)
    return file


def take_up(ctx: click.Context, file: Path, name: str) -> None:
    """Make what ``file`` says the defaults of the command ``name`` (``croupier``: of all commands)."""
    try:
        settings = load_settings(file)
        ctx.meta.pop(_FAULT, None)
    except SettingsError as error:
        settings = error.usable
        ctx.meta[_FAULT] = error
    ctx.meta[_SETTINGS], ctx.meta[_FILE] = settings, file
    defaults = _defaults(settings)
    ctx.default_map = defaults if name == _ALL else defaults.get(name, {})


def _take_up(ctx: click.Context, param: click.Parameter, value: Path | None) -> None:
    is_named = ctx.get_parameter_source("settings") is not ParameterSource.DEFAULT
    if value is not None and (is_named or file_of(ctx) is None):
        take_up(ctx, value, ctx.info_name or "")


def _defaults(settings: Settings) -> dict[str, dict[str, Any]]:
    """For each command its parameters' values; None leaves a parameter alone."""
    host, device = settings.host, settings.device
    serving = {"port": host.port, "listen": host.listen, "data": host.data}
    by_command: dict[str, dict[str, Any]] = {
        "run": {**serving, "public_address": host.public_address, "camera": settings.camera.which},
        "host": {**serving, "public_address": host.public_address},
        "device": {
            "address": device.host,
            "data": device.data,
            "token_file": device.token_file,
            "camera": settings.camera.which,
        },
        "doctor": {"data": host.data},
    }
    return {
        name: {key: value for key, value in values.items() if value is not None}
        for name, values in by_command.items()
    }
