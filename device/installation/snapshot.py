"""The data as it was before an update: databases through SQLite's own backup, all else copied."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from device.installation.commands import InstallationFailed, run, sync
from device.installation.layout import Layout

_LEFT_OUT = ("-wal", "-shm", "-journal", "/lock", "/address")
"""What belongs to a running process, or to the database that is copied whole."""


def take(layout: Layout, name: str) -> Path:
    """Copy both halves' data; they must be stopped. Raises ``InstallationFailed``."""
    folder = layout.snapshots / name
    shutil.rmtree(folder, ignore_errors=True)
    layout.snapshots.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        for data in (layout.host_data, layout.device_data):
            if data.is_dir():
                _copy(data, folder / data.name)
    except (OSError, sqlite3.Error) as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise InstallationFailed(f"cannot take a snapshot of the data: {error}") from None
    return folder


def put_back(layout: Layout, folder: Path) -> None:
    """Make the data what it was; the halves must be stopped. May be done again where it was cut short."""
    for data in (layout.host_data, layout.device_data):
        kept = folder / data.name
        if not kept.is_dir():
            continue
        for path in sorted(data.rglob("*"), reverse=True):
            if not (kept / path.relative_to(data)).exists():
                path.rmdir() if path.is_dir() else path.unlink()
        run("cp", "-a", f"{kept}/.", data)
        run("sync", "-f", data)


def _copy(data: Path, into: Path) -> None:
    into.mkdir(parents=True)
    shutil.copystat(data, into)
    run("chown", f"--reference={data}", into)
    for path in sorted(data.rglob("*")):
        copy = into / path.relative_to(data)
        if path.is_symlink() or str(path).endswith(_LEFT_OUT):
            continue
        if path.is_dir():
            copy.mkdir(exist_ok=True)
        elif path.suffix == ".db":
            with closing(sqlite3.connect(path)) as db, closing(sqlite3.connect(copy)) as backup:
                db.backup(backup)
        elif path.is_file():
            shutil.copyfile(path, copy)
        else:
            continue
        shutil.copystat(path, copy)
        run("chown", f"--reference={path}", copy)
        sync(copy)
