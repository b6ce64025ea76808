"""The unit files as systemd itself judges them: not one warning, and little that a broken-in service could reach."""

import re
import shutil
import subprocess
from configparser import RawConfigParser
from pathlib import Path

import pytest

UNITS = Path(__file__).parent.parent / "systemd"
SERVICES = ("croupier-host.service", "croupier-device.service")
PROGRAM = re.compile(r"/opt/croupier/\w+/bin/\w+")

EXPOSURE = 20
"""Tenths: 2.0 at most."""

KNOWS_BACKOFF = 254
"""The first systemd that knows RestartSteps; older ones verify the units without that drop-in."""


def systemd_analyze(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    program = shutil.which("systemd-analyze")
    assert program, "systemd-analyze is missing, so nobody knows whether the units are right: apt install systemd"
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)


def version() -> int:
    found = re.match(r"systemd (\d+)", systemd_analyze("--version").stdout)
    assert found
    return int(found[1])


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The units as the installer lays them, the program being one that this machine has."""
    for unit in UNITS.glob("*.service"):
        text = PROGRAM.sub("/bin/true", unit.read_text(encoding="utf-8"))
        (tmp_path / unit.name).write_text(text, encoding="utf-8")
        if unit.name in SERVICES and version() >= KNOWS_BACKOFF:
            drop_ins = tmp_path / f"{unit.name}.d"
            drop_ins.mkdir()
            shutil.copy(UNITS / "restart-backoff.conf", drop_ins)
    return tmp_path


def test_systemd_has_nothing_to_remark_on(installed: Path) -> None:
    said = systemd_analyze("verify", "--man=no", *sorted(installed.glob("*.service")))
    assert (said.returncode, said.stderr) == (0, "")


def test_an_unknown_key_would_be_noticed(installed: Path) -> None:
    unit = installed / SERVICES[0]
    unit.write_text(unit.read_text(encoding="utf-8") + "\n[Service]\nWatchdogSecs=1\n", encoding="utf-8")
    assert "WatchdogSecs" in systemd_analyze("verify", "--man=no", unit).stderr


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_that_was_broken_into_reaches_little(service: str) -> None:
    said = systemd_analyze("security", "--offline=true", f"--threshold={EXPOSURE}", UNITS / service)
    assert said.returncode == 0, said.stdout.splitlines()[-1:] or said.stderr


@pytest.mark.parametrize("service", SERVICES)
def test_services_are_watched_and_start_again_without_any_network(service: str) -> None:
    unit = RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(UNITS / service, encoding="utf-8")
    assert unit["Service"]["Type"] == "notify"
    assert int(unit["Service"]["WatchdogSec"]) > 0
    assert unit["Service"]["Restart"] == "always"
    assert unit["Service"]["User"] not in ("", "root")
    assert "network" not in " ".join(unit["Unit"].values())


def test_the_device_reaches_camera_and_gpio_and_no_other_device() -> None:
    lines = (UNITS / "croupier-device.service").read_text(encoding="utf-8").splitlines()
    allowed = {line.removeprefix("DeviceAllow=").split()[0] for line in lines if line.startswith("DeviceAllow=")}
    assert allowed == {"char-video4linux", "char-media", "char-dma_heap", "char-gpiochip", "char-drm"}
    assert "DevicePolicy=closed" in lines
