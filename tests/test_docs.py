"""Holds the documentation to the program: what it shows exists, and what exists is shown."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from device.cli import main as croupier
from tests import measured
from tests.benchmarks.__main__ import COMMAND, REPORT
from tests.benchmarks.__main__ import names as benchmarks

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = sorted([README, ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
COMMANDS = croupier.list_commands(click.Context(croupier))

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def shown_commands(page: Path) -> Iterator[list[str]]:
    """The words of each croupier command in a page's blocks of shell, without comments; ``test`` is start's own."""
    for block in re.findall(r"```sh\n(.*?)```", text_of(page), re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            words = line.split(" #")[0].split()
            if words and words[0] in ("./start", "croupier", ".venv/bin/croupier") and words[1:] != ["--help"]:
                yield words[1:]


def test_readme_shows_the_two_commands_first() -> None:
    shown = list(shown_commands(README))
    assert shown[:2] == [["demo"], ["test"]]


def test_readme_fits_on_a_screen() -> None:
    assert len(text_of(README).splitlines()) <= 60


@each_page
def test_commands_and_options_that_are_shown_exist(page: Path) -> None:
    for name, *words in shown_commands(page):
        if name == "test":
            continue
        command = croupier.get_command(click.Context(croupier), name)
        while isinstance(command, click.Group):
            name = f"{name} {words[0]}"
            command = command.get_command(click.Context(command), words.pop(0))
        assert command, f"croupier {name} does not exist"
        options = {option for param in command.params for option in param.opts} | {"--help"}
        for word in words:
            if word.startswith("--"):
                assert word.split("=")[0] in options, f"croupier {name} has no {word}"


@pytest.mark.parametrize("name", COMMANDS)
def test_command_is_documented(name: str) -> None:
    pages = "\n".join(text_of(page) for page in PAGES)
    assert re.search(rf"(croupier|\./start) {name}\b", pages)


@pytest.mark.parametrize("name", COMMANDS)
def test_command_helps(name: str) -> None:
    command = croupier.get_command(click.Context(croupier), name)
    assert command and command.help
    for param in command.params:
        if isinstance(param, click.Option):
            assert param.help, f"croupier {name} {param.opts[0]} has no help"


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if not re.match(r"[a-z]+:", target):
            path = page.parent / target.split("#")[0]
            assert path.exists(), f"{target} leads nowhere"
            assert path.resolve().is_relative_to(ROOT), f"{target} leads outside"


def test_each_dependency_has_its_decision() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))
    wanted = [*project["project"]["dependencies"], *project["dependency-groups"]["test"], "hatchling"]
    decisions = "\n".join(text_of(page) for page in (ROOT / "docs" / "decisions").glob("*.md")).lower()
    for dependency in wanted:
        name = re.split(r"[<>=\[;]", dependency)[0]
        assert name.removesuffix("-timeout") in decisions, f"no page of docs/decisions speaks of {name}"


def test_run_lock_is_part_of_the_test_lock() -> None:
    run, test = (pinned(ROOT / name) for name in ("requirements.lock", "requirements-test.lock"))
    assert run <= test


def pinned(lock: Path) -> set[str]:
    return set(re.findall(r"^[a-z].*==[^\\\s]+", text_of(lock), re.MULTILINE))


def test_lock_holds_every_dependency() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))
    names = {line.split("==")[0] for line in pinned(ROOT / "requirements.lock")}
    for dependency in project["project"]["dependencies"]:
        assert re.split(r"[<>=\[;]", dependency)[0] in names


def test_figures_stand_under_the_command_that_printed_them() -> None:
    if not REPORT.exists():
        pytest.fail(f"no {REPORT.relative_to(ROOT)}; {COMMAND} --report writes it")
    head, *sections = re.split(r"^## ", text_of(REPORT), flags=re.MULTILINE)
    assert re.search(r"commit [0-9a-f]{7,}", head), "the page does not say what was measured"
    shown = [re.search(rf"```sh\n{COMMAND} (\w+)(?: --short)?\n```", section) for section in sections]
    assert [match and match[1] for match in shown] == benchmarks()


def test_long_runs_say_where_when_and_how_they_were_measured() -> None:
    for path in measured.FOLDER.glob("*.json"):
        run = json.loads(text_of(path))
        assert path.stem in benchmarks(), f"no section shows {path.name}"
        assert run["command"].startswith("python -m tests.") and run["text"]
        assert re.search(r"20\d\d-\d\d-\d\d, commit [0-9a-f]{7,}", run["measured"][0])


def test_no_paths_of_somebodys_machine() -> None:
    for pattern in ("*.md", "*.toml", "*.py", "*/**/*.md", "*/**/*.py", "*/**/*.toml", "*/**/*.js", "*/**/*.html"):
        for path in ROOT.glob(pattern):
            if not path.relative_to(ROOT).parts[0].startswith("."):
                assert not re.search(r"(?<![\w.])/(work|workspace|Users)/", text_of(path)), path
