"""``./install`` on a machine that is no box: it says so in one line, whoever asks and from wherever."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

INSTALL = Path(__file__).parent.parent.parent.parent / "install"

NOBODY = 65534


def install(
    *words: str, cwd: Path, program: Path = INSTALL, user: int | None = None
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([program, *words], cwd=cwd, user=user, capture_output=True, text=True, check=False)


def test_it_explains_itself_from_any_folder(tmp_path: Path) -> None:
    said = install("--help", cwd=tmp_path)
    assert said.returncode == 0
    assert "--wheelhouse DIR" in said.stdout
    assert "--uninstall" in said.stdout


def test_wrong_use_is_told(tmp_path: Path) -> None:
    said = install("--everything", cwd=tmp_path)
    assert said.returncode == 2
    assert "--everything" in said.stderr


def test_nobody_but_root_installs() -> None:
    # Where everybody can read it: neither a clone of root's nor pytest's own folders are such a place.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        shutil.copy(INSTALL, folder)
        shutil.copytree(INSTALL.parent / "device/installation", Path(folder) / "device/installation")
        (Path(folder) / "device/__init__.py").touch()
        said = install(cwd=Path("/"), program=Path(folder) / "install", user=NOBODY if os.geteuid() == 0 else None)
    assert said.returncode == 1
    assert said.stderr == "install: needs root: sudo ./install\n"
