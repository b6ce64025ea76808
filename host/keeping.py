"""Backups as a running host makes them, and what of a restore needs the games."""

import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import IO

from gevent import get_hub

from host.backup import BadBackup, CannotBackUp, stage_restore, write_backup
from host.changes import Changes
from host.clock import Clock, written
from host.games.registry import Registry
from host.games.sentence import Sentence
from host.problems import Problem
from host.store import open_store, sqlite_url
from host.tables import Tables
from host.tokens import Tokens


def replays_every_game(games: Registry, clock: Clock) -> Callable[[Path], None]:
    """A check of a database, raising whatever goes wrong where a log in it cannot be replayed."""

    def replay(database: Path) -> None:
        store = open_store(sqlite_url(database), written(clock()))
        try:
            tables = Tables(store, games, clock, Changes(), Tokens({}), "")
            for seated in tables.seated():
                tables.to_look_at(seated.id)
        finally:
            store.close()

    return replay


class Keeping:
    """Makes a host's backups and takes one back. ``data`` is None where its games are in another database;
    ``pictures`` is where those of throws are.

    ``restart`` is called once a restored backup is staged: the host begins anew with it.
    """

    def __init__(self, data: Path | None, pictures: Path, games: Registry, clock: Clock, restart: Callable[[], None]):
        self._data = data
        self._pictures = pictures
        self._clock = clock
        self._replay = replays_every_game(games, clock)
        self._restart = restart

    def back_up(self) -> IO[bytes]:
        """A backup of this moment, to be read from its beginning. Raises ``Problem``."""
        data = self._checked_data()
        file = tempfile.TemporaryFile(dir=data)  # noqa: SIM115 (whoever sends it closes it)
        try:
            # In a thread: meanwhile the host goes on.
            work = (data, self._pictures, file, written(self._clock()), version("croupier"))
            get_hub().threadpool.apply(write_backup, work)
        except CannotBackUp as reason:
            file.close()
            raise Problem(
                "storage-failed",
                Sentence("storage-failed", "No backup was made: {reason}.", {"reason": str(reason)}),
            ) from reason
        file.seek(0)
        return file

    def name_of_backup(self) -> str:
        """What the file is called by default."""
        return f"croupier-{self._clock():%Y-%m-%d}.zip"

    def restore(self, backup: Path) -> None:
        """Check a backup and begin anew with it. Raises ``Problem``; then nothing has changed."""
        try:
            stage_restore(backup, self._checked_data(), written(self._clock()), self._replay)
        except BadBackup as reason:
            raise Problem("bad-backup", reason.wrong) from reason
        self._restart()

    def place_for_upload(self) -> Path:
        """Where an upload may lie until it is checked. Raises ``Problem``."""
        return self._checked_data()

    def _checked_data(self) -> Path:
        if self._data is None:
            raise Problem("other-database", "The games are in a database of their own; use its tools for backups.")
        return self._data
