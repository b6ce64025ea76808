"""The HTTP API for players and pages: games, tables, actions and the stream of changes. Only translates HTTP."""

import json
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any, cast

from flask import Response, current_app, jsonify
from flask_openapi3.blueprint import APIBlueprint
from flask_openapi3.openapi import OpenAPI

from host import forms
from host.access import ANYONE, OWNER, PLAYERS, allows, sender, viewer
from host.changes import Changes, Dropped, News
from host.crowd import Crowd, Place
from host.device_watch import DeviceNews
from host.documented import STORING, WITH_BODY, WITH_PHONE, answers, content
from host.games.registry import Registry
from host.problems import Problem
from host.records import Holder
from host.rematch import Rematches, RematchNews
from host.seats import SeatPlan, Seats
from host.snapshot import Snapshot
from host.store import Store
from host.table import Table
from host.tables import Outcome, Tables

PREFIX = "/api/v1"
TOKEN: list[dict[str, list[Any]]] = [{"token": []}]
PHONE_OR_TOKEN: list[dict[str, list[Any]]] = [{"phone": []}, {"token": []}]

HEARTBEAT_S = 15
"""Shorter than the 30 s after which phones' networks and proxies forget a silent connection."""

RECONNECT_MS = 1_000


def players_api(
    tables: Tables,
    seats: Seats,
    games: Registry,
    changes: Changes,
    store: Store,
    crowd: Crowd,
    rematches: Rematches,
) -> APIBlueprint:
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
        return opened_table(tables, table), 201 if created else 200

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
            "game-ended",
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

    @api.post(
        "/tables/<string:table>/end",
        security=PHONE_OR_TOKEN,
        responses=answers(
            "unknown-table",
            "stale-number",
            "game-ended",
            "message-id-taken",
            *WITH_PHONE,
            *WITH_BODY,
            *STORING,
            ok=forms.ActionTaken,
        ),
    )
    @allows(OWNER)
    def end(path: forms.TablePath, body: forms.TakeBack) -> Response:
        """End the game before anybody has won, by an entry of its own in the log; an undo takes it back."""
        return taken(tables.end(path.table, body.id, body.number, Holder("owner")))

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
        """The table as server-sent events; "seats" says who sits where, and is all that a lobby sends.

        A stream of a seat's own view ends when the phone loses the seat. A client that is too slow is let go, and
        starts again from a snapshot.
        """
        seats.plan(path.table)
        player, phone = viewer(path.table, query.player), sender().phone

        def may_see() -> bool:
            return player is None or phone is None or seats.is_held(path.table, player, phone)

        place = crowd.place(is_seat=sender().is_owner or bool(sender().seats_at(path.table)))
        events = stream(tables, seats, changes, path.table, player, may_see, place, rematches)
        answer = Response(events, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
        answer.call_on_close(place.leave)
        return answer

    @api.get(
        "/tables/<string:table>/readings/<string:reading>.jpg",
        responses=answers("unknown-picture", *STORING[:1], ok=content("image/jpeg", "The tray at that reading")),
    )
    @allows(ANYONE)
    def show_picture(path: forms.PicturePath) -> Response:
        """The picture of the tray that came with a reading; the newest 500 are kept."""
        jpeg = tables.readings.picture(path.table, path.reading)
        if jpeg is None:
            raise Problem("unknown-picture", "That reading came without a picture, or it is no longer kept.")
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "public, max-age=31536000, immutable"})

    return api


def opened_table(tables: Tables, table: Table) -> Response:
    """What opening a table is answered."""
    return jsonify(
        table=table.seated.id,
        seats=[{"player": player, "token": token} for player, token in tables.seats(table.seated)],
        number=0,
        state=table.game.view(table.state_at(0)),
    )


def stream(
    tables: Tables,
    seats: Seats,
    changes: Changes,
    table_id: str,
    player: str | None,
    may_see: Callable[[], bool],
    place: Place,
    rematches: Rematches,
) -> Iterator[str]:
    """Server-sent events of one table, for as long as the client listens and keeps up, and ``may_see`` it."""
    with changes.listening(table_id) as listener:
        place.when_evicted(listener.drop)
        is_started = tables.seated_at(table_id) is not None
        first = tables.table(table_id).snapshot() if is_started else seats.plan(table_id)
        yield f"retry: {RECONNECT_MS}\n{_event(first, player)}"
        if is_started and (known := rematches.news(table_id)).next_id is not None:
            yield _event(known, player)
        while True:
            try:
                news = listener.wait(HEARTBEAT_S)
            except Dropped:
                return
            if not may_see():
                return
            yield ": still here\n\n" if news is None else _event(news, player)


def _event(news: News, player: str | None) -> str:
    if isinstance(news, Snapshot):
        return f"id: {news.number}\nevent: table\ndata: {news.written(player)}\n\n"
    if isinstance(news, SeatPlan):
        return f"event: seats\ndata: {json.dumps(news.to_json())}\n\n"
    if isinstance(news, RematchNews):
        return f"event: rematch\ndata: {json.dumps(news.to_json())}\n\n"
    if isinstance(news, DeviceNews):
        return f"event: device\ndata: {json.dumps(news.to_json())}\n\n"
    raise TypeError(f"no event for {type(news).__name__}")
