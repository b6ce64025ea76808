"""``croupier backup`` and ``croupier restore``: all games in one file, and back."""

import os
import shutil
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection
from importlib.metadata import version
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

import click

from host.backup import PICTURES, BadBackup, CannotBackUp, finish_restore, stage_restore, write_backup
from host.clock import utc_now, written
from host.commands.host import default_data
from host.games.registry import GAMES
from host.keeping import replays_every_game
from host.server import CannotStart, HeldData

BACKUP = "/api/v1/backup"
ANSWER_S = 60.0
"""How long a host may take over a backup of the size that it makes."""

_DATA = click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), help="Where the host keeps its tables and tokens."
)


@click.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@_DATA
def backup(file: Path, data: Path | None) -> None:
    """Write every game, phone and seat to FILE, also while the host runs. Keep FILE like a key."""
    os.umask(0o077)  # it holds secrets of games and the key of the seats
    directory = data or default_data()
    half_written = file.with_name(file.name + ".new")
    try:
        if file.exists():
            raise CannotBackUp(f"{file} exists already; choose another name")
        with half_written.open("wb") as target:
            if not _asked_running_host(directory, target):
                write_backup(directory, directory / PICTURES, target, written(utc_now()), version("croupier"))
            target.flush()
            os.fsync(target.fileno())
        half_written.replace(file)
    except CannotBackUp as failure:
        half_written.unlink(missing_ok=True)
        raise click.ClickException(str(failure)) from None
    except OSError as failure:
        raise click.ClickException(f"cannot write {file}: {failure.strerror}") from None
    click.echo(f"{file}: {file.stat().st_size / 2**20:.1f} MB")


def _asked_running_host(directory: Path, target: IO[bytes]) -> bool:
    """Have the host that runs in this directory make a backup, since nobody else can open its database.

    False: none runs. Raises ``CannotBackUp``.
    """
    try:
        address = urlsplit((directory / "address").read_text(encoding="ascii").strip())
        token = (directory / "owner-token").read_text(encoding="ascii").strip()
        asked = HTTPConnection(address.hostname or "", address.port, timeout=ANSWER_S)
        asked.request("GET", BACKUP, headers={"Authorization": f"Bearer {token}"})
    except (FileNotFoundError, ConnectionRefusedError):
        # A host that was killed has left its address behind.
        return False
    with closing(asked), asked.getresponse() as answer:
        if answer.status != HTTPStatus.OK:
            raise CannotBackUp(f"the host that runs in {directory} makes none: {answer.read(1000).decode()}")
        shutil.copyfileobj(answer, target)
    return True


@click.command("restore")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@_DATA
def restore(file: Path, data: Path | None) -> None:
    """Put the games of a backup in the place of those that are there, which stay beside them as .before-restore."""
    os.umask(0o077)
    directory = data or default_data()
    try:
        held = HeldData(directory)
        try:
            stage_restore(file, directory, written(utc_now()), replays_every_game(GAMES, utc_now))
            finish_restore(directory, directory / PICTURES)
        finally:
            held.close()
    except (BadBackup, CannotStart) as failure:
        raise click.ClickException(str(failure)) from None
    except OSError as failure:
        raise click.ClickException(f"cannot restore into {directory}: {failure.strerror}") from None
    click.echo(f"{directory} is as it was when {file} was made")
