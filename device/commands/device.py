"""``croupier device``: the half that watches the tray and tells the host what was thrown."""

import logging
import signal
from pathlib import Path
from typing import NoReturn

import click

from device.camera import CameraEnded, CameraError
from device.cameras import USAGE, CameraChoice
from device.commands.options import camera_choice
from device.commands.options import speed as speed_option
from device.host_client import DEVICE_TOKEN_VARIABLE, OWNER_TOKEN_VARIABLE, HostClient, TokenError, read_token
from device.loop import DeviceLoop
from device.outbox import Outbox, OutboxError
from device.playback import PlaybackError, Player
from device.recording import RecordingError
from device.recording_folder import load_recording
from device.trained import trained_reader
from device.uplink import Uplink
from vision.reading import BadFrame

_STOPPED = 130
"""Exit status after Ctrl-C or SIGTERM: not 0, which says that a recording has been played to its end."""


@click.command()
@click.option("--host", "address", required=True, metavar="URL", help="Where the host listens, http://ADDRESS:PORT.")
@click.option("--camera", callback=camera_choice, required=True, metavar="CAMERA", help=f"{USAGE}.")
@click.option(
    "--data",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where readings are kept until the host has them.",
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    help=f"File with the device's token; else it is taken from {DEVICE_TOKEN_VARIABLE}.",
)
@click.option("--speed", callback=speed_option, default="1", show_default=True, help="For recordings: times faster.")
@click.option("--unpaced", is_flag=True, help="For recordings: as fast as the frames can be read.")
@click.option("--play-table", metavar="TABLE", help="For recordings: send the players' decisions to that table.")
@click.option(
    "--owner-token-file",
    type=click.Path(path_type=Path),
    help=f"With --play-table: file with the owner's token; else it is taken from {OWNER_TOKEN_VARIABLE}.",
)
def device(
    address: str,
    camera: CameraChoice,
    data: Path,
    token_file: Path | None,
    speed: float,
    unpaced: bool,
    play_table: str | None,
    owner_token_file: Path | None,
) -> None:
    """Watch the tray, read what is thrown and tell the host."""
    logging.basicConfig(level=logging.WARNING, format="croupier device: %(message)s")
    signal.signal(signal.SIGTERM, _stop)
    try:
        recording = load_recording(camera.folder) if camera.is_recording else None
        client = HostClient(address, read_token(token_file, DEVICE_TOKEN_VARIABLE))
        outbox = Outbox(data / "device.db")
        uplink = Uplink(client, outbox)
        loop = DeviceLoop(trained_reader(), outbox, lambda: uplink.expectation)
        uplink.start()
        try:
            if recording is None:
                _watch(camera, loop)
            else:
                owner = None
                if play_table is not None:
                    owner = HostClient(address, read_token(owner_token_file, OWNER_TOKEN_VARIABLE))
                Player(recording, None if unpaced else speed, loop, outbox, uplink, owner, play_table).run()
            uplink.wait_until_sent()
        finally:
            uplink.close()
            outbox.close()
    except KeyboardInterrupt:
        raise SystemExit(_STOPPED) from None
    except (CameraError, RecordingError, OutboxError, PlaybackError, TokenError, BadFrame) as error:
        raise click.ClickException(str(error)) from None


def _watch(choice: CameraChoice, loop: DeviceLoop) -> None:
    with choice.camera() as camera:
        try:
            while True:
                loop.step(camera.next_frame())
        except CameraEnded:
            return


def _stop(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt
