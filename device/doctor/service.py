"""The two services, where systemd runs them, and the host, however it was started."""

import os
from collections.abc import Iterator
from pathlib import Path

from device.doctor.finding import Finding, Level
from device.doctor.machine import Machine
from device.doctor.network import answers
from device.host_client import HostAway, HostClient, HostRefused

_UNITS = ("croupier-host.service", "croupier-device.service")

_TO_DO = {
    "safe-mode": "Mend what it names, then start it again: sudo systemctl restart croupier-device",
}

_OFTEN = 3
"""Restarts since the last start that are more than bad luck."""


def is_run_by_systemd(machine: Machine) -> bool:
    """Whether the device half runs as a service now: then the camera and the pins are its own."""
    answer = machine.ask("systemctl", "is-active", _UNITS[1])
    return answer is not None and answer.text == "active"


def check_service(machine: Machine) -> Iterator[Finding]:
    """Whether the services are active."""
    if not machine.exists("run/systemd/system"):
        yield Finding("service", Level.INFO, "systemd does not run here, so croupier is no service.")
        return
    for unit in _UNITS:
        properties = "LoadState,ActiveState,NRestarts"
        answer = machine.ask("systemctl", "show", unit, f"--property={properties}")
        said = dict(line.partition("=")[::2] for line in (answer.text if answer else "").splitlines())
        name = unit.removesuffix(".service")
        if said.get("LoadState") != "loaded":
            yield Finding("service", Level.INFO, f"{name} is not installed.", "For a box: sudo ./install")
        elif said.get("ActiveState") != "active":
            to_do = f"sudo systemctl restart {name}; what it said is in: journalctl -u {name} -n 20"
            yield Finding("service", Level.ISSUE, f"{name} is {said.get('ActiveState')}.", to_do)
        elif int(said.get("NRestarts") or 0) > _OFTEN:
            text = f"{name} runs, but was started again {said['NRestarts']} times."
            yield Finding("service", Level.WARNING, text, f"It says why in: journalctl -u {name} -n 50")
        else:
            yield Finding("service", Level.OK, f"{name} runs.")


def port_of_host(data: Path) -> int | None:
    """Where the host that uses ``data`` listens; None if none does, or ``data`` is not ours to look into."""
    try:
        return int((data / "address").read_text(encoding="ascii").rpartition(":")[2])
    except (OSError, ValueError):
        return None


def check_host(data: Path, lan: str | None) -> Iterator[Finding]:
    """Whether the host answers, and the setup code while nobody has claimed it."""
    address_file = data / "address"
    if data.exists() and not os.access(data, os.X_OK):
        yield Finding("host", Level.INFO, f"{data} is not ours to look into.", "Ask again with sudo.")
        return
    try:
        address = address_file.read_text(encoding="ascii").strip()
        health = HostClient(address).get("/health")
    except OSError:
        yield Finding("host", Level.INFO, "The host is not running.", "Start it: croupier run")
        return
    except (HostAway, HostRefused) as error:
        to_do = "Start it again: croupier run, or on a box: sudo systemctl restart croupier-host"
        yield Finding("host", Level.ISSUE, f"The host does not answer at {address} ({error}).", to_do)
        return
    yield Finding("host", Level.OK, f"The host answers at {address}, version {health.get('version')}.")
    yield from _device_state(HostClient(address))
    yield from _claim(data, address, lan)


def _device_state(client: HostClient) -> Iterator[Finding]:
    """What keeps the device from reading, as it told the host."""
    try:
        told = client.get("/device/state")
    except (HostAway, HostRefused):
        return
    if told.get("is_fault"):
        detail = f" ({told['detail']})" if told.get("detail") else ""
        yield Finding(
            "device", Level.WARNING, f"{told.get('sentence')}{detail}", _TO_DO.get(str(told.get("state")), "")
        )


def _claim(data: Path, address: str, lan: str | None) -> Iterator[Finding]:
    try:
        code = (data / "setup-code").read_text(encoding="ascii").strip()
    except FileNotFoundError:
        yield Finding("owner", Level.OK, "It has its owner.")
        return
    except OSError:
        yield Finding("owner", Level.INFO, "It has no owner yet.", "For the setup code: sudo croupier doctor")
        return
    port = int(address.rpartition(":")[2])
    here = f"http://{lan}:{port}" if lan is not None and answers(lan, port) else address
    yield Finding("owner", Level.INFO, f"It has no owner yet. Setup code: {code}", f"Enter it at {here}/claim")
