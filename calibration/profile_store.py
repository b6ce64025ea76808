"""Where a profile is kept: the one in use, the one that was measured but not accepted yet, and the last five.

Files beside each other: ``profile.json``, ``profile.pending.json``, ``profile.kept-1.json`` (the newest) to
``profile.kept-5.json``. Each is written whole or not at all; at no moment is there no profile where there was one.
"""

import os
from pathlib import Path

from calibration.profile_file import MeasuredProfile, ProfileError, load_profile, write_profile

KEPT = 5
"""How many profiles that were in use before are kept."""


class ProfileStore:
    """The profile at ``path`` and its companions."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.pending_path = path.with_name(f"{path.stem}.pending{path.suffix}")

    def kept_path(self, number: int) -> Path:
        """Where the profile is that was in use ``number`` profiles ago (1 to ``KEPT``)."""
        return self.path.with_name(f"{self.path.stem}.kept-{number}{self.path.suffix}")

    def in_use(self) -> MeasuredProfile | None:
        """The profile in use, None where there is none. Raises ``ProfileError`` for one that cannot be read."""
        return load_profile(self.path) if self.path.exists() else None

    def pending(self) -> MeasuredProfile | None:
        """What was measured and not accepted yet."""
        return load_profile(self.pending_path) if self.pending_path.exists() else None

    def propose(self, measured: MeasuredProfile) -> None:
        """Keep what was measured until it is accepted or another is proposed."""
        self._write(self.pending_path, write_profile(measured).encode("utf-8"))

    def accept(self) -> None:
        """Put the pending profile to use, keeping the one before it. Raises ``ProfileError`` if none is pending."""
        if self.pending() is None:
            raise ProfileError("nothing is pending: measure first")
        try:
            self._keep()
            self.pending_path.replace(self.path)
        except OSError as error:
            raise ProfileError(f"{self.path}: cannot be written ({error.strerror})") from None

    def discard(self) -> None:
        """Forget what is pending."""
        self.pending_path.unlink(missing_ok=True)

    def undo(self) -> None:
        """Go back to the profile that was in use before; raises ``ProfileError`` where none is kept."""
        if not self.kept_path(1).exists():
            raise ProfileError(f"{self.path}: no earlier profile is kept")
        load_profile(self.kept_path(1))
        try:
            self.kept_path(1).replace(self.path)
            for number in range(2, KEPT + 1):
                if self.kept_path(number).exists():
                    self.kept_path(number).replace(self.kept_path(number - 1))
        except OSError as error:
            raise ProfileError(f"{self.path}: cannot be written ({error.strerror})") from None

    def _keep(self) -> None:
        """Copy the profile in use to the first kept place, the others moving on; the oldest goes."""
        if not self.path.exists():
            return
        for number in range(KEPT, 1, -1):
            if self.kept_path(number - 1).exists():
                self.kept_path(number - 1).replace(self.kept_path(number))
        self._write(self.kept_path(1), self.path.read_bytes())

    def _write(self, path: Path, content: bytes) -> None:
        new = path.with_name(f"{path.name}.new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with new.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            new.replace(path)
        except OSError as error:
            raise ProfileError(f"{path}: cannot be written ({error.strerror})") from None
