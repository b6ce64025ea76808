"""When the box opens a network of its own, by what NetworkManager's program says."""

from pathlib import Path

import pytest

from device.installation.commands import InstallationFailed, write_if_new
from device.installation.own_wifi import LOST_S, PATIENCE_S, OwnWifi
from device.installation.wifi_state import is_own_wifi_open


class NetworkManager:
    """Says what its program would, word for word, and obeys."""

    def __init__(self) -> None:
        self.devices = "wifi:disconnected:\nloopback:connected (externally):lo\n"
        self.can_open = True

    def __call__(self, *words: str) -> str:
        if words[-1] == "device":
            return self.devices
        if words[:2] == ("connection", "up"):
            if not self.can_open:
                raise InstallationFailed("nmcli connection up failed: no")
            self.devices = f"wifi:connected:{words[2]}\n"
        return ""


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def manager() -> NetworkManager:
    return NetworkManager()


@pytest.fixture
def wifi(manager: NetworkManager, told: list[str]) -> OwnWifi:
    return OwnWifi(manager, told.append)


def test_it_waits_for_a_known_network_and_then_opens_its_own(wifi: OwnWifi, told: list[str]) -> None:
    wifi.look(0)
    wifi.look(PATIENCE_S - 1)
    assert told == ["looking"]
    wifi.look(PATIENCE_S)
    wifi.look(PATIENCE_S + 5)
    assert told == ["looking", "own"]


@pytest.mark.parametrize("joined", ["wifi:connected:home", "ethernet:connected:cable\nwifi:disconnected:"])
def test_a_network_that_was_joined_is_enough(
    wifi: OwnWifi, manager: NetworkManager, told: list[str], joined: str
) -> None:
    manager.devices = joined
    for now in range(0, 600, 5):
        wifi.look(now)
    assert told == ["known"]


def test_a_router_that_stays_away_is_replaced(wifi: OwnWifi, manager: NetworkManager, told: list[str]) -> None:
    manager.devices = "wifi:connected:home"
    wifi.look(0)
    manager.devices = "wifi:disconnected:"
    wifi.look(LOST_S - 1)
    assert told == ["known", "looking"]
    wifi.look(LOST_S)
    assert told[-1] == "own"


def test_a_box_without_wifi_opens_nothing(wifi: OwnWifi, manager: NetworkManager, told: list[str]) -> None:
    manager.devices = "ethernet:unmanaged:\n"
    wifi.look(0)
    wifi.look(1000)
    assert told == ["none"]


def test_what_cannot_be_opened_is_tried_again(
    wifi: OwnWifi, manager: NetworkManager, told: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    manager.can_open = False
    wifi.look(0)
    wifi.look(PATIENCE_S)
    assert told[-1] == "none"
    assert "trying again" in capsys.readouterr().err
    manager.can_open = True
    wifi.look(2 * PATIENCE_S)
    assert told[-1] == "own"


def test_everybody_on_the_box_may_know(tmp_path: Path) -> None:
    assert not is_own_wifi_open(tmp_path / "state")
    for state, is_open in (("looking", False), ("own", True), ("known", False)):
        write_if_new(tmp_path / "state", f"{state}\n")
        assert is_own_wifi_open(tmp_path / "state") is is_open
