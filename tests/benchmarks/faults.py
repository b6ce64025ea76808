"""What is lost when halves are killed, disks are full and wires fail: ``python -m tests.benchmarks faults``.

The short form of ``python -m tests.faults``, with a seed of its own each time.
"""

import secrets

from tests import measured
from tests.faults.__main__ import LONG_FAULTS, SHORT_ACTIONS, SHORT_FAULTS, run

LONG_ACTIONS = 60


def main(short: bool) -> str:
    """The figures as Markdown; raises ``AssertionError`` where something was lost, doubled or different."""
    faults, actions = (SHORT_FAULTS, SHORT_ACTIONS) if short else (LONG_FAULTS, LONG_ACTIONS)
    figures, is_well = run(secrets.randbits(32), faults, actions)
    assert is_well, figures
    return measured.table(figures)
