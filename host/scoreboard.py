"""What the scoreboard shows of a state: the figures in the middle, the seats around them, and the rest.

Made from the view that everybody may see, so that no page can show more than the API does. Each game may bring a
drawing of its own; a game without one is shown by the keys of its state.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from flask_babel import gettext as _

from host.boards import king_of_roulette, rig, val_des, victim, vigos_favor
from host.boards.board import Board, Figure, SeatView
from host.dice_words import die_told
from host.languages import listed, number, told, words
from host.records import JsonObject
from host.snapshot import Snapshot

MOST_LINES = 200
"""Lines of the log on the page; the API has them all. About 40 kB."""


def board_of(snapshot: Snapshot) -> Board:
    """The scoreboard of a table as everybody may see it."""
    state = snapshot.view(None)
    return replace(_DRAWINGS.get(state["game"], plain_board)(state), result=result(snapshot))


RESULTS = (
    "vigos-favor/won",
    "val-des/won",
    "val-des/won-pot",
    "victim/over",
    "king-of-roulette/leader",
    "king-of-roulette/all-equal",
    "king-of-roulette/candidate",
    "rig/won",
)
"""The sentences with which games say how they came out."""


def result(snapshot: Snapshot) -> str | None:
    """How a finished game came out: points, pots, tokens; None while it goes on."""
    if snapshot.state.winners is None:
        return None
    return told(*(event for event in snapshot.state.events if event.slug in RESULTS)) or None


def headline(snapshot: Snapshot) -> str:
    """What is waited for, or who has won, in a sentence or two."""
    winners = snapshot.state.winners
    if winners is None:
        return told(*snapshot.sentences)
    if not winners:
        return str(_("The game is over; nobody wins."))
    if len(winners) == 1:
        return str(_("%(player)s wins.", player=winners[0]))
    return str(_("%(players)s win.", players=listed(winners)))


def picture_in_words(reading: JsonObject) -> str:
    """A text for those who cannot see the picture of the tray."""
    dice = ", ".join(die_told(die["kind"], die["face"]) for die in reading["dice"]) or _("no dice read")
    parts = [_("The tray: %(dice)s.", dice=dice)]
    if reading["unread"]:
        reasons = ", ".join(words(thing["reason"]) for thing in reading["unread"])
        parts.append(_("Not read: %(reasons)s.", reasons=reasons))
    return " ".join(parts)


def status_words() -> Mapping[str, str]:
    """What became of a reading, by its status."""
    return {
        "applied": _("Counts"),
        "late": _("Too late, not counted"),
        "unmatched": _("Not counted"),
        "refused": _("Not counted"),
    }


_SHARED = {"game", "players", "options", "phase", "awaiting", "winners", "history"}
_SCORES = {"points": "points", "health": "health", "balances": "credits"}
"""Keys that hold a figure for each player, the most telling first."""


def plain_board(state: JsonObject) -> Board:
    """Any game: a figure for each player where there is one, everything else by its key."""
    over = state["winners"] is not None
    score = next((key for key in _SCORES if isinstance(state.get(key), dict)), None)
    awaited = _awaited(state)
    figures, details = [], []
    for key, value in state.items():
        if key in _SHARED or key == score:
            continue
        if key in ("pot", "round", "set", "turn") and value is not None:
            figures.append(Figure(_label(key), number(value)))
        elif value and not (isinstance(value, dict) and not any(value.values())):
            details.append(Figure(_label(key), _in_words(value)))
    seats = [
        SeatView(
            name=player,
            title=None,
            standing=awaited.get(player),
            look="next" if player in awaited else "in",
            awaited=player in awaited,
            winner=over and player in state["winners"],
            score=Figure(_SCORES[score], str(state[score].get(player, "–"))) if score else None,
        )
        for player in state["players"]
    ]
    return Board(_label(state["phase"]), tuple(figures), tuple(seats), details=tuple(details))


_DRAWINGS: Mapping[str, Callable[[JsonObject], Board]] = {
    "vigos-favor": vigos_favor.board,
    "val-des": val_des.board,
    "victim": victim.board,
    "king-of-roulette": king_of_roulette.board,
    "rig": rig.board,
}


def _awaited(state: JsonObject) -> dict[str, str]:
    return {entry["player"]: f"to {_label(entry['type']).lower()}" for entry in state["awaiting"]}


def _label(key: str) -> str:
    return key.replace("_", " ").replace("-", " ").capitalize()


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_in_words(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(_in_words(inner) for inner in value) or "none"
    if isinstance(value, bool) or value is None:
        return {None: "–", True: "yes", False: "no"}[value]
    return str(value)
