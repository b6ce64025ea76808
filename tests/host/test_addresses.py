"""The address that phones are shown: a number, and the one by which they get here."""

from pathlib import Path

import pytest

from host.addresses import Addresses
from tests.host.phones import Owner
from tests.host.running import RunningHost


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("192.168.1.5:8420", "http://192.168.1.5:8420"),
        ("10.42.0.1", "http://10.42.0.1"),
        ("[fd00::5]:8420", "http://[fd00::5]:8420"),
        ("localhost:8420", "http://192.168.7.7:8420"),
        ("127.0.0.1:8420", "http://192.168.7.7:8420"),
        ("croupier.local:8420", "http://192.168.7.7:8420"),
    ],
)
def test_the_number_by_which_the_page_was_asked_for_or_else_the_networks(host: str, shown: str) -> None:
    here = Addresses("0.0.0.0", find_lan=lambda: "192.168.7.7")  # noqa: S104 (nothing listens)
    assert here.for_phones(host) == shown


def test_without_a_network_the_machine_itself() -> None:
    here = Addresses("0.0.0.0", find_lan=lambda: None)  # noqa: S104 (nothing listens)
    assert here.for_phones("localhost:8420") == "http://127.0.0.1:8420"


@pytest.mark.parametrize(
    ("listen", "is_open"), [("127.0.0.1", False), ("localhost", False), ("::1", False), ("::", True)]
)
def test_whether_phones_get_here_at_all(listen: str, is_open: bool) -> None:
    assert Addresses(listen).is_open_to_phones == is_open
    assert Addresses(listen, public="http://192.168.1.9").is_open_to_phones


def test_a_public_address_is_shown_and_answered(tmp_path: Path) -> None:
    host = RunningHost(tmp_path / "data", "--public-address", "https://dice.example/")
    lobby = Owner(host).lobby()
    assert host.get(f"/tables/{lobby}/joining").json["url"].startswith("https://dice.example/join/")
    assert host.call("GET", "/api/v1/health", headers={"Host": "dice.example"}).status == 200
    assert host.call("GET", "/api/v1/health", headers={"Host": "other.example"}).status == 421
    assert host.stop() == 0
