"""No secret reaches anybody before its time."""

import sys
from collections.abc import Iterator

import pytest

from tests.host.secrecy import SECRETIVE, Twin, listened, twins

MOST_MOMENTS = 2
"""Of each game; ``python -m tests.benchmarks secrecy`` takes all of them."""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Twin, Twin]]:
    """Two hosts for all games."""
    with twins(tmp_path_factory.mktemp("twins")) as made:
        yield made


@pytest.mark.parametrize("name", SECRETIVE)
def test_nobody_is_told_a_secret_before_its_time(
    both: tuple[Twin, Twin], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = listened(both, name, MOST_MOMENTS)
    assert told.leaks == (), "other bytes for another secret"
    assert told.planted and told.examined
    with capsys.disabled():
        print(f"\n{name}: {told.examined:,} bytes, {told.planted} secrets, {len(told.leaks)} found", file=sys.stderr)
