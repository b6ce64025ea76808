"""The one program from outside: what is wrong is said in one line, and help is for people."""

import os
import subprocess
import sys

import pytest

PROGRAM = (sys.executable, "-m", "device")


def croupier(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("raed",), "raed"),
        (("--bad",), "--bad"),
        (("read",), "IMAGE"),
        (("mat", "mat.gif"), ".pdf, .svg or .png"),
        (("replay", "--fast"), "--fast"),
    ],
)
def test_wrong_use_is_told_in_one_line_with_status_2(arguments: tuple[str, ...], said: str) -> None:
    run = croupier(*arguments)
    assert run.returncode == 2 and run.stdout == ""
    (line,) = run.stderr.splitlines()
    assert line.startswith("croupier") and said in line and "--help" in line


def test_help_lists_the_commands() -> None:
    run = croupier("--help")
    assert run.returncode == 0 and run.stderr == ""
    for command in ("demo", "run", "device", "host", "read", "replay", "mat", "referee"):
        assert f"\n  {command}" in run.stdout


def test_products_of_a_command_are_multiplied_on_one_thread() -> None:
    """What others wait for one another's small parts costs more than it saves: Linux lists a process's threads."""
    asked = (
        "from device.cli import main; main.get_command(None, 'read'); import numpy, os; "
        "numpy.ones((600, 600)) @ numpy.ones((600, 600)); print(len(os.listdir('/proc/self/task')))"
    )
    plain = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    run = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, timeout=60, env=plain)
    assert (run.stdout, run.stderr) == ("1\n", "")
