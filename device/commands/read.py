"""``croupier read``: what lies in pictures, one JSON line for each."""

import json
import sys
import time
from pathlib import Path

import click
import cv2
import numpy as np

from calibration.profile_file import ProfileError, load_profile
from calibration.taught_file import TaughtFileError, load_taught
from device.decode import Undecodable, decode_picture
from device.trained import trained_reader
from vision.annotate import annotate, stage_sheet
from vision.dice import KINDS
from vision.profile import Profile
from vision.reader import Reader
from vision.reading import BadFrame, Pixels
from vision.taught_dice import TaughtDice


def _kinds(ctx: click.Context, param: click.Parameter, value: str | None) -> frozenset[str] | None:
    """``chance-cube,rig-die`` as a set, None where nothing is said."""
    if value is None:
        return None
    kinds = frozenset(part.strip() for part in value.split(",") if part.strip())
    for kind in sorted(kinds):
        if kind not in KINDS:
            raise click.BadParameter(f"{kind!r} is no kind of die; there are {', '.join(KINDS)}")
    return kinds or None


def _expected(ctx: click.Context, param: click.Parameter, value: str | None) -> dict[str, int] | None:
    """``chance-cube=2,pip-die=1`` as a mapping, None where nothing is said."""
    if value is None:
        return None
    expected: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in value.split(","))):
        kind, _, count = part.partition("=")
        if kind not in KINDS:
            raise click.BadParameter(f"{kind!r} is no kind of die; there are {', '.join(KINDS)}")
        if not count.isdecimal():
            raise click.BadParameter(f"{part!r} should read {kind}=NUMBER")
        expected[kind] = int(count)
    return expected


@click.command()
@click.argument("images", nargs=-1, required=True, metavar="IMAGE…")
@click.option("--kinds", callback=_kinds, metavar="KIND,…", help="What may lie on the table; without it, any die.")
@click.option("--expect", callback=_expected, metavar="KIND=N,…", help="How many dice of which kind are awaited.")
@click.option("--profile", type=click.Path(path_type=Path), help="The tray's own profile, where there is no mat.")
@click.option("--dice", type=click.Path(path_type=Path), multiple=True, help="Dice of your own (croupier teach).")
@click.option("--annotate", "folder", type=click.Path(path_type=Path), help="Draw what was read into this folder.")
@click.option("--stages", is_flag=True, help="With --annotate: also a sheet of the pipeline's steps per picture.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines (it always does).")
def read(
    images: tuple[str, ...],
    kinds: frozenset[str] | None,
    expect: dict[str, int] | None,
    profile: Path | None,
    dice: tuple[Path, ...],
    folder: Path | None,
    stages: bool,
    as_json: bool,
) -> None:
    """Read the dice in pictures and print one JSON line for each.

    A picture that cannot be read gets a line with its error, the others are still read, and the exit status is 1.
    """
    if stages and folder is None:
        raise click.UsageError("--stages draws into the folder of --annotate: give that, too")
    if folder is not None:
        _make(folder)
    names = _names([Path(image) for image in images])
    failed = False
    # One reader for all: pictures of one camera that has not moved share its pose, which is checked on each.
    reader = trained_reader(_profile(profile), _taught(dice))
    for image, name in zip(images, names, strict=True):
        try:
            frame = decode_picture(Path(image))
            answer = {"image": image} | _read(reader, frame, kinds, expect, folder, stages, name)
        except (Undecodable, BadFrame) as error:
            failed = True
            answer = {"image": image, "error": str(error)}
        click.echo(json.dumps(answer))
    if failed:
        sys.exit(1)


def _profile(path: Path | None) -> Profile | None:
    if path is None:
        return None
    try:
        return load_profile(path).profile
    except ProfileError as error:
        raise click.ClickException(str(error)) from None


def _taught(paths: tuple[Path, ...]) -> TaughtDice | None:
    try:
        return TaughtDice([load_taught(path) for path in paths]) if paths else None
    except TaughtFileError as error:
        raise click.ClickException(str(error)) from None


def _read(
    reader: Reader,
    frame: Pixels,
    kinds: frozenset[str] | None,
    expect: dict[str, int] | None,
    folder: Path | None,
    stages: bool,
    name: str,
) -> dict[str, object]:
    start = time.perf_counter()
    if stages:
        reading, trace = reader.read_with_trace(frame, kinds, expect)
    else:
        reading, trace = reader.read(frame, kinds, expect), None
    answer = reading.to_json() | {"ms": round((time.perf_counter() - start) * 1e3, 1)}
    if folder is not None:
        _write(folder / f"{name}.jpg", annotate(frame, reading))
        if trace is not None:
            _write(folder / f"{name}-stages.jpg", stage_sheet(trace))
    return answer


def _names(paths: list[Path]) -> list[str]:
    """A file name for each picture's drawings: its own, with a number where several share one."""
    names: list[str] = []
    for path in paths:
        name, number = path.stem, 2
        while name in names:
            name, number = f"{path.stem}-{number}", number + 1
        names.append(name)
    return names


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"cannot draw into {folder}: {error.strerror}") from None


def _write(path: Path, picture: Pixels) -> None:
    coded, data = cv2.imencode(".jpg", np.ascontiguousarray(picture), [cv2.IMWRITE_JPEG_QUALITY, 88])
    try:
        path.write_bytes(data.tobytes() if coded else b"")
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror}") from None
