"""``.ci/run``: the tests, then in CI the box under qemu, and what its exit status makes of CI's."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(folder: Path, tests: int, box: int, ci: str) -> tuple[int, list[str]]:
    """``.ci/run`` of a source tree whose tests and box end with these statuses; its own, and what it ran."""
    for name, script in {
        "start": f'echo "start $*"; exit {tests}',
        ".venv/bin/python": f'echo "python $*"; exit {box}',
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    (folder / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", folder / ".ci")
    answer = subprocess.run(
        ["bash", ".ci/run"], cwd=folder, env=os.environ | {"CI": ci}, capture_output=True, text=True
    )
    return answer.returncode, answer.stdout.splitlines()


@pytest.mark.parametrize(("box", "told"), [(0, 0), (1, 1), (2, 2), (77, 0)])
def test_the_box_fails_ci_unless_it_passed_or_could_not_run(box: int, told: int, tmp_path: Path) -> None:
    status, ran = run(tmp_path, tests=0, box=box, ci="true")
    assert status == told
    assert ran == ["start test", "python -m tests.appliance --short --prepare --within 35"]


def test_nothing_follows_tests_that_fail(tmp_path: Path) -> None:
    assert run(tmp_path, tests=1, box=0, ci="true") == (1, ["start test"])


def test_elsewhere_it_is_the_tests_alone(tmp_path: Path) -> None:
    assert run(tmp_path, tests=0, box=0, ci="") == (0, ["start test"])
