"""The bodies and answers of the API of phones, lobbies and seats, as its OpenAPI document describes them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from host.forms import Form, MessageId, TableSummary

SecretMessageId = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9._:-]{22,64}$",
        description="As MessageId, but 128 bits of chance: a new phone's token follows from it.",
    ),
]
PlayerName = Annotated[str, Field(max_length=40)]


class OpenLobby(Form):
    """Open a lobby."""

    id: MessageId
    game: Annotated[str, Field(max_length=40)]
    options: Annotated[dict[str, Any], Field(default_factory=dict)]


class StartGame(Form):
    """Start the game of a lobby."""

    id: MessageId
    options: Annotated[dict[str, Any], Field(default_factory=dict, description="Go before the lobby's own.")]


class NamedSeat(Form):
    """A seat by its player."""

    player: PlayerName


class LockSeat(NamedSeat):
    """Lock a seat, or unlock it."""

    locked: Annotated[bool, Field(strict=True)]


class SeatOrder(Form):
    """Who sits where."""

    players: Annotated[list[PlayerName], Field(max_length=64, description="Clockwise.")]


class SetJoining(Form):
    """Whether people may join."""

    open: Annotated[bool, Field(strict=True)]
    new_link: Annotated[bool, Field(strict=True, description="Make earlier links void.")] = False


class JoinWithLink(Form):
    """Take a seat."""

    id: SecretMessageId
    code: Annotated[str, Field(max_length=40, description="What the join link ends in.")]
    player: PlayerName


class TakeOver(Form):
    """Take over a seat."""

    id: SecretMessageId
    code: Annotated[str, Field(max_length=16, description="Six digits that the owner shows.")]


class ClaimWithCode(Form):
    """Become the owner."""

    id: SecretMessageId
    code: Annotated[str, Field(max_length=16, description="Eight digits that the console shows.")]


class SendAway(Form):
    """There is nothing more to say: {}."""


class PhonePath(BaseModel):
    """A phone's address."""

    phone: str


# Answers -----------------------------------------------------------------------------------------------------------


class HeldSeat(BaseModel):
    """A seat that a phone holds."""

    table: str
    player: str


class WhoAmI(BaseModel):
    """What the sender of a request is here. ``phone`` is null for a sender without a phone's cookie."""

    phone: str | None
    owner: bool
    seats: list[HeldSeat]


class ShownSeat(BaseModel):
    """A seat as everybody may see it. ``taken``: a phone holds it."""

    player: str
    taken: bool
    locked: bool


class SeatPlan(BaseModel):
    """The seats of a table, or of a lobby whose game has not started, clockwise."""

    table: str
    game: str
    started: bool
    fewest_players: int
    most_players: int
    joining: bool
    seats: list[ShownSeat]


class LobbyList(BaseModel):
    """The lobbies, newest first."""

    lobbies: list[TableSummary]


class SeatCode(BaseModel):
    """A code that hands a seat over."""

    code: str
    expires_at: str


class JoinLink(BaseModel):
    """A table's join link; null while nobody may join."""

    open: bool
    code: str | None
    url: str | None


class Claimed(BaseModel):
    """The phone is the owner's."""

    phone: str
    owner: Literal[True]


class ListedPhone(BaseModel):
    """A phone in the owner's list."""

    phone: str
    owner: bool
    joined_at: str
    seats: list[HeldSeat]


class PhoneList(BaseModel):
    """The phones, in the order in which they came."""

    phones: list[ListedPhone]


class Revoked(BaseModel):
    """The phone was sent away."""

    phone: str
