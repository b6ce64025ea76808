"""The game of ``docs/adding-a-game.md``, built from that page and from nothing else.

Each block of Python on the page begins with the path of its file; the blocks become modules of those names, as if the
files were there. Tests of the tables take ``sixth_registry()`` for the registry that they are given.
"""

import importlib.util
import re
import sys
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

from host.games.protocol import Game
from host.games.registry import GAMES, Registry

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"


@cache
def sixth_game() -> Game[Any]:
    """The game of the page."""
    for path, code in re.findall(
        r"^```python\n# (\S+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    ):
        name = path.removesuffix(".py").replace("/", ".")
        module = importlib.util.module_from_spec(ModuleSpec(name, loader=None, origin=str(PAGE)))
        sys.modules[name] = module
        exec(compile(code, f"{PAGE}: {path}", "exec"), module.__dict__)  # noqa: S102 (our own page)
    game: Game[Any] = sys.modules["host.games.odds_and_evens"].OddsAndEvens()
    return game


def sixth_registry() -> Registry:
    """The program's games, and the one of the page."""
    return GAMES.with_game(sixth_game())
