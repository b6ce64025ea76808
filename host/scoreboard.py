"""What the scoreboard shows of a state: the figures in the middle, the seats around them, and the rest.

Made from the view that everybody may see, so that no page can show more than the API does. Each game may bring a
drawing of its own; a game without one is shown by the keys of its state.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from host.records import JsonObject
from host.rolls import die_in_words
from host.table import Snapshot

MOST_LINES = 200
"""Lines of the log on the page; the API has them all. About 40 kB."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number or a word with its label. ``face``: the chance cube to draw beside it."""

    label: str
    value: str
    face: str | None = None


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat. ``standing`` is a word for the state of its player, ``look`` how it is drawn (in, out, next)."""

    name: str
    title: str | None
    standing: str | None
    look: str
    awaited: bool
    winner: bool
    score: Figure | None


@dataclass(frozen=True, slots=True)
class Board:
    """Everything on a scoreboard but the log and the last throw."""

    subtitle: str
    figures: tuple[Figure, ...]
    seats: tuple[SeatView, ...]
    note: str | None = None
    details: tuple[Figure, ...] = ()


def signed(amount: int) -> str:
    """A balance.

    >>> signed(3), signed(-2), signed(0), signed(12_000)
    ('+3', '−2', '0', '+12,000')
    """
    return f"{amount:+,}".replace("-", "−") if amount else "0"


def board_of(snapshot: Snapshot) -> Board:
    """The scoreboard of a table as everybody may see it."""
    state = snapshot.view(None)
    return _DRAWINGS.get(state["game"], plain_board)(state)


def headline(snapshot: Snapshot) -> str:
    """What is waited for, or who has won, in a sentence or two."""
    winners = snapshot.state.winners
    if winners is None:
        return " ".join(snapshot.prompt)
    if not winners:
        return "The game is over; nobody wins."
    verb = "wins" if len(winners) == 1 else "win"
    return f"{_listed(winners)} {verb}."


def picture_in_words(reading: JsonObject) -> str:
    """A text for those who cannot see the picture of the tray."""
    dice = [die_in_words(die["kind"], die["face"]) for die in reading["dice"]]
    parts = [f"The tray: {', '.join(dice) if dice else 'no dice read'}."]
    if reading["unread"]:
        parts.append(f"Not read: {', '.join(thing['reason'] for thing in reading['unread'])}.")
    return " ".join(parts)


STATUS_WORDS = {
    "applied": "Counts",
    "late": "Too late, not counted",
    "unmatched": "Not counted",
    "refused": "Not counted",
}


def vigos_favor_board(state: JsonObject) -> Board:
    """Vigo's Favor: pot, stake and favor in the middle; who is in, who is out, who has yet to roll."""
    over = state["winners"] is not None
    favor = state["favor"]
    figures = (
        Figure("Pot", f"{state['pot']:,}"),
        Figure("Stake", "–" if state["stake"] is None else f"{state['stake']:,}"),
        Figure("Favor", favor or "not rolled", favor),
    )
    awaited = _awaited(state)
    seats = []
    for player in state["players"]:
        standing, look = _vigos_standing(state, player)
        seats.append(
            SeatView(
                name=player,
                title="Vigo" if player == state["vigo"] else None,
                standing=None if over else standing,
                look="in" if over else look,
                awaited=player in awaited,
                winner=over and player in state["winners"],
                score=Figure("credits", signed(state["balances"][player])),
            )
        )
    return Board(
        subtitle=f"Round {state['round']} of {state['options']['rounds']}",
        figures=figures,
        seats=tuple(seats),
        note=_vigos_last_round(state["last_round"]),
    )


def _vigos_standing(state: JsonObject, player: str) -> tuple[str | None, str]:
    if player == state["vigo"]:
        return None, "in"
    if state["favor"] is None:
        return "waits", "next"
    if player not in state["in_favor"]:
        return "out", "out"
    if state["phase"] in ("raise", "challenge-favor", "challenge-roll"):
        return "challenges", "in"
    if state["phase"] == "mercy" and player == state["awaiting"][0]["player"]:
        return "missed", "next"
    if player in state["to_roll"]:
        return "to roll", "next"
    if player in state["splitting"]:
        return "would split", "in"
    return "in favor", "in"


_OUTCOMES = {
    "vigo": "nobody matched",
    "claim": "claimed",
    "split": "split",
    "challenge-won": "challenge won",
    "challenge-lost": "challenge lost",
}


def _vigos_last_round(last: JsonObject | None) -> str | None:
    if last is None:
        return None
    paid = ", ".join(f"{player} takes {credits:,}" for player, credits in last["paid"].items())
    return f"Round {last['round']}: {_OUTCOMES[last['outcome']]}; {paid}."


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
            figures.append(Figure(_label(key), f"{value:,}"))
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


_DRAWINGS: Mapping[str, Callable[[JsonObject], Board]] = {"vigos-favor": vigos_favor_board}


def _awaited(state: JsonObject) -> dict[str, str]:
    return {entry["player"]: f"to {_label(entry['type']).lower()}" for entry in state["awaiting"]}


def _label(key: str) -> str:
    return key.replace("_", " ").replace("-", " ").capitalize()


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_in_words(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(_in_words(inner) for inner in value) or "none"
    if isinstance(value, bool) or value is None:
        return {None: "–", True: "yes", False: "no"}[value]
    return str(value)
