"""The bodies, paths and answers of the correcting part of the HTTP API, as its OpenAPI document describes them."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from host.forms import (
    MOST_DICE,
    Form,
    MessageId,
    Point,
    ReportedDie,
    ReportedThing,
    RolledDie,
    StateNumber,
    Word,
)

Player = Annotated[str, Field(max_length=24)]
EntryNumber = Annotated[int, Field(ge=1)]

LARGEST_PLACE = 2**63 - 1
"""No database counts further; one that is asked to compare with more fails."""


class ReadingPath(BaseModel):
    """A reading's address."""

    table: str
    reading: str


class EntryPath(BaseModel):
    """The address of a line of the log."""

    table: str
    number: EntryNumber


class SaidDie(Form):
    """A die as a person says that it lies; where it lies in the picture, if that is known."""

    kind: Word
    face: Word
    body: Word | None = None
    center_px: Point | None = None


Dice = Annotated[list[SaidDie], Field(max_length=MOST_DICE)]


class ConfirmReading(Form):
    """What the dice of a reading show."""

    id: MessageId
    number: StateNumber = None
    player: Annotated[Player | None, Field(description="The seat that says so; null: the owner.")] = None
    dice: Annotated[Dice, Field(description="Every die that counts.")]


class VoidReading(Form):
    """Why a reading is not to count: for one that was not applied ``why``; one that was needs the owner."""

    id: MessageId
    number: StateNumber = None
    player: Annotated[Player | None, Field(description="The seat that says so; null: the owner.")] = None
    why: Literal["roll-again", "nothing-rolled"] = "nothing-rolled"
    drop: Annotated[bool, Field(description="Drop later lines that no longer fit.")] = False


class ObjectToReading(Form):
    """A seat says that a reading was wrong."""

    id: MessageId
    number: StateNumber = None
    player: Player


class DismissObjection(Form):
    """The owner says that the reading stands."""

    id: MessageId
    number: StateNumber = None


class AmendRoll(Form):
    """The dice of a roll as they should have been."""

    id: MessageId
    number: StateNumber = None
    dice: Dice
    drop: Annotated[bool, Field(description="Drop later lines that no longer fit.")] = False


class VoidRoll(Form):
    """A roll is not to count."""

    id: MessageId
    number: StateNumber = None
    drop: Annotated[bool, Field(description="Drop later lines that no longer fit.")] = False


class CorrectionsQuery(BaseModel):
    """Which corrections are asked for."""

    after: Annotated[int, Field(ge=0, le=LARGEST_PLACE, description="The place of the last one that is known.")] = 0


# Answers -----------------------------------------------------------------------------------------------------------


class Sum(BaseModel):
    """How a figure came about."""

    what: str
    player: str | None
    before: int
    change: int
    after: int


class OpenedLine(BaseModel):
    """A line of the log with all that there is to know of it."""

    number: int
    kind: str
    text: str
    was: str | None
    at: str
    by: str
    reading: str | None
    undone: bool
    undone_by: int | None
    changed_by: int | None
    rule: str | None
    dice: list[RolledDie] | None
    dice_at_first: list[RolledDie] | None
    read: list[ReportedDie] | None
    unread: list[ReportedThing] | None
    total: int | None
    sums: list[Sum]
    picture: str | None


class CorrectedReading(BaseModel):
    """What was read, and what people said instead. ``place`` is what ``after`` counts by."""

    place: int
    table: str
    number: int
    by: str
    at: str
    reading: str
    read: list[ReportedDie]
    unread: list[ReportedThing]
    confirmed: list[SaidDie]
    picture: str | None


class CorrectedReadings(BaseModel):
    """Corrections, oldest first; ask again ``after`` the last one's place for more."""

    corrections: list[CorrectedReading]
