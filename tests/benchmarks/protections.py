"""Protections taken out one by one, and whether a test misses each: ``python -m tests.benchmarks protections``.

The same as ``python -m tests.trust.mutations``; in short a few of them, drawn by chance.
"""

import secrets
import tempfile
from pathlib import Path
from random import Random

from tests.trust.mutations import MUTATIONS, copy, is_caught

SHORT = 3


def main(short: bool) -> str:
    """The figures as Markdown. Raises ``AssertionError`` where nobody noticed."""
    tried = sorted(Random(secrets.randbits(32)).sample(MUTATIONS, SHORT), key=MUTATIONS.index) if short else MUTATIONS
    with tempfile.TemporaryDirectory() as folder:
        copy(Path(folder))
        missed = [mutation.name for mutation in tried if not is_caught(mutation, Path(folder))]
    assert not missed, missed
    lines = [
        f"{len(tried)} of {len(MUTATIONS)} protections were taken out, and {len(tried)} of them were missed.",
        "",
    ]
    lines += ["| protection | taken out of | missed by |", "|---|---|---|"]
    lines += [f"| {one.name} | `{one.file}` | `{one.test.rpartition('::')[2]}` |" for one in tried]
    return "\n".join(lines)
