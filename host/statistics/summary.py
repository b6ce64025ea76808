"""The statistics of many games: of their players and of their dice, as the API shows them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from host.history import GameRecord
from host.records import JsonObject
from host.statistics.fairness import Counts, Fairness, fairness
from host.statistics.luck import Luck
from host.statistics.players import PlayerRecord, player_records


@dataclass(frozen=True, slots=True)
class Summary:
    """Players, and tests of dice."""

    players: tuple[PlayerRecord, ...]
    dice: tuple[Fairness, ...]

    def to_json(self) -> JsonObject:
        """As the API shows it."""
        return {
            "players": [_player_json(player) for player in self.players],
            "dice": [_dice_json(test) for test in self.dice],
        }


def summary(games: Iterable[GameRecord]) -> Summary:
    """The statistics of these games."""
    games = tuple(games)
    dice: Counts = Counter()
    by_hand: Counter[tuple[str, str | None]] = Counter()
    for game in games:
        dice.update(game.dice)
        by_hand.update(game.by_hand)
    return Summary(player_records(games), fairness(dice, by_hand))


def _player_json(player: PlayerRecord) -> JsonObject:
    return {
        "player": player.name,
        "games": player.games,
        "unfinished": player.unfinished,
        "wins": player.wins,
        "credits": player.credits,
        "rolls": player.rolls,
        "lucky_dice": player.lucky_dice,
        "deviations": player.deviations,
        "luck": [_luck_json(luck) for luck in player.luck],
    }


def _luck_json(luck: Luck) -> JsonObject:
    return {
        "measure": luck.measure.id,
        "dice": luck.dice,
        "mean": luck.mean,
        "interval": list(luck.interval),
        "even": luck.measure.mean,
    }


def _dice_json(test: Fairness) -> JsonObject:
    return {
        "kind": test.kind,
        "body": test.body,
        "rolls": test.rolls,
        "by_hand": test.by_hand,
        "faces": [
            {"face": face.face, "count": face.count, "expected": face.expected, "interval": list(face.interval)}
            for face in test.faces
        ],
        "chi_squared": test.statistic,
        "p": test.p,
        "p_of_all": test.p_of_all,
        "verdict": test.verdict,
    }
