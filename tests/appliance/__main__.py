"""``python -m tests.appliance``: a box under qemu is installed, played on, switched off at the wall and updated.

Prints one JSON line for each trial, and writes them down for the report (``python -m tests.benchmarks --report``).
Needs root or user namespaces for mmdebstrap, some 6 GB of disk in ~/.cache/croupier (CROUPIER_CACHE), and time: all
is emulated in software. ``--short`` leaves out most power cuts and the updates.
"""

import argparse
import json
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests import measured
from tests.appliance import game, trials
from tests.appliance.image import base_image
from tests.appliance.machine import Machine, MachineError
from tests.appliance.making import CannotMake, disk_of, require_tools
from tests.benchmarks import box

SOURCE_MB = 512

POWER_CUTS = 20
POWER_CUTS_IN_SHORT = 2

Trial = Callable[[Machine], Any]


def main() -> None:
    """Exit status 1 where the box did what it must not, 2 where this machine cannot try."""
    parser = argparse.ArgumentParser(prog="python -m tests.appliance", description="The appliance under qemu.")
    parser.add_argument("--short", action="store_true", help="what fits into CI")
    parser.add_argument("--cuts", type=int, help="how many power cuts")
    parser.add_argument("--only", metavar="TRIAL,…", help="install and these trials alone")
    parser.add_argument("--prepare", action="store_true", help="have apt install what is missing here")
    parser.add_argument("--seed", type=int, help="of the moments at which the power fails")
    chosen = parser.parse_args()
    seed = chosen.seed or int(os.environ.get("CROUPIER_SEED") or secrets.randbits(32))
    cuts = chosen.cuts or (POWER_CUTS_IN_SHORT if chosen.short else POWER_CUTS)
    say(f"CROUPIER_SEED={seed}")
    every: dict[str, Trial] = {
        "install": trials.install,
        "units": trials.verify_units,
        "boot": trials.boot,
        "game": trials.whole_game,
        "watchdog": trials.watchdog,
        "camera": trials.camera_stall,
        "wifi": trials.own_wifi,
        "updates": trials.updates,
        "cuts": lambda machine: asdict(game.cut_power(machine, cuts, seed, kept.cut)),
        "uninstall": trials.uninstall,
    }
    kept = Kept()
    names = {"install", *chosen.only.split(",")} if chosen.only else set(every)
    if chosen.short:
        names -= {"updates"}
    began = time.monotonic()
    try:
        require_tools(may_install=chosen.prepare)
        with tempfile.TemporaryDirectory(prefix="croupier-appliance-") as folder:
            put_through(Path(folder), {name: trial for name, trial in every.items() if name in names}, kept)
    except CannotMake as cannot:
        say(f"cannot be tried here: {cannot}")
        raise SystemExit(2) from None
    except (game.Wrong, MachineError) as wrong:
        say(f"failed: {wrong}")
        raise SystemExit(1) from None
    print(json.dumps({"trial": "all", "minutes": round((time.monotonic() - began) / 60, 1)}), flush=True)
    print(f"{len(names)} passed, 0 failed")


class Kept:
    """What was seen so far, written down after each trial, so that a run which is broken off leaves something."""

    def __init__(self) -> None:
        self._rows: list[str] = []

    def add(self, name: str, figures: dict[str, Any]) -> None:
        """A trial has ended."""
        self._rows += box.rows(name, figures)
        self._write([])

    def cut(self, cuts: game.Cuts) -> None:
        """One more power cut after which nothing was lost or doubled."""
        say(f"{cuts.power_cuts} cuts; {cuts.lengths[-1]} entries told again after {cuts.boots_s[-1]:.0f} s")
        self._write(list(box.rows("cuts", asdict(cuts))))

    def _write(self, further: list[str]) -> None:
        measured.keep("box", "python -m tests.appliance", "\n".join([*box.HEAD, *self._rows, *further]))


def put_through(folder: Path, chosen: dict[str, Trial], kept: Kept) -> None:
    """Make the machine, and put it through these."""
    say("making the image and the wheels, as far as they are not there yet (minutes)")
    image = base_image()
    (folder / "source").mkdir()
    trials.make_source(folder / "source")
    disk_of(folder / "source", folder / "source.ext4", SOURCE_MB)
    with Machine(image, folder, folder / "source.ext4") as machine:
        machine.power_on()
        machine.wait_until("systemctl is-system-running --wait || true", 400)
        for name, trial in chosen.items():
            say(f"{name} …")
            began = time.monotonic()
            figures = trial(machine)
            took = round(time.monotonic() - began, 1)
            print(json.dumps({"trial": name, "took_s": took, **figures}), flush=True)
            kept.add(name, {"took_s": took, **figures})


def say(text: str) -> None:
    """One line of how it goes."""
    print(f"appliance: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
