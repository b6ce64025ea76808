"""The pages where people come to the table: the join page, the seats of a table or a lobby, claiming, a new table."""

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, make_response, render_template, request
from flask_babel import gettext as _
from flask_babel import ngettext
from werkzeug.wrappers import Response

from host.access import sender
from host.addresses import Addresses
from host.games.checks import LONGEST_NAME
from host.games.registry import Registry
from host.lobbies import Room
from host.problems import Problem
from host.qr import qr_svg
from host.records import Seat
from host.seating import Seating


@dataclass(frozen=True, slots=True)
class ShownSeat:
    """A seat on the page. ``phone`` is known to the owner alone; ``is_mine``: this phone holds it."""

    player: str
    is_taken: bool
    is_locked: bool
    is_mine: bool
    phone: str | None
    order_up: tuple[str, ...] | None
    order_down: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class ShownOption:
    """An option of a game as a field. ``is_set``: the lobby was opened with this value; else it is the default."""

    name: str
    title: str
    kind: str
    value: Any
    is_set: bool


def add_seat_pages(blueprint: Blueprint, seating: Seating, games: Registry, addresses: Addresses) -> None:
    """The pages of phones and seats."""

    @blueprint.get("/join")
    def enter_code() -> str:
        """A field for the code that hands a seat over."""
        return render_template("join.html", plan=None, code=None)

    @blueprint.get("/join/<code>")
    def join(code: str) -> Response:
        """What the QR code leads to: a name, or one of the free seats."""
        table_id = seating.join.table_of(code, request.remote_addr or "nowhere")
        plan = seating.seats.plan(table_id)
        free = [seat for seat in plan.seats if seat.phone_id is None and not seat.is_locked]
        return _not_kept(
            render_template(
                "join.html",
                plan=plan,
                code=code,
                free=free if plan.is_joining_open else [],
                may_name=plan.is_joining_open
                and not plan.room.is_started
                and len(plan.seats) < plan.room.most_players,
                mine=sender().seats_at(table_id),
                longest_name=LONGEST_NAME,
            )
        )

    @blueprint.get("/claim")
    def claim() -> Response:
        """Where the owner enters the setup code; it stands there already while the box is to show it."""
        is_open, is_owner, code = seating.claim.is_open, sender().is_owner, seating.claim.shown_code
        return _not_kept(render_template("claim.html", is_open=is_open, is_owner=is_owner, shown_code=code))

    @blueprint.get("/new")
    def new_table() -> str:
        """The games, for the owner to choose from."""
        if not sender().is_owner:
            raise Problem("not-allowed", "The owner's phone opens tables; the setup code at /claim makes one.")
        return render_template("new.html", games=games.games())

    @blueprint.get("/tables/<table_id>/seats")
    def seats(table_id: str) -> Response:
        """Who sits where, and how to join."""
        return _not_kept(seats_page(seating, addresses, table_id))

    @blueprint.get("/tables/<table_id>/seats/parts")
    def seats_parts(table_id: str) -> Response:
        """The parts of that page, to be put in the place of older ones."""
        return _not_kept(render_template("seats_parts.html", **_shown(seating, addresses, table_id)))


def seats_page(seating: Seating, addresses: Addresses, table_id: str, is_tv: bool = False) -> str:
    """The page of the seats of a table or a lobby."""
    return render_template("seats.html", **_shown(seating, addresses, table_id), is_tv=is_tv)


@dataclass(frozen=True, slots=True)
class LookOnLink:
    """The link that a table shows while its game is played, and its QR code."""

    link: str
    qr: str
    is_free_seat: bool


def look_on_link(seating: Seating, addresses: Addresses, table_id: str) -> LookOnLink | None:
    """To a free seat where there is one, else to the table; None where no phone could follow it."""
    if not addresses.is_open_to_phones:
        return None
    plan = seating.seats.plan(table_id)
    is_free = plan.is_joining_open and any(seat.phone_id is None and not seat.is_locked for seat in plan.seats)
    if is_free:
        link = addresses.join_link(request.host, seating.join.code(table_id))
    else:
        link = f"{addresses.for_phones(request.host)}/tables/{table_id}"
    return LookOnLink(link, qr_svg(link), is_free)


def _shown(seating: Seating, addresses: Addresses, table_id: str) -> dict[str, Any]:
    plan, known = seating.seats.plan(table_id), sender()
    link = addresses.join_link(request.host, seating.join.code(table_id)) if plan.is_joining_open else None
    has_room = len(plan.seats) < plan.room.most_players if not plan.room.is_started else False
    has_free = any(seat.phone_id is None and not seat.is_locked for seat in plan.seats)
    return {
        "plan": plan,
        "room": plan.room,
        "headline": headline(plan.room, has_free),
        "seats": [_shown_seat(seat, plan.room, known.seats_at(table_id), known.is_owner) for seat in plan.seats],
        "mine": known.seats_at(table_id),
        "is_owner": known.is_owner,
        "link": link if has_room or has_free else None,
        "qr": qr_svg(link) if link and (has_room or has_free) else None,
        "is_open_to_phones": addresses.is_open_to_phones,
        "options": shown_options(plan.room) if known.is_owner and not plan.room.is_started else (),
    }


def headline(room: Room, has_free: bool) -> str:
    """Who is still wanted, in a sentence."""
    here, fewest = len(room.players), room.game.fewest_players
    if room.is_started:
        return str(_("A seat is free.") if has_free else _("Everybody has a seat."))
    if here < fewest:
        return str(ngettext("Waiting for %(num)d more player.", "Waiting for %(num)d more players.", fewest - here))
    if here == room.most_players:
        return str(_("Everybody is here."))
    return str(_("%(here)d are here. %(most)d can play.", here=here, most=room.most_players))


def _shown_seat(seat: Seat, room: Room, mine: tuple[str, ...], is_owner: bool) -> ShownSeat:
    place = room.players.index(seat.player)
    moves = is_owner and not room.is_started
    return ShownSeat(
        seat.player,
        seat.phone_id is not None,
        seat.is_locked,
        seat.player in mine,
        seat.phone_id if is_owner else None,
        _swapped(room.players, place - 1) if moves and place > 0 else None,
        _swapped(room.players, place) if moves and place + 1 < len(room.players) else None,
    )


def _swapped(players: tuple[str, ...], place: int) -> tuple[str, ...]:
    """The players with those at ``place`` and after it changed over.

    >>> _swapped(("Ana", "Bo", "Cy"), 1)
    ('Ana', 'Cy', 'Bo')
    """
    return (*players[:place], players[place + 1], players[place], *players[place + 2 :])


def shown_options(room: Room) -> tuple[ShownOption, ...]:
    """The options of a game that have a plain field: a number, or yes and no. The API takes them all."""
    missing = max(0, room.game.fewest_players - len(room.players))
    players = (*room.players, *(f"player {number}" for number in range(missing)))
    shown = []
    for option in room.game.options:
        is_set = option.name in room.options
        value = room.options[option.name] if is_set else option.default(players)
        if isinstance(value, bool):
            shown.append(ShownOption(option.name, option.title, "checkbox", value, is_set))
        elif isinstance(value, int):
            shown.append(ShownOption(option.name, option.title, "number", value, is_set))
    return tuple(shown)


def _not_kept(page: str) -> Response:
    answer = make_response(page)
    answer.headers["Cache-Control"] = "no-store"
    return answer
