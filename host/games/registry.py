"""The games that this program can play, by their ids."""

from typing import Any

from host.games.protocol import Game

_GAMES: tuple[Game[Any], ...] = ()
