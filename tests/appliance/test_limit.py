"""What is begun where time is short, and what the command says where nothing can be begun."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.appliance.course import NOT_RUN
from tests.appliance.limit import BARE_BOOT_S, ROOM, Limit
from tests.appliance.making import ROOT


def test_a_trial_is_begun_only_with_room_to_spare() -> None:
    limit = Limit(minutes=60)
    assert limit.holds(0.9 * 3600 / ROOM)
    assert not limit.holds(3600 / ROOM)


def test_a_slow_machine_needs_more_room() -> None:
    limit = Limit(minutes=60)
    limit.judge_by(2 * BARE_BOOT_S)
    assert limit.holds(0.45 * 3600 / ROOM)
    assert not limit.holds(0.9 * 3600 / ROOM)


def test_a_fast_machine_is_given_no_less() -> None:
    limit = Limit(minutes=60)
    limit.judge_by(BARE_BOOT_S / 10)
    assert not limit.holds(3600 / ROOM)


def test_without_a_limit_all_is_begun() -> None:
    assert Limit(minutes=None).holds(1e9)


@pytest.mark.parametrize("path", ["", os.environ["PATH"]], ids=["nothing installed", "no time"])
def test_what_cannot_be_run_is_said_in_one_line(path: str, tmp_path: Path) -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "tests.appliance", "--short", "--within", "0"],
        cwd=ROOT,
        env=os.environ | {"PATH": path, "CROUPIER_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == NOT_RUN
    (line,) = answer.stdout.splitlines()
    assert line.startswith("NOT RUN: the box under qemu: ")
