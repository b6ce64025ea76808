"""The answers of the API of history and statistics, as its OpenAPI document describes them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

Interval = Annotated[list[float], Field(min_length=2, max_length=2)]


class PastGame(BaseModel):
    """What became of a game. Credits stand where the game reckons them."""

    table: str
    game: str
    players: list[str]
    opened_at: str
    last_at: str
    entries: int
    standing: Annotated[Literal["running", "over", "stopped"], Field(description="stopped: the owner has ended it.")]
    winners: list[str] | None
    credits: dict[str, int] | None


class GameHistory(BaseModel):
    """Every game, newest first."""

    games: list[PastGame]


class At(BaseModel):
    """At which state number to look at a game."""

    number: Annotated[int | None, Field(ge=0, description="Null: as it is now.")] = None


class PlayerLuck(BaseModel):
    """Luck by one measure: the mean of so many dice, between which means it would settle, and that of even dice."""

    measure: Literal["favor", "calls", "pips", "signs"]
    dice: int
    mean: float
    interval: Interval
    even: float


class PlayerStatistics(BaseModel):
    """A player: a name. ``deviations``: how many standard deviations their dice were from even, all together."""

    player: str
    games: int
    unfinished: int
    wins: int
    credits: int | None
    rolls: int
    lucky_dice: int
    deviations: float
    luck: list[PlayerLuck]


class FaceStatistics(BaseModel):
    """How often a face was seen, and between which shares the truth lies (95 in 100, for all faces together)."""

    face: str
    count: int
    expected: float
    interval: Interval


class DiceStatistics(BaseModel):
    """The test of all dice of one kind and body. ``p_of_all`` takes into account how many tests there are (Holm)."""

    kind: str
    body: str | None
    rolls: int
    by_hand: int
    faces: list[FaceStatistics]
    chi_squared: float | None
    p: float | None
    p_of_all: float | None
    verdict: Literal["too-few", "usual", "unusual"]


class Statistics(BaseModel):
    """Players, most wins first, and dice."""

    players: list[PlayerStatistics]
    dice: list[DiceStatistics]


class ExportedGame(PastGame):
    """A game with its log."""

    format: Literal["croupier-game"]
    version: Literal[1]
    options: dict[str, Any]
    state: dict[str, Any]
    log: list[dict[str, Any]]


class ExportedGames(BaseModel):
    """Every game with its log."""

    games: list[ExportedGame]


class Restored(BaseModel):
    """The backup is good; the host begins anew with it within a few seconds."""

    restored: Literal[True]
