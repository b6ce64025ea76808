"""How phones get here: addresses, the name, and whether the host lets them in."""

import ipaddress
import socket
from collections.abc import Iterator

from device.doctor.finding import Finding, Level
from device.doctor.machine import Machine
from device.settings import Settings

_CONNECT_S = 2.0


def check_network(machine: Machine, settings: Settings, lan: str | None, port: int | None) -> Iterator[Finding]:
    """``lan`` is this machine's address as its neighbours see it, ``port`` the running host's; None without one."""
    if lan is None:
        to_do = "Plug in a network cable or join a Wi-Fi; phones and box must be in the same one."
        yield Finding("network", Level.WARNING, "This machine is in no network: no phone finds it.", to_do)
    elif not (_is_open(settings) if port is None else answers(lan, port)):
        text = f"This machine is {lan}, but the host lets in nobody from outside."
        to_do = 'For phones: croupier run --listen 0.0.0.0, or listen = "0.0.0.0" in the settings under [host].'
        yield Finding("network", Level.WARNING, text, to_do)
    else:
        yield Finding("network", Level.OK, f"Phones reach it at http://{lan}:{port or settings.host.port}/")
    yield from _name(machine, settings.network.name)


def _is_open(settings: Settings) -> bool:
    return settings.host.public_address is not None or not ipaddress.ip_address(settings.host.listen).is_loopback


def answers(address: str, port: int) -> bool:
    """Whether somebody listens there."""
    try:
        socket.create_connection((address, port), timeout=_CONNECT_S).close()
    except OSError:
        return False
    return True


def _name(machine: Machine, name: str) -> Iterator[Finding]:
    if not machine.exists("run/avahi-daemon/pid"):
        to_do = "Use the address as a number; or install avahi-daemon."
        yield Finding("name", Level.INFO, f"{name}.local is not announced here.", to_do)
        return
    answer = machine.ask("avahi-resolve-host-name", "-4", f"{name}.local")
    if answer is None:
        yield Finding("name", Level.OK, "avahi announces this machine.")
    elif answer.text:
        yield Finding(
            "name", Level.OK, f"{name}.local is found. Some phones know no such names: use the number there."
        )
    else:
        text = f"avahi runs, but {name}.local is not found."
        to_do = f"See that host-name={name} stands in /etc/avahi/avahi-daemon.conf, or set network.name."
        yield Finding("name", Level.WARNING, text, to_do)


def lan_address() -> str | None:
    """This machine's address as its neighbours see it, or None. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket only asks the routing table; 192.0.2.1 is reserved for documentation.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return None
