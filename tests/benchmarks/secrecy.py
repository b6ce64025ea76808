"""Secrets planted, and found before their time: ``python -m tests.benchmarks secrecy``.

Games are played on two hosts that differ in their secrets alone (``tests.host.secrecy`` says how).
"""

import tempfile
from itertools import chain
from pathlib import Path

from tests.host.secrecy import SECRETIVE, Told, listened, twins

SHORT_MOMENTS = 2


def main(short: bool) -> str:
    """The figures as Markdown, in short of two moments a game. Raises ``AssertionError`` where a secret was found."""
    with tempfile.TemporaryDirectory() as folder, twins(Path(folder)) as both:
        told = {name: listened(both, name, SHORT_MOMENTS if short else None) for name in SECRETIVE}
    lines = [
        "| game | moments | bytes examined | secrets planted | found before their time |",
        "|---|---|---|---|---|",
    ]
    lines += [row(name, each) for name, each in told.items()]
    every = tuple(told.values())
    leaks = tuple(chain.from_iterable(each.leaks for each in every))
    total = Told(
        sum(each.moments for each in every),
        sum(each.planted for each in every),
        sum(each.examined for each in every),
        leaks,
    )
    assert not leaks, leaks
    return "\n".join([*lines, row("together", total)])


def row(name: str, told: Told) -> str:
    """A game's line."""
    return f"| {name} | {told.moments} | {told.examined:,} | {told.planted} | {len(told.leaks)} |"
