"""``croupier doctor``: on machines made of files, and as a program."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cameras import CameraChoice
from device.doctor.camera import check_camera, look_at_light
from device.doctor.clock import check_clock
from device.doctor.disk import check_disk
from device.doctor.finding import Finding, Level
from device.doctor.health import check_memory, check_power, check_temperature
from device.doctor.machine import Machine
from device.doctor.network import check_network
from device.doctor.profile import check_profile, profile_of
from device.doctor.service import check_service, is_run_by_systemd
from device.doctor.settings import check_panel, check_settings
from device.host_client import HostClient
from device.settings import CameraSettings, PanelSettings, Settings
from device.trained import trained_reader
from tests.device.program import RECORDING, run, running, wait_for

NOW = 1_790_000_000.0


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    (tmp_path / "programs").mkdir()
    return Machine(tmp_path, tmp_path / "programs")


def put(machine: Machine, path: str, text: str) -> None:
    file = machine.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def program(machine: Machine, name: str, says: str, status: int = 0) -> None:
    put(machine, f"programs/{name}", f"#!/bin/sh\ncat <<'END'\n{says}\nEND\nexit {status}\n")
    (machine.root / "programs" / name).chmod(0o755)


def levels(findings: Iterable[Finding]) -> list[Level]:
    return [finding.level for finding in findings]


def only(findings: Iterable[Finding]) -> Finding:
    (finding,) = findings
    return finding


@pytest.mark.parametrize(("free_mb", "level"), [(250, Level.OK), (90, Level.WARNING), (30, Level.ISSUE)])
def test_memory(machine: Machine, free_mb: int, level: Level) -> None:
    put(machine, "proc/meminfo", f"MemTotal:  437000 kB\nMemFree: 1 kB\nMemAvailable: {free_mb * 1024} kB\n")
    finding = only(check_memory(machine))
    assert finding.level is level
    assert finding.text == f"{free_mb} of 426 MB are free."


@pytest.mark.parametrize(("degrees", "level"), [(51, Level.OK), (77, Level.WARNING), (83, Level.ISSUE)])
def test_temperature(machine: Machine, degrees: int, level: Level) -> None:
    put(machine, "sys/class/thermal/thermal_zone0/temp", f"{degrees}123\n")
    assert only(check_temperature(machine)).level is level


@pytest.mark.parametrize(
    ("bits", "level", "words"),
    [
        ("0x0", Level.OK, "strong enough"),
        ("0x50005", Level.ISSUE, "right now"),
        ("0x50000", Level.WARNING, "at times"),
        ("0x4", Level.WARNING, "slowed down"),
    ],
)
def test_power(machine: Machine, bits: str, level: Level, words: str) -> None:
    program(machine, "vcgencmd", f"throttled={bits}")
    finding = only(check_power(machine))
    assert (finding.level, words in finding.text) == (level, True)


def test_power_by_the_kernels_sensor(machine: Machine) -> None:
    put(machine, "sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    put(machine, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    assert only(check_power(machine)).level is Level.ISSUE


def test_a_machine_that_says_nothing_has_no_power_or_temperature(machine: Machine) -> None:
    assert [*check_power(machine), *check_temperature(machine)] == []


def test_a_disk_with_room_that_can_be_written(machine: Machine, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    assert levels(check_disk(machine, data)) == [Level.OK, Level.OK]
    assert list(data.iterdir()) == []


def test_a_disk_before_the_first_start(machine: Machine, tmp_path: Path) -> None:
    assert "is made there at the first start" in list(check_disk(machine, tmp_path / "a" / "b"))[1].text


def test_a_folder_that_cannot_be_written(machine: Machine) -> None:
    finding = list(check_disk(machine, Path("/proc")))[1]
    assert finding.level is Level.ISSUE
    assert finding.to_do


def test_faults_and_wear_of_the_card(machine: Machine, tmp_path: Path) -> None:
    put(machine, "sys/fs/ext4/mmcblk0p2/errors_count", "3\n")
    put(machine, "sys/block/mmcblk0/device/pre_eol_info", "0x03\n")
    faults = list(check_disk(machine, tmp_path))[2:]
    assert levels(faults) == [Level.ISSUE, Level.ISSUE]
    assert "mmcblk0p2 has had 3 faults" in faults[0].text
    assert faults[1].text.startswith("mmcblk0 says")


def test_clock(machine: Machine, tmp_path: Path) -> None:
    assert only(check_clock(machine, tmp_path, 1000.0)).level is Level.WARNING
    assert only(check_clock(machine, tmp_path, NOW)).level is Level.INFO
    program(machine, "timedatectl", "yes")
    assert only(check_clock(machine, tmp_path, NOW)).level is Level.OK


def test_a_clock_that_was_put_back(machine: Machine, tmp_path: Path) -> None:
    database = tmp_path / "croupier.db"
    database.touch()
    os.utime(database, (NOW + 7200, NOW + 7200))
    assert "2.0 hours from now" in list(check_clock(machine, tmp_path, NOW))[1].text


def test_network(machine: Machine) -> None:
    network, name = check_network(machine, Settings(), None, None)
    assert (network.level, name.level) == (Level.WARNING, Level.INFO)
    network, _ = check_network(machine, Settings(), "192.168.1.5", None)
    assert network.level is Level.WARNING and "lets in nobody" in network.text
    open_to_all = Settings.model_validate({"host": {"listen": "0.0.0.0"}})  # noqa: S104
    network, _ = check_network(machine, open_to_all, "192.168.1.5", None)
    assert network.text == "Phones reach it at http://192.168.1.5:8420/"


@pytest.mark.parametrize(("says", "level"), [("croupier.local\t192.168.1.5", Level.OK), ("", Level.WARNING)])
def test_network_name(machine: Machine, says: str, level: Level) -> None:
    put(machine, "run/avahi-daemon/pid", "1\n")
    program(machine, "avahi-resolve-host-name", says)
    assert list(check_network(machine, Settings(), None, None))[1].level is level


@pytest.mark.parametrize(
    ("state", "restarts", "level", "words"),
    [
        ("active", 0, Level.OK, "croupier-host runs."),
        ("active", 9, Level.WARNING, "9 times"),
        ("failed", 0, Level.ISSUE, "croupier-host is failed"),
    ],
)
def test_services(machine: Machine, state: str, restarts: int, level: Level, words: str) -> None:
    put(machine, "run/systemd/system/x", "")
    program(machine, "systemctl", f"LoadState=loaded\nActiveState={state}\nNRestarts={restarts}")
    first, second = check_service(machine)
    assert first.level is second.level is level
    assert words in first.text


def test_no_services_without_systemd_or_before_the_installation(machine: Machine) -> None:
    assert only(check_service(machine)).level is Level.INFO
    put(machine, "run/systemd/system/x", "")
    program(machine, "systemctl", "LoadState=not-found\nActiveState=inactive")
    assert levels(check_service(machine)) == [Level.INFO, Level.INFO]
    assert not is_run_by_systemd(machine)


def test_pins_that_boards_on_top_use_are_named() -> None:
    settings = Settings(panel=PanelSettings(button_pin=3, light="pwm", light_pin=18))
    found = list(check_settings(settings, True, None))[1:]
    assert levels(found) == [Level.WARNING, Level.WARNING]
    assert "panel.button_pin = 3 is I2C" in found[0].text
    assert "panel.light_pin = 18 is I2S" in found[1].text


def test_panel_of_a_laptop_and_of_a_pi(machine: Machine) -> None:
    assert only(check_panel(machine, Settings(), None)).level is Level.INFO
    put(machine, "proc/device-tree/model", "Raspberry Pi Zero 2 W Rev 1.0\0")
    assert only(check_panel(machine, Settings(), "croupier run")).level is Level.OK
    assert "cannot be used" in only(check_panel(machine, Settings(), None)).text


def test_a_camera_in_use_is_left_alone() -> None:
    choice = CameraChoice.parse("usb:0")
    assert only(check_camera(choice, CameraSettings(), "croupier run", trained_reader)).level is Level.OK


def test_a_missing_camera_is_an_issue() -> None:
    choice = CameraChoice.parse("usb:63")
    finding = only(check_camera(choice, CameraSettings(), None, trained_reader))
    assert finding.level is Level.ISSUE
    assert "usb:63" in finding.text and "cable" in finding.to_do


def picture(change: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    frame = cv2.imread(str(sorted((RECORDING / "frames").iterdir())[0]))
    assert frame is not None
    return change(frame)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda frame: frame, "The light is good"),
        (lambda frame: frame // 6, "It is dark"),
        (lambda frame: cv2.circle(frame, (300, 200), 60, (255, 255, 255), -1), "There is glare"),
    ],
)
def test_light(change: Callable[[np.ndarray], np.ndarray], words: str) -> None:
    assert words in only(look_at_light(picture(change))).text


def test_a_profile_that_cannot_be_used(tmp_path: Path) -> None:
    assert list(check_profile(tmp_path)) == []
    (tmp_path / "profile.json").write_text("{}", encoding="utf-8")
    assert only(check_profile(tmp_path)).level is Level.ISSUE
    assert profile_of(tmp_path) is None


def test_on_a_recording_nothing_must_be_done(tmp_path: Path) -> None:
    ended = run("doctor", "--camera", f"recording:{RECORDING}", "--data", tmp_path, "--json")
    assert (ended.status, ended.err) == (0, "")
    assert ended.json["well"] is True
    found = {finding["about"]: finding for finding in ended.json["findings"]}
    assert found["profile"]["text"] == "The mat is seen, and the tray is read by it."
    expected = {"settings", "camera", "light", "profile", "panel", "disk", "clock", "network", "name", "service"}
    assert expected <= set(found)


def test_what_must_be_done_is_status_1_and_for_people(tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text("[camera]\nfps = 200\n", encoding="utf-8")
    ended = run("doctor", "--settings", settings, "--camera", f"video:{tmp_path / 'no.avi'}", "--data", tmp_path)
    assert (ended.status, ended.err) == (1, "")
    assert f"✗ settings   {settings} line 2:"[:60] in ended.out
    assert "2 things must be done" in ended.out
    assert "Traceback" not in ended.out


def test_a_running_host_shows_its_setup_code_and_the_devices_trouble(tmp_path: Path) -> None:
    with running("host", "--data", tmp_path, "--port", "0"):
        wait_for((tmp_path / "address").exists)
        address, code = ((tmp_path / name).read_text().strip() for name in ("address", "setup-code"))
        device = HostClient(address, (tmp_path / "device-token").read_text().strip())
        missing = {"id": "state-1", "state": "camera-missing", "detail": "usb:0: no such camera"}
        device.post("/device/state", missing)
        ended = run("doctor", "--camera", f"recording:{RECORDING}", "--data", tmp_path)
    assert f"Setup code: {code}" in ended.out
    assert "The camera is not there" in ended.out and "(usb:0: no such camera)" in ended.out
    assert f"{address}/claim" in ended.out
