"""Draws the icons of the home screen from ``host/static/icon.svg``: ``python -m tests.assets``.

The two videos that keep a screen awake (``host/static/awake.*``, 16 x 16 px, ten black seconds with a silent track)
were made with PyAV, by ``tests/assets/awake.py``.
"""

from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.chromium import ARGUMENTS, find

STATIC = Path(__file__).parents[2] / "host" / "static"

ICONS = {
    "icon-180.png": (180, 1.0),
    "icon-192.png": (192, 1.0),
    "icon-512.png": (512, 1.0),
    "icon-mask.png": (512, 0.8),
}
"""Each icon's side in pixels, and how much of it the drawing fills: what lies outside 80 % may be cut off a mask."""


def draw() -> None:
    """Write every icon."""
    chromium = find()
    if chromium is None:
        raise SystemExit("No Chromium was found; `python -m tests.chromium` fetches one.")
    svg = (STATIC / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        for name, (side, share) in ICONS.items():
            page = browser.new_page(viewport={"width": side, "height": side})
            inner = f"width:{side * share}px;height:{side * share}px"
            page.set_content(
                "<body style='margin:0;background:#0d1412;display:grid;place-content:center;height:100vh'>"
                f"<div style='{inner}'>{svg}</div></body>"
            )
            page.screenshot(path=STATIC / name, omit_background=False)
            page.close()
        browser.close()


if __name__ == "__main__":
    draw()
