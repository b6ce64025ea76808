"""What ``sudo ./install`` runs, with the system's Python and from the project's folder: standard library alone."""

import argparse
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from device.installation import packages, system, versions, wifi
from device.installation.commands import InstallationFailed, is_there, link, run
from device.installation.layout import Layout
from device.installation.services import Services, wait_until_well

PROJECT = Path(__file__).resolve().parent.parent.parent

FIRST_START_S = 180.0
"""Until both halves are well for the first time: the slowest Pi compiles every module once."""

Step = Callable[[], bool]


def main() -> None:
    """Install, or take away. Exit status 1 where that failed, 2 for wrong use."""
    parser = argparse.ArgumentParser(prog="install", description="Make this machine a Croupier box.")
    parser.add_argument("--wheel", type=Path, metavar="FILE", help="install this wheel instead of the folder")
    parser.add_argument("--wheelhouse", type=Path, metavar="DIR", help="take all wheels from DIR, not from the net")
    parser.add_argument("--uninstall", action="store_true", help="take everything away but the data")
    chosen = parser.parse_args()
    os.environ.pop("PYTHONPATH", None)  # brought us here, and is not for those that we start
    wheelhouse = chosen.wheelhouse and chosen.wheelhouse.resolve()
    try:
        if os.geteuid() != 0:
            raise InstallationFailed("needs root: sudo ./install")
        if not is_there("apt-get") or not is_there("systemctl"):
            raise InstallationFailed("needs Raspberry Pi OS or Debian with systemd")
        if chosen.uninstall:
            system.remove(Layout())
            say(f"taken away. The data stays in {Layout().host_data} and {Layout().device_data}")
        else:
            install(Layout(), versions.Source((chosen.wheel or PROJECT).resolve(), wheelhouse))
    except InstallationFailed as failed:
        say(str(failed))
        raise SystemExit(1) from None


def install(layout: Layout, source: versions.Source) -> None:
    """Each step, as far as it is still to be done."""
    if layout.pending.exists():
        raise InstallationFailed("an update was cut short: sudo croupier update --finish, then try again")
    installed, lacking = packages.install_packages()
    tell("Debian's packages", installed)
    for name in lacking:
        say(f"  no package {name} here: {packages.WITHOUT[name]}")
    before = versions.current(layout)
    after = versions.make(source, layout)
    is_new = versions.switch(layout, after)
    tell(f"program {after.name}", is_new)
    resources = versions.resources(after)
    steps: tuple[tuple[str, Step], ...] = (
        ("users", lambda: system.add_users(layout, resources)),
        ("command croupier", lambda: system.add_command(layout)),
        (f"settings {layout.settings}", lambda: system.add_settings(layout)),
        ("units", lambda: system.add_units(layout, resources)),
        ("name in the network", lambda: system.add_name(layout, resources)),
    )
    changed = is_new
    for name, step in steps:
        done = step()
        tell(name, done)
        changed |= done
    if wifi.has_network_manager():
        tell("a Wi-Fi of its own", wifi.add_own_network(layout))
        tell(f"card to print {layout.card}", wifi.add_card(layout, system.port(layout)))
    else:
        say("no NetworkManager here: the box opens no Wi-Fi of its own")
    tell("start at every boot", system.enable_units())
    tell("start now", changed)
    services = Services(system.port(layout))
    if changed:
        run("systemctl", "restart", "--no-block", *system.ALL_BUT_UPDATE)
        link(layout.previous, before or after)
        versions.forget_others(layout, {after, before or after})
    trouble = wait_until_well(services, FIRST_START_S if changed else 10)
    if trouble is not None:
        raise InstallationFailed(f"all is in place, but {trouble}: croupier doctor says more")
    tell_how_to_begin(layout)


def tell_how_to_begin(layout: Layout) -> None:
    """Where to go, and with what code while the box has no owner yet."""
    address = f"http://{socket.gethostname()}.local:{system.port(layout)}"
    code = layout.host_data / "setup-code"
    say(f"well. The tables are at {address}/")
    if code.exists():
        say(f"this box has no owner yet: enter {code.read_text(encoding='utf-8').strip()} at {address}/claim")


def tell(step: str, is_done: bool) -> None:
    """One line for a step."""
    say(f"{step}: {'done' if is_done else 'nothing to do'}")


def say(text: str) -> None:
    """One line on standard error."""
    print(f"install: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
