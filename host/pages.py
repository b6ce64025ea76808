"""The pages: the scoreboard of a table, drawn by the server and kept up to date by one small script."""

from functools import lru_cache

from flask import Blueprint, redirect, render_template
from werkzeug.wrappers import Response

from host.access import sender
from host.addresses import Addresses
from host.boards.words import word
from host.control_pages import add_control_pages, drawn_controls
from host.controls.words import say
from host.correct_pages import add_correct_pages, drawn_corrections
from host.dice_words import die_told
from host.games.registry import Registry
from host.home_screen import add_home_screen
from host.https_pages import add_https_pages
from host.languages import language
from host.scoreboard import MOST_LINES, board_of, headline, picture_in_words, status_words
from host.seat_pages import add_seat_pages, look_on_link, seats_page
from host.seating import Seating
from host.snapshot import Snapshot
from host.tables import Tables

BOARDS_KEPT = 16
"""Boards drawn once for all phones of a language: the newest of a few tables."""


def pages(tables: Tables, games: Registry, seating: Seating, addresses: Addresses) -> Blueprint:
    """Every page."""
    blueprint = Blueprint("pages", "host", template_folder="templates", static_folder="static")

    drawn = lru_cache(maxsize=BOARDS_KEPT)(drawn_board)

    def newest_id() -> str | None:
        opened = [(table.opened_at, table.id) for table in tables.seated()[:1]]
        opened += [(lobby.opened_at, lobby.id) for lobby in seating.lobbies.waiting()[:1]]
        return max(opened)[1] if opened else None

    @blueprint.get("/")
    def newest() -> Response | str:
        """The newest table or lobby, or a page that waits for one."""
        table_id = newest_id()
        if table_id is not None:
            return redirect(f"/tables/{table_id}", 303)
        return render_template("waiting.html", may_claim=seating.claim.is_open, is_owner=sender().is_owner)

    @blueprint.get("/tv")
    def tv() -> str:
        """The newest table for a screen that nobody holds: it moves on to the next one by itself."""
        table_id = newest_id()
        if table_id is None:
            return render_template("waiting.html", may_claim=seating.claim.is_open, is_owner=False)
        if tables.seated_at(table_id) is None:
            return seats_page(seating, addresses, table_id, is_tv=True)
        return shown_table(table_id, is_tv=True)

    @blueprint.get("/tv/newest")
    def tv_newest() -> Response:
        """What the TV view shows: the id of a table or a lobby, or "None"."""
        table_id = newest_id()
        return Response(str(table_id), mimetype="text/plain", headers={"Cache-Control": "no-store"})

    @blueprint.get("/tables/<table_id>")
    def scoreboard(table_id: str) -> str:
        """A table's scoreboard, with what this phone may do there; before its game, who sits at it."""
        if tables.seated_at(table_id) is None:
            return seats_page(seating, addresses, table_id)
        return shown_table(table_id)

    def shown_table(table_id: str, is_tv: bool = False) -> str:
        snapshot = tables.table(table_id).snapshot()
        return render_template(
            "scoreboard.html",
            table=snapshot,
            game=snapshot.game,
            headline=headline(snapshot),
            board=drawn(snapshot, language()),
            seats=() if is_tv else sender().seats_at(table_id),
            look_on=look_on_link(seating, addresses, table_id),
            is_tv=is_tv,
            newest=table_id,
            controls=drawn_controls(snapshot, None),
            corrections=drawn_corrections(snapshot, tables.now()),
            say=say,
            is_owner=sender().is_owner,
        )

    @blueprint.get("/tables/<table_id>/board")
    def board(table_id: str) -> str:
        """The parts of a scoreboard, to be put in the place of older ones."""
        return drawn(tables.table(table_id).snapshot(), language())

    add_control_pages(blueprint, tables)
    add_correct_pages(blueprint, tables)
    add_seat_pages(blueprint, seating, games, addresses)
    add_home_screen(blueprint)
    add_https_pages(blueprint, addresses)
    blueprint.add_app_template_global(die_told, "die_told")
    return blueprint


def drawn_board(snapshot: Snapshot, _language: str) -> str:
    """The board of a table at one moment, in the language of this request, which is that one."""
    return render_template(
        "board.html",
        table=snapshot,
        game=snapshot.game,
        board=board_of(snapshot),
        headline=headline(snapshot),
        winners=snapshot.state.winners,
        word=word,
        log=snapshot.lines[: -MOST_LINES - 1 : -1],
        status_words=status_words(),
        picture_in_words=picture_in_words(snapshot.reading) if snapshot.reading else None,
    )
