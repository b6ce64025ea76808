"""The HTTP API, and the part of a table's page, for rematches. Only translates HTTP."""

from flask import Blueprint, Response, jsonify, make_response, render_template
from flask_openapi3.blueprint import APIBlueprint
from pydantic import BaseModel

from host import forms
from host.access import ANYONE, PLAYERS, allows, sender
from host.api import PHONE_OR_TOKEN, PREFIX
from host.documented import STORING, WITH_BODY, WITH_PHONE, answers
from host.problems import Problem
from host.rematch import Rematches
from host.tables import Tables


class AskForRematch(forms.Form):
    """Ask for a rematch."""

    id: forms.MessageId


class RematchStands(BaseModel):
    """How a table's rematch stands: who has asked, whose asking is missing, and the table where it is played."""

    table: str
    next: str | None
    asked: list[str]
    missing: list[str]


def rematch_api(rematches: Rematches) -> APIBlueprint:
    """The addresses of rematches."""
    api = APIBlueprint("rematch_api", __name__, url_prefix=PREFIX)

    @api.get("/tables/<string:table>/rematch", responses=answers("unknown-table", *STORING[:1], ok=RematchStands))
    @allows(ANYONE)
    def show(path: forms.TablePath) -> Response:
        """Who wants a rematch, and at which table it is played."""
        return jsonify(rematches.news(path.table).to_json())

    @api.post(
        "/tables/<string:table>/rematch",
        security=PHONE_OR_TOKEN,
        responses=answers(
            "unknown-table",
            "not-your-seat",
            "game-not-over",
            "message-id-taken",
            *WITH_PHONE,
            *WITH_BODY,
            *STORING,
            ok=RematchStands,
        ),
    )
    @allows(PLAYERS)
    def ask(path: forms.TablePath, body: AskForRematch) -> Response:
        """Ask for a rematch, in the same seats; the owner opens it at once, the players once all have asked."""
        known = sender()
        seats = known.seats_at(path.table)
        if not seats and not known.is_owner:
            raise Problem("not-your-seat", "Only those who sit at this table play again.")
        return jsonify(rematches.ask(path.table, body.id, seats, known.is_owner).to_json())

    return api


def add_rematch_page(blueprint: Blueprint, tables: Tables, rematches: Rematches) -> None:
    """The part of a table's page that offers a rematch; nothing while the game goes on."""

    @blueprint.get("/tables/<table_id>/rematch")
    def rematch(table_id: str) -> Response:
        table, news, known = tables.to_look_at(table_id), rematches.news(table_id), sender()
        mine = known.seats_at(table_id)
        answer = make_response(
            render_template(
                "rematch.html",
                table_id=table_id,
                is_over=table.is_ended or table.state.winners is not None,
                news=news,
                may_ask=known.is_owner or any(player in news.missing for player in mine),
                is_owner=known.is_owner,
                mine=mine,
            )
        )
        answer.headers["Cache-Control"] = "no-store"
        return answer
