"""What the appliance adds to the system around it: users, units, its name in the network. All can be taken away."""

import re
import shutil
import socket
import tomllib
from contextlib import suppress
from pathlib import Path

from device.installation.commands import InstallationFailed, is_there, link, run, succeeds, write_if_new
from device.installation.layout import Layout
from device.installation.services import ALL, DEVICE, HOST, WIFI

USERS = ("croupier-host", "croupier-device")

KEPT_SETTINGS = "settings.toml"
"""In the host's data, so that they outlive ``--uninstall``."""

DEFAULT_PORT = 8420

ALL_BUT_UPDATE = (HOST, DEVICE, WIFI)

NAME = "croupier"
"""Found as croupier.local."""

NAMES_OF_NEW_MACHINES = ("raspberrypi", "debian", "localhost")


def add_users(layout: Layout, resources: Path) -> bool:
    """The services' own users."""
    file = layout.root / "etc/sysusers.d/croupier.conf"
    is_new = write_if_new(file, (resources / "croupier.sysusers").read_text(encoding="utf-8"))
    if is_new or not all(succeeds("id", user) for user in USERS):
        run("systemd-sysusers", file)
        return True
    return False


def add_settings(layout: Layout) -> bool:
    """The settings' file, unless there is one; after ``--uninstall`` it is the one from before."""
    if layout.settings.exists():
        return False
    kept = layout.host_data / KEPT_SETTINGS
    if kept.exists():
        return write_if_new(layout.settings, kept.read_text(encoding="utf-8"))
    text = run(layout.program, "settings", "--print-default", "--box")
    if not succeeds(layout.current / "bin/python", "-c", "import picamera2"):
        text = text.replace('which = "picamera2"', 'which = "usb:0"')
    return write_if_new(layout.settings, text)


def port(layout: Layout) -> int:
    """Where the host serves its pages, as far as the settings can be read."""
    try:
        settings = tomllib.loads(layout.settings.read_text(encoding="utf-8"))
        return int(settings.get("host", {}).get("port", DEFAULT_PORT))
    except (OSError, ValueError, AttributeError, TypeError):
        return DEFAULT_PORT


def add_units(layout: Layout, resources: Path) -> bool:
    """The units of the version that ``resources`` belongs to."""
    changed = False
    for unit in ALL:
        changed |= write_if_new(layout.units / unit, (resources / unit).read_text(encoding="utf-8"))
    backoff = (resources / "restart-backoff.conf").read_text(encoding="utf-8")
    for unit in (HOST, DEVICE):
        changed |= write_if_new(layout.units / f"{unit}.d/restart-backoff.conf", backoff)
    journal = (resources / "journald-croupier.conf").read_text(encoding="utf-8")
    if write_if_new(layout.root / "etc/systemd/journald.conf.d/croupier.conf", journal):
        run("systemctl", "try-restart", "systemd-journald.service")
        changed = True
    kernel = (resources / "sysctl-croupier.conf").read_text(encoding="utf-8")
    if write_if_new(layout.root / "etc/sysctl.d/croupier.conf", kernel):
        run("systemctl", "restart", "systemd-sysctl.service")
        changed = True
    if changed:
        run("systemctl", "daemon-reload")
    return changed


def enable_units() -> bool:
    """Start them at every boot."""
    if all(succeeds("systemctl", "is-enabled", "--quiet", unit) for unit in ALL):
        return False
    run("systemctl", "enable", "--quiet", *ALL)
    return True


def add_command(layout: Layout) -> bool:
    """``croupier`` on everybody's path."""
    return link(layout.command, layout.program)


def add_name(layout: Layout, resources: Path) -> bool:
    """The machine's name, by which avahi lets it be found as NAME.local, and the service to be found by.

    A name that somebody has chosen stays; only one that every new machine has becomes ``croupier``.
    """
    service = (resources / "croupier-avahi.xml").read_text(encoding="utf-8")
    service = service.replace("8420", str(port(layout)))
    changed = write_if_new(layout.root / "etc/avahi/services/croupier.service", service)
    if (before := socket.gethostname()) in NAMES_OF_NEW_MACHINES:
        write_if_new(layout.name_before, f"{before}\n")
        _name(layout, before, NAME)
        changed = True
    if changed:
        run("systemctl", "try-restart", "avahi-daemon.service")
    return changed


def _name(layout: Layout, before: str, after: str) -> None:
    run("hostnamectl", "set-hostname", after)
    hosts = layout.root / "etc/hosts"
    text = hosts.read_text(encoding="utf-8") if hosts.exists() else ""
    write_if_new(hosts, re.sub(rf"(?m)(^127\.0\.[01]\.1\b.*[ \t]){re.escape(before)}$", rf"\g<1>{after}", text))


def remove(layout: Layout) -> None:
    """Everything but the data."""
    for unit in ALL:
        with suppress(InstallationFailed):
            run("systemctl", "disable", "--now", "--quiet", unit)
        (layout.units / unit).unlink(missing_ok=True)
        shutil.rmtree(layout.units / f"{unit}.d", ignore_errors=True)
    for file in (
        layout.root / "etc/systemd/journald.conf.d/croupier.conf",
        layout.root / "etc/sysctl.d/croupier.conf",
        layout.root / "etc/avahi/services/croupier.service",
        layout.root / "etc/sysusers.d/croupier.conf",
        layout.command,
    ):
        file.unlink(missing_ok=True)
    if layout.name_before.exists() and socket.gethostname() == NAME:
        _name(layout, NAME, layout.name_before.read_text(encoding="utf-8").strip())
    run("systemctl", "try-restart", "avahi-daemon.service")
    if is_there("nmcli") and succeeds("nmcli", "connection", "show", "croupier-own"):
        run("nmcli", "connection", "delete", "croupier-own")
    if layout.settings.exists() and layout.host_data.is_dir():
        shutil.copy(layout.settings, layout.host_data / KEPT_SETTINGS)
    shutil.rmtree(layout.settings.parent, ignore_errors=True)
    shutil.rmtree(layout.home, ignore_errors=True)
    for folder in (layout.host_data, layout.device_data, layout.snapshots):
        # The users go; what was theirs must not fall to whoever gets their numbers next.
        if folder.exists():
            run("chown", "-R", "root:root", folder)
    for user in USERS:
        if succeeds("id", user):
            run("userdel", user)
    run("systemctl", "daemon-reload")
