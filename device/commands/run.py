"""``croupier run``: the appliance, both halves under one supervisor."""

import json
import os
import sys
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from device.appliance import DEVICE, Appliance, ApplianceError, Game, open_table, table_of_recording
from device.cameras import USAGE, CameraChoice
from device.commands.options import camera_choice
from device.commands.options import speed as speed_option
from device.commands.settings_option import fault_of, file_of, settings_option
from device.commentary import Commentary
from device.host_client import HostAway, HostClient, HostRefused, TokenError
from device.recording import Recording, RecordingError
from device.recording_folder import load_recording
from device.safe_mode import ASKED_FOR, safe_mode_reason
from device.supervisor import ChildFailed, Stopped, Supervisor

DEFAULT_PORT = 8420


@click.command()
@click.option("--camera", callback=camera_choice, default="usb:0", show_default=True, metavar="CAMERA", help=USAGE)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where everything is kept.  [default: ~/.local/share/croupier]",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True, help="0: any free one."
)
@click.option(
    "--listen",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; 0.0.0.0 lets phones in the same network in.",
)
@click.option("--public-address", metavar="URL", help="Shown to phones instead of this machine's own address.")
@click.option("--https", is_flag=True, help="Serve the pages over HTTPS, too; the page /https says what for.")
@click.option("--game", metavar="GAME", help="Open a table for this game, such as vigos-favor.")
@click.option("--players", metavar="A,B,C", help="With --game: the players, clockwise.")
@click.option("--option", "options", multiple=True, metavar="KEY=JSON", help="With --game: an option of the game.")
@click.option("--speed", callback=speed_option, default="1", show_default=True, help="For recordings: times faster.")
@click.option("--record", "record_in", type=click.Path(path_type=Path), help="Keep a recording in this new folder.")
@click.option("--safe-mode", is_flag=True, help="Leave the camera off; dice are entered by hand on the phones.")
@click.option("--dice", type=click.Path(path_type=Path), multiple=True, help="Dice of your own (croupier teach).")
@settings_option()
@click.pass_context
def run(
    ctx: click.Context,
    camera: CameraChoice,
    data: Path | None,
    port: int,
    listen: str,
    public_address: str | None,
    https: bool,
    game: str | None,
    players: str | None,
    options: tuple[str, ...],
    speed: float,
    record_in: Path | None,
    safe_mode: bool,
    dice: tuple[Path, ...],
) -> None:
    """Be the appliance: watch the tray, referee the game, serve the scoreboard.

    A recording in place of the camera brings its own game and its players' decisions, unless --game opens another.
    """
    wanted = _game(game, players, options)
    kept = data or Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "croupier"
    try:
        safe = safe_mode_reason(ASKED_FOR if safe_mode else None, fault_of(ctx), is_button_held=False)
        recording = load_recording(camera.folder) if camera.is_recording and safe is None else None
        with Supervisor(kept) as supervisor:
            appliance = Appliance(supervisor, kept)
            extra = _for_device(file_of(ctx), safe, dice, record_in)
            shown = ("--public-address", public_address) if public_address else ()
            client = appliance.start_host(port, listen, *shown, *(("--https",) if https else ()))
            _run(appliance, client, supervisor, camera, recording, wanted, kept, speed, extra)
    except (RecordingError, ApplianceError, TokenError, HostAway, HostRefused) as error:
        raise click.ClickException(str(error)) from None
    except ChildFailed:
        raise SystemExit(1) from None
    except Stopped:
        _say("Stopped.")


def _run(
    appliance: Appliance,
    client: HostClient,
    supervisor: Supervisor,
    camera: CameraChoice,
    recording: Recording | None,
    game: Game | None,
    data: Path,
    speed: float,
    extra: tuple[str, ...],
) -> None:
    """Run until ``Stopped``; the host has been started."""
    table = None
    if game is not None:
        message = str(uuid.uuid4())
        table = appliance.insist(lambda: open_table(client, game, message))
    elif recording is not None and recording.is_game:
        table = appliance.insist(lambda: table_of_recording(client, recording, data))
    _say(f"Scoreboard: {appliance.address}/")
    commentary = None if table is None else Commentary(client, table, lambda sentence: _say(f"  {sentence}"))
    try:
        if commentary is not None:
            commentary.start()
        if recording is not None and table is not None and game is None:
            appliance.start_player(recording, table, speed, extra)
        else:
            pace = ("--speed", f"{speed:g}") if camera.is_recording else ()
            # A camera that is unplugged comes back; a file that cannot be read stays as it is.
            appliance.start_device(str(camera), (*pace, *extra), is_patient=not camera.is_file)
        supervisor.wait(lambda: supervisor.is_done(DEVICE))
        _say("The last picture has been shown. The scoreboard stays up until you press Ctrl-C.")
        supervisor.wait(lambda: False)
    finally:
        if commentary is not None:
            commentary.stop()


def _for_device(
    settings: Path | None, safe: str | None, dice: tuple[Path, ...], record_in: Path | None
) -> tuple[str, ...]:
    """What the device half is told further. A fault of the settings it finds by itself, and tells of it."""
    told = [] if settings is None else ["--settings", str(settings)]
    told += [] if safe is None else ["--safe-mode", safe]
    told += [] if record_in is None else ["--record", str(record_in)]
    return (*told, *(word for path in dice for word in ("--dice", str(path))))


def _game(game: str | None, players: str | None, options: Iterable[str]) -> Game | None:
    if game is None:
        if players or options:
            raise click.UsageError("--players and --option go with --game")
        return None
    if not players:
        raise click.UsageError("--game needs --players A,B,C")
    return Game(game, [name.strip() for name in players.split(",")], dict(map(_option, options)))


def _option(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    try:
        if not (key and equals):
            raise ValueError
        return key, json.loads(value)
    except ValueError:
        raise click.UsageError(f"--option {text!r} is not KEY=JSON, such as rounds=3") from None


def _say(sentence: str) -> None:
    click.echo(sentence, err=True)
    sys.stderr.flush()
