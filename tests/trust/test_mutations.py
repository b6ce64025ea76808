"""The protections that ``python -m tests.trust.mutations`` takes out are all still there, and so are their tests."""

import ast

import pytest

from tests.trust.mutation import Mutation
from tests.trust.mutations import MUTATIONS, ROOT


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_a_protection_can_still_be_taken_out(mutation: Mutation) -> None:
    assert mutation.patched(ROOT) != (ROOT / mutation.file).read_text(encoding="utf-8")
    compile(mutation.patched(ROOT), mutation.file, "exec")
    file, _, test = mutation.test.partition("::")
    functions = ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8")))
    assert not test or test in {one.name for one in functions if isinstance(one, ast.FunctionDef)}


def test_names_are_told_apart() -> None:
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS) >= 20
