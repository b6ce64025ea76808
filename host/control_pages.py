"""The controls as the page shows them: those of a seat that this phone holds, and what its player chose in secret."""

from flask import Blueprint, Response, make_response, render_template, request

from host.access import sender, viewer
from host.controls.build import controls_for, secret_of
from host.controls.words import say
from host.snapshot import Snapshot
from host.tables import Tables


def add_control_pages(blueprint: Blueprint, tables: Tables) -> None:
    """The addresses from which the page keeps its controls fresh."""

    @blueprint.get("/tables/<table_id>/controls")
    def controls(table_id: str) -> Response:
        """The controls of the seat ``as``; who is looking is asked where the phone holds several."""
        return _not_kept(drawn_controls(tables.table(table_id).snapshot(), request.args.get("as")))

    @blueprint.get("/tables/<table_id>/secret")
    def secret(table_id: str) -> Response:
        """What the player ``as`` has chosen and nobody else may see yet, for as long as they hold the button."""
        snapshot = tables.table(table_id).snapshot()
        player = viewer(table_id, request.args.get("as", ""))
        facts = secret_of(snapshot.game, snapshot.state, player) if player else ()
        return _not_kept(render_template("controls/secret.html", facts=facts))


def drawn_controls(snapshot: Snapshot, looking: str | None) -> str:
    """The controls for the seats that the sender holds; ``looking`` is who holds the phone in their hand now."""
    held = sender().seats_at(snapshot.seated.id)
    seats = [player for player in snapshot.seated.players if player in held]
    player = looking if looking in seats else seats[0] if len(seats) == 1 else None
    awaited = {entry.player for entry in snapshot.game.awaiting(snapshot.state)}
    return render_template(
        "controls/controls.html",
        table=snapshot,
        moment=_moment(snapshot),
        say=say,
        seats=seats,
        awaited=awaited,
        player=player,
        controls=controls_for(snapshot.game, snapshot.state, player) if player else (),
        has_secret=bool(player and secret_of(snapshot.game, snapshot.state, player)),
        is_over=snapshot.is_ended or snapshot.state.winners is not None,
    )


def _moment(snapshot: Snapshot) -> str:
    """What tells two questions apart that are asked in the same words."""
    view = snapshot.view(None)
    counts = [str(view[key]) for key in ("round", "set", "turn") if isinstance(view.get(key), int)]
    return " ".join([view["phase"], *counts])


def _not_kept(page: str) -> Response:
    answer = make_response(page)
    answer.headers["Cache-Control"] = "no-store"
    return answer
