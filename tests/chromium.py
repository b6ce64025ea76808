"""The Chromium of the browser tests: the one that is installed, or one fetched where that is allowed.

``python -m tests.chromium`` looks, fetches if it must, and says what it does; it succeeds either way, since the
tests themselves say at their end which of them did not run.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

CHROMIUM_VARIABLE = "CROUPIER_CHROMIUM"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_ANSWER_S = 60  # a first start on a Pi's card takes some ten seconds

ARGUMENTS = (
    "--no-sandbox",  # root in a container has no user namespaces, and the pages are our own
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def find() -> Path | None:
    """A Chromium that starts: the one that ``CROUPIER_CHROMIUM`` names, an installed one, or Playwright's own."""
    return next((path for path in _candidates() if _starts(path)), None)


def fetch() -> Path | None:
    """Installs a Chromium, by Playwright or else (as root, on Debian) by apt; None where neither may."""
    _attempt(sys.executable, "-m", "playwright", "install", "--no-shell", "chromium")
    found = find()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        _attempt("apt-get", "update", "-q")
        if _of_playwright().exists():  # and does not start: bare systems lack libraries that it needs
            _attempt(sys.executable, "-m", "playwright", "install-deps", "chromium")
        else:
            _attempt("apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium")
        found = find()
    return found


def _candidates() -> Iterator[Path]:
    named = os.environ.get(CHROMIUM_VARIABLE)
    if named:
        yield Path(named)
        return
    yield from (Path(path) for name in _NAMES if (path := shutil.which(name)))
    yield _of_playwright()


def _of_playwright() -> Path:
    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path)


def _starts(path: Path) -> bool:
    # Ubuntu's chromium-browser is a file that only says where to get the real one, hence the question.
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, timeout=_ANSWER_S)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0


def _attempt(*command: str) -> None:
    words = ["python" if word == sys.executable else word for word in command]
    print("tests: " + " ".join(words), flush=True)
    answer = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    )
    if answer.returncode != 0:
        lines = [*answer.stdout.splitlines(), *answer.stderr.splitlines()]
        reason = next((line for line in lines if line.startswith(("Error:", "E:"))), "it gave no reason")
        print(f"tests: that failed: {reason}", flush=True)


def main() -> None:
    """Looks for a Chromium and fetches one if there is none."""
    if find() is not None:
        return
    if named := os.environ.get(CHROMIUM_VARIABLE):
        print(f"tests: {CHROMIUM_VARIABLE} names {named}, which does not start", flush=True)
        return
    print("tests: no Chromium here, trying to get one", flush=True)
    if fetch() is None:
        print(f"tests: none to be had; install one, or name it in {CHROMIUM_VARIABLE}", flush=True)


if __name__ == "__main__":
    main()
