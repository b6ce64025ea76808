"""The HTTP API for lobbies and seats. Only translates HTTP.

Apart from opening and starting, a request says how things are to be, not what to do: to repeat it does no harm.
"""

from flask import Response, jsonify, request
from flask_openapi3.blueprint import APIBlueprint

from host import forms, seat_forms
from host.access import ANYONE, OWNER, PLAYERS, allows, sender
from host.addresses import Addresses
from host.api import PHONE_OR_TOKEN, PREFIX, opened_table
from host.documented import STORING, WITH_BODY, WITH_PHONE, answers
from host.seating import Seating
from host.tables import Tables

CHANGING = ("unknown-table", *WITH_PHONE, *WITH_BODY, *STORING)


def seats_api(tables: Tables, seating: Seating, addresses: Addresses) -> APIBlueprint:
    """The addresses of lobbies and seats."""
    api = APIBlueprint("seats_api", __name__, url_prefix=PREFIX)
    lobbies, seats = seating.lobbies, seating.seats

    def plan(table_id: str) -> Response:
        return jsonify(seats.plan(table_id).to_json())

    @api.post(
        "/lobbies",
        security=PHONE_OR_TOKEN,
        responses=answers(
            "bad-setup", *WITH_PHONE, *WITH_BODY, *STORING, ok=seat_forms.SeatPlan, created=seat_forms.SeatPlan
        ),
    )
    @allows(OWNER)
    def open_lobby(body: seat_forms.OpenLobby) -> tuple[Response, int]:
        """Open a lobby, where people join before the game. Its id becomes the table's."""
        lobby, is_new = lobbies.open(body.id, body.game, body.options)
        return plan(lobby.id), 201 if is_new else 200

    @api.get("/lobbies", responses=answers(*STORING[:1], ok=seat_forms.LobbyList))
    @allows(ANYONE)
    def list_lobbies() -> Response:
        """The lobbies whose game has not begun, newest first."""
        return jsonify(
            lobbies=[
                {"table": lobby.id, "game": lobby.game, "players": list(lobby.players), "opened_at": lobby.opened_at}
                for lobby in lobbies.waiting()
            ]
        )

    @api.post(
        "/lobbies/<string:table>/start",
        security=PHONE_OR_TOKEN,
        responses=answers(
            "unknown-lobby",
            "already-started",
            "bad-setup",
            "message-id-taken",
            *WITH_PHONE,
            *WITH_BODY,
            *STORING,
            ok=forms.OpenedTable,
            created=forms.OpenedTable,
        ),
    )
    @allows(OWNER)
    def start(path: forms.TablePath, body: seat_forms.StartGame) -> tuple[Response, int]:
        """Start the game with those who are in the lobby, in the order in which they sit."""
        table, is_new = lobbies.start(path.table, body.id, body.options)
        return opened_table(tables, table), 201 if is_new else 200

    @api.get("/tables/<string:table>/seats", responses=answers("unknown-table", *STORING[:1], ok=seat_forms.SeatPlan))
    @allows(ANYONE)
    def show_seats(path: forms.TablePath) -> Response:
        """Who sits at a table or in a lobby, and which seats are free."""
        return plan(path.table)

    @api.post(
        "/tables/<string:table>/seats/order",
        security=PHONE_OR_TOKEN,
        responses=answers("unknown-lobby", "already-started", "wrong-players", *CHANGING, ok=seat_forms.SeatPlan),
    )
    @allows(OWNER)
    def reorder(path: forms.TablePath, body: seat_forms.SeatOrder) -> Response:
        """Seat the players of a lobby in this order, clockwise."""
        seats.reorder(path.table, body.players)
        return plan(path.table)

    @api.post(
        "/tables/<string:table>/seats/lock",
        security=PHONE_OR_TOKEN,
        responses=answers("unknown-seat", *CHANGING, ok=seat_forms.SeatPlan),
    )
    @allows(OWNER)
    def lock(path: forms.TablePath, body: seat_forms.LockSeat) -> Response:
        """Let nobody join at a seat, or let them again."""
        seats.lock(path.table, body.player, body.locked)
        return plan(path.table)

    @api.post(
        "/tables/<string:table>/seats/free",
        security=PHONE_OR_TOKEN,
        responses=answers("unknown-seat", "not-your-seat", *CHANGING, ok=seat_forms.SeatPlan),
    )
    @allows(PLAYERS)
    def free(path: forms.TablePath, body: seat_forms.NamedSeat) -> Response:
        """Take the phone off a seat; its own phone may, and the owner. In a lobby the player leaves."""
        sender().acting_for(path.table, body.player)
        seats.free(path.table, body.player)
        return plan(path.table)

    @api.post(
        "/tables/<string:table>/seats/code",
        security=PHONE_OR_TOKEN,
        responses=answers("unknown-seat", *CHANGING, ok=seat_forms.SeatCode),
    )
    @allows(OWNER)
    def new_code(path: forms.TablePath, body: seat_forms.NamedSeat) -> Response:
        """A fresh code that hands a seat to another phone: once, within five minutes."""
        shown = seating.join.new_seat_code(path.table, body.player)
        return jsonify(code=shown.code, expires_at=shown.expires_at)

    @api.post(
        "/tables/<string:table>/joining",
        security=PHONE_OR_TOKEN,
        responses=answers(*CHANGING, ok=seat_forms.JoinLink),
    )
    @allows(OWNER)
    def set_joining(path: forms.TablePath, body: seat_forms.SetJoining) -> Response:
        """Let people join, or not; a new link makes earlier ones void."""
        seats.set_joining(path.table, body.open, body.new_link)
        return link(path.table)

    @api.get(
        "/tables/<string:table>/joining", responses=answers("unknown-table", *STORING[:1], ok=seat_forms.JoinLink)
    )
    @allows(ANYONE)
    def show_joining(path: forms.TablePath) -> Response:
        """The link that a table shows as a QR code: whoever sees the table may join while joining is open."""
        return link(path.table)

    def link(table_id: str) -> Response:
        is_open = seats.plan(table_id).is_joining_open
        code = seating.join.code(table_id) if is_open else None
        return jsonify(open=is_open, code=code, url=code and addresses.join_link(request.host, code))

    return api
