"""``croupier recording``: recordings looked at, cut, merged, thinned, blurred, and made tests."""

import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import click

from device.recording import RecordingError
from device.recording_blur import Blurring
from device.recording_check import check as faults_of
from device.recording_edit import cut as cut_parts
from device.recording_edit import merge as merge_parts
from device.recording_edit import thin as thin_parts
from device.recording_folder import SOURCES
from device.recording_parts import Parts, put_together, take_apart

_FOLDER = click.Path(path_type=Path)
_TESTS = Path("tests/recordings")


@click.group()
def recording() -> None:
    """Cut, merge, thin, blur and check recordings, and add them to the tests. The one given stays as it is."""


@recording.command()
@click.argument("folder", type=_FOLDER, metavar="RECORDING")
@click.argument("out", type=_FOLDER)
@click.option("--from", "first", type=click.IntRange(min=0), default=0, help="Number of the first frame to keep.")
@click.option("--to", "last", type=click.IntRange(min=0), help="Number of the last frame to keep.")
def cut(folder: Path, out: Path, first: int, last: int | None) -> None:
    """Keep the frames from one number to another.

    A game stays a game if no throw and no decision is cut off; otherwise its frames become a set of pictures.
    """
    _write(lambda: cut_parts(take_apart(folder), first, last), out)


@recording.command()
@click.argument("folders", nargs=-1, required=True, type=_FOLDER, metavar="RECORDING…")
@click.argument("out", type=_FOLDER)
def merge(folders: tuple[Path, ...], out: Path) -> None:
    """Put the pictures of several recordings into one set of pictures. Their games are not taken over."""
    _write(lambda: merge_parts([take_apart(folder) for folder in folders]), out)


@recording.command()
@click.argument("folder", type=_FOLDER, metavar="RECORDING")
@click.argument("out", type=_FOLDER)
@click.option("--every", type=click.IntRange(min=2), default=2, show_default=True, help="Keep one in so many.")
def thin(folder: Path, out: Path, every: int) -> None:
    """Keep fewer of the frames that say the same: one in two, always the first."""
    _write(lambda: thin_parts(take_apart(folder), every), out)


@recording.command()
@click.argument("folder", type=_FOLDER, metavar="RECORDING")
@click.argument("out", type=_FOLDER)
def blur(folder: Path, out: Path) -> None:
    """Make people unrecognizable: everything outside the mat becomes coarse blocks.

    What is above the mat stays as it is: look through the pictures afterwards.
    """
    blurring = Blurring()
    _write(lambda: take_apart(folder), out, blurring)


@recording.command()
@click.argument("folders", nargs=-1, required=True, type=_FOLDER, metavar="RECORDING…")
def check(folders: tuple[Path, ...]) -> None:
    """Say what keeps recordings from being tests: form, size, truth, source, origin, licence."""
    faults = [fault for folder in folders for fault in faults_of(folder)]
    for fault in faults:
        click.echo(f"Error: {fault}", err=True)
    if faults:
        raise SystemExit(1)


@recording.command()
@click.argument("folder", type=_FOLDER, metavar="RECORDING")
@click.option("--name", help="The folder's name among the tests.  [default: the recording's name]")
@click.option("--source", type=click.Choice(SOURCES), help="Where the recording does not say it yet.")
@click.option("--origin", help="Who took or made it, where and when.")
@click.option("--licence", help="Under which it may be passed on; everybody who is seen must agree.")
@click.option("--tests", type=_FOLDER, default=_TESTS, show_default=True, help="Where the tests' recordings are.")
def add(
    folder: Path, name: str | None, source: str | None, origin: str | None, licence: str | None, tests: Path
) -> None:
    """Check a recording and add it to the tests."""
    if not tests.is_dir():
        raise click.ClickException(f"{tests}: no such folder; run this in the repository, or name it with --tests")
    try:
        parts = _described(take_apart(folder), {"source": source, "origin": origin, "licence": licence})
        out = tests / _slug(name or str(parts.about["name"]))
        trial = tests / f".{out.name}.checked"
        if out.exists():
            raise RecordingError(f"{out}: exists; choose another --name")
        put_together(parts, trial)
        faults = [fault.replace(str(trial), str(folder)) for fault in faults_of(trial)]
        if not faults:
            trial.rename(out)
            click.echo(str(out))
            return
        shutil.rmtree(trial)
    except RecordingError as error:
        raise click.ClickException(str(error)) from None
    for fault in faults:
        click.echo(f"Error: {fault}", err=True)
    raise SystemExit(1)


def _described(parts: Parts, told: Mapping[str, str | None]) -> Parts:
    """With what the command line says of it beside what ``recording.toml`` says already."""
    about = dict(parts.about)
    for key, value in told.items():
        if value is not None and about.setdefault(key, value) != value:
            raise RecordingError(f"recording.toml says {key} = {about[key]!r}, not {value!r}")
    return replace(parts, about=about)


def _write(make: Callable[[], Parts], out: Path, copied: Callable[[Path], bytes] = Path.read_bytes) -> None:
    try:
        parts = make()
        put_together(parts, out, copied)
    except RecordingError as error:
        raise click.ClickException(str(error)) from None
    kind = "a game" if parts.about.get("game") else "a set of pictures"
    click.echo(f"{out}: {kind}, {len(parts.frames)} frames")


def _slug(name: str) -> str:
    """A folder's name.

    >>> _slug("Vigo's Favor, the worked example")
    'vigos-favor-the-worked-example'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("'", "")).strip("-") or "recording"
