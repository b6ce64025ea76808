"""Writes a picture of every view, for people to look at: ``python -m tests.screenshots OUT [LANGUAGE…]``.

One file for each view, screen (phone: 360 x 740, TV: 1920 x 1080) and language: ``rig-player.phone.de.png``.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from host.languages import LANGUAGES
from tests.chromium import ARGUMENTS, find
from tests.views import SCREENS, Views


def write(directory: Path, languages: list[str]) -> int:
    """Write the pictures; how many there are. A phone's shows the whole page."""
    chromium = find()
    if chromium is None:
        raise SystemExit("No Chromium was found; `python -m tests.chromium` fetches one.")
    directory.mkdir(parents=True, exist_ok=True)
    written = 0
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        views = Views(Path(data) / "data")
        everything = [*views.all(), *views.moments()]
        for language in languages:
            for screen, viewport in SCREENS.items():
                with views.screen(browser, viewport, language) as looking:
                    for view in everything:
                        path = directory / f"{view.name}.{screen}.{language}.png"
                        looking.look(view).screenshot(path=path, full_page=screen == "phone")
                        written += 1
        views.close()
        browser.close()
    return written


if __name__ == "__main__":
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(LANGUAGES):
        raise SystemExit(f"usage: python -m tests.screenshots OUT [{' '.join(LANGUAGES)}]")
    print(f"{write(Path(sys.argv[1]), sys.argv[2:] or list(LANGUAGES))} pictures in {sys.argv[1]}")
