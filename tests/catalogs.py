"""The texts of the program and the files of their translations.

``python -m tests.catalogs`` brings every ``host/translations/LANGUAGE/messages.po`` up to date with the code: new
texts are added without a translation, texts that are gone are taken out, and what is not translated is listed.
"""

import ast
import io
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from host.games.registry import GAMES
from host.games.rig_tokens import ACTIONS, COMPONENTS
from host.languages import LANGUAGES, catalog_file
from host.problems import PROBLEMS
from vision.dice import KINDS, UNREAD_REASONS

HOST = Path(__file__).parents[1] / "host"
MARKED = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
TEXT_CALLS = ("Sentence", "Problem", "refuse", "BadSetup", "BadBackup", "StorageFailed")
"""Calls among whose arguments is a text for people: the one that has blanks, where it is written out."""

LINES_WIDE = 118


@cache
def texts() -> dict[str, str | None]:
    """Every text for people: its English, and its English plural where it has one."""
    found: dict[str, str | None] = {}
    for _, _, message, _, _ in extract_from_dir(HOST, MARKED, keywords=KEYWORDS, strip_comment_tags=False):
        one, plural = message if isinstance(message, tuple) else (message, None)
        found[one] = plural
    for text in (*_of_code(), *_of_data()):
        found.setdefault(text, None)
    return dict(sorted((one, plural) for one, plural in found.items() if _is_text(one)))


KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2)}


def _is_text(text: str) -> bool:
    return any(letter.isalpha() for letter in text.replace("{text}", "").replace("{space}", ""))


def _of_code() -> Iterator[str]:
    """Sentences are data: the templates of each module, and those that stand where they are used."""
    for path in sorted(HOST.rglob("*.py")):
        if "commands" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
                if any(isinstance(target, ast.Name) and target.id == "_TEMPLATES" for target in node.targets):
                    yield from _written(*node.value.values)
            elif isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name in TEXT_CALLS:
                    yield from (text for text in _written(*node.args) if " " in text)


def _written(*nodes: ast.expr) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _of_data() -> Iterator[str]:
    """The words that sentences are filled with, and the texts of tables."""
    yield from (title for _, title in PROBLEMS.values())
    yield from UNREAD_REASONS
    yield from (*COMPONENTS.values(), *ACTIONS.values())
    for kind in KINDS.values():
        yield from (*kind.bodies, *(face for face in kind.faces if " " not in face or face.endswith("blank")))
    for game in GAMES.games():
        yield from (option.title for option in game.options)


def catalog_of(language: str) -> Catalog:
    """A language's file."""
    with catalog_file(language).open("rb") as lines:
        return read_po(lines, locale=language, abort_invalid=True)


def update(language: str) -> list[str]:
    """Bring a language's file up to date; the texts that it does not translate."""
    old = catalog_of(language)
    new = Catalog(locale=language, header_comment=old.header_comment, fuzzy=False)
    for one, plural in texts().items():
        known = old.get(one)
        string = known.string if known and isinstance(known.string, tuple) == (plural is not None) else None
        new.add((one, plural) if plural else one, string or (("", "") if plural else ""))
    written = io.BytesIO()
    write_po(written, new, width=LINES_WIDE, sort_output=True)
    lines = written.getvalue().splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(HEADERS_WITHOUT_USE)]
    catalog_file(language).write_bytes(b"".join(kept))
    return [str(message.id) for message in new if message.id and not _is_translated(message.string)]


HEADERS_WITHOUT_USE = tuple(
    f'"{name}'.encode()
    for name in ("Project-", "Report-", "POT-", "PO-", "Last-", "Language-Team", "MIME-", "Generated-")
)
"""What git knows better, or nobody."""


def _is_translated(string: str | tuple[str, ...]) -> bool:
    return all(string) if isinstance(string, tuple) else bool(string)


if __name__ == "__main__":
    missing = {language: update(language) for language in LANGUAGES if language != "en"}
    for language, left in missing.items():
        print(f"{language}: {len(left)} of {len(texts())} texts are not translated")
        for text in left:
            print(f"  {text}")
    sys.exit(any(missing.values()))
