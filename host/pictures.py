"""The pictures of throws: a file each, so that a throw writes little into the database.

On an appliance the directory may lie in memory, and spare its card: a picture that is gone is only not shown.
"""

import re
from contextlib import suppress
from pathlib import Path

PICTURES_KEPT = 500
"""The newest pictures that are kept: at most 20 kB each, so 10 MB."""

_READING_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")


class Pictures:
    """A directory of JPEGs, named by the ids of the readings that they came with. Methods may raise ``OSError``."""

    def __init__(self, directory: Path, kept: int = PICTURES_KEPT):
        self._directory = directory
        self._kept = kept
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        for unfinished in directory.glob("*.new"):
            unfinished.unlink()
        files = sorted((path.stat().st_mtime_ns, path.name, path) for path in directory.glob("*.jpg"))
        self._oldest_first = {path.stem: None for _, _, path in files}
        self._forget_old()

    def __contains__(self, reading_id: object) -> bool:
        return reading_id in self._oldest_first

    def add(self, reading_id: str, jpeg: bytes) -> None:
        """Keep the picture of a reading, as the newest. Raises ``ValueError`` for an id that can name no file."""
        path = self._path(reading_id)
        new = path.with_suffix(".new")
        new.write_bytes(jpeg)
        new.replace(path)
        self._oldest_first.pop(reading_id, None)
        self._oldest_first[reading_id] = None
        self._forget_old()

    def discard(self, reading_id: str) -> None:
        """Keep the picture no longer; there need be none."""
        if reading_id in self._oldest_first:
            del self._oldest_first[reading_id]
            self._path(reading_id).unlink(missing_ok=True)

    def get(self, reading_id: str) -> bytes | None:
        """The picture of a reading, or None where there is none, or none any more."""
        if reading_id not in self._oldest_first:
            return None
        with suppress(FileNotFoundError):
            return self._path(reading_id).read_bytes()
        return None

    def _path(self, reading_id: str) -> Path:
        if not _READING_ID.fullmatch(reading_id):
            raise ValueError(f"{reading_id[:80]!r} names no picture")
        return self._directory / f"{reading_id}.jpg"

    def _forget_old(self) -> None:
        while len(self._oldest_first) > self._kept:
            self.discard(next(iter(self._oldest_first)))
