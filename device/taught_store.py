"""Sets of taught dice that the device keeps: a file each, those that the reader uses apart from the others."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from calibration.taught_file import TaughtFileError, load_taught, write_taught
from vision.taught import TaughtSet

MOST_SETS = 32

_NAME = re.compile(r"\w[\w -]{0,38}\w|\w")


@dataclass(frozen=True)
class KeptSet:
    """A set and whether the reader uses it."""

    taught: TaughtSet
    is_used: bool


class TaughtStore:
    """The sets in a folder: ``NAME.json`` is used, ``unused/NAME.json`` is not. Raises ``TaughtFileError``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._unused = folder / "unused"

    def sets(self) -> Mapping[str, KeptSet]:
        """Every set that can be read, by its name."""
        found: dict[str, KeptSet] = {}
        for folder in (self._unused, self._folder):
            for path in sorted(folder.glob("*.json")):
                try:
                    found[path.stem] = KeptSet(load_taught(path), folder == self._folder)
                except TaughtFileError:
                    continue
        return dict(sorted(found.items()))

    def used(self) -> list[TaughtSet]:
        """The sets that the reader uses."""
        return [kept.taught for kept in self.sets().values() if kept.is_used]

    def one(self, name: str) -> KeptSet:
        """A set by its name."""
        path = self._path_of(name)
        return KeptSet(load_taught(path), path.parent == self._folder)

    def add(self, name: str, taught: TaughtSet) -> None:
        """Keep a new set, not used yet."""
        if not _NAME.fullmatch(name):
            raise TaughtFileError("a name is letters, numbers and blanks, 40 at most")
        sets = self.sets()
        if name in sets:
            raise TaughtFileError(f"there is a set {name} already")
        if len(sets) >= MOST_SETS:
            raise TaughtFileError(f"{MOST_SETS} sets are kept at most: delete one first")
        self._write(self._unused / f"{name}.json", taught)

    def change(self, name: str, taught: TaughtSet) -> None:
        """Keep a set in the place of the one of that name."""
        self._write(self._path_of(name), taught)

    def use(self, name: str, is_used: bool) -> None:
        """Let the reader use a set, or not."""
        path = self._path_of(name)
        try:
            self._unused.mkdir(parents=True, exist_ok=True)
            path.replace((self._folder if is_used else self._unused) / path.name)
        except OSError as error:
            raise TaughtFileError(f"{name} cannot be moved ({error.strerror})") from None

    def delete(self, name: str) -> None:
        """Delete a set."""
        try:
            self._path_of(name).unlink(missing_ok=True)
        except OSError as error:
            raise TaughtFileError(f"{name} cannot be deleted ({error.strerror})") from None

    def _path_of(self, name: str) -> Path:
        if _NAME.fullmatch(name):
            for folder in (self._folder, self._unused):
                if (folder / f"{name}.json").is_file():
                    return folder / f"{name}.json"
        raise TaughtFileError("there is no such set")

    def _write(self, path: Path, taught: TaughtSet) -> None:
        new = path.with_name(f"{path.name}.new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with new.open("w", encoding="utf-8") as file:
                file.write(write_taught(taught))
                file.flush()
                os.fsync(file.fileno())
            new.replace(path)
        except OSError as error:
            raise TaughtFileError(f"{path.stem} cannot be written ({error.strerror})") from None
