"""Holds the code to the import rules of ``docs/architecture.md``, which are read from that page."""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "architecture.md"
PACKAGES = ("vision", "device", "host", "calibration")
MOST_LINES = 400
FORBIDDEN_IN_VISION = {"open", "print", "input", "exec", "eval", "__import__", "imread", "imwrite", "VideoCapture"}


@dataclass(frozen=True)
class Rule:
    """One row of the table: what modules below ``modules`` may import. None stands for any."""

    modules: str
    ours: tuple[str, ...]
    standard: frozenset[str] | None
    others: frozenset[str]


@dataclass(frozen=True)
class Module:
    """A file of the program: its dotted name, and the dotted names that it imports (for types alone: again apart)."""

    name: str
    path: Path
    imports: frozenset[str]
    for_types: frozenset[str]

    @property
    def ours(self) -> set[str]:
        return {name for name in self.imports if name.split(".")[0] in PACKAGES}

    @property
    def standard(self) -> set[str]:
        return {name.split(".")[0] for name in self.imports} & sys.stdlib_module_names

    @property
    def others(self) -> set[str]:
        tops = {name.split(".")[0] for name in self.imports}
        return tops - sys.stdlib_module_names - set(PACKAGES)


def is_within(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


@cache
def rules() -> tuple[Rule, ...]:
    text = PAGE.read_text(encoding="utf-8")
    listed = re.search(r"tell the time: ([^.]+)\.", text)
    assert listed
    pure = frozenset(re.findall(r"\w+", listed[1])) - {"and"}
    rows = re.findall(r"^\| `([\w.]+)` \| (.+) \| (pure|any) \| (.+) \|$", text, re.MULTILINE)
    return tuple(
        Rule(
            modules,
            tuple(re.findall(r"`([\w.]+)`", ours)),
            pure if standard == "pure" else None,
            frozenset(re.findall(r"`(\w+)`", others)),
        )
        for modules, ours, standard, others in rows
    )


@cache
def modules() -> tuple[Module, ...]:
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    known = {dotted(path) for path in paths}
    return tuple(read_module(path, known) for path in paths)


def read_module(path: Path, known: set[str]) -> Module:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    checks = [
        node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    for_types = frozenset(name for check in checks for name in imported(check, known))
    return Module(dotted(path), path, frozenset(imported(tree, known)), for_types)


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(tree: ast.AST, known: set[str]) -> Iterator[str]:
    """Everything imported below a node, at whatever depth; ``from vision import reader`` is ``vision.reader``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno} imports relatively"
            assert node.module
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in known else node.module


def rule_of(module: Module) -> Rule:
    fitting = [rule for rule in rules() if is_within(module.name, rule.modules)]
    return max(fitting, key=lambda rule: len(rule.modules))


each_module = pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)


def test_the_page_has_a_rule_for_every_package() -> None:
    assert set(PACKAGES) <= {rule.modules for rule in rules()}
    for rule in rules():
        assert any(is_within(module.name, rule.modules) for module in modules()), f"{rule.modules} is gone"


@each_module
def test_imports_only_what_its_rule_allows(module: Module) -> None:
    rule = rule_of(module)
    assert not {name for name in module.ours if not any(is_within(name, allowed) for allowed in rule.ours)}
    assert not module.others - rule.others
    if rule.standard is not None:
        assert not module.standard - rule.standard


@each_module
def test_file_stays_short(module: Module) -> None:
    assert len(module.path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_no_circles() -> None:
    graph = {module.name: module.ours - module.for_types for module in modules()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        pytest.fail(" imports ".join(reversed(circle.args[1])))


def test_packages_that_one_file_imports() -> None:
    listed = re.search(r"imported in one file each.*?: (.+?)\.\n", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert listed
    importers = defaultdict(list)
    for module in modules():
        for name in module.others:
            importers[name].append(module.name)
    for package in re.findall(r"`(\w+)`", listed[1]):
        assert len(importers[package]) <= 1, f"{package} is imported by {importers[package]}"


def test_nothing_that_runs_needs_torch() -> None:
    training = ("calibration.detection", "calibration.training")
    for module in modules():
        if not any(is_within(module.name, package) for package in training):
            assert not {name for name in module.ours if any(is_within(name, package) for package in training)}


def test_vision_touches_no_files() -> None:
    for module in modules():
        if is_within(module.name, "vision"):
            assert not called(module.path) & FORBIDDEN_IN_VISION, module.name


def test_modules_are_imported_by_text_in_one_place() -> None:
    assert [module.name for module in modules() if "import_module" in called(module.path)] == ["device.cli"]


def called(path: Path) -> set[str]:
    """The names of all functions that a file calls, without what stands before the last dot."""
    calls = [
        node.func for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)
    ]
    return {
        func.id if isinstance(func, ast.Name) else func.attr
        for func in calls
        if isinstance(func, ast.Name | ast.Attribute)
    }


def test_init_files_are_empty() -> None:
    for module in modules():
        if module.path.name == "__init__.py":
            assert module.path.read_bytes() == b"", module.name
