"""Random lawful play for any game, driven from what the game awaits.

``lawful_action`` fills in by itself the dice of a roll and the answer where the choices are closed. What else an
action holds (an amount, tokens, a target) comes from a game's own hooks, in ``tests/games/hooks_<game id>.py`` with
``_`` for ``-``. All of them are optional there:

``free_fields(view, entry, rng) -> dict``
    The action's fields besides type, player, dice and the closed choice (or in place of it), lawful at this moment.
    ``view`` is the state as ``entry.player`` sees it, ``entry`` the ``Awaited`` to answer, ``rng`` the only chance.
``options(players, rng) -> dict``
    Options for a short game (so that random play ends within some hundred actions).
``SECRET_TYPES = frozenset({"vote", …})``
    Types of action whose content others must not see at once.
``secret_holds(view, player) -> bool``
    Whether, in the public view after such an action by ``player``, its content is still secret.
"""

import importlib
import importlib.util
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import Any

from host.games.protocol import Awaited, DiceGroup, Game, JsonObject
from vision.dice import CHANCE_CUBE, KINDS

ANY_BODY = ("white", "blue", "green")


@dataclass(frozen=True)
class Played:
    """A game that random play has brought about: how it was opened, what was done, and every state on the way."""

    game: Game[Any]
    players: tuple[str, ...]
    options: JsonObject
    actions: tuple[JsonObject, ...]
    states: tuple[Any, ...]

    @property
    def is_over(self) -> bool:
        """Whether it was played to its end."""
        return bool(self.states[-1].phase == "over")


def hooks(game_id: str) -> ModuleType | None:
    """A game's own hooks, if it has any."""
    name = f"tests.games.hooks_{game_id.replace('-', '_')}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def random_players(game: Game[Any], rng: Random, most: int = 6) -> tuple[str, ...]:
    """Names for a random lawful number of players."""
    names = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Joe", "Kit", "Lea")
    return names[: rng.randint(game.fewest_players, max(game.fewest_players, min(most, game.most_players)))]


def random_options(game: Game[Any], players: tuple[str, ...], rng: Random) -> JsonObject:
    """Options for a short game; none where the game's hooks do not say."""
    sample = getattr(hooks(game.id), "options", None)
    return dict(sample(players, rng)) if sample else {}


def random_dice(groups: tuple[DiceGroup, ...], rng: Random) -> list[JsonObject]:
    """Dice that a roll may hold, in any order; a body is named, null or left out."""
    dice: list[JsonObject] = []
    for group in groups:
        kind = KINDS[group.kind]
        for _ in range(group.count):
            face = rng.choice(kind.faces_of_body.get(group.body or "", kind.faces))
            die: JsonObject = {"kind": group.kind, "face": face}
            body: str | None = group.body or (
                face if group.kind == CHANCE_CUBE else rng.choice(kind.bodies or ANY_BODY)
            )
            if group.body is None and not kind.has_face(face, body):
                body = None
            dice.append(rng.choice((die, {**die, "body": None}, {**die, "body": body}, {**die, "body": body})))
    rng.shuffle(dice)
    return dice


def answer(game: Game[Any], state: Any, entry: Awaited, rng: Random) -> JsonObject:
    """A lawful action that answers this entry of what is awaited."""
    action: JsonObject = {"type": entry.type, "player": entry.player}
    if entry.dice:
        action["dice"] = random_dice(entry.dice, rng)
    if entry.choice_field is not None and entry.choices is not None:
        action[entry.choice_field] = rng.choice(entry.choices)
    free = getattr(hooks(game.id), "free_fields", None)
    if free:
        action.update(free(game.view(state, entry.player), entry, rng))
    return action


def lawful_action(game: Game[Any], state: Any, rng: Random) -> JsonObject:
    """A lawful action for a game that is not over."""
    return answer(game, state, rng.choice(game.awaiting(state)), rng)


def play(game: Game[Any], rng: Random, most_actions: int = 400) -> Played:
    """Play a random game, to its end or for ``most_actions``."""
    players = random_players(game, rng)
    options = random_options(game, players, rng)
    states = [game.open(players, options)]
    actions: list[JsonObject] = []
    while states[-1].phase != "over" and len(actions) < most_actions:
        actions.append(lawful_action(game, states[-1], rng))
        states.append(game.apply(states[-1], actions[-1]))
    return Played(game, players, options, tuple(actions), tuple(states))
