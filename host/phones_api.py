"""The HTTP API for phones: who they are here. Only translates HTTP."""

from flask import Response, jsonify
from flask_openapi3.blueprint import APIBlueprint

from host import forms
from host.access import ANYONE, allows, sender
from host.api import PREFIX
from host.documented import answers


def phones_api() -> APIBlueprint:
    """The addresses under which a phone asks about itself."""
    api = APIBlueprint("phones_api", __name__, url_prefix=PREFIX)

    @api.get("/phone", responses=answers("unknown-token", ok=forms.WhoAmI))
    @allows(ANYONE)
    def who_am_i() -> Response:
        """What the sender is here: whether the owner, and which seats it holds."""
        known = sender()
        return jsonify(
            phone=known.phone.id if known.phone else None,
            owner=known.is_owner,
            seats=[{"table": table, "player": player} for table, player in sorted(known.seats)],
        )

    return api
