"""``croupier teach``: dice of your own, taught from pictures of their faces."""

import json
from collections.abc import Sequence
from pathlib import Path

import click
import cv2
import numpy as np

from calibration.profile_file import ProfileError, load_profile
from calibration.taught_file import TaughtFileError, load_taught, write_taught
from device.decode import Undecodable, decode_picture
from device.trained import trained_reader
from vision.dice import KINDS
from vision.patches import Patch
from vision.reading import BadFrame
from vision.taught import MOST_PICTURES, TaughtSet
from vision.taught_dice import SeenFace, TaughtDice

_SHOWN_PX = 192


@click.command()
@click.argument("dice", type=click.Path(path_type=Path), metavar="SET.json")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="IMAGE…")
@click.option("--kind", required=True, type=click.Choice(list(KINDS)), help="The kind of dice that they stand for.")
@click.option("--body", help="Their body, where the game tells dice apart by it.")
@click.option("--face", help="All dice in the pictures show this face; without it you are asked for each.")
@click.option("--profile", type=click.Path(path_type=Path), help="The tray's own profile, where there is no mat.")
@click.option("--show", type=click.Path(path_type=Path), help="Save what is asked for as pictures in this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print what is known as one line of JSON.")
def teach(
    dice: Path,
    images: tuple[Path, ...],
    kind: str,
    body: str | None,
    face: str | None,
    profile: Path | None,
    show: Path | None,
    as_json: bool,
) -> None:
    """Teach the faces of your own dice, and keep them in SET.json for croupier read --dice.

    Every upper face in the pictures that the set cannot tell yet is asked for: type its name, or nothing to pass.
    One to three pictures a face are enough. Clear dice are read badly: what is under them shows through.
    """
    for name in filter(None, [face]):
        if not KINDS[kind].has_face(name, body):
            raise click.UsageError(f"a {kind} has no face {name!r}; it has {', '.join(KINDS[kind].faces)}")
    if body is not None and not KINDS[kind].has_body(body):
        raise click.UsageError(f"a {kind} has no body {body!r}; it has {', '.join(KINDS[kind].bodies)}")
    try:
        known = load_taught(dice) if dice.exists() else TaughtSet(kind, body, {})
        if known.kind != kind:
            raise click.UsageError(f"{dice} holds dice that stand for {known.kind}, not for {kind}")
        for number, seen in enumerate(_faces(images, known, profile), 1):
            named = _name(seen, known, face, number, show)
            if named:
                known = _with(known, named, seen.turned[0])
        dice.write_text(write_taught(known), encoding="utf-8")
    except (TaughtFileError, ProfileError, Undecodable, BadFrame) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"cannot write {dice}: {error.strerror}") from None
    _tell(known, as_json)


def _faces(images: Sequence[Path], known: TaughtSet, profile: Path | None) -> list[SeenFace]:
    """All upper faces in the pictures."""
    taught = TaughtDice([known])
    reader = trained_reader(load_profile(profile).profile if profile else None, taught)
    seen: list[SeenFace] = []
    for image in images:
        try:
            taught.seen.clear()
            reader.read(decode_picture(image), {known.kind})
            seen += taught.seen
        except (Undecodable, BadFrame) as error:
            raise Undecodable(f"{image}: {error}") from None
    return seen


def _name(seen: SeenFace, known: TaughtSet, face: str | None, number: int, show: Path | None) -> str | None:
    """The face's name as given or as asked for; None where the set knows it already or nobody says."""
    if face is not None:
        return face
    told = known.tell(seen.turned)
    if told is not None and told.is_sure:
        return None
    if show is not None:
        show.mkdir(parents=True, exist_ok=True)
        large = cv2.resize(seen.turned[0], (_SHOWN_PX, _SHOWN_PX), interpolation=cv2.INTER_CUBIC)
        cv2.imwrite(str(show / f"face-{number}.png"), np.clip(np.rint(large * 255), 0, 255).astype(np.uint8))
    guess = f", perhaps {told.face}" if told is not None else ""
    u, v = seen.center_px
    while True:
        question = f"face {number} at ({u:.0f}, {v:.0f}){guess}"
        try:
            answer = str(click.prompt(question, default="", show_default=False, err=True)).strip()
        except click.Abort:  # the end of the answers; what was named so far is kept
            answer = ""
        if not answer:
            return None
        if KINDS[known.kind].has_face(answer, known.body):
            return answer
        click.echo(f"a {known.kind} has no face {answer!r}; it has {', '.join(KINDS[known.kind].faces)}", err=True)


def _with(known: TaughtSet, face: str, patch: Patch) -> TaughtSet:
    faces = dict(known.faces)
    faces[face] = (*faces.get(face, ()), patch)[-MOST_PICTURES:]
    return TaughtSet.of(known.kind, known.body, faces)


def _tell(known: TaughtSet, as_json: bool) -> None:
    pairs = sorted(sorted(pair) for pair in known.alike)
    if as_json:
        counts = {face: len(own) for face, own in known.faces.items()}
        content = {"kind": known.kind, "faces": counts, "missing": list(known.missing), "too_alike": pairs}
        click.echo(json.dumps(content))
        return
    click.echo(f"{len(known.faces)} faces of {known.kind} are known")
    if known.missing:
        click.echo(f"not yet: {', '.join(known.missing)}")
    for one, other in pairs:
        click.echo(f"{one} and {other} look too alike to be told apart: they will be asked for at the table")
