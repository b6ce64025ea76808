"""Runs the benchmarks: ``python -m tests.benchmarks [NAME…] [--short] [--report]``.

Each other module of this folder is one; its ``main(short)`` measures and returns Markdown. What a long run says is
kept in ``docs/measurements``; the report measures everything in short, and shows the last long runs with their date.
"""

import argparse
import pkgutil
import sys
from importlib import import_module
from pathlib import Path

from tests import measured

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent
REPORT = ROOT / "docs" / "measurements.md"
COMMAND = "python -m tests.benchmarks"

INTRODUCTION = f"""\
# Measurements

`{COMMAND} --report` writes this page. Each section stands under the command that printed it; runs that take
long are made by commands of their own, and stand with their date below what was measured in short. Milliseconds
belong to the machine named here; multiples of something that was measured in the same run travel better.
"""


def names() -> list[str]:
    """The benchmarks there are."""
    return sorted(module.name for module in pkgutil.iter_modules([str(FOLDER)]) if not module.name.startswith("_"))


def section(name: str, short: bool, scenes: int | None = None, photographs: Path | None = None) -> str:
    """One benchmark's figures under the command that prints them."""
    command = f"{COMMAND} {name}" + (" --short" if short else "")
    command += f" --scenes {scenes}" if scenes else " --photographs FOLDER" if photographs else ""
    module = import_module(f"tests.benchmarks.{name}")
    more = scenes or photographs
    figures: str = module.main(short, more) if more else module.main(short)
    if not short and name != "box":  # the appliance writes its own
        measured.keep(name, command, figures)
    return f"## {name.replace('_', ' ').capitalize()}\n\n```sh\n{command}\n```\n\n{figures.strip()}\n"


def main() -> None:
    """Measure, print, and write the report if asked to."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="How well Croupier works, in figures.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(names())} (all)")
    parser.add_argument("--short", action="store_true", help="fewer repetitions: quicker and rougher")
    parser.add_argument("--scenes", type=int, help="for accuracy, aslant, mixed, named and others: how many to draw")
    parser.add_argument(
        "--photographs",
        type=Path,
        metavar="FOLDER",
        help="for taught: labelled ones of one set; for things: such without any die",
    )
    parser.add_argument(
        "--report", action="store_true", help=f"write {REPORT.relative_to(ROOT)}: everything in short"
    )
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(names()):
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    if asked.report and (asked.names or asked.short):
        parser.error("--report measures everything, and in short")
    if asked.scenes is not None and asked.names not in [["accuracy"], ["aslant"], ["mixed"], ["named"], ["others"]]:
        parser.error("--scenes is for accuracy, aslant, mixed, named or others alone")
    if asked.photographs is not None and asked.names not in [["taught"], ["things"]]:
        parser.error("--photographs is for taught or things alone")
    parts = ["\n".join(f"- {line}" for line in measured.machine()) + "\n"]
    print(parts[0], flush=True)
    for name in asked.names or names():
        parts.append(section(name, asked.short or asked.report, asked.scenes, asked.photographs))
        if asked.report and (long_run := measured.shown(name)):
            parts.append(long_run + "\n")
        print(parts[-1], flush=True)
    if asked.report:
        REPORT.write_text("\n".join([INTRODUCTION, *parts]), encoding="utf-8")
        print(f"{REPORT.relative_to(ROOT)} is written.", file=sys.stderr)


if __name__ == "__main__":
    main()
