"""``croupier update``: to another version, and back by itself where that one does not get well."""

import os
import signal
from pathlib import Path

import click

from device.installation import system, versions
from device.installation.commands import InstallationFailed, run
from device.installation.layout import Layout
from device.installation.services import ALL, Services, wait_until_well
from device.installation.update import Update


class _Halves(Services):
    """The services of this machine, as an update needs them."""

    def wait_until_well(self, patience_s: float) -> str | None:
        """None once they are well, or what still is the trouble at the end."""
        return wait_until_well(self, patience_s)


@click.command()
@click.argument("wheel", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--wheelhouse",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Take what the new version needs from this folder of wheels, not from the net.",
)
@click.option(
    "--finish", is_flag=True, help="Bring an update that was cut short to its end; boots do it by themselves."
)
def update(wheel: Path | None, wheelhouse: Path | None, finish: bool) -> None:
    """Change a box made by ./install to the version in WHEEL, and go back if it is not well within two minutes."""
    if finish == (wheel is not None):
        raise click.UsageError("name a WHEEL, or use --finish")
    if os.geteuid() != 0:
        raise click.ClickException("needs root: sudo croupier update WHEEL")
    # A connection that breaks off (ssh) or an impatient Ctrl-C must not leave it halfway.
    for number in (signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    layout = Layout()
    changes = Update(layout, _Halves(system.port(layout)), lambda folder: _adopt(layout, folder), _say)
    try:
        is_well = (
            changes.finish()
            if wheel is None
            else changes.run(versions.Source(wheel.resolve(), wheelhouse and wheelhouse.resolve()))
        )
    except InstallationFailed as failed:
        raise click.ClickException(str(failed)) from None
    if not is_well:
        raise SystemExit(1)


def _adopt(layout: Layout, folder: Path) -> None:
    resources = versions.resources(folder)
    new = [unit for unit in ALL if not (layout.units / unit).exists()]
    system.add_users(layout, resources)
    system.add_units(layout, resources)
    if new:
        # The others may have been switched off on purpose.
        run("systemctl", "enable", "--quiet", *new)


def _say(text: str) -> None:
    click.echo(f"update: {text}", err=True)
