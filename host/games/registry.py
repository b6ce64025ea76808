"""The games that this program can play, by their ids.

A ``Registry`` is a value: the program uses ``GAMES``, and whoever wants another game beside them passes on
``GAMES.with_game(…)``; nothing is ever registered behind anybody's back.
"""

from collections.abc import Iterable
from typing import Any

from host.games.king_of_roulette import KingOfRoulette
from host.games.protocol import Game
from host.games.rig import Rig
from host.games.sentence import BadSetup
from host.games.val_des import ValDes
from host.games.victim import Victim
from host.games.vigos_favor import VigosFavor

_GAMES: tuple[Game[Any], ...] = (
    VigosFavor(),
    ValDes(),
    Victim(),
    KingOfRoulette(),
    Rig(),
)


class Registry:
    """Some games, each under its own id.

    >>> GAMES.game("vigos-favor").name
    "Vigo's Favor"
    >>> GAMES.game("poker")
    Traceback (most recent call last):
        ...
    host.games.sentence.BadSetup: no game is called 'poker'; there is vigos-favor...
    """

    def __init__(self, games: Iterable[Game[Any]]):
        self._games: dict[str, Game[Any]] = {}
        for game in games:
            if game.id in self._games:
                raise ValueError(f"there are two games called {game.id}")
            self._games[game.id] = game

    def games(self) -> tuple[Game[Any], ...]:
        """Every game, in the order in which they are offered."""
        return tuple(self._games.values())

    def game(self, game_id: str) -> Game[Any]:
        """The game of that id. Raises ``BadSetup`` for an unknown one, naming those that there are."""
        if game_id not in self._games:
            known = ", ".join(self._games)
            raise BadSetup("no game is called {game}; there is {known}", game=repr(game_id[:40]), known=known)
        return self._games[game_id]

    def with_game(self, game: Game[Any]) -> "Registry":
        """A registry that also has ``game``; this one stays as it is."""
        return Registry((*self.games(), game))


GAMES = Registry(_GAMES)
"""The games that come with the program."""


def games() -> tuple[Game[Any], ...]:
    """Every game that comes with the program."""
    return GAMES.games()


def game(game_id: str) -> Game[Any]:
    """The game of that id among those that come with the program. Raises ``BadSetup`` for an unknown id."""
    return GAMES.game(game_id)
