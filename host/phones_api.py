"""The HTTP API for phones: who they are here, claiming the appliance, taking a seat. Only translates HTTP."""

from flask import Response, jsonify, request
from flask_openapi3.blueprint import APIBlueprint

from host import seat_forms
from host.access import ANYONE, OWNER, allows, sender
from host.api import PHONE_OR_TOKEN, PREFIX
from host.documented import STORING, WITH_BODY, WITH_PHONE, answers
from host.phones import COOKIE, COOKIE_S, Arrival
from host.seating import Seating

ARRIVING = ("unknown-token", "foreign-page", "wrong-code", "phone-revoked", "too-many-guesses", *WITH_BODY, *STORING)


def phones_api(seating: Seating) -> APIBlueprint:
    """The addresses under which phones come in, and the owner sends them away."""
    api = APIBlueprint("phones_api", __name__, url_prefix=PREFIX)

    @api.get("/phone", responses=answers("unknown-token", ok=seat_forms.WhoAmI))
    @allows(ANYONE)
    def who_am_i() -> Response:
        """What the sender is here: whether the owner, and which seats it holds."""
        known = sender()
        return jsonify(
            phone=known.phone.id if known.phone else None,
            owner=known.is_owner,
            seats=[{"table": table, "player": player} for table, player in sorted(known.seats)],
        )

    @api.post("/claim", responses=answers("already-claimed", *ARRIVING, ok=seat_forms.Claimed))
    @allows(ANYONE)
    def claim(body: seat_forms.ClaimWithCode) -> Response:
        """Become the owner, with the setup code that the appliance shows on its console. Done once."""
        arrival = seating.claim.take(body.code, sender().phone, body.id)
        return welcomed(jsonify(phone=arrival.phone.id, owner=True), arrival)

    @api.post(
        "/joins",
        responses=answers(
            "unknown-table",
            "unknown-seat",
            "joining-closed",
            "seat-locked",
            "seat-taken",
            "table-full",
            "bad-name",
            *ARRIVING,
            ok=seat_forms.HeldSeat,
        ),
    )
    @allows(ANYONE)
    def join(body: seat_forms.JoinWithLink) -> Response:
        """Take a free seat, or in a lobby a new one under a new name. The answer sets the phone's cookie."""
        arrival, table = seating.join.join(body.code, body.player, sender().phone, body.id, _guesser())
        return welcomed(jsonify(table=table, player=body.player.strip()), arrival)

    @api.post("/handovers", responses=answers("unknown-table", "unknown-seat", *ARRIVING, ok=seat_forms.HeldSeat))
    @allows(ANYONE)
    def hand_over(body: seat_forms.TakeOver) -> Response:
        """Take over a seat with the code that the owner shows; the phone that held it loses it."""
        arrival, table, player = seating.join.hand_over(body.code, sender().phone, body.id)
        return welcomed(jsonify(table=table, player=player), arrival)

    @api.get(
        "/phones",
        security=PHONE_OR_TOKEN,
        responses=answers("no-token", "unknown-token", "not-allowed", ok=seat_forms.PhoneList),
    )
    @allows(OWNER)
    def list_phones() -> Response:
        """The phones that were not sent away, in the order in which they came."""
        return jsonify(
            phones=[
                {
                    "phone": phone.id,
                    "owner": phone.is_owner,
                    "joined_at": phone.joined_at,
                    "seats": [
                        {"table": table, "player": player} for table, player in sorted(seating.seats.held_by(phone))
                    ],
                }
                for phone in seating.phones.all()
                if phone.revoked_at is None
            ]
        )

    @api.post(
        "/phones/<string:phone>/revoke",
        security=PHONE_OR_TOKEN,
        responses=answers("unknown-phone", *WITH_PHONE, *WITH_BODY, *STORING, ok=seat_forms.Revoked),
    )
    @allows(OWNER)
    def revoke(path: seat_forms.PhonePath, body: seat_forms.SendAway) -> Response:
        """Send a phone away: it is nobody any more, and its seats are free."""
        seating.seats.revoke(seating.phones.with_id(path.phone))
        return jsonify(phone=path.phone)

    return api


def welcomed(answer: Response, arrival: Arrival) -> Response:
    """The answer, with the cookie that the phone is to keep."""
    if arrival.token is not None:
        answer.set_cookie(
            COOKIE,
            arrival.token,
            max_age=COOKIE_S,
            path="/",
            secure=request.is_secure,
            httponly=True,
            samesite="Strict",
        )
    return answer


def _guesser() -> str:
    return request.remote_addr or "nowhere"
