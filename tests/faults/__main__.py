"""Evenings in the midst of faults: ``python -m tests.faults [--faults N] [--seed N] [--actions N] [--keep]``.

Plays evenings of all five games with ten phones and one device until so many faults have struck, and compares each
with the same evening undisturbed. Exits with 1 where anything was lost, doubled or different. ``--keep`` writes the
figures for the report.
"""

import argparse
import secrets
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from tests import measured
from tests.faults.evening import PHONES, evening
from tests.faults.trial import Outcome, play

COMMAND = "python -m tests.faults"
LONG_FAULTS = 1_000
SHORT_FAULTS, SHORT_ACTIONS = 40, 8
FAULTS_A_STEP = 1.0
"""In the long form; so that games get on between faults, as they do where people wait for one another."""


def run(seed: int, faults: int, actions: int) -> tuple[dict[str, Any], bool]:
    """The figures, and whether nothing was lost, doubled or different."""
    struck, refused, total = Counter[str](), Counter[str](), Counter[str]()
    seconds, evenings, disk = 0.0, 0, ""
    print(f"seed {seed}, {faults} faults, {actions} actions a game", file=sys.stderr, flush=True)
    while (left := faults - struck.total()) > 0:
        games = evening(seed + evenings, actions)
        steps = sum(len(sitting.steps) for sitting in games)
        wanted = left if left < 1.5 * steps else round(FAULTS_A_STEP * steps)
        calm, disturbed = (_played(games, some, seed + evenings) for some in (0, wanted))
        evenings += 1
        struck += disturbed.faults
        refused += disturbed.refused
        seconds += disturbed.seconds + calm.seconds
        disk = disturbed.disk
        total += Counter(
            {
                "games": len(games),
                "games that ended otherwise": sum(a != b for a, b in zip(calm.tables, disturbed.tables, strict=True)),
                "acknowledged": len(disturbed.acknowledged),
                "lost": disturbed.lost + calm.lost,
                "doubled": disturbed.doubled + calm.doubled,
                "throws": disturbed.throws,
                "thrown again": disturbed.thrown_again,
                "checks": disturbed.checks,
            }
        )
        print(f"seed {seed}, evening {evenings}: {struck.total()} of {faults} faults", file=sys.stderr, flush=True)
    figures = {
        "seed": str(seed),
        "faults": struck.total(),
        **{f"of them: {kind}": struck[kind] for kind in sorted(struck)},
        "evenings of five games, ten phones, one device": evenings,
        "games": total["games"],
        "throws read by the device": total["throws"],
        "thrown again, since the reading came late": total["thrown again"],
        "messages acknowledged": total["acknowledged"],
        "acknowledged and lost": total["lost"],
        "counted twice": total["doubled"],
        "games that ended otherwise than undisturbed": total["games that ended otherwise"],
        "databases checked by SQLite, all sound": total["checks"],
        **{f"answered {slug}, sent again": refused[slug] for slug in sorted(refused)},
        "the disk that was filled": disk,
        "seconds": round(seconds),
    }
    bad = total["lost"] + total["doubled"] + total["games that ended otherwise"]
    return figures, bad == 0


def _played(games: Any, faults: int, seed: int) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="croupier-faults-") as folder:
        return play(Path(folder), games, faults, Random(seed))


def main() -> int:
    """Run, print and tell by the exit status."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--faults", type=int, default=LONG_FAULTS)
    parser.add_argument("--seed", type=int, default=None, help="drawn and printed unless given")
    parser.add_argument("--actions", type=int, default=60, help="of each game at the most")
    parser.add_argument("--keep", action="store_true", help="write the figures for the report")
    asked = parser.parse_args()
    seed = secrets.randbits(32) if asked.seed is None else asked.seed
    print(f"{len(PHONES)} phones, seed {seed}", flush=True)
    figures, is_well = run(seed, asked.faults, asked.actions)
    text = measured.table(figures)
    print(text)
    if asked.keep:
        measured.keep("faults", f"{COMMAND} --faults {asked.faults} --seed {seed} --actions {asked.actions}", text)
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
