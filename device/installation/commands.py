"""Other programs, run and waited for."""

import os
import shutil
import subprocess
from pathlib import Path


class InstallationFailed(RuntimeError):
    """The installation cannot go on; the text is one line that says what to do."""


def run(*command: str | Path, **environment: str) -> str:
    """What a program says on its standard output; raises ``InstallationFailed`` with its last line where it fails.

    It runs in the root folder, so paths are written out from there.
    """
    words = [str(word) for word in command]
    try:
        done = subprocess.run(  # noqa: S603 - the words are ours
            words,
            cwd="/",  # not a folder whose modules a Python would take for its own
            env=os.environ | {"LC_ALL": "C.UTF-8"} | environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise InstallationFailed(f"cannot run {words[0]}: {error.strerror}") from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or f"exit status {done.returncode}").splitlines()
        raise InstallationFailed(f"{' '.join(words[:4])} failed: {said[-1]}")
    return done.stdout


def succeeds(*command: str | Path) -> bool:
    """Whether a program is there and ends with status 0."""
    try:
        run(*command)
    except InstallationFailed:
        return False
    return True


def is_there(program: str) -> bool:
    """Whether a program is installed."""
    return shutil.which(program) is not None


def write_if_new(file: Path, text: str, mode: int = 0o644) -> bool:
    """Write a file whole or not at all; false where it says that already."""
    try:
        if file.read_text(encoding="utf-8") == text and file.stat().st_mode & 0o777 == mode:
            return False
    except OSError:
        pass
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.new")
    new.touch(mode=mode)
    new.chmod(mode)
    new.write_text(text, encoding="utf-8")
    sync(new)
    new.replace(file)
    sync(file.parent)
    return True


def sync(path: Path) -> None:
    """Have the disk hold what was written there: a box may be switched off at the wall the next moment."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def link(place: Path, target: Path) -> bool:
    """Make ``place`` a link to ``target`` in one step; false where it is one already."""
    if place.is_symlink() and place.readlink() == target:
        return False
    place.parent.mkdir(parents=True, exist_ok=True)
    new = place.with_name(f"{place.name}.new")
    new.unlink(missing_ok=True)
    new.symlink_to(target)
    new.replace(place)
    sync(place.parent)
    return True
