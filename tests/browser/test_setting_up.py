"""The owner's phone sets the appliance up: an untidy tray becomes a verified profile, unknown dice play a game."""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from calibration.synthesis.design import Design
from calibration.synthesis.dice import any_die
from calibration.synthesis.paint import Brush, coat, plain
from tests.browser.party import ALBUM, PHONE
from tests.browser.shown_tray import ShownTray
from tests.device.program import wait_for
from tests.host.phones import Phone, setup_code
from tests.host.running import RunningHost
from tests.vision.rig import Rig
from vision.find_mat import as_grey, find_mat
from vision.mat_layout import MARKER_CENTERS_MM
from vision.reading import Pixels

pytestmark = pytest.mark.browser

LOOK_MS = 60_000
"""For a verdict; a look takes a second on an idle machine."""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    """A host whose owner and device are this module's."""
    running = RunningHost(tmp_path_factory.mktemp("setting-up") / "data")
    yield running
    assert running.stop() == 0


@pytest.fixture(scope="module")
def owner(own: RunningHost) -> Phone:
    """The owner's phone."""
    phone = Phone(own)
    assert phone.claim(setup_code(own.data)).status == 200
    return phone


@pytest.fixture
def page(own: RunningHost, owner: Phone, browser: Browser) -> Iterator[Page]:
    """The owner's phone in the hand, at a page that never complains."""
    context = browser.new_context(
        viewport=PHONE,  # type: ignore[arg-type]
        has_touch=True,
        is_mobile=True,
        locale="en-GB",
    )
    context.add_cookies([{"name": "croupier-phone", "value": owner.cookie or "", "url": own.address}])
    complaints: list[str] = []
    opened = context.new_page()
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda told: complaints.append(told.text) if "Policy" in told.text else None)
    yield opened
    context.close()
    assert complaints == []


def picture(page: Page, name: str) -> None:
    """A picture of the screen for the album."""
    if ALBUM:
        Path(ALBUM).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(ALBUM) / f"setting-up-{name}.png", full_page=True)


def verdict(page: Page, words: str) -> None:
    """Wait until the device says so of what it sees."""
    expect(page.locator(".verdict")).to_contain_text(re.compile(words, re.IGNORECASE), timeout=LOOK_MS)


def tap(page: Page, name: str) -> None:
    """Tap a button once it may be tapped."""
    button = page.get_by_role("button", name=name)
    expect(button).to_be_enabled(timeout=LOOK_MS)
    button.tap()


def with_glare(mat: Pixels) -> Pixels:
    """A lamp mirrored in the roll area."""
    found = find_mat(as_grey(mat))
    assert found is not None
    u, v = found.camera.project(np.array([[30.0, 10.0]]))[0]
    return np.asarray(cv2.circle(mat.copy(), (round(u), round(v)), mat.shape[1] // 40, (255, 255, 255), -1), np.uint8)


def with_marker_hidden(mat: Pixels, marker: int) -> Pixels:
    """Something dark lies on a marker."""
    found = find_mat(as_grey(mat))
    assert found is not None
    x, y = MARKER_CENTERS_MM[marker]
    corners = found.camera.project(np.array([(x - 16, y - 16), (x + 16, y - 16), (x + 16, y + 16), (x - 16, y + 16)]))
    return np.asarray(cv2.fillConvexPoly(mat.copy(), np.rint(corners).astype(np.int32), (40, 60, 50)), np.uint8)


def test_an_untidy_tray_becomes_a_verified_profile(
    own: RunningHost, page: Page, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mat, rig = Rig("mat", 11).empty(), Rig("felt", 11)
    throw, labels = rig.throw(1, "pip-die", 3)
    tray = ShownTray(own, tmp_path / "device", np.asarray(mat // 8, np.uint8))
    began = time.monotonic()
    try:
        page.goto(f"{own.address}/calibrate")
        expect(page.get_by_role("button", name="Begin")).to_be_visible(timeout=LOOK_MS)
        picture(page, "1-start")
        page.get_by_label("In a tray of my own, and the mat is at hand").tap()
        tap(page, "Begin")
        verdict(page, "too dark: bring the lamp nearer")
        expect(page.get_by_role("button", name="Next")).to_be_disabled()
        picture(page, "2-dark")
        tray.show(np.asarray(cv2.GaussianBlur(mat, (0, 0), 4), np.uint8))
        verdict(page, "out of focus")
        tray.show(with_glare(mat))
        verdict(page, "glare here")
        picture(page, "3-glare")
        tray.show(with_marker_hidden(mat, 3))
        verdict(page, "light and focus are good")
        tap(page, "Next")
        verdict(page, "marker 3 is hidden")
        picture(page, "4-hidden")
        tray.show(mat)
        page.get_by_label("50 mm ruler").fill("48.5")
        verdict(page, "scaled the page to 97 %")
        picture(page, "5-mat")
        tap(page, "Next")
        tray.show(throw)
        verdict(page, "there are dice in the tray")
        tap(page, "Back")
        expect(page.get_by_role("heading", name="The mat")).to_be_visible(timeout=LOOK_MS)
        tray.show(mat)
        verdict(page, "mat seen from")
        tap(page, "Next")
        verdict(page, "the mat lies in the tray: take it out")
        expect(page.get_by_role("button", name="Take this picture")).to_be_disabled()
        picture(page, "6-mat-in-tray")
        tray.show(rig.empty())
        verdict(page, "empty tray taken")
        picture(page, "7-tray")
        tap(page, "Take this picture")
        tray.show(throw)
        verdict(page, "say first which dice")
        for die in labels:
            page.get_by_role("button", name=f"die: {die['face']}").first.tap()
        verdict(page, "all 3 known dice were read rightly")
        picture(page, "8-verify")
        assert not (tmp_path / "device" / "profile.json").exists()
        tap(page, "Compare and go on")
        expect(page.get_by_role("heading", name="checked with your dice")).to_be_visible(timeout=LOOK_MS)
        picture(page, "9-over")
        tap(page, "Read by this from now on")
        expect(page.get_by_role("heading", name="Done")).to_be_visible(timeout=LOOK_MS)
        picture(page, "10-done")
        took_s, taps = time.monotonic() - began, int(page.evaluate("Number(document.body.dataset.taps)"))
    finally:
        tray.close()
    kept = json.loads((tmp_path / "device" / "profile.json").read_text(encoding="utf-8"))
    assert kept["pose"]["from"] == "mat" and set(kept["measured_on"]) == {"light", "mat", "tray", "verify"}
    with capsys.disabled():
        print(f"\nwizard, from too dark to a verified profile: {took_s:.0f} s, {taps} taps")


def with_signs(rng: np.random.Generator) -> Design:
    """A cube with two signs of nobody's, three times each: a star stands for red, rings for blue."""
    brush, ink = Brush(), np.array([0.03, 0.02, 0.05])
    turns = np.arange(10) * np.pi / 5
    reach = np.where(np.arange(10) % 2, 0.22, 0.62)
    star = brush.union([np.column_stack([np.sin(turns), np.cos(turns)]) * reach[:, None]])
    bars = brush.strokes([np.array([(-0.5, y), (0.5, y)]) for y in (-0.4, 0.0, 0.4)], 0.13)
    ground = np.array([0.5, 0.7, 0.72])
    art = tuple(coat(plain(ground), sign, ink) for sign in (star, bars, star, bars, star, bars))
    return replace(any_die(rng, "pip-die", 16.0), faces=("red", "blue") * 3, art=art)


def test_unknown_dice_are_taught_and_play_a_game(own: RunningHost, page: Page, tmp_path: Path) -> None:
    rig, design = Rig("mat", 11), with_signs(np.random.default_rng(8))
    tray = ShownTray(own, tmp_path / "device", rig.empty())
    try:
        page.goto(f"{own.address}/teach")
        page.locator("form[data-make] [name=set]").fill("Stars and bars")
        page.locator("form[data-make] select").select_option("chance-cube")
        picture(page, "teach-1-sets")
        tap(page, "Begin")
        for seed, face in ((1, 0), (2, 1), (3, 0), (4, 1)):
            tray.show(rig.lay(seed, design, [face])[0])
            page.locator("[data-look-again]").tap()
            expect(page.locator("#setting-up")).to_have_attribute("aria-busy", "false", timeout=LOOK_MS)
            seen = page.locator(".verdict").first
            expect(seen).to_contain_text(re.compile("Which face|All that lie"))
            if "Which face" in seen.inner_text():
                picture(page, f"teach-2-asked-{seed}")
                page.locator(f"[data-name={design.faces[face]}]").first.tap()
                expect(seen).to_contain_text("All that lie there are known", timeout=LOOK_MS)
        tap(page, "Play with these dice")
        expect(page.get_by_text("The appliance reads these dice in play.")).to_be_visible(timeout=LOOK_MS)
        picture(page, "teach-3-used")
        with page.expect_download() as saved:
            tap(page, "Save as a file")
        shared = Path(saved.value.path()).read_bytes()
        tap(page, "All sets")
        taken_in = page.locator("form[data-import]")
        for name, content, said in (("Trap", b'{"format": "a trap"}', "no taught dice"), ("Twins", shared, None)):
            taken_in.locator("[name=set]").fill(name)
            taken_in.locator("[name=file]").set_input_files(
                {"name": "set.json", "mimeType": "application/json", "buffer": content}
            )
            tap(page, "Take it in")
            if said:
                expect(page.get_by_role("alert")).to_contain_text(said, timeout=LOOK_MS)
                picture(page, "teach-4-refused")
        expect(page.get_by_role("heading", name="Twins")).to_be_visible(timeout=LOOK_MS)
        tray.show(rig.empty())
        table = own.open("Vera", "Ana", "Bo")
        assert table.act("stake", "Vera", amount=5).status == 200
        for seed, face in ((11, 0), (12, 0), (13, 1)):
            number = table.seen()["number"]
            tray.show(rig.lay(seed, design, [face])[0])
            wait_for(lambda number=number: table.seen()["number"] > number)  # type: ignore[misc]
            read = table.seen()["reading"]
            assert (read["status"], [die["face"] for die in read["dice"]]) == ("applied", [design.faces[face]])
            tray.show(rig.empty())
    finally:
        tray.close()
