"""Runs the benchmarks: ``python -m tests.benchmarks [NAME…] [--short] [--report]``.

Each other module of this folder is one; its ``main(short)`` measures and returns Markdown.
"""

import argparse
import os
import pkgutil
import platform
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import cv2
import numpy as np

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent
REPORT = ROOT / "docs" / "measurements.md"
COMMAND = "python -m tests.benchmarks"

INTRODUCTION = f"""\
# Measurements

`{COMMAND} --report` writes this page. Each section stands under the command that printed it. Milliseconds
belong to the machine named here; multiples of something that was measured in the same run travel better.
"""


def names() -> list[str]:
    """The benchmarks there are."""
    return sorted(module.name for module in pkgutil.iter_modules([str(FOLDER)]) if not module.name.startswith("_"))


def machine() -> Iterator[str]:
    """Where, when and with what it was measured, as lines of a list."""
    yield f"{datetime.now(UTC):%Y-%m-%d}, commit {_commit()}"
    memory_gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    yield f"{_processor()}, {os.cpu_count()} cores, {memory_gib:.0f} GiB; {platform.system()} {platform.machine()}"
    yield f"Python {platform.python_version()}, OpenCV {cv2.__version__}, NumPy {np.__version__}"


def _commit() -> str:
    answer = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return answer.stdout.strip() or "unknown"


def _processor() -> str:
    for path, key in (("/proc/device-tree/model", ""), ("/proc/cpuinfo", "model name")):
        try:
            lines = Path(path).read_text(encoding="utf-8").strip("\0").splitlines()
        except OSError:
            continue
        if found := next((line for line in lines if line.startswith(key)), None):
            return found.split(":")[-1].strip()
    return "unknown processor"


def section(name: str, short: bool) -> str:
    """One benchmark's figures under the command that prints them."""
    command = f"{COMMAND} {name}" + (" --short" if short else "")
    figures: str = import_module(f"tests.benchmarks.{name}").main(short)
    return f"## {name.replace('_', ' ').capitalize()}\n\n```sh\n{command}\n```\n\n{figures.strip()}\n"


def main() -> None:
    """Measure, print, and write the report if asked to."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="How well Croupier works, in figures.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(names())} (all)")
    parser.add_argument("--short", action="store_true", help="fewer repetitions: quicker and rougher")
    parser.add_argument("--report", action="store_true", help=f"write {REPORT.relative_to(ROOT)}; measures all")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(names()):
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    if asked.report and (asked.names or asked.short):
        parser.error("--report measures everything, and in full")
    parts = ["\n".join(f"- {line}" for line in machine()) + "\n"]
    print(parts[0], flush=True)
    for name in asked.names or names():
        parts.append(section(name, asked.short))
        print(parts[-1], flush=True)
    if asked.report:
        REPORT.write_text("\n".join([INTRODUCTION, *parts]), encoding="utf-8")
        print(f"{REPORT.relative_to(ROOT)} is written.", file=sys.stderr)


if __name__ == "__main__":
    main()
