"""``python -m tests.appliance``: a box under qemu is installed, played on, switched off at the wall and updated.

Prints one JSON line for each trial, and writes them down for the report (``python -m tests.benchmarks --report``).
Needs root for mmdebstrap (once: what it makes is kept), some 6 GB of disk in ~/.cache/croupier (CROUPIER_CACHE), and
time: all is emulated in software. ``--short`` is what CI runs; it writes nothing down.
"""

import argparse
import os
import secrets
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from tests import measured
from tests.appliance import game, trials
from tests.appliance.course import Course, Trial, say
from tests.appliance.limit import USUAL_S, Limit
from tests.appliance.machine import Machine
from tests.benchmarks import box

POWER_CUTS = 20
POWER_CUTS_IN_SHORT = 2

SHORT = ("install", "units", "boot", "game", "cuts", "camera", "uninstall")
"""The camera's stall has the watchdog in it: systemd starts the device anew."""


def main() -> None:
    """Exit status 1 where the box did what it must not, 77 where this machine cannot try, or not in that time."""
    parser = argparse.ArgumentParser(prog="python -m tests.appliance", description="The appliance under qemu.")
    parser.add_argument("--short", action="store_true", help=f"{', '.join(SHORT)}, with two power cuts")
    parser.add_argument("--within", type=float, metavar="MINUTES", help="begin no trial that may not fit; then end")
    parser.add_argument("--cuts", type=int, help="how many power cuts")
    parser.add_argument("--only", metavar="TRIAL,…", help="install and these trials alone")
    parser.add_argument("--prepare", action="store_true", help="have apt install what is missing here")
    parser.add_argument("--seed", type=int, help="of the moments at which the power fails")
    chosen = parser.parse_args()
    seed = chosen.seed or int(os.environ.get("CROUPIER_SEED") or secrets.randbits(32))
    cuts = chosen.cuts or (POWER_CUTS_IN_SHORT if chosen.short else POWER_CUTS)
    kept = Kept(writes=not chosen.short and not chosen.only)
    every: dict[str, Callable[[Machine], Mapping[str, Any]]] = {
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
    names: Iterable[str] = SHORT if chosen.short else every
    if chosen.only:
        wanted = {"install", *chosen.only.split(",")}
        if unknown := wanted - set(every):
            parser.error(f"no such trial: {', '.join(sorted(unknown))}")
        names = [name for name in every if name in wanted]
    usual_s = USUAL_S | {"cuts": USUAL_S["cuts"] * cuts}
    course = Course({name: Trial(every[name], usual_s[name]) for name in names}, Limit(chosen.within), kept.add)
    # What is under way is ended, and its folder cleared away, however it ends.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    say(f"CROUPIER_SEED={seed}")
    raise SystemExit(course.run(may_install=chosen.prepare))


class Kept:
    """What was seen so far, written down after each trial, so that a run which is broken off leaves something."""

    def __init__(self, writes: bool) -> None:
        self._rows: list[str] = []
        self._writes = writes

    def add(self, name: str, figures: dict[str, Any]) -> None:
        """A trial has ended."""
        self._rows += box.rows(name, figures)
        self._write([])

    def cut(self, cuts: game.Cuts) -> None:
        """One more power cut after which nothing was lost or doubled."""
        say(f"{cuts.power_cuts} cuts; {cuts.lengths[-1]} entries told again after {cuts.boots_s[-1]:.0f} s")
        self._write(list(box.rows("cuts", asdict(cuts))))

    def _write(self, further: list[str]) -> None:
        if self._writes:
            measured.keep("box", "python -m tests.appliance", "\n".join([*box.HEAD, *self._rows, *further]))


if __name__ == "__main__":
    main()
