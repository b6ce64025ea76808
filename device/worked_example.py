"""The recording that comes with the program."""

from pathlib import Path

WORKED_EXAMPLE = "vigos-favor-worked-example"


def worked_example() -> Path:
    """The folder of the recorded worked example: inside an installed package, or in a source tree's tests."""
    package = Path(__file__).parent
    installed = package / "recordings" / WORKED_EXAMPLE
    return installed if installed.is_dir() else package.parent / "tests" / "recordings" / WORKED_EXAMPLE
