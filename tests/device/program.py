"""Runs ``croupier`` as a person does: a process of its own, what it prints, how it ends."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RECORDING = Path(__file__).parents[1] / "recordings" / "vigos-favor-worked-example"
COMMAND = (sys.executable, "-m", "device")


@dataclass(frozen=True)
class Ended:
    """How a run of the program ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, as JSON."""
        return json.loads(self.out)


def start(*arguments: str | Path, **environment: str) -> subprocess.Popen[str]:
    """Start the program."""
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


@contextmanager
def running(*arguments: str | Path) -> Iterator[subprocess.Popen[str]]:
    """The program at work; it is ended at the latest with the block."""
    process = start(*arguments)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.communicate()


def wait_for(ready: Callable[[], object], seconds: float = 90) -> None:
    """Wait until ``ready()`` is true; generous, since other work may keep the machine busy."""
    until = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.02)


def end(process: subprocess.Popen[str], timeout_s: float = 120) -> Ended:
    """Wait for the program's end."""
    try:
        out, err = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        process.terminate()
        out, err = process.communicate()
        raise AssertionError(f"did not end within {timeout_s} s; it said: {err}") from None
    return Ended(process.returncode, out, err)


def run(*arguments: str | Path, timeout_s: float = 120, **environment: str) -> Ended:
    """Run the program to its end."""
    return end(start(*arguments, **environment), timeout_s)
