"""What docs/security.md names as shown is shown by tests that there are."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_threat_names_tests_that_there_are() -> None:
    tables = re.findall(r"\| tries \|.*?\n\|---.*?\n(.*?)\n\n", PAGE, re.DOTALL)
    assert len(tables) == 4
    for row in (row for table in tables for row in table.splitlines()):
        named = re.findall(r"`((?:host|trust)/test_\w+\.py)::(test_\w+)`", row)
        assert named, row
        for file, test in named:
            tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
            assert test in {one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)}, test
