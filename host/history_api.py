"""The HTTP API for games that were played: history, replay, statistics and exports. Only translates HTTP."""

import json
from collections.abc import Iterator

from flask import Response, jsonify, stream_with_context
from flask_openapi3.blueprint import APIBlueprint

from host import forms, history_forms
from host.access import ANYONE, allows
from host.api import PREFIX
from host.documented import STORING, answers, content
from host.export import csv_text, game_json
from host.history import History
from host.statistics.summary import summary
from host.tables import Tables


def history_api(tables: Tables, history: History) -> APIBlueprint:
    """The addresses of history. Everybody may look: nothing is shown that is a secret still."""
    api = APIBlueprint("history_api", __name__, url_prefix=PREFIX)

    @api.get("/history", responses=answers(*STORING[:1], ok=history_forms.GameHistory))
    @allows(ANYONE)
    def list_history() -> Response:
        """Every game and what became of it, newest first."""
        return jsonify(games=[game.to_json() for game in history.games()])

    @api.get(
        "/tables/<string:table>/replay",
        responses=answers("unknown-table", "unknown-number", "wrong-form", *STORING[:1], ok=forms.TableView),
    )
    @allows(ANYONE)
    def replay(path: forms.TablePath, query: history_forms.At) -> Response:
        """A table as everybody saw it at a state number; without one, as it is now."""
        return Response(history.at(path.table, query.number).written(None), mimetype="application/json")

    @api.get("/statistics", responses=answers(*STORING[:1], ok=history_forms.Statistics))
    @allows(ANYONE)
    def statistics() -> Response:
        """Per player games, wins, credits and luck; per kind and body of dice a test of fairness."""
        return jsonify(summary(history.games()).to_json())

    @api.get("/export.json", responses=answers(*STORING[:1], ok=history_forms.ExportedGames))
    @allows(ANYONE)
    def export_all_json() -> Response:
        """Every game with its log."""

        def parts() -> Iterator[str]:
            yield '{"games":['
            for place, game in enumerate(history.games()):
                written = json.dumps(game_json(game, tables.to_look_at(game.seated.id)), ensure_ascii=False)
                yield f",\n{written}" if place else written
            yield "]}\n"

        return _file(parts(), "application/json", "croupier.json")

    @api.get("/export.csv", responses=answers(*STORING[:1], ok=content("text/csv", "A row for each line of a log")))
    @allows(ANYONE)
    def export_all_csv() -> Response:
        """Every game's log."""
        games = (tables.to_look_at(game.seated.id) for game in history.games())
        return _file(csv_text(games), "text/csv", "croupier.csv")

    @api.get(
        "/tables/<string:table>/export.json",
        responses=answers("unknown-table", *STORING[:1], ok=history_forms.ExportedGame),
    )
    @allows(ANYONE)
    def export_json(path: forms.TablePath) -> Response:
        """A game with its log."""
        written = json.dumps(game_json(history.game(path.table), tables.to_look_at(path.table)), ensure_ascii=False)
        return _file(iter([written + "\n"]), "application/json", f"croupier-{path.table}.json")

    @api.get(
        "/tables/<string:table>/export.csv",
        responses=answers("unknown-table", *STORING[:1], ok=content("text/csv", "A row for each line of the log")),
    )
    @allows(ANYONE)
    def export_csv(path: forms.TablePath) -> Response:
        """A game's log."""
        return _file(csv_text([tables.to_look_at(path.table)]), "text/csv", f"croupier-{path.table}.csv")

    return api


def _file(parts: Iterator[str], mimetype: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(stream_with_context(parts), mimetype=mimetype, headers=headers)
