"""The phones that people sit down with: each is known by a token in a cookie that no script can read."""

import hmac
import json
from base64 import urlsafe_b64encode
from dataclasses import dataclass, replace

from host.clock import Clock, written
from host.games.sentence import Sentence
from host.problems import Problem
from host.records import Phone
from host.seat_store import SeatStore
from host.tokens import sha256

COOKIE = "croupier-phone"
COOKIE_S = 400 * 24 * 3600
"""As long as browsers keep any cookie."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A phone at the door; ``token`` is the one that it is to keep (None: it keeps the one that it has)."""

    phone: Phone
    token: str | None


class Phones:
    """Every phone that the host knows, in memory as in the database."""

    def __init__(self, store: SeatStore, clock: Clock, key: str):
        self._store = store
        self._clock = clock
        self._key = key
        self._read()

    def _read(self) -> None:
        self._by_id = {phone.id: phone for phone in self._store.all(Phone)}
        self._by_hash = {phone.sha256: phone for phone in self._by_id.values()}

    def with_token(self, token: str) -> Phone | None:
        """The phone that has this token, unless it was revoked.

        A dictionary is enough: what it takes to find a hash says nothing about a token of 256 bits.
        """
        phone = self._by_hash.get(sha256(token))
        return phone if phone is not None and phone.revoked_at is None else None

    def with_id(self, phone_id: str) -> Phone:
        """A phone by its id. Raises ``Problem``."""
        if phone_id not in self._by_id:
            raise Problem(
                "unknown-phone",
                Sentence("unknown-phone", "There is no phone {phone}.", {"phone": repr(phone_id[:40])}),
            )
        return self._by_id[phone_id]

    def all(self) -> tuple[Phone, ...]:
        """Every phone, revoked ones too, in the order in which they came."""
        return tuple(self._by_id.values())

    @property
    def owners(self) -> tuple[Phone, ...]:
        """The phones that may do what the owner may."""
        return tuple(phone for phone in self._by_id.values() if phone.is_owner and phone.revoked_at is None)

    def arrive(self, known: Phone | None, message: str) -> Arrival:
        """The phone that sent ``message``: the one that its cookie named, or a new one, not stored yet.

        A new phone's token follows from its message, so that a repetition whose first answer was lost still gets
        it. Raises ``Problem`` where that token was revoked.
        """
        before = self.that_sent(message)
        if before is not None:
            return before
        if known is not None:
            return Arrival(known, None)
        token = phone_token(self._key, message)
        return Arrival(Phone(sha256(token)[:16], sha256(token), False, written(self._clock())), token)

    def that_sent(self, message: str) -> Arrival | None:
        """The phone that got its token for this message. Raises ``Problem`` where it was revoked since."""
        token = phone_token(self._key, message)
        phone = self._by_hash.get(sha256(token))
        if phone is not None and phone.revoked_at is not None:
            raise Problem("phone-revoked", "The owner has sent this phone away; join again as a new one.")
        return None if phone is None else Arrival(phone, token)

    def make_owner(self, phone: Phone, message: str) -> Arrival:
        """This phone, stored as an owner's, with a new token: one that was planted before is of no use."""
        token = phone_token(self._key, message)
        owner = replace(phone, sha256=sha256(token), is_owner=True)
        try:
            self._store.put(owner)
        finally:
            self._read()
        return Arrival(owner, token)

    def revoked(self, phone: Phone) -> Phone:
        """This phone once its token is worth nothing any more, to be stored."""
        return replace(phone, is_owner=False, revoked_at=written(self._clock()))

    def read_again(self) -> None:
        """Take over what is stored, after phones were stored together with their seats."""
        self._read()


def phone_token(key: str, message: str) -> str:
    """The token of the phone that first came with this message.

    >>> phone_token("key", "first message") == phone_token("other key", "first message")
    False
    """
    digest = hmac.digest(key.encode(), json.dumps(["phone", message]).encode(), "sha256")
    return urlsafe_b64encode(digest).decode().rstrip("=")
