"""The disk with the data: room, whether it can be written, and whether the card wears out."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from device.doctor.finding import Finding, Level
from device.doctor.machine import Machine

_TIGHT_MB, _FULL_MB = 500, 50
"""Pictures of throws take 10 MB at most (500 of 20 kB); an update keeps two versions of the program for a while."""


def check_disk(machine: Machine, data: Path) -> Iterator[Finding]:
    """The disk on which ``data`` lies, or would lie."""
    if os.access(data, os.F_OK) and not os.access(data, os.W_OK | os.X_OK) and os.geteuid() != 0:
        do = f"Ask again with sudo: sudo croupier doctor --data {data}"
        yield Finding("disk", Level.INFO, f"{data} is not ours to look into.", do)
        return
    here = next(folder for folder in (data, *data.parents) if folder.exists())
    yield _room(here)
    yield from _writing(here, data)
    yield from _card(machine)


def _room(here: Path) -> Finding:
    usage = shutil.disk_usage(here)
    free_mb = usage.free // 2**20
    text = f"{free_mb / 1024:.1f} of {usage.total / 2**30:.1f} GB are free."
    if free_mb >= _TIGHT_MB:
        return Finding("disk", Level.OK, text)
    to_do = "Make room: recordings are the largest files; or move to a larger card."
    return Finding("disk", Level.ISSUE if free_mb < _FULL_MB else Level.WARNING, text, to_do)


def _writing(here: Path, data: Path) -> Iterator[Finding]:
    probe = here / f".croupier-doctor-{os.getpid()}"
    try:
        with probe.open("xb") as file:
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
        probe.unlink()
    except OSError as error:
        probe.unlink(missing_ok=True)
        to_do = (
            "A card that has become read-only is at its end: back up what is on it and put a new one in."
            if error.errno == 30  # EROFS
            else f"See that {here} belongs to whoever runs croupier, or name another folder with --data."
        )
        yield Finding("disk", Level.ISSUE, f"{here} cannot be written ({error.strerror}).", to_do)
    else:
        known = "" if here == data else f" ({data} is made there at the first start)"
        yield Finding("disk", Level.OK, f"{here} can be written{known}.")


def _card(machine: Machine) -> Iterator[Finding]:
    """What the kernel knows of faults, and the card of its own wear (eMMC alone says so)."""
    for file in sorted(machine.root.glob("sys/fs/ext4/*/errors_count")):
        count = file.read_text(encoding="ascii").strip()
        if count not in ("", "0"):
            text = f"The file system on {file.parent.name} has had {count} faults."
            to_do = "Make a backup now (croupier backup FILE), then put a new card in."
            yield Finding("disk", Level.ISSUE, text, to_do)
    for file in sorted(machine.root.glob("sys/block/mmcblk*/device/pre_eol_info")):
        wear = file.read_text(encoding="ascii").strip()
        if wear in ("0x02", "0x03"):
            level = Level.WARNING if wear == "0x02" else Level.ISSUE
            to_do = "Make a backup, and put a new one in."
            yield Finding("disk", level, f"{file.parents[1].name} says that it is nearly worn out.", to_do)
