"""The HTTP API for players and pages: games, tables, actions and the stream of changes. Only translates HTTP."""

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any, cast

from flask import Response, current_app, jsonify
from flask_openapi3.blueprint import APIBlueprint
from flask_openapi3.openapi import OpenAPI

from host import forms
from host.access import ANYONE, OWNER, PLAYERS, allows, sender, viewer
from host.changes import Changes, Dropped
from host.documented import STORING, WITH_BODY, WITH_PHONE, answers, content
from host.games.registry import Registry
from host.problems import Problem
from host.records import Holder
from host.store import Store
from host.table import Snapshot
from host.tables import Outcome, Tables

PREFIX = "/api/v1"
TOKEN: list[dict[str, list[Any]]] = [{"token": []}]
PHONE_OR_TOKEN: list[dict[str, list[Any]]] = [{"phone": []}, {"token": []}]

HEARTBEAT_S = 15
"""Shorter than the 30 s after which phones' networks and proxies forget a silent connection."""

RECONNECT_MS = 1_000


def players_api(tables: Tables, games: Registry, changes: Changes, store: Store) -> APIBlueprint:
    """Every address but the device's."""
    api = APIBlueprint("api", __name__, url_prefix=PREFIX)

    @api.get("/health", responses=answers(ok=forms.Health))
    @allows(ANYONE)
    def health() -> Response:
        """Whether the host is up."""
        return jsonify(status="ok", version=version("croupier"), schema=store.schema_version)

    @api.get("/openapi.json", responses=answers(ok=content("application/json", "This document")))
    @allows(ANYONE)
    def openapi_document() -> Response:
        """This document."""
        return jsonify(cast(OpenAPI, current_app).api_doc)

    @api.get("/games", responses=answers(ok=forms.Games))
    @allows(ANYONE)
    def list_games() -> Response:
        """The games that can be played."""
        return jsonify(
            games=[
                {
                    "id": game.id,
                    "name": game.name,
                    "credit": game.credit,
                    "summary": game.summary.english(),
                    "kinds": list(game.kinds),
                    "fewest_players": game.fewest_players,
                    "most_players": game.most_players,
                    "options": [{"name": option.name, "title": option.title} for option in game.options],
                }
                for game in games.games()
            ]
        )

    @api.post(
        "/tables",
        security=PHONE_OR_TOKEN,
        responses=answers(
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
    def open_table(body: forms.OpenTable) -> tuple[Response, int]:
        """Open a table. The same message again is answered with the same table and seats, and status 200."""
        table, created = tables.open(body.id, body.game, body.players, body.options)
        opened = jsonify(
            table=table.seated.id,
            seats=[{"player": player, "token": token} for player, token in tables.seats(table.seated)],
            number=0,
            state=table.game.view(table.state_at(0)),
        )
        return opened, 201 if created else 200

    @api.get("/tables", responses=answers(*STORING[:1], ok=forms.TableList))
    @allows(ANYONE)
    def list_tables() -> Response:
        """The tables, newest first."""
        return jsonify(
            tables=[
                {"table": s.id, "game": s.game, "players": list(s.players), "opened_at": s.opened_at}
                for s in tables.seated()
            ]
        )

    @api.get(
        "/tables/<string:table>",
        responses=answers(
            "unknown-table", "unknown-token", "not-your-seat", "wrong-form", *STORING[:1], ok=forms.TableView
        ),
    )
    @allows(ANYONE)
    def show_table(path: forms.TablePath, query: forms.Viewpoint) -> Response:
        """A table as everybody may see it; with a seat's token, or ``as`` a seat of the phone, as that player may."""
        snapshot = tables.table(path.table).snapshot()
        return Response(snapshot.written(viewer(path.table, query.player)), mimetype="application/json")

    @api.post(
        "/tables/<string:table>/actions",
        security=PHONE_OR_TOKEN,
        responses=answers(
            "unknown-table",
            "not-your-seat",
            "stale-number",
            "message-id-taken",
            "refused",
            *WITH_PHONE,
            *WITH_BODY,
            *STORING,
            ok=forms.ActionTaken,
        ),
    )
    @allows(PLAYERS)
    def act(path: forms.TablePath, body: forms.PlayerAction) -> Response:
        """A player's action. A refusal by the rules (422) has the referee's own slug."""
        acting = sender().acting_for(path.table, body.action.get("player"))
        return taken(tables.act(path.table, body.id, body.number, body.action, acting))

    @api.post(
        "/tables/<string:table>/undo",
        security=PHONE_OR_TOKEN,
        responses=answers(
            "unknown-table",
            "stale-number",
            "message-id-taken",
            "nothing-to-undo",
            *WITH_PHONE,
            *WITH_BODY,
            *STORING,
            ok=forms.ActionTaken,
        ),
    )
    @allows(OWNER)
    def undo(path: forms.TablePath, body: forms.TakeBack) -> Response:
        """Take back the last action that stands, by an entry of its own in the log."""
        return taken(tables.undo(path.table, body.id, body.number, Holder("owner")))

    def taken(outcome: Outcome) -> Response:
        return jsonify(number=outcome.number, state=outcome.state, expect=tables.expectation().id)

    @api.get(
        "/tables/<string:table>/events",
        responses=answers(
            "unknown-table",
            "unknown-token",
            "not-your-seat",
            "wrong-form",
            *STORING[:1],
            ok=content("text/event-stream", "A snapshot, then one event per change; data as in the table's JSON"),
        ),
    )
    @allows(ANYONE)
    def follow_table(path: forms.TablePath, query: forms.Viewpoint) -> Response:
        """The table as server-sent events. A client that is too slow is let go, and starts again from a snapshot."""
        tables.table(path.table)
        events = stream(tables, changes, path.table, viewer(path.table, query.player))
        return Response(events, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})

    @api.get(
        "/tables/<string:table>/readings/<string:reading>.jpg",
        responses=answers("unknown-picture", *STORING[:1], ok=content("image/jpeg", "The tray at that reading")),
    )
    @allows(ANYONE)
    def show_picture(path: forms.PicturePath) -> Response:
        """The picture of the tray that came with a reading; the newest 500 are kept."""
        jpeg = store.picture(path.table, path.reading)
        if jpeg is None:
            raise Problem("unknown-picture", "That reading came without a picture, or it is no longer kept.")
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "public, max-age=31536000, immutable"})

    return api


def stream(tables: Tables, changes: Changes, table_id: str, player: str | None) -> Iterator[str]:
    """Server-sent events of one table, for as long as the client listens and keeps up."""
    with changes.listening(table_id) as listener:
        yield f"retry: {RECONNECT_MS}\n{_event(tables.table(table_id).snapshot(), player)}"
        while True:
            try:
                snapshot = listener.wait(HEARTBEAT_S)
            except Dropped:
                return
            yield ": still here\n\n" if snapshot is None else _event(snapshot, player)


def _event(snapshot: Snapshot, player: str | None) -> str:
    return f"id: {snapshot.number}\nevent: table\ndata: {snapshot.written(player)}\n\n"
