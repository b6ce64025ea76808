"""``croupier settings``, and ``--settings`` as other commands take it."""

from pathlib import Path

import pytest

from device.settings import Settings
from device.settings_file import load_settings
from tests.device.program import run


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    file = tmp_path / "bad.toml"
    file.write_text("[host]\nport = 0\n[camera]\nfsp = 20\n", encoding="utf-8")
    return file


def test_each_fault_is_a_line_and_the_status_2(bad: Path) -> None:
    ended = run("settings", bad)
    assert (ended.status, ended.out) == (2, "")
    first, second = ended.err.splitlines()
    assert first == f"{bad} line 2: host.port is 0; allowed is a whole number from 1 to 65535"
    assert second.startswith(f"{bad} line 4: [camera] has no fsp; did you mean fps?")


def test_faults_as_json(bad: Path) -> None:
    ended = run("settings", bad, "--json")
    assert ended.status == 2
    assert [fault["line"] for fault in ended.json["faults"]] == [2, 4]


def test_the_printed_file_is_right(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(run("settings", "--print-default").out, encoding="utf-8")
    assert load_settings(file) == Settings()
    assert run("settings", file).status == 0
    file.write_text(run("settings", "--print-default", "--box").out, encoding="utf-8")
    assert run("settings", file, "--json").json["settings"]["camera"]["which"] == "picamera2"


def test_a_plain_command_stops_at_a_fault(bad: Path, tmp_path: Path) -> None:
    ended = run("mat", tmp_path / "mat.pdf", CROUPIER_SETTINGS=str(bad))
    assert ended.status == 2
    (line,) = ended.err.splitlines()
    assert "bad.toml line 2: host.port is 0" in line


@pytest.mark.parametrize("command", ["run", "host"])
def test_settings_before_the_command_are_its_defaults(tmp_path: Path, command: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('[host]\nport = 9123\nlisten = "0.0.0.0"\n', encoding="utf-8")
    assert "[default: 9123" in run("--settings", file, command, "--help").out
