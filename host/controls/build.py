"""The controls of a seat: one for everything that is awaited of its player, in any game."""

from collections.abc import Callable, Mapping
from typing import Any

from host.controls import king_of_roulette, rig, val_des, victim, vigos_favor
from host.controls.control import Answer, Button, Control, Fact, Pick
from host.controls.rolls import roll_control
from host.controls.words import english_or, say
from host.games.protocol import Awaited, Game, JsonObject, State
from host.games.sentence import Sentence

MakeControl = Callable[[JsonObject, Awaited], Control | None]

_OF_GAMES: Mapping[str, MakeControl] = {
    "vigos-favor": vigos_favor.control,
    "val-des": val_des.control,
    "victim": victim.control,
    "king-of-roulette": king_of_roulette.control,
    "rig": rig.control,
}

_SECRETS: Mapping[str, Callable[[JsonObject, str], tuple[Fact, ...]]] = {
    "victim": victim.secret,
    "king-of-roulette": king_of_roulette.secret,
}

_LATER = ("buy-double",)
"""Types of action that are only offered on the side: their controls come last."""


def controls_for(game: Game[Any], state: State, player: str) -> tuple[Control, ...]:
    """What ``player`` can do now, what they are awaited for first; () where they wait for others."""
    view = game.view(state, player)
    made = (control_for(view, entry) for entry in game.awaiting(state) if entry.player == player)
    return tuple(sorted((control for control in made if control), key=lambda control: control.type in _LATER))


def control_for(view: JsonObject, entry: Awaited) -> Control | None:
    """The control for one entry of what is awaited; None for a form that only its own game could know."""
    if entry.dice:
        return roll_control(view, entry)
    make = _OF_GAMES.get(view["game"])
    made = make(view, entry) if make else None
    return made or _plain_control(entry)


def _plain_control(entry: Awaited) -> Control | None:
    """For a game that has no controls of its own: a closed choice, or nothing but a button."""
    if entry.choice_field is not None and entry.choices is not None:
        answers = tuple(Answer(choice, english_or(str(choice), str(choice))) for choice in entry.choices)
        pick = Pick((entry.choice_field,), say("choose"), answers)
        return Control(entry.type, entry.player, _title(entry), (Button(say("send")),), parts=(pick,))
    if entry.fields:
        return None
    return Control(entry.type, entry.player, _title(entry), (Button(say("send")),))


def _title(entry: Awaited) -> Sentence:
    return english_or(entry.type, entry.type.replace("-", " ").capitalize())


def secret_of(game: Game[Any], state: State, player: str) -> tuple[Fact, ...]:
    """What ``player`` has chosen and nobody else may see yet; () where there is nothing."""
    tell = _SECRETS.get(game.id)
    return tell(game.view(state, player), player) if tell and state.winners is None else ()
