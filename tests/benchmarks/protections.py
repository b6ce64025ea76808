"""Protections taken out one by one, and whether a test misses each: ``python -m tests.benchmarks protections``.

The same as ``python -m tests.trust.mutations``; in short a few of them, drawn by chance.
"""

import secrets
from random import Random

from tests.trust.mutations import MUTATIONS, figures, taken_out

SHORT = 3


def main(short: bool) -> str:
    """The figures as Markdown. Raises ``AssertionError`` where nobody noticed."""
    chosen = (
        sorted(Random(secrets.randbits(32)).sample(MUTATIONS, SHORT), key=MUTATIONS.index) if short else MUTATIONS
    )
    tried = dict(taken_out(chosen))
    assert all(tried.values()), [mutation.name for mutation, caught in tried.items() if not caught]
    return figures(tried)
