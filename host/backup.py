"""A backup: one file that holds everything the host must not lose.

It is a ZIP archive of the database, of the pictures that are kept, of the key that seats' tokens, join links and
codes are made with, and of a manifest with the format's version and the checksums. The owner's and the device's
token are not in it: each appliance has its own. Whoever has the file can read the secrets of games that were
running, so it is kept like a key.
"""

import json
import mmap
import os
import re
import shutil
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from host.games.sentence import Sentence
from host.migrations import NewerDatabase
from host.pictures import PICTURES_KEPT
from host.sqlite_file import uri
from host.store import StorageFailed, open_store, sqlite_url

FORMAT = "croupier-backup"
VERSION = 1

MANIFEST = "manifest.json"
DATABASE = "croupier.db"
SEAT_KEY = "seat-key"

MOST_BYTES = 64 * 2**20
"""Of a backup, packed or not. 500 pictures are 10 MB; a game is some 50 kB, so a thousand of them fit beside."""

PICTURES = "pictures"

MOST_MANIFEST_BYTES = 2**20
MOST_MEMBERS = 1_000
MOST_KEY_BYTES = 256
MOST_PICTURE_BYTES = 20_000

_MEMBER = re.compile(rb"PK\x01\x02")
"""With which each member's entry in a ZIP archive's directory begins (APPNOTE 4.3.12)."""

_DAMAGE = (OSError, LookupError, ValueError, TypeError, EOFError, NotImplementedError, RuntimeError, struct.error)
"""What ``zipfile`` and ``json`` raise for what is not as it was written."""

_PICTURE_NAME = re.compile(rf"{PICTURES}/[A-Za-z0-9._:-]{{1,64}}\.jpg")


class BadBackup(Exception):
    """It cannot be restored, and nothing was changed; ``wrong`` says why, to be told in any language."""

    def __init__(self, template: str, **values: str | int):
        self.wrong = Sentence("bad-backup", template, values)
        super().__init__(self.wrong.english())


class CannotBackUp(Exception):
    """No backup was made; the text is one line that says why."""


def write_backup(data: Path, pictures: Path, to: IO[bytes], at: str, version: str) -> None:
    """Write a backup of a data directory, also while a host uses it. ``at`` is the time, ``version`` Croupier's.

    Raises ``CannotBackUp``.
    """
    database, key = data / DATABASE, data / SEAT_KEY
    if not database.exists() or not key.exists():
        raise CannotBackUp(f"there are no games in {data}: name the host's directory with --data")
    with TemporaryDirectory(prefix="croupier-backup-") as folder:
        copy = Path(folder) / DATABASE
        try:
            with closing(sqlite3.connect(uri(database, mode="ro"), uri=True)) as source:
                # A copy of one moment, whatever is written meanwhile, and without the space of what is gone.
                source.execute("VACUUM INTO ?", (str(copy),))
            with closing(sqlite3.connect(copy)) as written:
                found = written.execute("PRAGMA integrity_check").fetchone()[0]
            contents = {DATABASE: copy.read_bytes(), SEAT_KEY: key.read_bytes(), **_pictures_in(pictures)}
        except (sqlite3.Error, OSError) as error:
            raise CannotBackUp(f"the games in {data} cannot be read: {error}") from error
    if found != "ok":
        raise CannotBackUp(f"the database in {data} is damaged: {' '.join(str(found).split())[:200]}")
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "croupier": version,
        "at": at,
        "sha256": {name: sha256(content).hexdigest() for name, content in contents.items()},
    }
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
        for name, content in contents.items():
            archive.writestr(name, content)


def stage_restore(backup: Path, data: Path, at: str, replay: Callable[[Path], None]) -> None:
    """Check a backup and lay what it holds beside the data, for ``finish_restore`` to put in their place.

    ``replay(database)`` raises where a log in it cannot be replayed. Raises ``BadBackup``; nothing has changed then.
    """
    contents = _contents(backup)
    with TemporaryDirectory(prefix="restoring-", dir=data) as folder:
        database = Path(folder) / DATABASE
        database.write_bytes(contents[DATABASE])
        _check_database(database, at)
        try:
            replay(database)
        except Exception as error:
            raise BadBackup("A game in this backup cannot be replayed; it was not made by this program.") from error
        (data / f"{SEAT_KEY}.restored").write_bytes(contents[SEAT_KEY])
        shutil.rmtree(data / f"{PICTURES}.restored", ignore_errors=True)
        (data / f"{PICTURES}.restored").mkdir(mode=0o700)
        for name, content in contents.items():
            if name not in (DATABASE, SEAT_KEY):
                (data / f"{PICTURES}.restored" / Path(name).name).write_bytes(content)
        with database.open("rb+") as file:
            os.fsync(file.fileno())
        # Its name says that all of it is there, so it comes last.
        database.replace(data / f"{DATABASE}.restored")


def finish_restore(data: Path, pictures: Path) -> bool:
    """Put what was staged in the place of the data, which stay beside it as ``.before-restore``; False: nothing was.

    Whenever it is interrupted, the next call goes on. No process may have the database open.
    """
    staged = data / f"{DATABASE}.restored"
    if not staged.exists():
        (data / f"{SEAT_KEY}.restored").unlink(missing_ok=True)
        shutil.rmtree(data / f"{PICTURES}.restored", ignore_errors=True)
        return False
    if (fresh := data / f"{PICTURES}.restored").exists():
        if pictures.exists():
            shutil.rmtree(data / f"{PICTURES}.before-restore", ignore_errors=True)
            shutil.move(pictures, data / f"{PICTURES}.before-restore")
        shutil.move(fresh, pictures)
    for name in (SEAT_KEY, DATABASE):
        fresh = data / f"{name}.restored"
        if not fresh.exists():
            continue
        for ending in ("", "-wal", "-shm") if name == DATABASE else ("",):
            if (old := data / f"{name}{ending}").exists():
                old.replace(data / f"{name}.before-restore{ending}")
        fresh.chmod(0o600)
        fresh.replace(data / name)
    return True


def _contents(backup: Path) -> dict[str, bytes]:
    """What a backup holds, by its checksums just what was put in. Raises ``BadBackup``."""
    foreign = BadBackup("This is not a backup that Croupier has made.")
    try:
        if _members_listed(backup) > MOST_MEMBERS:
            raise foreign
        with zipfile.ZipFile(backup) as archive:
            manifest = _manifest(archive, foreign)
            sums = manifest["sha256"]
            most = {DATABASE: MOST_BYTES, SEAT_KEY: MOST_KEY_BYTES}
            names = [*most, *(name for name in sums if _PICTURE_NAME.fullmatch(name))][: PICTURES_KEPT + len(most)]
            return {
                name: _member(archive, name, most.get(name, MOST_PICTURE_BYTES), str(sums[name])) for name in names
            }
    except FileNotFoundError as error:
        raise BadBackup("There is no file {file}.", file=str(backup)) from error
    except zipfile.BadZipFile as error:
        raise foreign from error
    except (*_DAMAGE, zlib.error) as error:
        raise BadBackup("This backup is damaged; nothing was changed.") from error


def _members_listed(backup: Path) -> int:
    """How many members the archive may list, at least. ``zipfile`` would take memory for each of a million."""
    with backup.open("rb") as file:
        if not os.fstat(file.fileno()).st_size:
            return 0
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            return sum(1 for _ in _MEMBER.finditer(mapped))


def _pictures_in(folder: Path) -> dict[str, bytes]:
    """The pictures that are kept, as far as they are still there once it is their turn."""
    found = {}
    for path in folder.glob("*.jpg"):
        with suppress(FileNotFoundError):
            found[f"{PICTURES}/{path.name}"] = path.read_bytes()
    return found


def _manifest(archive: zipfile.ZipFile, foreign: BadBackup) -> dict[str, Any]:
    if MANIFEST not in archive.namelist() or archive.getinfo(MANIFEST).file_size > MOST_MANIFEST_BYTES:
        raise foreign
    manifest = json.loads(_read(archive, MANIFEST, MOST_MANIFEST_BYTES))
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise foreign
    if manifest.get("version") != VERSION:
        raise BadBackup("This backup is from a newer version of Croupier; update Croupier first.")
    return manifest


def _member(archive: zipfile.ZipFile, name: str, most_bytes: int, checksum: str) -> bytes:
    if archive.getinfo(name).file_size > most_bytes:
        raise BadBackup(
            "This backup is too large: {name} may have {most} MB.", name=name, most=most_bytes // 2**20 or 1
        )
    content = _read(archive, name, most_bytes)
    if sha256(content).hexdigest() != checksum:
        raise BadBackup("This backup is damaged; nothing was changed.")
    return content


def _read(archive: zipfile.ZipFile, name: str, most_bytes: int) -> bytes:
    # Other ways to pack would take as much memory as the file says.
    if archive.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError("packed in another way than by croupier")
    with archive.open(name) as member:
        return member.read(most_bytes + 1)


def _check_database(database: Path, at: str) -> None:
    """Raises ``BadBackup``. An older version's database is brought to this version's schema."""
    try:
        with closing(sqlite3.connect(database)) as connection:
            if connection.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                raise BadBackup("The database in this backup is damaged; nothing was changed.")
        open_store(sqlite_url(database), at).close()
        with closing(sqlite3.connect(database)) as connection:
            # One file, with nothing beside it.
            connection.execute("PRAGMA journal_mode=DELETE")
    except NewerDatabase as newer:
        raise BadBackup("This backup is from a newer version of Croupier; update Croupier first.") from newer
    except (sqlite3.Error, UnicodeDecodeError, StorageFailed) as error:  # the second: SQLite quotes what is damaged
        raise BadBackup("The database in this backup is damaged; nothing was changed.") from error
