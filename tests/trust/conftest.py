"""A host for all tests here that neither kill it nor need it empty, and the application by itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.host.running import RunningHost
from tests.trust.application import application


@pytest.fixture(scope="session")
def shared_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    host = RunningHost(tmp_path_factory.mktemp("shared") / "data")
    yield host
    assert host.stop() == 0


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """The application on a database of its own."""
    with application(tmp_path) as (made, _):
        yield made
