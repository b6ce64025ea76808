"""``croupier record``: the appliance at work, and a recording kept of the game."""

from pathlib import Path
from typing import Any

import click

from device.commands.run import run

_FOLDER = click.Argument(["folder"], type=click.Path(path_type=Path), metavar="DIR")


@click.command(params=[_FOLDER, *(param for param in run.params if param.name != "record_in")])
def record(folder: Path, **told: Any) -> None:
    """Be the appliance, as croupier run, and keep what the camera sees and players decide as a recording in DIR.

    A second game goes into DIR-2. While a die is secret nothing is kept. On two machines: croupier device --record.
    """
    if folder.is_file():
        raise click.UsageError(f"{folder} is a file; name a folder that is new")
    if run.callback is not None:
        run.callback(record_in=folder, **told)
