"""What is installed is what was tested: each line of the lock files names one version and the hashes of its files."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REQUIREMENT = re.compile(r"[a-z0-9][a-z0-9._-]*==[0-9][a-zA-Z0-9.!+]*( ; [a-z_ ()'.<>=!0-9A-Z-]+)?")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def requirements(text: str) -> list[list[str]]:
    """The requirements of a lock file, each with its options; comments are left out."""
    lines = [line for line in text.replace("\\\n", "\x00").splitlines() if not line.lstrip().startswith("#")]
    return [[part.strip() for part in line.split("\x00")] for line in lines if line.strip()]


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-test.lock"])
def test_every_line_is_one_version_with_hashes_and_nothing_else(lock: str) -> None:
    found = requirements((ROOT / lock).read_text(encoding="utf-8"))
    assert len(found) > 20
    for requirement, *options in found:
        # No address, no repository, no folder, no option that names another index.
        assert REQUIREMENT.fullmatch(requirement), requirement
        assert options and all(HASH.fullmatch(option) for option in options), requirement


def test_a_line_without_hash_or_with_an_address_is_noticed() -> None:
    for line in (
        "flask==3.1.0",
        "flask @ https://evil.example/flask.whl",
        "-e ./flask",
        "--index-url https://evil.example",
    ):
        ((requirement, *options),) = requirements(line)
        assert not (REQUIREMENT.fullmatch(requirement) and options)


def test_installing_asks_for_the_hashes() -> None:
    start = (ROOT / "start").read_text(encoding="utf-8")
    assert "--require-hashes" in start and "--only-binary" in start
