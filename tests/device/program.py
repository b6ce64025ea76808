"""Runs ``croupier`` as a person does: a process of its own, what it prints, how it ends."""

import json
import os
import subprocess
import sys
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


def end(process: subprocess.Popen[str], timeout_s: float = 60) -> Ended:
    """Wait for the program's end."""
    try:
        out, err = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        process.terminate()
        out, err = process.communicate()
        raise AssertionError(f"did not end within {timeout_s} s; it said: {err}") from None
    return Ended(process.returncode, out, err)


def run(*arguments: str | Path, timeout_s: float = 60, **environment: str) -> Ended:
    """Run the program to its end."""
    return end(start(*arguments, **environment), timeout_s)
