"""``croupier replay``: recordings through the code that reads live frames, and a report."""

import json
from pathlib import Path

import click

from device.appliance import ApplianceError
from device.camera import CameraError
from device.host_client import HostAway, HostRefused, TokenError
from device.outbox import OutboxError
from device.playback import PlaybackError
from device.recording import RecordingError
from device.recording_folder import load_recording
from device.replay import Outcome
from device.replay import replay as replay_one
from device.report_page import Played, report_page
from device.scoring import Score
from device.supervisor import ChildFailed, Stopped
from vision.reading import BadFrame

_FAILURES = (
    RecordingError,
    PlaybackError,
    ApplianceError,
    TokenError,
    HostAway,
    HostRefused,
    CameraError,
    OutboxError,
    BadFrame,
)


@click.command()
@click.argument("recordings", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RECORDING…")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--html", "page", type=click.Path(path_type=Path), help="Write a page with every die that was wrong or unread."
)
def replay(recordings: tuple[Path, ...], as_json: bool, page: Path | None) -> None:
    """Run recordings through the same code as live frames and report: dice right, wrong, left unread; games ending
    as expected.

    A folder of single pictures is scored by reading each. Fails if a die is read wrong or a game ends otherwise.
    --html takes the name of a file, or a folder for its replay.html; the page needs no network.
    """
    outcomes: list[Outcome] = []
    played: list[Played] = []
    is_good = True
    try:
        for folder in recordings:
            try:
                recording = load_recording(folder)
                outcome = replay_one(recording)
            except _FAILURES as failure:
                is_good = False
                click.echo(f"Error: {failure}", err=True)
                continue
            outcomes.append(outcome)
            played.append(Played(recording, outcome))
            is_good = is_good and outcome.is_good
            if not as_json:
                _print(outcome)
    except ChildFailed:
        raise SystemExit(1) from None
    except Stopped:
        raise SystemExit(130) from None
    total = sum((outcome.score for outcome in outcomes), Score())
    games = [outcome for outcome in outcomes if outcome.amiss is not None]
    ended = sum(not outcome.amiss for outcome in games)
    if as_json:
        entries = [outcome.to_json() for outcome in outcomes]
        together = {"dice": total.to_json(), "games": {"as_expected": ended, "played": len(games)}}
        click.echo(json.dumps({"recordings": entries, **together}))
    elif len(outcomes) > 1:
        click.echo(f"all: {_dice(total)}; {ended} of {len(games)} games ended as expected")
    if page is not None:
        _write(page, played)
    if not is_good:
        raise SystemExit(1)


def _write(page: Path, played: list[Played]) -> None:
    try:
        file = page / "replay.html" if page.is_dir() or page.suffix == "" else page
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(report_page(played), encoding="utf-8")
    except RecordingError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{page}: cannot be written ({error.strerror})") from None


def _print(outcome: Outcome) -> None:
    game = ""
    if outcome.amiss is not None:
        game = "; the game ended as expected" if not outcome.amiss else "; the game did not end as expected"
    click.echo(f"{outcome.recording}: {_dice(outcome.score)}{game}")
    for line in outcome.amiss or ():
        click.echo(f"  {line}")


def _dice(score: Score) -> str:
    return f"{score.right} dice right, {score.wrong} wrong, {score.left} left unread"
