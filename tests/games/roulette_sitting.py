"""King of Roulette in play, a ballot or a round at a time."""

from host.games.king_of_roulette import KingOfRoulette
from host.games.protocol import JsonObject
from tests.games.sitting import Sitting

PLAYERS = tuple("ABCDEFG")
RULE: JsonObject = {"one": ["1", "2"], "two": "3", "guess": "6"}


def sit(**options: object) -> Sitting:
    """A table at which everybody is about to vote."""
    return Sitting(KingOfRoulette(), PLAYERS, **options)


def crowned(king: str = "A", **options: object) -> Sitting:
    """A table at which ``king`` rules in round 1."""
    table = sit(**options)
    for player in PLAYERS:
        table.act("vote", player, **{"for": king})
    return table


def settle(table: Sitting, guess: str = "6", doubled: str = "", **spaces: str) -> Sitting:
    """Everybody bets and the king rules: 1 and 2 earn 1, 3 earns 2; who is not named bets on 6 and earns nothing."""
    king = table.view()["king"]
    for player in PLAYERS:
        double = {"double": True} if player in doubled else {}
        if player == king:
            table.act("rule", player, **{**RULE, "guess": guess}, **double)
        else:
            table.act("bet", player, space=spaces.get(player, "6"), **double)
    return table


def named(table: Sitting, king: str = "A") -> Sitting:
    """The king names the next one."""
    return table.act("name-king", table.view()["king"], king=king)


def all_rounds(table: Sitting, **spaces: str) -> Sitting:
    """Seven rounds alike under king A, whose guess is wrong unless everybody earns."""
    for number in range(1, 8):
        settle(table, "0-1" if len(spaces) == 6 else "6", **spaces)
        if number < 7:
            named(table)
    return table
