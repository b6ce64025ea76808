"""Who may call what: each address of the API names who is let in, and an address that names nobody lets nobody in.

A sender is known by a token in the header, or by the cookie of the phone. A cookie is sent by the browser itself,
whichever website asks it to: so a request that would change something must come from a page of this host, and what
says that it comes from another website is not answered at all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from flask import Flask, g, request

from host.addresses import Addresses
from host.games.sentence import Sentence
from host.phones import COOKIE, Phones
from host.problems import Problem
from host.records import Holder, Phone
from host.seats import Seats
from host.tokens import Tokens

ANYONE = frozenset({"anyone"})
OWNER = frozenset({"owner"})
DEVICE = frozenset({"device"})
PLAYERS = frozenset({"owner", "seat"})

CHANGES_NOTHING = ("GET", "HEAD", "OPTIONS")

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sent a request. ``token`` is whose token it brought, ``phone`` the phone that its cookie named.

    ``seats`` are those that the sender may act for, each as its table and its player.
    """

    token: Holder | None = None
    phone: Phone | None = None
    seats: frozenset[tuple[str, str]] = frozenset()

    @property
    def kinds(self) -> frozenset[str]:
        """What the sender is: owner, device, seat; nobody in particular has none.

        >>> sorted(Sender(Holder("device")).kinds), sorted(Sender().kinds)
        (['device'], [])
        """
        kinds = {self.token.kind} if self.token else set()
        if self.phone is not None and self.phone.is_owner:
            kinds.add("owner")
        if self.seats:
            kinds.add("seat")
        return frozenset(kinds)

    @property
    def is_owner(self) -> bool:
        """Whether the sender may do what the owner may."""
        return "owner" in self.kinds

    def seats_at(self, table_id: str) -> tuple[str, ...]:
        """The players of a table whom the sender may act for."""
        return tuple(sorted(player for table, player in self.seats if table == table_id))

    def acting_for(self, table_id: str, player: object) -> Holder:
        """As whom the sender acts for ``player``: as that seat, or else as the owner. Raises ``Problem``."""
        if isinstance(player, str) and (table_id, player) in self.seats:
            return Holder("seat", table_id, player)
        if self.is_owner:
            return Holder("owner")
        seats = " and ".join(f"{player} at table {table}" for table, player in sorted(self.seats))
        raise Problem(
            "not-your-seat",
            Sentence("not-your-seat", "This phone or token plays for {seats} alone.", {"seats": seats}),
        )


NOBODY = Sender()


class Door:
    """Recognises senders: what it is given is all that it needs to know them."""

    def __init__(self, tokens: Tokens, phones: Phones, seats: Seats, addresses: Addresses):
        self._addresses = addresses
        self._tokens = tokens
        self._phones = phones
        self._seats = seats

    def check_host(self) -> None:
        """Raises ``Problem`` for a request that is meant for another host.

        Whoever brings a known token is no website that was made to point here: devices may use any name.
        """
        host = request.headers.get("Host")
        if host is not None and not self._addresses.is_own(host) and self.recognise().token is None:
            raise Problem("wrong-host", "Use this host's address as a number, or start it with --public-address.")

    def recognise(self) -> Sender:
        """Who sent this request. Raises ``Problem`` for a token that is not known."""
        header = request.headers.get("Authorization")
        if header is not None:
            scheme, _, token = header.partition(" ")
            holder = self._tokens.holder(token.strip()) if scheme.lower() == "bearer" else None
            if holder is None:
                raise Problem("unknown-token", "The token in 'Authorization: Bearer TOKEN' is not known here.")
            seat = {(holder.table, holder.player)} if holder.table and holder.player else set()
            return Sender(token=holder, seats=frozenset(seat))
        phone = self._phones.with_token(request.cookies.get(COOKIE, ""))
        return NOBODY if phone is None else Sender(phone=phone, seats=self._seats.held_by(phone))


def allows(who: frozenset[str]) -> Callable[[View], View]:
    """Let these kinds of sender in (``ANYONE``: also nobody in particular)."""

    def mark(view: View) -> View:
        view.__dict__["allows"] = who
        return view

    return mark


def _not_allowed(who: frozenset[str]) -> Problem:
    if who == PLAYERS:
        return Problem("not-allowed", "This is for the owner or the seat alone.")
    if who == DEVICE:
        return Problem("not-allowed", "This is for the device alone.")
    return Problem("not-allowed", "This is for the owner alone.")


def check_access(app: Flask, door: Door) -> None:
    """Recognise the sender of this request, for ``sender()``. Raises ``Problem`` where they may not come in."""
    view = app.view_functions[request.endpoint or ""]
    who: frozenset[str] = getattr(view, "allows", frozenset())
    known = door.recognise()
    if known.token is None:
        _check_origin(has_cookie=COOKIE in request.cookies, is_change=request.method not in CHANGES_NOTHING)
    if who != ANYONE and not known.kinds & who:
        if known is NOBODY:
            raise Problem("no-token", "Take a seat with this phone, or send 'Authorization: Bearer TOKEN'.")
        raise _not_allowed(who)
    g.sender = known


def recognise_visitor(door: Door) -> None:
    """Recognise the sender of a request for a page: everybody may look, and a wrong token is as good as none."""
    try:
        g.sender = door.recognise()
    except Problem:
        g.sender = NOBODY


def _check_origin(has_cookie: bool, is_change: bool) -> None:
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
    # "none" is an address that somebody typed: they may look at it, and cannot change anything by it.
    own = (None, "same-origin") if is_change else (None, "same-origin", "none")
    is_foreign = (origin is not None and not _is_ours(origin)) or site not in own
    if is_foreign or (is_change and has_cookie and origin is None and site is None):
        raise Problem("foreign-page", "Only pages of this host itself may do that.")


def _is_ours(origin: str) -> bool:
    try:
        return urlsplit(origin).netloc == request.host
    except ValueError:
        return False


def sender() -> Sender:
    """Whose request this is."""
    known: Sender = g.sender
    return known


def viewer(table_id: str, player: str | None) -> str | None:
    """As whom the sender sees this table: as ``player``, whose seat it must hold (else ``Problem``).

    None: as everybody does; but a seat's token shows that seat's view without being asked.
    """
    known = sender()
    if player is None:
        return known.token.player if known.token is not None and known.token.table == table_id else None
    if (table_id, player) not in known.seats:
        raise Problem(
            "not-your-seat",
            Sentence(
                "not-your-seat",
                "This phone does not hold the seat of {player} at this table.",
                {"player": repr(player[:40])},
            ),
        )
    return player
