"""The one program, ``croupier``: a table of commands that are loaded only when they are called.

The table names its commands by text, so that the packages behind them need not know of one another.
"""

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import click

_COMMANDS = {
    "demo": "device.commands.demo:demo",
    "run": "device.commands.run:run",
    "device": "device.commands.device:device",
    "host": "host.commands.host:host",
    "backup": "host.commands.backup:backup",
    "restore": "host.commands.backup:restore",
    "read": "device.commands.read:read",
    "replay": "device.commands.replay:replay",
    "record": "device.commands.record:record",
    "recording": "device.commands.recording:recording",
    "mat": "calibration.commands:mat",
    "calibrate": "device.commands.calibrate:calibrate",
    "teach": "device.commands.teach:teach",
    "card": "host.commands.card:card",
    "update": "device.commands.update:update",
    "referee": "host.commands.referee:referee",
    "settings": "device.commands.settings:settings",
    "doctor": "device.commands.doctor:doctor",
}

_STARTS_ANYWAY = ("run", "record", "host", "device", "doctor")
"""What does not stop at a fault of the settings: the appliance, which goes into safe mode, and what looks at it."""


_MOST_PIXELS = "40000000"
"""What OpenCV decodes at most, also of formats whose size is not looked up before (``device.decode``)."""

_BLAS_THREADS = "1"
"""A reading multiplies little at once: of six RIG dice 80 ms (160 ms of two cores) become 58 ms of one."""


class WrongUse(click.UsageError):
    """A usage error told in one line, with the help to turn to; the exit status stays 2."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the line on standard error."""
        path = self.ctx.command_path if self.ctx is not None else "croupier"
        line = " ".join(self.format_message().split())
        click.echo(f"{path}: {line} (see {path} --help)", file=file, err=True)


@contextmanager
def _told_in_one_line() -> Iterator[None]:
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        raise WrongUse(error.format_message(), error.ctx) from None


class LazyGroup(click.Group):
    """A click group that imports a command's module when that command is asked for."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the arguments before the command's name."""
        with _told_in_one_line():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Read the command's own arguments, and run it."""
        with _told_in_one_line():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which a newcomer meets them."""
        return [name for name, target in _COMMANDS.items() if find_spec(target.split(":")[0]) is not None]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        target = _COMMANDS.get(cmd_name)
        if target is None or find_spec(target.split(":")[0]) is None:
            return None
        # OpenCV and NumPy read them once, when they are loaded.
        os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", _MOST_PIXELS)
        os.environ.setdefault("OPENBLAS_NUM_THREADS", _BLAS_THREADS)
        module, attribute = target.split(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command


@click.group(cls=LazyGroup)
@click.version_option(package_name="croupier")
@click.option(
    "--settings",
    type=click.Path(path_type=Path),
    envvar="CROUPIER_SETTINGS",
    metavar="FILE",
    help="Settings to go by (docs/settings.md); what the command line says wins.",
)
@click.pass_context
def main(ctx: click.Context, settings: Path | None) -> None:
    """Read real dice under a camera, referee the game, show the table on every phone."""
    if settings is None:
        return
    from device.commands.settings_option import fault_of, take_up

    take_up(ctx, settings, "croupier")
    fault = fault_of(ctx)
    if fault is not None and ctx.invoked_subcommand not in _STARTS_ANYWAY:
        raise click.UsageError(str(fault))
    if fault is not None and ctx.invoked_subcommand == "host":
        click.echo(f"croupier {ctx.invoked_subcommand}: {fault}", err=True)
