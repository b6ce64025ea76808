"""``./start`` on machines that lack something, and where there is nothing left to set up."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOOLS = ("sh", "dirname", "cat", "cksum", "rm")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A source tree with what ``start`` looks at, in a folder whose name has a space in it."""
    folder = tmp_path / "croup ier"
    folder.mkdir()
    for name in ("start", "requirements.lock", "requirements-test.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    return folder


def run(folder: Path, python: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """``start`` from another folder, where the only python3 is a script that does as told."""
    tools = folder.parent / "tools"
    tools.mkdir()
    for tool in TOOLS:
        (tools / tool).symlink_to(shutil.which(tool) or tool)
    write_program(tools / "python3", python)
    return subprocess.run(
        [folder / "start", *arguments], cwd=tools, env={"PATH": str(tools)}, capture_output=True, text=True
    )


def write_program(path: Path, script: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_an_old_python_is_told(copy: Path) -> None:
    answer = run(copy, "exit 1", "demo")
    assert answer.returncode == 1
    assert answer.stderr == (
        "start: needs Python 3.11 or newer and found none; "
        "install it (apt install python3 python3-venv) and try again\n"
    )


def test_a_missing_venv_is_told(copy: Path) -> None:
    answer = run(copy, 'case "$2" in *ensurepip*) exit 1 ;; esac', "demo")
    assert answer.returncode == 1
    assert "python3 has no venv; install it (apt install python3-venv) and try again" in answer.stderr


def test_a_failed_install_is_told_and_tried_again(copy: Path) -> None:
    # A python3 whose venvs have a pip that finds no network.
    write_program(copy.parent / "offline", 'case "$4" in --quiet) echo "no network" >&2; exit 1 ;; esac')
    makes_venv = f'case "$2" in venv) mkdir -p "$4/bin"; cp "{copy.parent}/offline" "$4/bin/python" ;; esac'
    for program in ("mkdir", "cp"):
        makes_venv = makes_venv.replace(f"{program} ", f"{shutil.which(program)} ")
    answer = run(copy, makes_venv, "demo")
    assert answer.returncode == 1
    assert "no network\nstart: could not install; the lines above say why (no network?)" in answer.stderr
    assert not list((copy / ".venv").glob("*.stamp"))


def test_a_second_start_sets_nothing_up(copy: Path) -> None:
    write_program(copy / ".venv" / "bin" / "croupier", 'echo "$@"')
    # As start writes it: the folder, the lock and the project.
    sum_of = f'{{ echo "{copy}"; cat "{copy}/requirements.lock" "{copy}/pyproject.toml"; }} | cksum'
    stamp = subprocess.run(["sh", "-c", sum_of], capture_output=True, text=True, check=True).stdout
    (copy / ".venv" / "requirements.lock.stamp").write_text(stamp)
    answer = run(copy, "exit 1", "read", "a picture.jpg")
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "read a picture.jpg\n", "")


def test_it_is_plain_posix_shell() -> None:
    for shell in ("dash", "bash", "sh"):
        if path := shutil.which(shell):
            subprocess.run([path, "-n", ROOT / "start"], check=True)
    assert os.access(ROOT / "start", os.X_OK)
