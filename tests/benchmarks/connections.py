"""Thousands of connections that say nothing: ``python -m tests.benchmarks connections``.

The same as ``python -m tests.trust.crowd``: how long a player's page takes before and meanwhile, and what the host
holds.
"""

import io
from contextlib import redirect_stdout

from tests.trust import crowd

SHORT = 1_000


def main(short: bool) -> str:
    """What is printed there, as Markdown."""
    with redirect_stdout(io.StringIO()) as said:
        crowd.main(SHORT if short else crowd.CONNECTIONS)
    return "\n".join(f"- {line}" for line in said.getvalue().splitlines())
