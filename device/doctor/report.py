"""The findings as people read them in a terminal."""

from collections.abc import Iterable, Iterator
from textwrap import wrap

import click

from device.doctor.finding import Finding, Level

_MARKS = {
    Level.OK: ("✓", "green"),
    Level.INFO: ("·", "cyan"),
    Level.WARNING: ("!", "yellow"),
    Level.ISSUE: ("✗", "red"),
}
_ABOUT = 11
_WIDTH = 100


def lines(findings: Iterable[Finding], width: int = _WIDTH) -> Iterator[str]:
    """A line or two for each finding, what to do below it after an arrow, and a summary; with colours.

    >>> [click.unstyle(line) for line in lines([Finding("disk", Level.OK, "3.1 of 29.1 GB are free.")])]
    ['✓ disk       3.1 of 29.1 GB are free.', '', 'All is well.']
    """
    findings = list(findings)
    last = ""
    for finding in findings:
        mark, colour = _MARKS[finding.level]
        about = finding.about if finding.about != last else ""
        last = finding.about
        first, *rest = _wrapped(finding.text, width)
        yield f"{click.style(mark, fg=colour, bold=True)} {click.style(f'{about:<{_ABOUT}}', bold=True)}{first}"
        yield from (f"{'':{_ABOUT + 2}}{line}" for line in rest)
        if finding.to_do:
            first, *rest = _wrapped(finding.to_do, width - 2)
            yield f"{'':{_ABOUT + 2}}→ {first}"
            yield from (f"{'':{_ABOUT + 4}}{line}" for line in rest)
    yield ""
    yield summary(findings)


def summary(findings: Iterable[Finding]) -> str:
    """One sentence about all of them."""
    levels = [finding.level for finding in findings]
    issues, warnings = levels.count(Level.ISSUE), levels.count(Level.WARNING)
    if not issues and not warnings:
        return "All is well."
    parts = [f"{issues} {'thing' if issues == 1 else 'things'} must be done"] if issues else []
    parts += [f"{warnings} {'is' if warnings == 1 else 'are'} worth a look"] if warnings else []
    return f"{', '.join(parts)}."


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, width - _ABOUT - 2, break_long_words=False, break_on_hyphens=False)
