"""What a version is made from, and whether the services are well."""

from pathlib import Path

from device.installation.services import STEADY_S, wait_until_well
from device.installation.versions import FROM_THE_SYSTEM, Source, without_system_packages

ROOT = Path(__file__).parent.parent.parent.parent


def test_pip_brings_nothing_that_the_system_brings() -> None:
    kept = without_system_packages((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    names = {line.split("==")[0] for line in kept.splitlines() if "==" in line and not line.startswith(" ")}
    assert not names & set(FROM_THE_SYSTEM)
    assert {"click", "flask", "gevent", "sqlalchemy", "pydantic-core", "hatchling"} <= names


def test_a_folder_is_another_version_once_a_file_of_it_changes(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "0.3.0"\n')
    (tmp_path / "host").mkdir()
    (tmp_path / "host/table.py").write_text("a = 1\n")
    before = Source(tmp_path).name
    assert before == Source(tmp_path).name
    assert before.startswith("0.3.0-")
    (tmp_path / "host/table.py").write_text("a = 2\n")
    assert Source(tmp_path).name != before


class Sickly:
    """Services that are well from second ``well_at`` on, and that systemd starts again at some seconds."""

    def __init__(self, well_at: float, restarts_at: tuple[float, ...] = ()) -> None:
        self.now = 0.0
        self.well_at = well_at
        self.restarts_at = restarts_at

    def trouble(self) -> str | None:
        return None if self.now >= self.well_at else "the host does not answer"

    def restarts(self) -> int:
        return sum(self.now >= at for at in self.restarts_at)

    def wait(self, patience_s: float) -> str | None:
        return wait_until_well(self, patience_s, lambda: self.now, self.sleep)

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_well_is_who_stays_well_for_a_while() -> None:
    services = Sickly(well_at=3)
    assert services.wait(120) is None
    assert services.now == 3 + STEADY_S


def test_who_keeps_starting_again_is_not_well() -> None:
    services = Sickly(well_at=0, restarts_at=tuple(range(0, 200, 4)))
    assert services.wait(120) == "it keeps starting again"


def test_who_does_not_answer_in_time_is_not_well() -> None:
    assert Sickly(well_at=130).wait(120) == "the host does not answer"
