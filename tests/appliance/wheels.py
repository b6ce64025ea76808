"""Wheels for the machine, fetched outside of it: those of the lock file, and Croupier's own."""

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from device.installation.versions import without_system_packages
from tests.appliance.making import ROOT, CannotMake, cache

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


def wheel_of(
    tree: Path, into: Path, number: str, changes: Mapping[str, tuple[str, str]] = MappingProxyType({})
) -> Path:
    """A wheel of a copy of the project, of version ``number``.

    ``changes``: for a file what stands there, and what is to stand there instead.
    """
    with tempfile.TemporaryDirectory() as making:
        copy = Path(making) / "croupier"
        shutil.copytree(tree, copy)
        project = (copy / "pyproject.toml").read_text(encoding="utf-8")
        (found,) = re.findall(r'(?m)^version = ".*"$', project)
        for name, (before, after) in {"pyproject.toml": (found, f'version = "{number}"'), **changes}.items():
            text = (copy / name).read_text(encoding="utf-8")
            if before not in text:
                raise CannotMake(f"{name} has changed: {before!r} is no longer there")
            (copy / name).write_text(text.replace(before, after), encoding="utf-8")
        _pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", into, copy)
    return next(into.glob(f"croupier-{number}-*.whl"))


def _pip(*words: str | Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CannotMake(f"pip {words[0]} failed: {done.stderr.strip().splitlines()[-1]}")
