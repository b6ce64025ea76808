"""The pages: the scoreboard of a table, drawn by the server and kept up to date by one small script."""

from flask import Blueprint, Response, redirect, render_template
from werkzeug.wrappers import Response as AnyResponse

from host.games.registry import Registry
from host.tables import Tables


def pages(tables: Tables, games: Registry) -> Blueprint:
    """Every page."""
    blueprint = Blueprint("pages", "host", template_folder="templates", static_folder="static")

    @blueprint.get("/")
    def newest() -> AnyResponse | str:
        seated = tables.seated()
        return redirect(f"/tables/{seated[0].id}", 303) if seated else render_template("waiting.html")

    @blueprint.get("/tables/<table_id>")
    def scoreboard(table_id: str) -> str:
        snapshot = tables.table(table_id).snapshot()
        return render_template("scoreboard.html", table=snapshot)

    @blueprint.get("/tables/<table_id>/board")
    def board(table_id: str) -> Response:
        snapshot = tables.table(table_id).snapshot()
        return Response(render_template("board.html", table=snapshot))

    return blueprint
