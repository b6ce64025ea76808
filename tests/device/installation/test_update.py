"""Updates on real files and databases: kept when well, taken back when not, ended after a cut at any moment."""

import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from device.installation import versions
from device.installation.commands import InstallationFailed, link
from device.installation.layout import Layout
from device.installation.update import Update


class PowerCut(BaseException):
    """The box is switched off at the wall."""


class Halves:
    """Services of which a version that migrates is ``sick``, and which may lose power at one of their calls."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.sick = ""
        self.calls: list[str] = []
        self.cut_at = -1

    def start(self) -> None:
        self._call("start")
        if self._version() != "old":
            with closing(sqlite3.connect(self.layout.host_data / "croupier.db")) as db, db:
                db.execute("CREATE TABLE IF NOT EXISTS migrated (x)")

    def stop(self) -> None:
        self._call("stop")

    def wait_until_well(self, patience_s: float) -> str | None:
        self._call("wait")
        return "the host does not answer" if self._version() == self.sick else None

    def _version(self) -> str:
        return "old" if self.layout.current.resolve().name == "0.1.0-old" else "new"

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if len(self.calls) == self.cut_at:
            raise PowerCut


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A box on which version 0.1.0-old runs, with a game in its database."""
    box = Layout(tmp_path)
    old = box.versions / "0.1.0-old"
    old.mkdir(parents=True)
    (old / "complete").touch()
    link(box.current, old)
    (box.host_data / "pictures").mkdir(parents=True)
    (box.host_data / "owner-token").write_text("secret")
    with closing(sqlite3.connect(box.host_data / "croupier.db")) as db, db:
        db.execute("CREATE TABLE entries (number)")
        db.execute("INSERT INTO entries VALUES (1)")
    return box


@pytest.fixture
def wheel(layout: Layout) -> Path:
    """A wheel whose version has been made already."""
    file = layout.root / "croupier-0.2.0-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("device/installation/requirements.lock", "")
    folder = layout.versions / versions.Source(file).name
    folder.mkdir()
    (folder / "complete").touch()
    return file


def update(layout: Layout, halves: Halves, said: list[str] | None = None) -> Update:
    return Update(layout, halves, lambda folder: None, (said if said is not None else []).append)


def tables_of(layout: Layout) -> set[str]:
    with closing(sqlite3.connect(layout.host_data / "croupier.db")) as db:
        return {name for (name,) in db.execute("SELECT name FROM sqlite_master")}


def running(layout: Layout) -> str:
    return layout.current.resolve().name.split("-")[0]


def test_a_version_that_is_well_stays_and_the_one_before_is_kept(layout: Layout, wheel: Path) -> None:
    assert update(layout, Halves(layout)).run(versions.Source(wheel))
    assert running(layout) == "0.2.0"
    assert layout.previous.resolve().name == "0.1.0-old"
    assert (layout.previous.resolve() / "complete").exists()
    assert not layout.pending.exists()
    (snapshot,) = layout.snapshots.iterdir()
    with closing(sqlite3.connect(snapshot / "croupier" / "croupier.db")) as db:
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("entries",)]


def test_a_version_that_is_not_well_is_taken_back_with_its_migration(layout: Layout, wheel: Path) -> None:
    halves, said = Halves(layout), list[str]()
    halves.sick = "new"
    assert not update(layout, halves, said).run(versions.Source(wheel))
    assert running(layout) == "0.1.0"
    assert tables_of(layout) == {"entries"}
    assert (layout.host_data / "owner-token").read_text() == "secret"
    assert (layout.host_data / "pictures").is_dir()
    assert halves.calls[-2:] == ["start", "wait"]
    assert not layout.pending.exists()
    assert "going back to 0.1.0-old" in said[-2]
    assert [folder.name for folder in layout.versions.iterdir()] == ["0.1.0-old"]


@pytest.mark.parametrize("sick", ["", "new"])
@pytest.mark.parametrize("cut_at", range(1, 7))
def test_a_cut_at_any_moment_ends_in_one_version_or_the_other(
    layout: Layout, wheel: Path, sick: str, cut_at: int
) -> None:
    halves = Halves(layout)
    halves.sick, halves.cut_at = sick, cut_at
    try:
        update(layout, halves).run(versions.Source(wheel))
    except PowerCut:
        halves.start()  # as every boot does
        update(layout, halves).finish()
    assert not layout.pending.exists()
    expected = "0.1.0" if sick or cut_at == 1 else "0.2.0"
    assert running(layout) == expected
    assert tables_of(layout) == ({"entries"} if expected == "0.1.0" else {"entries", "migrated"})


def test_the_version_that_runs_is_no_update(layout: Layout, wheel: Path) -> None:
    assert update(layout, Halves(layout)).run(versions.Source(wheel))
    halves = Halves(layout)
    assert update(layout, halves).run(versions.Source(wheel))
    assert halves.calls == []


def test_what_is_no_wheel_of_ours_changes_nothing(layout: Layout) -> None:
    file = layout.root / "croupier-0.2.0-py3-none-any.whl"
    file.write_text("no zip")
    halves = Halves(layout)
    with pytest.raises(InstallationFailed, match="is no wheel of croupier"):
        update(layout, halves).run(versions.Source(file))
    assert halves.calls == []


def test_without_an_installation_there_is_nothing_to_update(tmp_path: Path) -> None:
    with pytest.raises(InstallationFailed, match=r"run sudo \./install"):
        update(Layout(tmp_path), Halves(Layout(tmp_path))).run(versions.Source(tmp_path / "x.whl"))
