"""Lawful and unlawful actions through the referee, every answer checked: ``python -m tests.benchmarks storm``.

The same as ``python -m tests.games.storm``. Raises ``AssertionError`` for a wrong answer.
"""

from host.games.registry import games
from tests.games.storm import storm

ACTIONS, SHORT = 100_000, 300
"""For each game."""


def main(short: bool) -> str:
    """The figures as Markdown."""
    lines = [
        "| game | actions | games | carried out | refused | wrong answers | a second |",
        "|---|---|---|---|---|---|---|",
    ]
    for game in games():
        tally = storm(game, SHORT if short else ACTIONS, seed=1)
        lines.append(
            f"| {game.id} | {tally.sent:,} | {tally.games} | {tally.carried_out:,} "
            f"| {tally.sent - tally.carried_out:,} | 0 | {tally.sent / tally.seconds:.0f} |"
        )
    return "\n".join(lines)
