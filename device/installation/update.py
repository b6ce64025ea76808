"""From one version to the next, and back by itself where the next one does not get well.

An update is written down in ``update-pending.json`` before anything is touched and struck out when all is done. Cut
short at whatever moment, it is brought to its end by ``finish``: at the next boot, run by the version that worked.
"""

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from device.installation import snapshot, versions
from device.installation.commands import InstallationFailed, link, write_if_new
from device.installation.layout import Layout

PATIENCE_S = 120.0
"""What a new version gets to become well."""


class Halves(Protocol):
    """The two services, as an update needs them."""

    def start(self) -> None:
        """Start both."""

    def stop(self) -> None:
        """Stop both, and wait."""

    def wait_until_well(self, patience_s: float) -> str | None:
        """None once they are well, or what still is the trouble at the end."""


@dataclass(frozen=True, slots=True)
class Pending:
    """An update under way: folders of the two versions, and of the snapshot."""

    before: str
    after: str
    snapshot: str


class Update:
    """Changes versions on this machine.

    ``adopt`` lays out the units of the version in a folder; ``say`` tells people.
    """

    def __init__(
        self, layout: Layout, halves: Halves, adopt: Callable[[Path], None], say: Callable[[str], None]
    ) -> None:
        self._layout = layout
        self._halves = halves
        self._adopt = adopt
        self._say = say

    def run(self, source: versions.Source) -> bool:
        """Update to ``source``; false where it was taken back.

        Raises ``InstallationFailed`` where nothing was changed.
        """
        before = versions.current(self._layout)
        if before is None:
            raise InstallationFailed("croupier is not installed here; run sudo ./install")
        if self._layout.pending.exists():
            raise InstallationFailed("an update was cut short; run croupier update --finish first")
        if source.name == before.name:
            self._say(f"{before.name} is what runs already: nothing to do")
            return True
        self._say(f"making {source.name} (a few minutes); {before.name} goes on meanwhile")
        after = versions.make(source, self._layout)
        link(self._layout.previous, before)
        self._say("stopping, and taking a snapshot of the data")
        self._halves.stop()
        try:
            taken = snapshot.take(self._layout, f"before-{after.name}")
        except InstallationFailed:
            self._halves.start()
            raise
        self._note(Pending(str(before), str(after), str(taken)))
        return self._try(Pending(str(before), str(after), str(taken)))

    def finish(self) -> bool:
        """Bring an update that was cut short to its end: false where it was taken back."""
        try:
            pending = Pending(**json.loads(self._layout.pending.read_text(encoding="utf-8")))
        except FileNotFoundError:
            self._say("no update is under way: nothing to do")
            return True
        return self._try(pending)

    def _try(self, pending: Pending) -> bool:
        before, after = Path(pending.before), Path(pending.after)
        trouble: str | None
        try:
            self._adopt(after)
            versions.switch(self._layout, after)
            self._say(f"starting {after.name}; it has {PATIENCE_S:g} s to become well")
            self._halves.start()
            trouble = self._halves.wait_until_well(PATIENCE_S)
        except InstallationFailed as failed:
            trouble = str(failed)
        if trouble is None:
            self._layout.pending.unlink()
            versions.forget_others(self._layout, {before, after})
            self._forget_snapshots(Path(pending.snapshot))
            self._say(f"{after.name} is well. {before.name} and the data from before are kept")
            return True
        self._say(f"{after.name} does not get well ({trouble}); going back to {before.name} and its data")
        self._go_back(pending)
        return False

    def _go_back(self, pending: Pending) -> None:
        before = Path(pending.before)
        self._halves.stop()
        snapshot.put_back(self._layout, Path(pending.snapshot))
        versions.switch(self._layout, before)
        self._adopt(before)
        self._layout.pending.unlink()
        self._halves.start()
        trouble = self._halves.wait_until_well(PATIENCE_S)
        versions.forget_others(self._layout, {before})
        well = "is well again" if trouble is None else f"is back, but not well: {trouble}; see croupier doctor"
        self._say(f"{before.name} {well}. Nothing was lost but what happened since the update began")

    def _note(self, pending: Pending) -> None:
        write_if_new(self._layout.pending, json.dumps(asdict(pending)) + "\n")

    def _forget_snapshots(self, kept: Path) -> None:
        for folder in self._layout.snapshots.iterdir():
            if folder != kept:
                shutil.rmtree(folder, ignore_errors=True)
