"""``croupier doctor``: looks at everything that a game needs, and says what to do about each finding."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click

from device.cameras import USAGE, CameraChoice
from device.commands.options import camera_choice
from device.commands.settings_option import fault_of, file_of, settings_of, settings_option
from device.doctor.camera import check_camera
from device.doctor.clock import check_clock
from device.doctor.disk import check_disk
from device.doctor.finding import Finding, Level
from device.doctor.health import check_memory, check_power, check_temperature
from device.doctor.machine import Machine
from device.doctor.network import check_network, lan_address
from device.doctor.packages import check_packages
from device.doctor.profile import check_profile, profile_of
from device.doctor.report import lines
from device.doctor.service import check_host, check_service, is_run_by_systemd, port_of_host
from device.doctor.settings import check_panel, check_settings
from device.trained import trained_reader

_OF_THE_BOX = Path("/etc/croupier/settings.toml")
"""Where the installer puts the settings."""


@click.command()
@settings_option(_OF_THE_BOX)
@click.option("--camera", callback=camera_choice, default="usb:0", show_default=True, metavar="CAMERA", help=USAGE)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where everything is kept.  [default: ~/.local/share/croupier]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_context
def doctor(ctx: click.Context, camera: CameraChoice, data: Path | None, as_json: bool) -> None:
    """Look at camera, light, disk, clock, network, services and settings, and say what to do.

    Ends with status 1 if something must be done. On a box that ./install has made it goes by the box's settings.
    """
    kept = data or Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "croupier"
    findings = list(_all_findings(ctx, Machine(), camera, kept))
    if as_json:
        is_well = all(finding.level is not Level.ISSUE for finding in findings)
        click.echo(json.dumps({"well": is_well, "findings": [finding.to_json() for finding in findings]}))
    else:
        for line in lines(findings):
            click.echo(line)
    if any(finding.level is Level.ISSUE for finding in findings):
        raise SystemExit(1)


def _all_findings(ctx: click.Context, machine: Machine, camera: CameraChoice, data: Path) -> Iterator[Finding]:
    settings = settings_of(ctx)
    lan = lan_address()
    used_by = _user_of_the_camera(machine, data)
    yield from check_settings(settings, file_of(ctx) is not None, fault_of(ctx))
    own = Path(settings.device.data) if settings.device.data else data
    yield from check_profile(own)
    yield from check_camera(camera, settings.camera, used_by, lambda: trained_reader(profile_of(own)))
    yield from check_panel(machine, settings, used_by)
    yield from check_disk(machine, data)
    yield from check_clock(machine, data, time.time())
    yield from check_network(machine, settings, lan, port_of_host(data))
    yield from check_service(machine)
    yield from check_host(data, lan)
    yield from check_memory(machine)
    yield from check_temperature(machine)
    yield from check_power(machine)
    yield from check_packages(machine)


def _user_of_the_camera(machine: Machine, data: Path) -> str | None:
    if is_run_by_systemd(machine):
        return "the service croupier-device"
    with suppress(OSError, ValueError):
        process = int((data / "device.pid").read_text(encoding="ascii"))
        if Path(f"/proc/{process}").exists():
            return "croupier run"
    return None
