"""The card that is printed and put beside the tray."""

import json
from pathlib import Path

from click.testing import CliRunner

from device.cli import main as croupier


def card(*words: str | Path) -> tuple[int, str]:
    done = CliRunner().invoke(croupier, ["card", *map(str, words)])
    return done.exit_code, done.stderr


def test_the_card_says_how_to_join_the_boxs_own_network(tmp_path: Path) -> None:
    network, page = tmp_path / "own-wifi.json", tmp_path / "card.html"
    network.write_text(json.dumps({"ssid": "Croupier-3f9a", "passphrase": "abcd-<efg"}))
    assert card(page, "--network", network) == (0, "")
    text = page.read_text()
    assert "Croupier-3f9a" in text
    assert "abcd-&lt;efg" in text
    assert "http://10.42.0.1:8420/" in text
    assert text.count("<svg") == 2
    assert page.stat().st_mode & 0o777 == 0o600


def test_without_a_network_of_its_own_it_says_the_address(tmp_path: Path) -> None:
    assert card(tmp_path / "card.html", "--port", "80") == (0, "")
    text = (tmp_path / "card.html").read_text()
    assert ".local:80/" in text
    assert text.count("<svg") == 1


def test_a_file_that_names_no_network_is_refused_in_one_line(tmp_path: Path) -> None:
    network = tmp_path / "own-wifi.json"
    network.write_text("{}")
    status, said = card(tmp_path / "card.html", "--network", network)
    assert status == 1
    assert "does not say a Wi-Fi's name and passphrase" in said
    assert not (tmp_path / "card.html").exists()
