"""The one program from outside: what is wrong is said in one line, and help is for people."""

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
