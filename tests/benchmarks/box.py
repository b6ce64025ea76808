"""The box under qemu: what the last ``python -m tests.appliance`` on this machine measured (that takes an hour)."""

import json
from collections.abc import Iterator

from tests.appliance.__main__ import figures_file

COMMAND = "python -m tests.appliance"


def main(short: bool) -> str:
    """A table of its figures, as Markdown; ``short`` makes no difference."""
    try:
        about, *trials = map(json.loads, figures_file().read_text(encoding="utf-8").splitlines())
    except (OSError, ValueError):
        return f"Not measured on this machine: run `{COMMAND}` first."
    said = f"`{COMMAND}` measured this on {about['on']}, commit {about['commit']}: a machine with two cores that qemu"
    head = (
        f"{said}\nemulates in software, many times slower than a Pi.\n\n| trial | figure | value |\n|---|---|---|\n"
    )
    return head + "\n".join(row for trial in trials for row in rows(trial))


def rows(trial: dict[str, object]) -> Iterator[str]:
    """A row for each figure of a trial.

    >>> list(rows({"trial": "cuts", "took_s": 900.5, "boots_s": [31.25, 30.0]}))
    ['| cuts | took s | 900.5 |', '| cuts | boots s | 30 to 31.2, 2 of them |']
    """
    for name, value in trial.items():
        if name == "trial":
            continue
        told = value
        if isinstance(value, list):
            told = f"{min(value):.3g} to {max(value):.3g}, {len(value)} of them" if value else "none"
        yield f"| {trial['trial']} | {name.replace('_', ' ')} | {told} |"
