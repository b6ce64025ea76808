"""Safe mode: the host is up, the camera off, dice are entered by hand, and every page says why."""

import html
import json
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.host_client import HostClient
from device.pairing import Pairing
from device.panel.button import SAFE_MODE_S, Press
from device.panel.opening import is_held
from device.panel.panel import Panel
from device.panel.pins import Pins
from device.safe_mode import BUTTON_HELD, keep_safe, safe_mode_reason
from device.settings import PanelSettings
from device.situation import Situation
from device.states import State
from tests.device.program import running, wait_for
from tests.host.running import RunningHost

NO_CAMERA = ("--camera", "usb:63", "--port", "0")


def client_of(data: Path) -> HostClient:
    wait_for((data / "address").exists)
    return HostClient((data / "address").read_text().strip(), (data / "owner-token").read_text().strip())


def page(data: Path, path: str) -> str:
    with urllib.request.urlopen((data / "address").read_text().strip() + path) as answer:
        return html.unescape(answer.read().decode())


def state_of(client: HostClient, state: str) -> Callable[[], bool]:
    def is_so() -> bool:
        return client.get("/device/state")["state"] == state

    return is_so


def test_dice_are_entered_by_hand_and_pages_say_why(tmp_path: Path) -> None:
    table = ("--game", "vigos-favor", "--players", "Ana,Bo", "--option", "rounds=1")
    with running("run", "--safe-mode", *NO_CAMERA, "--data", tmp_path, *table):
        client = client_of(tmp_path)
        wait_for(state_of(client, "safe-mode"))
        assert client.get("/device/state")["detail"] == "it was started with --safe-mode"
        wait_for(lambda: client.get("/tables")["tables"])
        table_id = client.get("/tables")["tables"][0]["table"]
        for path in (f"/tables/{table_id}", "/claim", f"/tables/{table_id}/seats"):
            shown = page(tmp_path, path)
            assert "Safe mode: the camera is off." in shown
            assert "It was started with --safe-mode." in shown
        for number, action in enumerate(
            (
                {"type": "stake", "player": "Ana", "amount": 1},
                {"type": "roll", "player": "Ana", "dice": [{"kind": "chance-cube", "face": "red"}]},
            )
        ):
            client.post(f"/tables/{table_id}/actions", {"id": f"by-hand-{number}", "number": None, "action": action})
        assert client.get(f"/tables/{table_id}")["state"]["favor"] == "red"


def test_a_fault_of_the_settings_is_safe_mode_with_its_line(tmp_path: Path) -> None:
    file, data = tmp_path / "settings.toml", tmp_path / "kept"
    file.write_text(f"[host]\ndata = {json.dumps(str(data))}\n[camera]\nfps = 200\n", encoding="utf-8")
    with running("run", "--settings", file, "--port", "0") as appliance:
        client = client_of(data)
        wait_for(state_of(client, "safe-mode"))
        fault = f"{file} line 4: camera.fps is 200; allowed is a number from 5 to 60"
        assert client.get("/device/state")["detail"] == fault
        assert fault in page(data, "/claim")
        appliance.terminate()
        assert f"safe mode, the camera stays off: {fault}" in appliance.communicate()[1]


def test_without_safe_mode_no_page_shows_the_banner(shared: RunningHost) -> None:
    shown = html.unescape(shared.call("GET", "/claim").body.decode())
    assert 'id="safe-mode"' in shown
    assert "hidden>" in shown.split('id="safe-mode"')[1].split("<strong>")[0]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Any:
    host = RunningHost(tmp_path_factory.mktemp("host") / "data")
    yield host
    assert host.stop() == 0


@pytest.fixture
def factory() -> Any:
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()


@pytest.mark.parametrize(("held_s", "is_safe"), [(0.0, False), (4.0, False), (SAFE_MODE_S + 1, True)])
def test_the_button_held_at_power_up_is_safe_mode(factory: Any, held_s: float, is_safe: bool) -> None:
    settings = PanelSettings()
    pins, button, led = Pins(settings, factory), factory.pin(settings.button_pin), factory.pin(settings.status_pin)
    waited, lit = [0.0], []
    if held_s:
        button.drive_low()

    def wait(seconds: float) -> None:
        waited[0] += seconds
        lit.append(bool(led.state))
        if waited[0] >= held_s:
            button.drive_high()

    assert is_held(pins, wait) is is_safe
    assert all(lit) and not led.state
    assert safe_mode_reason(None, None, is_safe) == (BUTTON_HELD if is_safe else None)
    pins.close()


def test_a_machine_without_a_panel_has_no_button_held() -> None:
    assert is_held(None) is False


def test_it_is_told_once_and_the_watchdog_is_fed() -> None:
    told: list[Situation] = []
    fed: list[int] = []
    keep_safe("a reason", told.append, fed.append, lambda seconds: len(fed) == 3)
    assert told == [Situation(State.SAFE_MODE, "a reason")]
    assert fed == [1, 2, 3]


def test_a_long_press_shows_the_setup_code(shared: RunningHost, factory: Any) -> None:
    pins, button = Pins(PanelSettings(), factory), factory.pin(PanelSettings().button_pin)
    shown = threading.Event()
    seconds = iter(range(10**9))

    def show_for(open_s: float) -> None:
        panel.show_for(State.PAIRING, open_s)
        shown.set()

    pairing = Pairing(HostClient(shared.address, shared.token("device")), show_for)
    panel = Panel(pins, {Press.LONG: pairing.begin}, lambda: float(next(seconds)))
    code = (shared.data / "setup-code").read_text().strip()
    assert code not in shared.call("GET", "/claim").body.decode()
    with panel:
        button.drive_low()
        assert shown.wait(20)
    assert code in shared.call("GET", "/claim").body.decode()


def test_a_host_that_is_away_is_told_in_the_journal(caplog: pytest.LogCaptureFixture) -> None:
    shown: list[float] = []
    Pairing(HostClient("http://127.0.0.1:9", "token"), shown.append).begin()
    wait_for(lambda: "the setup code is not shown" in caplog.text)
    assert shown == []
