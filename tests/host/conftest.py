"""Hosts for the tests of the host: one shared, for what leaves no trace on others, and one of a test's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.running import RunningHost


@pytest.fixture(scope="session")
def shared_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    """A host for all tests that open a table of their own and neither kill it nor ask for an empty one."""
    host = RunningHost(tmp_path_factory.mktemp("shared") / "data")
    yield host
    assert host.stop() == 0


@pytest.fixture
def own_host(tmp_path: Path) -> Iterator[RunningHost]:
    """A fresh host for one test."""
    host = RunningHost(tmp_path / "data")
    yield host
    if host.process.poll() is None:
        host.kill()
