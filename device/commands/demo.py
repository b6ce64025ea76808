"""``croupier demo``: a recorded game, played through the whole appliance."""

import json
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from device.appliance import DEVICE, Appliance, ApplianceError, table_of_recording
from device.commands.options import speed as speed_option
from device.commentary import Commentary
from device.host_client import HostAway, HostRefused, TokenError
from device.recording import Recording, RecordingError
from device.recording_folder import load_recording
from device.scoring import differences
from device.supervisor import ChildFailed, Stopped, Supervisor, is_free
from device.worked_example import worked_example

DEFAULT_PORT = 8080
_LISTEN = "127.0.0.1"


@click.command()
@click.option(
    "--recording",
    "folder",
    type=click.Path(path_type=Path),
    help="Another recorded game than the worked example of Vigo's Favor.",
)
@click.option("--speed", callback=speed_option, default="1", show_default=True, help="Times faster than recorded.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help=f"Port of the scoreboard.  [default: {DEFAULT_PORT}, or a free one if that is taken]",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the game there instead of in a passing folder.",
)
@click.option(
    "--once",
    is_flag=True,
    help="End after the last throw, print the final state as JSON, and fail if it is not the recording's.",
)
def demo(folder: Path | None, speed: float, port: int | None, data: Path | None, once: bool) -> None:
    """Watch a recorded game being read from its pictures, refereed and scored live."""
    try:
        recording = _game_in(folder or worked_example())
        with ExitStack() as stack:
            kept = data or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="croupier-demo-")))
            supervisor = stack.enter_context(Supervisor(kept))
            state = _play(Appliance(supervisor, kept, is_owned=True), supervisor, recording, speed, port, kept, once)
    except (RecordingError, ApplianceError, TokenError, HostAway, HostRefused) as error:
        raise click.ClickException(str(error)) from None
    except ChildFailed:
        raise SystemExit(1) from None
    except Stopped:
        if once:
            raise SystemExit(130) from None
        _say("Stopped.")
        return
    click.echo(json.dumps(state))
    wrong = differences(recording.expected or {}, state)
    if wrong:
        raise click.ClickException(f"the game did not end as recorded: {wrong[0]}")


def _play(
    appliance: Appliance,
    supervisor: Supervisor,
    recording: Recording,
    speed: float,
    port: int | None,
    data: Path,
    once: bool,
) -> dict[str, Any]:
    """Play the recording; the table's final public state. Without ``once`` it ends by ``Stopped`` alone."""
    if port is None:
        port = DEFAULT_PORT if is_free(DEFAULT_PORT, _LISTEN) else 0
    client = appliance.start_host(port)
    table = appliance.insist(lambda: table_of_recording(client, recording, data))
    seconds = recording.frames[-1].t - recording.frames[0].t
    faster = "" if speed == 1 else f", {speed:g} times faster than recorded"
    _say(f"Playing “{recording.name}”: {seconds:.0f} seconds of recorded throws{faster}.")
    _say(f"Scoreboard: {appliance.address}/   (open it in a browser, as wide as a phone or a TV)\n")
    commentary = Commentary(client, table, lambda sentence: _say(f"  {sentence}"))
    try:
        commentary.start()
        appliance.start_player(recording, table, speed)
        supervisor.wait(lambda: supervisor.is_done(DEVICE))
        view = appliance.insist(lambda: client.get(f"/tables/{table}"))
        commentary.tell(view)
        if not once:
            _say("\nThat was the last throw. The scoreboard stays up until you press Ctrl-C.")
            supervisor.wait(lambda: False)
    finally:
        commentary.stop()
    state: dict[str, Any] = view["state"]
    return state


def _game_in(folder: Path) -> Recording:
    recording = load_recording(folder)
    if not recording.is_game:
        raise RecordingError(f"{folder}: holds single pictures and no game (recording.toml names none)")
    if recording.expected is None:
        raise RecordingError(f"{folder / 'expected.json'}: missing, so nobody could say whether the game ended well")
    return recording


def _say(sentence: str) -> None:
    """Everything but the final state goes to standard error."""
    click.echo(sentence, err=True)
    sys.stderr.flush()
