"""What each player has to show for it. A player is a name: whoever plays under the same name is the same player."""

from collections.abc import Iterable
from dataclasses import dataclass

from host.history import GameRecord
from host.statistics.luck import Luck, Tally, luck_of, overall


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """A player's games. Wins, and credits, are of games that came to their end; of ``unfinished`` ones only the dice
    count. ``credits`` is None where no game reckoned any; ``rolls`` counts dice.
    """

    name: str
    games: int
    unfinished: int
    wins: int
    credits: int | None
    rolls: int
    luck: tuple[Luck, ...]

    @property
    def lucky_dice(self) -> int:
        """Of how many dice luck is reckoned."""
        return overall(self.luck)[0]

    @property
    def deviations(self) -> float:
        """How many standard deviations above even dice (below: negative), all measures together."""
        return overall(self.luck)[1]


def player_records(games: Iterable[GameRecord]) -> tuple[PlayerRecord, ...]:
    """Every player, most wins first, then by name."""
    games = tuple(games)
    names = {name for game in games for name in game.seated.players}
    counted: Tally = Tally()
    for game in games:
        counted.update(game.luck)
    players = [_player(name, [game for game in games if name in game.seated.players], counted) for name in names]
    return tuple(sorted(players, key=lambda player: (-player.wins, player.name)))


def _player(name: str, games: list[GameRecord], counted: Tally) -> PlayerRecord:
    over = [game for game in games if game.standing == "over"]
    credits = [game.credits[name] for game in over if game.credits is not None]
    return PlayerRecord(
        name,
        len(over),
        len(games) - len(over),
        sum(name in (game.winners or ()) for game in over),
        sum(credits) if credits else None,
        sum(game.rolls.get(name, 0) for game in games),
        luck_of(counted, name),
    )
