"""The pages of games that were played: the list, a game step by step, players and dice with their plots."""

from flask import Blueprint, Response, render_template, request
from flask_babel import gettext as _

from host.access import sender
from host.dice_words import die_told
from host.history import GameRecord, History
from host.languages import language, words
from host.pages import drawn_board
from host.problems import Problem
from host.rematch import Rematches
from host.rematch_api import add_rematch_page
from host.statistics.chi_squared import SURE
from host.statistics.luck import FEWEST_DICE
from host.statistics.plots import fairness_plot, luck_plot
from host.statistics.summary import summary
from host.statistics.words import dice_name, luck_in_words, measure_name, verdict
from host.tables import Tables

GAMES_ON_A_PAGE = 50

MOST_IN_THE_PLOT = 12
"""Players side by side in a plot of a phone's width."""


def history_pages(tables: Tables, history: History, rematches: Rematches) -> Blueprint:
    """Every page of history; all of them work without a script."""
    blueprint = Blueprint("history", "host", template_folder="templates")

    @blueprint.get("/history")
    def games() -> str:
        """Every game, newest first."""
        page = max(1, request.args.get("page", 1, int))
        records = history.games()
        shown = records[(page - 1) * GAMES_ON_A_PAGE : page * GAMES_ON_A_PAGE]
        return render_template(
            "history.html",
            games=[(record, tables.to_look_at(record.seated.id).game, outcome(record)) for record in shown],
            page=page,
            has_more=len(records) > page * GAMES_ON_A_PAGE,
            is_owner=sender().is_owner,
        )

    @blueprint.get("/history/<table_id>")
    @blueprint.get("/history/<table_id>/<int:number>")
    def replay(table_id: str, number: int = 0) -> str:
        """A game as everybody saw it at a state number; links lead to the one before and the one after."""
        last = tables.to_look_at(table_id).number
        snapshot = history.at(table_id, number)
        return render_template(
            "history_replay.html",
            table=snapshot,
            game=snapshot.game,
            board=drawn_board(snapshot, language()),
            number=number,
            last=last,
            line=snapshot.lines[-1] if snapshot.lines else None,
        )

    @blueprint.get("/history/statistics")
    def statistics() -> str:
        """Players and dice."""
        found = summary(history.games())
        return render_template(
            "history_statistics.html",
            players=found.players,
            dice=found.dice,
            luck_in_words=luck_in_words,
            measure_name=measure_name,
            dice_name=dice_name,
            verdict=verdict,
            words=words,
            die_told=die_told,
            sure=round(100 * SURE),
            has_luck=any(player.lucky_dice >= FEWEST_DICE for player in found.players),
        )

    @blueprint.get("/history/luck.svg")
    def luck() -> Response:
        """How far the players' dice were from even: those who have thrown most."""
        players = [player for player in summary(history.games()).players if player.lucky_dice >= FEWEST_DICE]
        players.sort(key=lambda player: -player.lucky_dice)
        return _picture(luck_plot(players[:MOST_IN_THE_PLOT]))

    @blueprint.get("/history/dice/<dice_id>.svg")
    def fairness(dice_id: str) -> Response:
        """How often the dice of one kind and body have shown each face."""
        for test in summary(history.games()).dice:
            if test.id == dice_id:
                return _picture(fairness_plot(test))
        raise Problem("not-found", _("No such dice were rolled."))

    add_rematch_page(blueprint, tables, rematches)
    return blueprint


def outcome(record: GameRecord) -> str:
    """How a game came out, in a few words."""
    if record.standing == "running":
        return str(_("not over yet"))
    if record.standing == "stopped":
        return str(_("stopped by the owner"))
    if not record.winners:
        return str(_("nobody won"))
    return str(_("won by %(names)s", names=", ".join(record.winners)))


def _picture(svg: bytes) -> Response:
    return Response(svg, mimetype="image/svg+xml", headers={"Cache-Control": "no-store"})
