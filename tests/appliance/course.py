"""The trials one after another: what has passed, what has failed, and what there was no time for."""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device.host_client import HostAway, HostRefused
from tests.appliance import trials
from tests.appliance.game import Wrong
from tests.appliance.image import Image, base_image
from tests.appliance.limit import Limit, OutOfTime
from tests.appliance.machine import Machine, MachineError
from tests.appliance.making import CannotMake, cache, disk_of, made, preparing, require_room, require_tools

SOURCE_MB = 512

PASSED, FAILED, NOT_RUN = 0, 1, 77
"""Exit statuses. 77 is what test programs say for "not here"; 2 would be wrong use, which must fail CI."""


@dataclass(frozen=True)
class Trial:
    """What a box is put through, and about how long that takes on a quiet machine."""

    run: Callable[[Machine], Mapping[str, Any]]
    usual_s: float


@dataclass
class Course:
    """Trials by name, in order; ``keep`` is given what each has measured."""

    trials: Mapping[str, Trial]
    limit: Limit
    keep: Callable[[str, dict[str, Any]], None]
    passed: list[str] = field(default_factory=list)
    running: str = ""

    def run(self, may_install: bool) -> int:
        """Put a machine through them and say how it went; the exit status."""
        try:
            with tempfile.TemporaryDirectory(prefix="croupier-appliance-") as folder, self.limit.kept():
                self._run(Path(folder), may_install)
        except CannotMake as cannot:
            print(f"NOT RUN: the box under qemu: {' '.join(str(cannot).split())}")
            return NOT_RUN
        except OutOfTime:
            if self.running:
                return self._failed(f"not over when the {self.limit.minutes:g} minutes were")
            if not self.passed:
                print(f"NOT RUN: the box under qemu: not ready within {self.limit.minutes:g} minutes")
                return NOT_RUN
        except (Wrong, MachineError, HostAway, HostRefused) as wrong:
            return self._failed(str(wrong))
        left_out = [name for name in self.trials if name not in self.passed]
        if left_out:
            what = ", ".join(left_out) if self.passed else "the box under qemu"
            print(f"NOT RUN: {what}: too little was left of {self.limit.minutes:g} minutes; {self.limit.judged()}")
        if self.passed:
            print(f"{len(self.passed)} passed, 0 failed")
        return NOT_RUN if left_out else PASSED

    def _failed(self, why: str) -> int:
        print(f"FAILED: {self.running}: {why}")
        print(f"{len(self.passed)} passed, 1 failed")
        return FAILED

    def _run(self, folder: Path, may_install: bool) -> None:
        with ExitStack() as ends:
            with preparing():
                image = self._prepare(folder, may_install)
                machine = ends.enter_context(Machine(image, folder, folder / "source.ext4"))
                self.limit.judge_by(_bare_boot_s(machine))
            for name, trial in self.trials.items():
                if not self.limit.holds(trial.usual_s):
                    return
                say(f"{name} …")
                self.running = name
                began = time.monotonic()
                figures = trial.run(machine)
                self.running = ""
                self.passed.append(name)
                figures = {"took_s": round(time.monotonic() - began, 1), **figures}
                print(json.dumps({"trial": name, **figures}), flush=True)
                self.keep(name, figures)

    def _prepare(self, folder: Path, may_install: bool) -> Image:
        """The image and the second disk."""
        began = time.monotonic()
        say("making the image and the wheels, as far as they are not there yet (minutes)")
        require_tools(may_install)
        require_room(made(cache()), folder)
        image = base_image()
        (folder / "source").mkdir()
        trials.make_source(folder / "source", with_updates="updates" in self.trials)
        disk_of(folder / "source", folder / "source.ext4", SOURCE_MB)
        say(f"made after {time.monotonic() - began:.0f} s; the machine boots …")
        return image


def _bare_boot_s(machine: Machine) -> float:
    """Switch it on before anything of Croupier's is on it; the seconds until it has booted."""
    began = time.monotonic()
    try:
        machine.power_on()
        machine.wait_until("systemctl is-system-running --wait || true", 400)
    except MachineError as error:
        raise CannotMake(f"the machine does not boot: {error}") from None
    took = time.monotonic() - began
    say(f"booted after {took:.0f} s")
    return took


def say(text: str) -> None:
    """One line of how it goes."""
    print(f"appliance: {text}", file=sys.stderr, flush=True)
