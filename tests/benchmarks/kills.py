"""Host or device killed in the middle of the filmed game: ``python -m tests.benchmarks kills``.

The same as ``tests/faults/test_kills.py``. Raises ``AssertionError`` where a roll was lost or counted twice.
"""

import secrets
import tempfile
from pathlib import Path
from random import Random

from tests import measured
from tests.faults.test_kills import DECISIONS, KILLS, KILLS_IN_A_RUN, ROLLS, play_and_kill, readings_in_log

SHORT = 5


def main(short: bool) -> str:
    """The figures as Markdown."""
    seed = secrets.randbits(32)
    chance, left, runs = Random(seed), SHORT if short else KILLS, 0
    kills = 0
    with tempfile.TemporaryDirectory() as folder:
        while left > kills:
            runs += 1
            data = Path(folder) / f"run{runs}"
            kills += play_and_kill(data, chance, min(left - kills, KILLS_IN_A_RUN))
            readings = readings_in_log(data)
            by_camera = [reading for reading in readings if reading is not None]
            assert len(by_camera) == len(set(by_camera)) == ROLLS
            assert len(readings) == ROLLS + DECISIONS
    return measured.table(
        {"seed": str(seed), "kills": kills, "games": runs, "rolls and decisions lost": 0, "counted twice": 0}
    )
