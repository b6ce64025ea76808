"""The host and the tables of the browser tests: one host, and for each test people with phones and a TV."""

from collections.abc import Iterator
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser

from tests.browser.party import Party
from tests.host.running import RunningHost


class Gathers(Protocol):
    """Brings people together at a table of their own; ``phones`` are the names of those who share one."""

    def __call__(self, game: str, *phones: tuple[str, ...], **options: Any) -> Party: ...


@pytest.fixture(scope="session")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    """A host for all games that are played here; each has a table of its own."""
    running = RunningHost(tmp_path_factory.mktemp("browsers") / "data")
    yield running
    assert running.stop() == 0


@pytest.fixture
def gather(host: RunningHost, browser: Browser) -> Iterator[Gathers]:
    """Opens tables with phones and a TV; they are put away at the end, and none may have complained."""
    parties: list[Party] = []

    def gathered(game: str, *phones: tuple[str, ...], **options: Any) -> Party:
        party = Party(host, browser, game, options)
        parties.append(party)
        party.gather(*phones)
        return party

    yield gathered
    for party in parties:
        party.close()
