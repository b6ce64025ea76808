"""Figures of runs too long for a report: each command writes its own into ``docs/measurements``.

``python -m tests.benchmarks --report`` shows them with their date.
"""

import json
import os
import platform
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "measurements"


def machine() -> Iterator[str]:
    """Where, when and with what it was measured, as lines of a list."""
    yield f"{datetime.now(UTC):%Y-%m-%d}, commit {_commit()}"
    memory_gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    yield f"{_processor()}, {os.cpu_count()} cores, {memory_gib:.0f} GiB; {platform.system()} {platform.machine()}"
    yield f"Python {platform.python_version()}, OpenCV {cv2.__version__}, NumPy {np.__version__}"


def keep(name: str, command: str, text: str, folder: Path = FOLDER) -> None:
    """Write down what a long run said (Markdown), with the command, the machine, the date and the commit."""
    folder.mkdir(exist_ok=True)
    told = json.dumps({"command": command, "measured": list(machine()), "text": text.strip()}, indent=1)
    (folder / f"{name}.json").write_text(told + "\n", encoding="utf-8")


def shown(name: str, folder: Path = FOLDER) -> str:
    """The last long run of that name as Markdown; empty where there was none."""
    path = folder / f"{name}.json"
    if not path.exists():
        return ""
    run = json.loads(path.read_text(encoding="utf-8"))
    return f"The last long run, `{run['command']}`, measured on {'; '.join(run['measured'])}:\n\n{run['text']}"


def table(figures: dict[str, Any]) -> str:
    """Figures as a table of Markdown.

    >>> print(table({"seconds": 2.5, "files": 1200}))
    | what | figure |
    |---|---|
    | seconds | 2.5 |
    | files | 1,200 |
    """
    rows = [f"| {what} | {f'{value:,}' if isinstance(value, int) else value} |" for what, value in figures.items()]
    return "\n".join(["| what | figure |", "|---|---|", *rows])


def _commit() -> str:
    """The commit, and whether anything but figures has changed since."""
    named, changed = (
        subprocess.run(["git", *asked], cwd=ROOT, capture_output=True, text=True).stdout.strip()
        for asked in (
            ("describe", "--always"),
            ("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/measurements*"),
        )
    )
    return f"{named}, changed since" if named and changed else named or "unknown"


def _processor() -> str:
    for path, key in (("/proc/device-tree/model", ""), ("/proc/cpuinfo", "model name")):
        try:
            lines = Path(path).read_text(encoding="utf-8").strip("\0").splitlines()
        except OSError:
            continue
        if found := next((line for line in lines if line.startswith(key)), None):
            return found.split(":")[-1].strip()
    return "unknown processor"
