"""``croupier calibrate``: the steps of calibration on pictures, and the profile that comes of them."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from calibration.detector_model import any_floor
from calibration.profile_file import MeasuredProfile, ProfileError
from calibration.profile_store import ProfileStore
from calibration.steps import STEPS, Known, Verdict
from device.calibration_walk import Walk
from device.cameras import USAGE, CameraChoice
from device.commands.options import default_profile
from device.decode import Undecodable, decode_picture
from device.photographs import PhotographError, photograph
from device.trained import trained_reader
from vision.dice import KINDS
from vision.reading import Pixels

_PICTURES = click.Path(path_type=Path)


def _truth(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[tuple[str, str], ...]:
    """``pip-die:3,pip-die:5`` as pairs."""
    pairs = []
    for part in filter(None, (part.strip() for part in (value or "").split(","))):
        kind, _, face = part.partition(":")
        if kind not in KINDS or not KINDS[kind].has_face(face):
            raise click.BadParameter(f"{part!r} should read KIND:FACE, such as pip-die:3")
        pairs.append((kind, face))
    return tuple(pairs)


@click.command()
@click.option("--profile", "path", type=_PICTURES, help="The profile's file.  [default: that of the appliance]")
@click.option("--light", multiple=True, type=_PICTURES, metavar="IMAGE", help="The tray as it is lit in play.")
@click.option("--lens", multiple=True, type=_PICTURES, metavar="IMAGE", help="The mat, moved: give three or more.")
@click.option("--mat", multiple=True, type=_PICTURES, metavar="IMAGE", help="The empty mat, also in a tray.")
@click.option("--tray", multiple=True, type=_PICTURES, metavar="IMAGE", help="Your own tray, empty.")
@click.option("--dice", multiple=True, type=_PICTURES, metavar="IMAGE", help="With --tray: known dice, for the size.")
@click.option("--verify", multiple=True, type=_PICTURES, metavar="IMAGE", help="The known dice, rolled.")
@click.option("--truth", callback=_truth, metavar="KIND:FACE,…", help="With --verify: what the known dice show.")
@click.option("--ruler-mm", default=50.0, show_default=True, help="What the mat's ruler measures as printed.")
@click.option("--marker-mm", default=24.0, show_default=True, help="The side of cut-out markers.")
@click.option("--die-mm", default=16.0, show_default=True, help="The side of the dice in --dice.")
@click.option("--camera", metavar="CAMERA", help=f"Take the pictures now, step by step and back: {USAGE}")
@click.option("--steps", default="light,tray", show_default=True, help=f"With --camera: some of {', '.join(STEPS)}.")
@click.option("--accept", is_flag=True, help="Put to use what was measured, now or before.")
@click.option("--undo", is_flag=True, help="Go back to the profile before (the last five are kept).")
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as JSON lines.")
def calibrate(
    path: Path | None,
    light: tuple[Path, ...],
    lens: tuple[Path, ...],
    mat: tuple[Path, ...],
    tray: tuple[Path, ...],
    dice: tuple[Path, ...],
    verify: tuple[Path, ...],
    truth: tuple[tuple[str, str], ...],
    ruler_mm: float,
    marker_mm: float,
    die_mm: float,
    camera: str | None,
    steps: str,
    accept: bool,
    undo: bool,
    as_json: bool,
) -> None:
    """Measure lens, mat or your own tray, and keep it as a profile for croupier read --profile.

    With your own tray one picture of it empty is enough: croupier calibrate --tray empty.jpg --accept. Cut-out
    markers in it, or --mat with the mat laid in once, add millimetres. What is measured is pending until --accept.
    """
    store = ProfileStore(path or default_profile())
    given = {"light": light, "lens": lens, "mat": mat, "tray": (*tray, *dice), "verify": verify}
    if dice and not tray:
        raise click.UsageError("--dice goes with --tray")
    if verify and not truth:
        raise click.UsageError("--verify needs --truth: what the known dice show, such as pip-die:3,pip-die:5")
    if min(ruler_mm, marker_mm, die_mm) <= 0:
        raise click.UsageError("sizes are millimetres above 0")
    known = Known(
        ruler_mm=ruler_mm,
        marker_side_mm=marker_mm,
        die_mm=die_mm,
        truth=truth,
        any_floor=any_floor(),
        reader=trained_reader,
    )
    try:
        if undo:
            store.undo()
            _say("the profile before is in use again", as_json, "undo")
        if camera:
            _walk(store, known, camera, steps, as_json)
        elif any(given.values()):
            _measure(store, known, given, as_json)
        elif not (accept or undo):
            raise click.UsageError("nothing to look at: give pictures, --camera, --accept or --undo")
        if accept:
            store.accept()
            _say(f"{store.path} is in use", as_json, "accept")
        elif store.pending() is not None and not undo:
            _say(f"pending: croupier calibrate --accept puts it to use as {store.path}", as_json, "pending")
    except (ProfileError, Undecodable, PhotographError) as error:
        raise click.ClickException(str(error)) from None


def _measure(store: ProfileStore, known: Known, given: dict[str, tuple[Path, ...]], as_json: bool) -> None:
    """Walk through the steps that have pictures; the first that fails ends the command."""
    measured_on: dict[str, tuple[str, ...]] = {}
    pending = store.pending()
    if pending is not None and given["verify"]:
        known = replace(known, profile=pending.profile, pose_from=pending.pose_from)
    for name, step in STEPS.items():
        paths = given.get(name, ())
        if not paths:
            continue
        if len(paths) < step.pictures:
            raise click.UsageError(f"--{name} needs {step.needs}")
        verdict = step.look([_picture(path) for path in paths], known)
        _tell(name, verdict, as_json)
        if not verdict.is_good:
            raise SystemExit(1)
        known = verdict.known
        measured_on[name] = tuple(path.name for path in paths)
    if known.profile is not (pending and pending.profile):
        _propose(store, known, measured_on)


def _propose(store: ProfileStore, known: Known, measured_on: dict[str, tuple[str, ...]]) -> None:
    if known.profile is not None:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        error = known.lens.error_px if known.lens is not None else None
        store.propose(MeasuredProfile(known.profile, now, measured_on, known.pose_from, error))


def _picture(path: Path) -> Pixels:
    try:
        return decode_picture(path)
    except Undecodable as error:
        raise Undecodable(f"{path}: {error}") from None


def _walk(store: ProfileStore, known: Known, camera: str, steps: str, as_json: bool) -> None:
    """Walk through the steps with a camera, and back where that is asked for."""
    try:
        choice = CameraChoice.parse(camera)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    names = [name.strip() for name in steps.split(",") if name.strip()]
    for name in names:
        if name not in STEPS:
            raise click.UsageError(f"{name!r} is no step; there are {', '.join(STEPS)}")
    if "verify" in names and not known.truth:
        raise click.UsageError("the step verify needs --truth: what the known dice show, such as pip-die:3,pip-die:5")
    walk = Walk(names, lambda: photograph(choice), lambda name, said: _tell(name, said, as_json), store.path.parent)
    _propose(store, walk.through(known), walk.measured_on)


def _tell(name: str, verdict: Verdict, as_json: bool) -> None:
    place = None if verdict.place_px is None else [round(float(v), 1) for v in verdict.place_px]
    if as_json:
        click.echo(json.dumps({"step": name, "good": verdict.is_good, "words": verdict.words, "place_px": place}))
        return
    where = "" if place is None else f" (at {place[0]:.0f}, {place[1]:.0f})"
    click.echo(f"{name}: {verdict.words}{where}")


def _say(words: str, as_json: bool, what: str) -> None:
    click.echo(json.dumps({"step": what, "good": True, "words": words}) if as_json else words)
