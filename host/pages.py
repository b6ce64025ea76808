"""The pages: the scoreboard of a table, drawn by the server and kept up to date by one small script."""

from functools import lru_cache

from flask import Blueprint, redirect, render_template
from werkzeug.wrappers import Response

from host.access import sender
from host.addresses import Addresses
from host.boards.words import word
from host.control_pages import add_control_pages, drawn_controls
from host.controls.words import say
from host.games.registry import Registry
from host.scoreboard import MOST_LINES, STATUS_WORDS, board_of, headline, picture_in_words
from host.seat_pages import add_seat_pages, seats_page
from host.seating import Seating
from host.table import Snapshot
from host.tables import Tables

BOARDS_KEPT = 8
"""Boards drawn once for all phones: the newest of a few tables."""


def pages(tables: Tables, games: Registry, seating: Seating, addresses: Addresses) -> Blueprint:
    """Every page."""
    blueprint = Blueprint("pages", "host", template_folder="templates", static_folder="static")

    @lru_cache(maxsize=BOARDS_KEPT)
    def drawn(snapshot: Snapshot, template: str) -> str:
        return render_template(
            template,
            table=snapshot,
            game=snapshot.game,
            board=board_of(snapshot),
            headline=headline(snapshot),
            winners=snapshot.state.winners,
            word=word,
            log=snapshot.log[: -MOST_LINES - 1 : -1],
            status_words=STATUS_WORDS,
            picture_in_words=picture_in_words(snapshot.reading) if snapshot.reading else None,
        )

    @blueprint.get("/")
    def newest() -> Response | str:
        """The newest table or lobby, or a page that waits for one."""
        opened = [(table.opened_at, table.id) for table in tables.seated()[:1]]
        opened += [(lobby.opened_at, lobby.id) for lobby in seating.lobbies.waiting()[:1]]
        if opened:
            return redirect(f"/tables/{max(opened)[1]}", 303)
        return render_template("waiting.html", may_claim=seating.claim.is_open, is_owner=sender().is_owner)

    @blueprint.get("/tables/<table_id>")
    def scoreboard(table_id: str) -> str:
        """A table's scoreboard, with what this phone may do there; before its game, who sits at it."""
        if tables.seated_at(table_id) is None:
            return seats_page(seating, addresses, table_id)
        snapshot = tables.table(table_id).snapshot()
        return render_template(
            "scoreboard.html",
            table=snapshot,
            game=snapshot.game,
            headline=headline(snapshot),
            board=drawn(snapshot, "board.html"),
            seats=sender().seats_at(table_id),
            controls=drawn_controls(snapshot, None),
            say=say,
            is_owner=sender().is_owner,
        )

    @blueprint.get("/tables/<table_id>/board")
    def board(table_id: str) -> str:
        """The parts of a scoreboard, to be put in the place of older ones."""
        return drawn(tables.table(table_id).snapshot(), "board.html")

    add_control_pages(blueprint, tables)
    add_seat_pages(blueprint, seating, games, addresses)
    return blueprint
