"""Wheels for the machine, fetched outside of it: those of the lock file, and Croupier's own."""

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from device.installation.versions import without_system_packages
from tests.appliance.image import ROOT, CannotMake, cache

_PLATFORM = (
    *("--python-version", "3.13", "--implementation", "cp", "--abi", "cp313"),
    *("--platform", "manylinux_2_28_x86_64", "--platform", "manylinux2014_x86_64", "--platform", "any"),
)
"""Debian 13's Python on x86-64."""


def wheelhouse() -> Path:
    """A folder with what the lock file lists and the system does not bring, from the cache where it is there."""
    lock = without_system_packages((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    folder = cache() / f"wheels-{hashlib.sha256(lock.encode()).hexdigest()[:12]}"
    if not folder.exists():
        cache().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache(), prefix="fetching-") as fetching:
            listed = Path(fetching) / "requirements.txt"
            listed.write_text(lock, encoding="utf-8")
            into = Path(fetching) / "wheels"
            hashed = ("--no-deps", "--require-hashes", "--only-binary=:all:")
            _pip("download", *hashed, *_PLATFORM, "-r", listed, "-d", into)
            into.rename(folder)
    return folder


def wheel_of(tree: Path, into: Path, number: str | None = None, breaks: str | None = None) -> Path:
    """A wheel of a copy of the project.

    ``number`` is its version, if not its own; ``breaks`` is a statement that its host runs when it starts.
    """
    with tempfile.TemporaryDirectory() as making:
        copy = Path(making) / "croupier"
        shutil.copytree(tree, copy)
        if number is not None:
            project = copy / "pyproject.toml"
            text = project.read_text(encoding="utf-8")
            project.write_text(re.sub(r'(?m)^version = ".*"$', f'version = "{number}"', text), encoding="utf-8")
        if breaks is not None:
            server = copy / "host/commands/host.py"
            server.write_text(server.read_text(encoding="utf-8") + f"\n\n{breaks}\n", encoding="utf-8")
        into.mkdir(parents=True, exist_ok=True)
        made = set(into.glob("*.whl"))
        _pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", into, copy)
        return (set(into.glob("*.whl")) - made).pop()


def _pip(*words: str | Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CannotMake(f"pip {words[0]} failed: {done.stderr.strip().splitlines()[-1]}")
