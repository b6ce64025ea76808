"""A small disk of a test's own that can be filled to the last byte."""

import errno
import os
import resource
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SIZE_MB = 24


class Disk:
    """A folder. ``is_real``: it is a file system of its own; otherwise processes are told that files may not grow."""

    def __init__(self, folder: Path, is_real: bool):
        self.folder = folder
        self.is_real = is_real
        self._limited: list[int] = []

    def fill(self, pids: list[int]) -> None:
        """Leave no room, for these processes at the least."""
        if not self.is_real:
            for pid in pids:
                with suppress(ProcessLookupError):
                    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
            self._limited = pids
            return
        with (self.folder / "filler").open("wb", buffering=0) as filler:
            for size in (65_536, 512, 1):
                try:
                    while filler.write(bytes(size)):
                        pass
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise

    def make_room(self) -> None:
        """As before."""
        (self.folder / "filler").unlink(missing_ok=True)
        for pid in self._limited:
            with suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        self._limited = []


@contextmanager
def small_disk(folder: Path) -> Iterator[Disk]:
    """A disk of ``SIZE_MB`` in memory where this user may mount one."""
    folder.mkdir(parents=True)
    options = f"size={SIZE_MB}m,mode=700"
    may_mount = os.geteuid() == 0
    command = ["mount", "-t", "tmpfs", "-o", options, "croupier-faults", str(folder)]
    is_real = may_mount and subprocess.run(command, capture_output=True).returncode == 0
    if not is_real:
        # What grows a file beyond its limit gets this signal, and by default would die of it.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        yield Disk(folder, is_real)
    finally:
        if is_real:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
