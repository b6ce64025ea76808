"""The front page's pictures: ``python -m tests.front_page docs/pictures`` plays until there is something to show.

``scoreboard.jpg`` is a TV, ``correcting.jpg`` two phones: one is asked what the dice show, one amends a roll.
"""

import sys
import tempfile
from base64 import b64encode
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from device.decode import decode_picture
from device.trained import trained_reader
from device.tray_picture import MOST_BYTES, small_jpeg, tray_picture
from tests.chromium import ARGUMENTS, find
from tests.host.phones import setup_code
from tests.host.running import RunningHost, cube, new_id
from tests.host.tapping import TappedTable

FRAMES = Path(__file__).parent / "recordings" / "vigos-favor-worked-example" / "frames"
THROW = FRAMES / "000130.jpg"
TV = {"width": 1920, "height": 1080}
SHOWN_PX = (1280, 720)
GAP_PX = 24
QUALITY = 82


def written(path: Path, picture: np.ndarray[Any, Any]) -> None:
    """Write a picture (BGR)."""
    assert cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


def screen(page: Page) -> np.ndarray[Any, Any]:
    """What a page shows now (BGR)."""
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(700)  # what fades in has done so
    picture = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return picture


def beside(*pictures: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Pictures of one height in a row, with white between them."""
    gap = np.full((pictures[0].shape[0], GAP_PX, 3), 255, np.uint8)
    row = [pictures[0]]
    for picture in pictures[1:]:
        row += [gap, picture]
    return np.hstack(row)


def tray(is_drawn: bool) -> str:
    """The rendered throw as the device sends it, with its reading drawn on it or without."""
    frame = decode_picture(THROW)
    if is_drawn:
        jpeg = tray_picture(frame, trained_reader().read(frame, {"chance-cube"}))
    else:
        jpeg = small_jpeg(frame, MOST_BYTES)
    assert jpeg is not None
    return b64encode(jpeg).decode()


def show(folder: Path, host: RunningHost, browser: Browser) -> None:
    """Play half a round of Vigo's Favor, with one throw that nobody could read."""
    table = TappedTable(host, browser, "vigos-favor", ("Vera",), ("Ana",), ("Bo",), ("Cleo",), ("Dan",))
    said = {"id": new_id(), "state": "empty"}
    assert host.post("/device/state", said, host.token("device")).status == 200
    vera, ana = table.phones["Vera"], table.pages["Ana"]
    assert vera.act(table.id, "stake", "Vera", amount=5).status == 200
    assert host.read(cube("red"), jpeg=tray(is_drawn=True)).json["status"] == "applied"
    cocked = {"reason": "cocked", "center_px": [193.0, 240.0], "likely": [{"kind": "chance-cube", "face": "red"}]}
    assert host.read(unread=[cocked], jpeg=tray(is_drawn=False)).json["status"] == "unmatched"
    ana.locator(".question .tile", has_text="red").tap()
    asked = screen(ana)
    ana.get_by_role("button", name="That is what they show").tap()
    for face in ("blue", "red"):
        assert host.read(cube(face), jpeg=tray(is_drawn=True)).json["status"] == "applied"
    assert vera.claim(setup_code(host.data)).status == 200
    owner = table.opened("Vera")
    owner.goto(f"{host.address}/tables/{table.id}/log/4")
    owner.locator(".control").scroll_into_view_if_needed()
    written(folder / "correcting.jpg", beside(asked, screen(owner)))
    tv = browser.new_page(viewport=TV)  # type: ignore[arg-type]
    tv.goto(f"{host.address}/tables/{table.id}")
    written(folder / "scoreboard.jpg", cv2.resize(screen(tv), SHOWN_PX, interpolation=cv2.INTER_AREA))
    table.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find(), args=ARGUMENTS)
        running = RunningHost(Path(data) / "data")
        show(Path(sys.argv[1]), running, chromium)
        chromium.close()
        running.stop()
