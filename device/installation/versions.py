"""Versions of the program side by side: each a virtual environment of its own, one of them current.

A version takes numpy, OpenCV, Pillow, picamera2, gpiozero and lgpio from the system, where apt keeps them in step
with one another and with the camera; everything else is its own, as the lock file lists it.
"""

import hashlib
import re
import shutil
import subprocess
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from device.installation.commands import InstallationFailed, link, run, sync
from device.installation.layout import Layout

SYSTEM_PYTHON = "/usr/bin/python3"

FROM_THE_SYSTEM = ("numpy", "opencv-python-headless", "pillow", "simplejpeg", "picamera2", "gpiozero", "lgpio")
"""Never from pip: mixed with the system's they break when they are imported."""

_SOURCES = ("vision", "device", "host", "calibration", "systemd", "tests/recordings/vigos-favor-worked-example")
_SOURCE_FILES = ("pyproject.toml", "requirements.lock", "README.md", "LICENSE")

_CHECK = (
    "import click, cv2, flask, gevent, numpy, sqlalchemy, device.cli, host.server, vision.reader; print(cv2.__file__)"
)


@dataclass(frozen=True, slots=True)
class Source:
    """What a version is made from: a wheel, or the project's own folder; and a folder with all the wheels it needs.

    Without ``wheelhouse`` they come from the package index.
    """

    path: Path
    wheelhouse: Path | None = None

    @property
    def is_wheel(self) -> bool:
        """Whether it is a wheel."""
        return self.path.is_file()

    @property
    def name(self) -> str:
        """The version's name, such as ``0.1.0-3f9a12c4``: its number, and what its content comes down to."""
        if self.is_wheel:
            parts = self.path.name.split("-")
            if self.path.suffix != ".whl" or parts[0] != "croupier" or not zipfile.is_zipfile(self.path):
                raise InstallationFailed(f"{self.path} is no wheel of croupier")
            return f"{parts[1]}-{hashlib.sha256(self.path.read_bytes()).hexdigest()[:8]}"
        found = re.search(r'^version = "(.+)"$', (self.path / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
        return f"{found[1] if found else '0'}-{_content_of(self.path)}"

    def lock(self) -> str:
        """The lock file that goes with it."""
        if not self.is_wheel:
            return (self.path / "requirements.lock").read_text(encoding="utf-8")
        with zipfile.ZipFile(self.path) as wheel:
            try:
                return wheel.read("device/installation/requirements.lock").decode("utf-8")
            except KeyError:
                raise InstallationFailed(f"{self.path.name} brings no list of what it needs; build it anew") from None


def without_system_packages(lock: str) -> str:
    """The lock file without what the system brings.

    >>> without_system_packages("click==8.1 \\\\\\n    --hash=sha256:a\\nnumpy==2.2 \\\\\\n    --hash=sha256:b\\n")
    'click==8.1 \\\\\\n    --hash=sha256:a\\n'
    """
    blocks = re.split(r"(?m)^(?=[a-z])", lock)
    return "".join(b for b in blocks if re.match(r"[a-z]", b) and re.split(r"[=\[ ;]", b)[0] not in FROM_THE_SYSTEM)


def make(source: Source, layout: Layout) -> Path:
    """The folder of that version, made whole or not at all. Raises ``InstallationFailed``."""
    folder = layout.versions / source.name
    if (folder / "complete").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    layout.versions.mkdir(parents=True, exist_ok=True)
    try:
        # Made in its own place: a virtual environment cannot be moved.
        run(SYSTEM_PYTHON, "-m", "venv", "--system-site-packages", folder)
        _install(source, folder)
        run(folder / "bin/python", "-c", _CHECK)
        run(folder / "bin/croupier", "--version")
        (folder / "complete").touch()
        # Once: a version that is switched to must be on the disk whole.
        subprocess.run(["sync"], check=False)  # noqa: S607 - the system's
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def current(layout: Layout) -> Path | None:
    """The folder of the version that runs, or None."""
    folder = layout.current.resolve()
    return folder if (folder / "complete").exists() else None


def switch(layout: Layout, folder: Path) -> bool:
    """Make it the current version; false where it is."""
    return link(layout.current, folder)


def forget_others(layout: Layout, kept: set[Path]) -> None:
    """Remove the versions that nobody goes back to."""
    for folder in layout.versions.iterdir():
        if folder.resolve() not in {path.resolve() for path in kept}:
            shutil.rmtree(folder, ignore_errors=True)
    sync(layout.versions)


def resources(folder: Path) -> Path:
    """Where a version keeps its unit files."""
    found = sorted(folder.glob("lib/python3*/site-packages/device/installation/systemd"))
    if not found:
        raise InstallationFailed(f"{folder.name} brings no unit files; build its wheel anew")
    return found[0]


def _install(source: Source, folder: Path) -> None:
    pip = (folder / "bin/python", "-m", "pip", "--disable-pip-version-check", "--no-input")
    origin = () if source.wheelhouse is None else ("--no-index", "--find-links", source.wheelhouse)
    with tempfile.TemporaryDirectory() as made:
        lock = Path(made) / "requirements.txt"
        lock.write_text(without_system_packages(source.lock()), encoding="utf-8")
        options = ("--no-deps", "--ignore-installed", "--no-warn-script-location", "--quiet")
        hashed = ("--require-hashes", "--only-binary=:all:")
        run(*pip, "install", *options, *hashed, *origin, "-r", lock)
        wheel = source.path
        if not source.is_wheel:
            run(*pip, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", made, source.path)
            wheel = next(Path(made).glob("croupier-*.whl"))
        run(*pip, "install", *options, "--no-index", wheel)


def _content_of(folder: Path) -> str:
    digest = hashlib.sha256()
    below = (path for part in _SOURCES for path in sorted((folder / part).rglob("*")))
    for path in (*(folder / name for name in _SOURCE_FILES), *below):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(folder)}\n{path.stat().st_size}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:8]
