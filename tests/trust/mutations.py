"""Takes protections out, one by one, in a copy of the program, and runs the test that must notice.

``python -m tests.trust.mutations [NAME…]`` prints a line for each, and exits 1 if one was not noticed. All of them go
into docs/measurements/protections.json.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests import measured
from tests.trust import mutations_faults, mutations_security
from tests.trust.mutation import Mutation

ROOT = Path(__file__).parents[2]
COPIED = ("host", "device", "vision", "calibration", "tests", "pyproject.toml", "systemd", "docs")
LONGEST_TEST_S = 600
COMMAND = "python -m tests.trust.mutations"

MUTATIONS: tuple[Mutation, ...] = (*mutations_security.SECURITY, *mutations_faults.FAULTS)


def copy(to: Path) -> None:
    """The program and its tests."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, to / name)


def is_caught(mutation: Mutation, root: Path) -> bool:
    """Whether the test fails without the protection; the copy is whole again afterwards."""
    file = root / mutation.file
    whole = file.read_text(encoding="utf-8")
    file.write_text(mutation.patched(root), encoding="utf-8")
    try:
        return not passes(mutation.test, root=root)
    finally:
        file.write_text(whole, encoding="utf-8")


def passes(*tests: str, root: Path) -> bool:
    """Whether all of these tests pass. Raises ``RuntimeError`` where they cannot even be run."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    # Sources change within a second, and a stale bytecode file would be taken for the new one.
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run(
        command,
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LONGEST_TEST_S * len(tests),
        check=False,
    )
    if ended.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(tests)} cannot be run: {ended.stdout[-500:]}{ended.stderr[-500:]}")
    return ended.returncode == 0


def figures(tried: dict[Mutation, bool]) -> str:
    """Which protections were taken out, and whether their tests noticed, as Markdown."""
    caught = sum(tried.values())
    lines = [
        f"{len(tried)} of {len(MUTATIONS)} protections were taken out, and {caught} of them were missed.",
        "",
        "| protection | taken out of | missed by |",
        "|---|---|---|",
    ]
    for mutation, is_missed in tried.items():
        by = f"`{mutation.test.rpartition('/')[2]}`" if is_missed else "**nobody**"
        lines.append(f"| {mutation.name} | `{mutation.file}` | {by} |")
    return "\n".join(lines)


def taken_out(chosen: Sequence[Mutation]) -> Iterator[tuple[Mutation, bool]]:
    """Each protection that was taken out, and whether its test noticed.

    Raises ``RuntimeError`` where one of the tests fails with everything in its place: it would notice nothing.
    """
    with TemporaryDirectory() as folder:
        root = Path(folder)
        copy(root)
        tests = tuple(dict.fromkeys(mutation.test for mutation in chosen))
        # A busy machine is given a second chance.
        if not passes(*tests, root=root) and not passes(*tests, root=root):
            raise RuntimeError("not all of these tests pass with every protection in its place")
        for mutation in chosen:
            yield mutation, is_caught(mutation, root)


def main(names: list[str]) -> int:
    """Try those mutations, or all, which is written down; how many were not caught."""
    chosen = [mutation for mutation in MUTATIONS if not names or mutation.name in names]
    tried = {}
    for mutation, caught in taken_out(chosen):
        tried[mutation] = caught
        print(f"{'caught' if caught else 'NOT CAUGHT':<10} {mutation.name:<36} {mutation.test}", flush=True)
    missed = len(tried) - sum(tried.values())
    print(f"{len(chosen) - missed} of {len(chosen)} protections are missed when they are gone")
    if not names:
        measured.keep("protections", COMMAND, figures(tried))
    return missed


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
