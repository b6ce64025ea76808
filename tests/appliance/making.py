"""Files and disks for the machine, and the programs that make them."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

TOOLS = {
    "mmdebstrap": "mmdebstrap",
    "mke2fs": "e2fsprogs",
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
}
"""Programs, and Debian's packages that bring them."""


FREE_GIB = 6
"""What the image takes while it is made, and what the machine writes; together 3.1 GiB were seen."""

APART = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
"""mmdebstrap mounts /dev and /sys below the folder that it fills. Broken off it would leave them there, to be deleted
with the folder; mounted apart from the rest of the system they are gone with it. Where a machine does not allow that
(a container that may not mount), mmdebstrap mounts nothing either."""

ENDS_WITHIN_S = 10
"""How long a program that is broken off may clear away behind itself."""


class CannotMake(RuntimeError):
    """This machine cannot make the image; the text is one line that says why."""


@contextmanager
def preparing() -> Iterator[None]:
    """What goes wrong here is this machine's fault, and a ``CannotMake``: nothing of Croupier's has run yet."""
    try:
        yield
    except subprocess.CalledProcessError as failed:
        raise CannotMake(f"{failed.cmd[0]} ended with {failed.returncode}") from failed
    except OSError as error:
        raise CannotMake(str(error)) from error


def cache() -> Path:
    """Where images and wheels are kept: CROUPIER_CACHE, else ~/.cache/croupier."""
    return Path(os.environ.get("CROUPIER_CACHE") or Path.home() / ".cache" / "croupier") / "appliance"


def require_tools(may_install: bool = False) -> None:
    """Raises ``CannotMake`` where a program is missing; with ``may_install`` apt is asked for it first."""
    can_install = may_install and os.geteuid() == 0 and shutil.which("apt-get")
    if can_install and (missing := _missing_packages()):
        run("apt-get", "update", "-q")
        run("apt-get", "install", "-q", "-y", "--no-install-recommends", *missing)
    if missing := _missing_packages():
        raise CannotMake(f"needs {', '.join(missing)}: sudo apt install --no-install-recommends {' '.join(missing)}")


def require_room(*folders: Path) -> None:
    """Raises ``CannotMake`` where one of these folders' disks is too full: the machine would stop in its midst."""
    for folder in folders:
        if (free := shutil.disk_usage(folder).free / 2**30) < FREE_GIB:
            raise CannotMake(f"needs {FREE_GIB} GiB in {folder}, where {free:.1f} are free")


def _missing_packages() -> list[str]:
    return [package for program, package in TOOLS.items() if shutil.which(program, path=_path()) is None]


def disk_of(folder: Path, disk: Path, size_mb: int) -> None:
    """Write an ext4 disk that holds the folder's content."""
    disk.unlink(missing_ok=True)
    run("mke2fs", "-q", "-t", "ext4", "-d", folder, "-E", "root_owner=0:0", disk, f"{size_mb}M")


def working_tree(into: Path) -> None:
    """A copy of what git would see of the working tree: tracked files and new ones that it does not ignore."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, into / name)


def made(folder: Path) -> Path:
    """The folder, there."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _path() -> str:
    return f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"


def run(*command: str | Path, apart: bool = False) -> None:
    """Run a program that asks nothing; raises ``CannotMake`` with what it complained of where it fails.

    ``apart``: what it mounts and starts is gone with it.
    """
    try:
        by = APART if apart and not subprocess.run([*APART, "true"], stderr=subprocess.DEVNULL).returncode else ()
        process = subprocess.Popen(
            [*by, *map(str, command)],
            env=os.environ | {"PATH": _path(), "DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # A group of its own, so that what it has started ends with it.
            start_new_session=True,
        )
    except OSError as error:
        raise CannotMake(f"{command[0]}: {error.strerror}") from None
    with process:
        try:
            said, complained = process.communicate()
        except BaseException:
            _break_off(process)
            raise
    if process.returncode:
        raise CannotMake(f"{command[0]} failed: {_reason(complained.strip() or said.strip() or 'no word')}")


def _break_off(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(ENDS_WITHIN_S)
        os.killpg(process.pid, signal.SIGKILL)


def _reason(said: str) -> str:
    """Apt's and mmdebstrap's first error, else the last line."""
    lines = said.splitlines()
    return next((line for line in lines if line.startswith("E: ")), lines[-1])
