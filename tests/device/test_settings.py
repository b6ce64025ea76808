"""Settings: what a file may hold, and how each fault of it is told."""

from pathlib import Path

import pytest

from device.panel.conflicts import claims
from device.settings import PanelSettings, Settings
from device.settings_file import SettingsError, load_settings, parse_settings
from device.settings_page import BOX, commented_file, page, sections

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"


def faults_of(text: str) -> list[tuple[int, str]]:
    with pytest.raises(SettingsError) as raised:
        parse_settings(text, Path("settings.toml"))
    return [(fault.line, fault.text) for fault in raised.value.faults]


def test_nothing_set_is_all_defaults() -> None:
    assert parse_settings("", Path("settings.toml")) == Settings()


def test_the_page_is_made_from_the_definitions() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "write it again: python -m device.settings_page"


def test_the_commented_file_is_right_and_holds_every_field() -> None:
    text = commented_file()
    assert parse_settings(text, Path("settings.toml")) == Settings()
    for section, (_, fields) in sections().items():
        assert f"\n[{section}]\n" in text
        for key in fields:
            assert f"\n#{key} =" in text


def test_the_commented_file_with_every_line_in_force_is_right_too() -> None:
    lines = [line.removeprefix("#") if "= " in line and line[1] != " " else line for line in _lines(commented_file())]
    assert parse_settings("\n".join(lines), Path("settings.toml")) == Settings()


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


def test_the_file_of_a_box_sets_what_a_box_needs() -> None:
    settings = parse_settings(commented_file(BOX), Path("settings.toml"))
    assert (settings.host.listen, settings.camera.which) == ("0.0.0.0", "picamera2")  # noqa: S104


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[camra]\nfps = 3\n", 1, "there is no [camra]; did you mean camera?"),
        ("# a note\n\n[camera]\nfsp = 3\n", 4, "[camera] has no fsp; did you mean fps?"),
        ("[camera]\nfps = 200\n", 2, "camera.fps is 200; allowed is a number from 5 to 60"),
        ("[camera]\nfps = nan\n", 2, "camera.fps is nan; allowed is a number from 5 to 60"),
        ('[host]\nport = "8420"\n', 2, 'host.port is "8420"; allowed is a whole number from 1 to 65535'),
        ("host.port = 1.5\n", 1, "host.port is 1.5; allowed is a whole number"),
        ("[panel]\nenabled = 1\n", 2, "panel.enabled is 1; allowed is true or false"),
        ('[panel]\nlight = "dim"\n', 2, 'panel.light is "dim"; allowed is "full", "pwm" or "none"'),
        ('[camera]\nwhich = "polaroid"\n', 2, 'allowed is "picamera2", "usb:0", "video:FILE" or "recording:DIR"'),
        ("[camera]\nwidth_px = [\n  1280,\n]\n", 2, "camera.width_px is [1280]; allowed is an even number"),
        ("[camera]\nwidth_px = 1281\n", 2, "camera.width_px is 1281; allowed is an even number from 640 to 4608"),
        ("[camera]\nred_gain = 2.0\n", 2, "are set together or not at all"),
        ("[panel]\nlight_pin = 26\n", 2, "each needs a pin of its own"),
        ('[panel]\nlight = "pwm"\nlight_pin = 5\n', 3, 'with light = "pwm" it is one of 12, 13, 18, 19'),
        ("camera = 3\n", 1, "camera is a table"),
        ("[host]\nport = 1\nport = 2\n", 3, "this is not TOML"),
        ("[host\n", 1, "this is not TOML"),
        ("[host]\nport =\n[camera]\n", 2, "this is not TOML"),
    ],
)
def test_a_fault_is_named_with_its_line_and_what_is_allowed(text: str, line: int, words: str) -> None:
    [(found, told)] = faults_of(text)
    assert words in told
    assert found == line


def test_all_faults_are_named_in_the_order_of_the_file() -> None:
    assert [line for line, _ in faults_of("[panel]\nbutton = 3\n[host]\nport = 0\n[camera]\nfps = 1\n")] == [2, 4, 6]


def test_what_is_right_is_kept_beside_a_fault() -> None:
    text = '[host]\nport = 9000\ndata = "/srv/croupier"\n[camera]\nfps = 200\nwhich = "usb:2"\n'
    with pytest.raises(SettingsError) as raised:
        parse_settings(text, Path("settings.toml"))
    usable = raised.value.usable
    assert (usable.host.port, usable.host.data) == (9000, "/srv/croupier")
    assert (usable.camera.which, usable.camera.fps) == ("usb:2", Settings().camera.fps)


def test_what_stands_before_a_line_that_is_not_toml_is_kept() -> None:
    with pytest.raises(SettingsError) as raised:
        parse_settings("[host]\nport = 9000\n[camera\nfps = 20\n", Path("settings.toml"))
    assert raised.value.usable.host.port == 9000


def test_the_message_is_one_line_with_the_file(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("[host]\nport = 0\nlisten = 3\n", encoding="utf-8")
    with pytest.raises(SettingsError) as raised:
        load_settings(file)
    text = str(raised.value)
    assert text == f"{file} line 2: host.port is 0; allowed is a whole number from 1 to 65535 (and 1 more)"


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"missing\.toml: cannot be read \(No such file"):
        load_settings(tmp_path / "missing.toml")
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(SettingsError, match="is not text in UTF-8"):
        load_settings(tmp_path / "latin.toml")


def test_the_default_pins_are_nobody_elses() -> None:
    assert claims(PanelSettings()) == {}


@pytest.mark.parametrize("pin", [0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 14, 15, 18, 19, 20, 21])
def test_a_pin_that_boards_on_top_use_is_told(pin: int) -> None:
    assert f"panel.button_pin = {pin} " in claims(PanelSettings(button_pin=pin))["button_pin"]
