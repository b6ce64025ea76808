"""What all tests share: the browser, and the last line that names the tests which could not run.

A tier is a marker whose tests need something that a machine may lack. Its tests are left out there, and the last line
says so; with ``CI=true`` that is a failure. Where several processes share the tests, each tells the first one.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests import chromium

PATIENCE_MS = 45_000
"""How long a page may take to show what it is expected to: Playwright's 5 s are too short for a machine at load 8."""

expect.set_options(timeout=PATIENCE_MS)

_chromium_key = pytest.StashKey[Path | None]()
_not_run_key = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session")
def browser(pytestconfig: pytest.Config) -> Iterator[Browser]:
    """A running Chromium without a window; tests that use it are marked ``browser``."""
    executable = pytestconfig.stash.get(_chromium_key, None)
    if executable is None:
        pytest.fail("tests that use the browser fixture need the marker pytest.mark.browser")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=executable, args=chromium.ARGUMENTS)
        yield running
        running.close()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the browser tests where there is no Chromium, and remembers that it did."""
    config.stash[_not_run_key] = []
    wanting = [item for item in items if item.get_closest_marker("browser")]
    if not wanting:
        return
    config.stash[_chromium_key] = chromium.find()
    if config.stash[_chromium_key] is None:
        items[:] = [item for item in items if item not in wanting]
        config.hook.pytest_deselected(items=wanting)
        config.stash[_not_run_key].append(
            f"browser tier ({len(wanting)} tests: no Chromium here, and none to be had)"
        )


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Takes over what a process did not run that had a part of the tests."""
    told = getattr(node, "workeroutput", {}).get("not_run", [])
    node.config.stash[_not_run_key] = told or node.config.stash.get(_not_run_key, [])


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI no tier may be missing."""
    not_run = session.config.stash.get(_not_run_key, [])
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["not_run"] = not_run
    elif not_run and os.environ.get("CI") == "true":
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Says, after everything else, what did not run."""
    if hasattr(config, "workeroutput"):
        return
    for tier in config.stash.get(_not_run_key, []):
        print(f"\nNOT RUN: {tier}", flush=True)
