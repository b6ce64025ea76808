"""Formatting, lint and types, each by the tool and the settings of ``pyproject.toml``."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "command",
    [["ruff", "format", "--check", "--quiet", "."], ["ruff", "check", "--quiet", "."], ["mypy"]],
    ids=" ".join,
)
def test_style(command: list[str]) -> None:
    answer = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, f"{answer.stdout}{answer.stderr}"
