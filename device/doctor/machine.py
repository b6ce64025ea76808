"""The machine that the doctor looks at: its files, and what its own programs say."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

_PATIENCE_S = 5.0
"""For programs that look at the machine alone, and answer within a second where they answer at all."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How a program ended, and what it printed."""

    status: int
    text: str


class Machine:
    """This machine; tests look at another ``root``, with programs of their own in ``programs``."""

    def __init__(self, root: Path = Path("/"), programs: Path | None = None) -> None:
        self.root = root
        self._path = None if programs is None else str(programs)

    def read(self, path: str) -> str | None:
        """The text of a file (``proc/meminfo``), or None where there is none or it is not for us."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip().strip("\0")
        except OSError:
            return None

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        return (self.root / path).exists()

    def ask(self, program: str, *arguments: str) -> Answer | None:
        """What a program says; None where there is no such program, or it does not end."""
        found = shutil.which(program, path=self._path)
        if found is None:
            return None
        try:
            ended = subprocess.run(  # noqa: S603 - the machine's own programs, with our own arguments
                [found, *arguments], capture_output=True, text=True, timeout=_PATIENCE_S, stdin=subprocess.DEVNULL
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return Answer(ended.returncode, ended.stdout.strip())

    @property
    def model(self) -> str | None:
        """Which Raspberry Pi this is; None on other machines."""
        model = self.read("proc/device-tree/model")
        return model if model and "Raspberry Pi" in model else None
