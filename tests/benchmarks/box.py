"""The box under qemu: ``python -m tests.appliance`` measures it, which takes an hour, and writes its figures down."""

from collections.abc import Iterator

COMMAND = "python -m tests.appliance"

HEAD = ("| trial | figure | value |", "|---|---|---|")


def main(short: bool) -> str:
    """Where the figures come from; the report shows the last run below."""
    return (
        f"`{COMMAND}` takes an hour: a machine with two cores that qemu emulates in software, many times slower than"
        " a Pi, is installed, played on, switched off at the wall and updated."
    )


def rows(trial: str, figures: dict[str, object]) -> Iterator[str]:
    """A row for each figure of a trial.

    >>> list(rows("cuts", {"took_s": 900.5, "boots_s": [31.25, 30.0]}))
    ['| cuts | took s | 900.5 |', '| cuts | boots s | 30 to 31.2, 2 of them |']
    """
    for name, value in figures.items():
        told = value
        if isinstance(value, list):
            told = f"{min(value):.3g} to {max(value):.3g}, {len(value)} of them" if value else "none"
        yield f"| {trial} | {name.replace('_', ' ')} | {told} |"
