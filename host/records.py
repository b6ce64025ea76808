"""What the host stores, one frozen dataclass for each kind of row."""

from dataclasses import dataclass
from typing import Any, Literal

from host.games.sentence import Sentence

JsonObject = dict[str, Any]

EntryKind = Literal["action", "undo", "end", "amend", "void", "objection", "dismissal"]
"""What an entry of the log is.

- ``action``: what a player did, or what was rolled; ``undo`` takes back the last entry that stands.
- ``end``: the owner ended the game before anybody had won.
- ``amend``: ``{"of": number, "dice": […], "drop": number or None}``, a roll as it should have been.
- ``void``: ``{"of": [numbers], "drop": number or None}``, rolls that do not count; or ``{"of": [], "why": …}``, a
  reading that was never applied and is no question any more.
- ``objection``: ``{"of": [numbers], "player": name}``, a seat says that a reading was wrong; ``dismissal``:
  ``{"of": number}``, the owner says that it was not.
"""
ReadingStatus = Literal["applied", "late", "unmatched", "refused"]


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table as it was opened: which game, who sits at it (clockwise) and how it is played."""

    id: str
    game: str
    players: tuple[str, ...]
    options: JsonObject
    opened_at: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a table's append-only log.

    ``number`` counts from 1 within the table and is the state number that the entry brings about. ``by`` is
    "owner", "device" or "seat:NAME"; ``at`` is UTC, ISO 8601. An entry that a reading brought about names it.
    """

    table: str
    number: int
    kind: EntryKind
    action: JsonObject | None
    by: str
    at: str
    message: str | None = None
    reading: str | None = None

    @property
    def of(self) -> tuple[int, ...]:
        """The numbers of the entries that this one is about.

        >>> Entry("k3f9", 7, "amend", {"of": 3, "dice": [], "drop": None}, "owner", "").of
        (3,)
        """
        about = (self.action or {}).get("of", ()) if self.kind != "action" else ()
        return (about,) if isinstance(about, int) else tuple(about)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a message was answered, so that its repetition is answered the same.

    ``slug`` and ``detail`` say why a message was refused (None: it was accepted, and led to state ``number``),
    ``extras`` what else the refusal told.
    """

    message: str
    table: str
    sender: str
    number: int
    slug: str | None = None
    detail: str | None = None
    extras: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class StoredReading:
    """What the device reported and what became of it. ``table`` is None where it answers no table that we know."""

    id: str
    table: str | None
    expect: str
    dice: tuple[JsonObject, ...]
    unread: tuple[JsonObject, ...]
    status: ReadingStatus
    told: tuple[Sentence, ...]
    at: str
    has_picture: bool

    @property
    def detail(self) -> str:
        """What became of it, in English."""
        return " ".join(sentence.english() for sentence in self.told)


@dataclass(frozen=True, slots=True)
class Correction:
    """What people say that a reading should have been: the entry of a table that says so, and the dice."""

    table: str
    number: int
    reading: str
    confirmed: tuple[JsonObject, ...]


@dataclass(frozen=True, slots=True)
class LabelledReading:
    """A reading beside its correction. ``place`` counts corrections, whatever their table."""

    place: int
    reading: StoredReading
    correction: Correction
    by: str
    at: str


@dataclass(frozen=True, slots=True)
class Holder:
    """Whose token it is: the owner's, the device's, or that of a seat at a table."""

    kind: Literal["owner", "device", "seat"]
    table: str | None = None
    player: str | None = None

    @property
    def name(self) -> str:
        """How the log names them.

        >>> Holder("seat", "k3f9", "Ana").name
        'seat:Ana'
        """
        return f"seat:{self.player}" if self.kind == "seat" else self.kind


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone that somebody sits down with. ``sha256`` is its token's; ``is_owner``: it runs the appliance."""

    id: str
    sha256: str
    is_owner: bool
    joined_at: str
    revoked_at: str | None = None


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place at a table or in a lobby, and the phone that holds it. Nobody joins at a locked one."""

    table_id: str
    player: str
    phone_id: str | None = None
    is_locked: bool = False


@dataclass(frozen=True, slots=True)
class Lobby:
    """A table before its game: the names that people gave, in seat order. Its id becomes the table's."""

    id: str
    message_id: str
    game: str
    players: tuple[str, ...]
    options: JsonObject
    opened_at: str


@dataclass(frozen=True, slots=True)
class Joining:
    """Whether a table's join link lets people in. Each ``generation`` has a link of its own; older ones are void."""

    table_id: str
    generation: int = 0
    is_open: bool = True


@dataclass(frozen=True, slots=True)
class SeatCode:
    """A code, known by its hash, that hands a seat to the phone that brings it before it expires."""

    sha256: str
    table_id: str
    player: str
    expires_at: str


@dataclass(frozen=True, slots=True)
class Failures:
    """How often something secret was guessed wrong, and when last."""

    what: str
    failures: int
    failed_at: str


@dataclass(frozen=True, slots=True)
class Rematch:
    """The table at which the players of another one play again."""

    table_id: str
    next_id: str


@dataclass(frozen=True, slots=True)
class RematchWish:
    """A player of a table whose game is over would play again; kept until all do."""

    table_id: str
    player: str
