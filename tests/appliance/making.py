"""Files and disks for the machine, and the programs that make them."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

TOOLS = {
    "mmdebstrap": "mmdebstrap",
    "mke2fs": "e2fsprogs",
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
}
"""Programs, and Debian's packages that bring them."""


class CannotMake(RuntimeError):
    """This machine cannot make the image; the text is one line that says what to do."""


def cache() -> Path:
    """Where images and wheels are kept: CROUPIER_CACHE, else ~/.cache/croupier."""
    return Path(os.environ.get("CROUPIER_CACHE") or Path.home() / ".cache" / "croupier") / "appliance"


def require_tools(may_install: bool = False) -> None:
    """Raises ``CannotMake`` where a program is missing; with ``may_install`` apt is asked for it first."""
    if may_install and (missing := _missing_packages()):
        run("apt-get", "update", "-q")
        run("apt-get", "install", "-q", "-y", "--no-install-recommends", *missing)
    if missing := _missing_packages():
        raise CannotMake(f"needs {', '.join(missing)}: sudo apt install --no-install-recommends {' '.join(missing)}")


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


def run(*command: str | Path) -> None:
    """Run a program; raises ``CannotMake`` with its last line where it fails."""
    try:
        subprocess.run(
            [*map(str, command)], env=os.environ | {"PATH": _path()}, check=True, capture_output=True, text=True
        )
    except subprocess.CalledProcessError as failed:
        last = (failed.stderr.strip() or failed.stdout.strip() or "no word").splitlines()[-1]
        raise CannotMake(f"{command[0]} failed: {last}") from None
