"""The bodies, paths and answers of the HTTP API, as its OpenAPI document describes them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

MOST_DICE = 24
LONGEST_WAIT_S = 25

MessageId = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9._:-]{1,64}$",
        description="Made once by the sender (a UUID will do); a repetition is answered alike and counts once.",
    ),
]
StateNumber = Annotated[
    int | None,
    Field(ge=0, strict=True, description="The state number that the sender saw; null: whatever it is."),
]
Word = Annotated[str, Field(max_length=40)]
Coordinate = Annotated[float, Field(allow_inf_nan=False)]
Point = Annotated[list[Coordinate], Field(min_length=2, max_length=2)]
State = Annotated[dict[str, Any], Field(description="The state of the game, as its rules describe it.")]


class Form(BaseModel):
    """A body that a client sends: no key beyond those listed."""

    model_config = ConfigDict(extra="forbid")


class OpenTable(Form):
    """Open a table."""

    id: MessageId
    game: Annotated[str, Field(max_length=40)]
    players: Annotated[list[str], Field(max_length=64, description="In clockwise seat order.")]
    options: dict[str, Any] = {}


class PlayerAction(Form):
    """One action of one player."""

    id: MessageId
    number: StateNumber = None
    action: Annotated[dict[str, Any], Field(description='As the game awaits it: {"type": …, "player": …, …}.')]


class TakeBack(Form):
    """Take back the last action, or end the game."""

    id: MessageId
    number: StateNumber = None


class ReportedDie(BaseModel):
    """A die as it was read."""

    kind: Word
    body: Word | None = None
    face: Word
    confidence: Annotated[float, Field(ge=0, le=1)]
    center_px: Point
    center_mm: Point | None = None


class LikelyDie(BaseModel):
    """A die that something may be."""

    kind: Word
    body: Word | None = None
    face: Word


class ReportedThing(BaseModel):
    """Something in the tray that was not read, and why; ``likely``: what it may be, the likeliest first."""

    reason: Literal["cocked", "stacked", "occluded", "outside", "unsure", "not-a-die"]
    center_px: Point
    likely: Annotated[list[LikelyDie] | None, Field(max_length=4)] = None


class DeviceReading(Form):
    """What the device read."""

    id: MessageId
    expect: Annotated[str, Field(max_length=64, description="The expect id that it answers.")]
    dice: Annotated[list[ReportedDie], Field(max_length=MOST_DICE)]
    unread: Annotated[list[ReportedThing], Field(max_length=64)] = []
    jpeg: Annotated[str | None, Field(description="Base64; at most 20 kB once decoded.")] = None


class TablePath(BaseModel):
    """A table's address."""

    table: str


class Viewpoint(BaseModel):
    """As whom to see a table."""

    player: Annotated[
        str | None, Field(alias="as", max_length=24, description="A player whose seat the sender holds.")
    ] = None


class PicturePath(BaseModel):
    """A picture's address."""

    table: str
    reading: str


class ExpectQuery(BaseModel):
    """How long to wait for something else to be awaited."""

    after: Annotated[str | None, Field(description="Wait while this is what is awaited.")] = None
    wait: Annotated[float, Field(ge=0, le=LONGEST_WAIT_S, description="Seconds.")] = 0


# Answers -----------------------------------------------------------------------------------------------------------


class Health(BaseModel):
    """The host is up."""

    status: Literal["ok"]
    version: str
    schema_version: Annotated[int, Field(serialization_alias="schema", validation_alias="schema")]


class GameOption(BaseModel):
    """An option of a game."""

    name: str
    title: str


class GameSummary(BaseModel):
    """A game that can be played."""

    id: str
    name: str
    credit: str
    summary: str
    kinds: list[str]
    fewest_players: int
    most_players: int
    options: list[GameOption]


class Games(BaseModel):
    """The games that can be played."""

    games: list[GameSummary]


class Seat(BaseModel):
    """A seat and the token that lets its player act."""

    player: str
    token: str


class OpenedTable(BaseModel):
    """A table just opened."""

    table: str
    seats: list[Seat]
    number: int
    state: State


class TableSummary(BaseModel):
    """A table in the list."""

    table: str
    game: str
    players: list[str]
    opened_at: str


class TableList(BaseModel):
    """The tables, newest first."""

    tables: list[TableSummary]


class LogLine(BaseModel):
    """An entry of the log in sentences, as it counts now; ``was``: what it said at first, if that was something else.

    ``undone``: the entry ``undone_by`` took it back; ``changed_by``: the entry that corrected its dice.
    """

    number: int
    kind: Literal["action", "undo", "end", "amend", "void", "objection", "dismissal"]
    text: str
    was: str | None
    at: str
    by: str
    reading: str | None
    undone: bool
    undone_by: int | None
    changed_by: int | None


class RolledDie(BaseModel):
    """A die of a roll."""

    kind: str
    face: str
    body: str | None = None


class AskedDie(BaseModel):
    """A die to answer for: as it was read, or why it was not, and what it may be."""

    read: RolledDie | None
    reason: str | None
    center_px: Point | None
    likely: list[RolledDie]
    others: list[RolledDie]


class Question(BaseModel):
    """What is asked about a reading that did not match, and who may answer beside the owner."""

    players: list[str]
    dice: list[AskedDie]


class OpenObjection(BaseModel):
    """An objection that the owner has not answered; ``of``: the lines that the reading brought about."""

    number: int
    by: str
    at: str
    reading: str
    of: list[int]


class ShownReading(BaseModel):
    """The last reading, what became of it and why."""

    id: str
    at: str
    status: Literal["applied", "late", "unmatched", "refused"]
    detail: str
    dice: list[ReportedDie]
    unread: list[ReportedThing]
    picture: str | None
    question: Question | None
    rolls: Annotated[list[int], Field(description="The lines of the log that it brought about and that stand.")]
    confirmed: Annotated[list[RolledDie] | None, Field(description="What people say that the dice show.")]


class TableView(BaseModel):
    """A table as the sender may see it."""

    table: str
    number: int
    ended: Annotated[bool, Field(description="The owner has ended the game before anybody has won.")]
    state: State
    prompt: list[str]
    log: list[LogLine]
    reading: ShownReading | None
    objection: OpenObjection | None


class ActionTaken(BaseModel):
    """The action counts."""

    number: int
    state: State
    expect: str


class ReadingTaken(BaseModel):
    """What became of a reading; it need not be sent again."""

    id: str
    status: Literal["applied", "late", "unmatched", "refused"]
    detail: str
    expect: str


class AwaitedDice(BaseModel):
    """Dice of one sort that a throw must hold."""

    kind: str
    body: str | None
    count: int


class Expected(BaseModel):
    """What is awaited of the device."""

    expect: str
    table: str | None
    mode: Literal["idle", "open", "guarded"]
    kinds: list[str]
    dice: list[AwaitedDice]
    commands: list[dict[str, Any]]


class ProblemDocument(BaseModel):
    """What went wrong (RFC 9457); nothing was changed. A 409 also brings the fresh number and state."""

    model_config = ConfigDict(extra="allow", title="ProblemDocument")

    type: str
    title: str
    status: int
    detail: str
    slug: str
