"""An evening's games, decided beforehand: who plays what, and every throw, decision and undo in order."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from host.expect import mode_of
from host.games.protocol import Game, JsonObject
from host.games.registry import GAMES, games
from host.games.sentence import Refused
from host.rolls import Unmatched, match_rolls
from tests.games.lawful import lawful_action, random_options
from vision.dice import Die

PHONES = ("Ana", "Bo", "Chen", "Dora", "Emil", "Fay", "Gus", "Hana", "Ivo", "Jun")

BY_HAND = 0.2
"""The part of the throws that people enter on a phone, though the camera could have read them."""

UNDONE = 0.05
"""The part of the actions that the owner takes back, after which they are done once more."""


@dataclass(frozen=True)
class Step:
    """One thing that happens at a table. ``throw``: dice fall into the tray, and the device reads them."""

    kind: Literal["act", "throw", "undo"]
    action: JsonObject
    is_guarded: bool


@dataclass(frozen=True)
class Sitting:
    """A game of the evening."""

    game: str
    players: tuple[str, ...]
    options: JsonObject
    steps: tuple[Step, ...]

    @property
    def ends(self) -> Any:
        """The state that the rules come to."""
        game = GAMES.game(self.game)
        state = game.open(self.players, self.options)
        for step, following in zip(self.steps, (*self.steps[1:], None), strict=True):
            if step.kind != "undo" and (following is None or following.kind != "undo"):
                state = game.apply(state, step.action)
        return state


def evening(seed: int, most_actions: int) -> tuple[Sitting, ...]:
    """One sitting of every game, of at most so many actions each; those who do not play look on."""
    chance = Random(seed)
    return tuple(_sitting(game, chance, most_actions) for game in games())


def _sitting(game: Game[Any], chance: Random, most_actions: int) -> Sitting:
    seats = chance.randint(game.fewest_players, min(len(PHONES), game.most_players))
    players = tuple(chance.sample(PHONES, seats))
    options = random_options(game, players, chance)
    state, steps = game.open(players, options), list[Step]()
    for _ in range(most_actions):
        if state.phase == "over":
            break
        step = _step(game, state, lawful_action(game, state, chance), chance)
        steps.append(step)
        if chance.random() < UNDONE:
            steps += [Step("undo", {}, step.is_guarded), step]
        state = game.apply(state, step.action)
    return Sitting(game.id, players, options, tuple(steps))


def _step(game: Game[Any], state: Any, action: JsonObject, chance: Random) -> Step:
    mode = mode_of(game, state)
    if mode == "open" and "dice" in action and chance.random() >= BY_HAND:
        for read in _as_read(game, state, action):
            return Step("throw", read, is_guarded=False)
    return Step("act", action, mode == "guarded")


def _as_read(game: Game[Any], state: Any, action: JsonObject) -> Iterator[JsonObject]:
    """The roll as it comes about when the device reads these dice, if it comes about by itself."""
    dice = [Die(die["kind"], die["face"], die.get("body")) for die in action["dice"]]
    try:
        match = match_rolls(game, state, dice, ())
    except (Unmatched, Refused):
        return
    if [roll["player"] for roll in match.actions] == [action["player"]] and not match.aside:
        yield match.actions[0]
