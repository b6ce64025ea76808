"""``croupier device``: the half that watches the tray and tells the host what was thrown."""

import logging
import os
import signal
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn

import click

from calibration.profile_store import ProfileStore
from calibration.taught_file import TaughtFileError, load_taught
from device.camera import CameraError
from device.cameras import USAGE, CameraChoice
from device.commands.options import camera_choice
from device.commands.options import speed as speed_option
from device.commands.settings_option import fault_of, settings_of, settings_option
from device.device_half import DeviceHalf
from device.frame_feed import EXIT_STUCK, CameraStuck
from device.host_client import DEVICE_TOKEN_VARIABLE, OWNER_TOKEN_VARIABLE, HostClient, TokenError, read_token
from device.outbox import Outbox, OutboxError
from device.panel.opening import is_held, open_pins
from device.playback import PlaybackError, Player
from device.recording import RecordingError
from device.recording_folder import load_recording
from device.recording_origin import origin_of
from device.safe_mode import safe_mode_reason
from device.taught_store import TaughtStore
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
@click.option("--record", "record_in", type=click.Path(path_type=Path), help="Keep a recording in this new folder.")
@click.option("--safe-mode", metavar="REASON", help="Leave the camera off, and say why on the phones.")
@click.option("--dice", type=click.Path(path_type=Path), multiple=True, help="Dice of your own (croupier teach).")
@settings_option()
@click.pass_context
def device(
    ctx: click.Context,
    address: str,
    camera: CameraChoice,
    data: Path,
    token_file: Path | None,
    speed: float,
    unpaced: bool,
    play_table: str | None,
    owner_token_file: Path | None,
    record_in: Path | None,
    safe_mode: str | None,
    dice: tuple[Path, ...],
) -> None:
    """Watch the tray, read what is thrown and tell the host."""
    logging.basicConfig(level=logging.WARNING, format="croupier device: %(message)s")
    signal.signal(signal.SIGTERM, _stop)
    try:
        recording = load_recording(camera.folder) if camera.is_recording else None
        client = HostClient(address, read_token(token_file, DEVICE_TOKEN_VARIABLE))
        with ExitStack() as closing:
            outbox = Outbox(data / "device.db")
            closing.callback(_close, outbox)
            settings = settings_of(ctx)
            pins = None if camera.is_file else open_pins(settings.panel)
            reason = safe_mode_reason(safe_mode, fault_of(ctx), is_held(pins))
            kept, own = TaughtStore(data / "dice"), [load_taught(path) for path in dice]
            half = DeviceHalf(client, outbox, pins, ProfileStore(data / "profile.json"), kept, closing, own)
            if record_in is not None:
                half.record(record_in, origin_of(camera, recording, data / "profile.json"), recording is not None)
            if reason is not None:
                half.keep_safe(reason)
            elif recording is None:
                half.watch(camera, settings.camera)
            else:
                owner = None
                if play_table is not None:
                    owner = HostClient(address, read_token(owner_token_file, OWNER_TOKEN_VARIABLE))
                pace = None if unpaced else speed
                Player(recording, pace, half.begin(), outbox, half.uplink, owner, play_table, on_step=half.tell).run()
            half.uplink.wait_until_sent()
    except KeyboardInterrupt:
        raise SystemExit(_STOPPED) from None
    except CameraStuck as stuck:
        click.echo(f"croupier device: {stuck}; ending, to be started again", err=True)
        # Not by way of the interpreter's end, which would wait for the driver that hangs.
        os._exit(EXIT_STUCK)
    except (CameraError, RecordingError, OutboxError, PlaybackError, TokenError, TaughtFileError, BadFrame) as error:
        raise click.ClickException(str(error)) from None


def _close(outbox: Outbox) -> None:
    """Close the outbox. Whoever asks the program to stop while it does has what they want already."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    outbox.close()


def _stop(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt
