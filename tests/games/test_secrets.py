"""No view, event, prompt or refusal changes with another player's secret before it is opened."""

from random import Random
from typing import Any

import pytest

from host.games.protocol import Game
from host.games.registry import games
from host.games.sentence import Refused
from tests.games.lawful import answer, hooks, play
from tests.games.seeds import seeds
from tests.games.sixth_game import sixth_game

SECRETS_PER_GAME = 6


def refusal(game: Game[Any], state: Any, action: Any) -> str:
    """What the game answers to an action that it may refuse."""
    try:
        game.apply(state, action)
    except Refused as refused:
        return str(refused)
    return "carried out"


@pytest.mark.parametrize(
    "game", [g for g in (*games(), sixth_game()) if hasattr(hooks(g.id), "SECRET_TYPES")], ids=lambda g: g.id
)
@seeds(25)
def test_a_secret_shows_nowhere_until_it_is_opened(game: Game[Any], seed: int) -> None:
    """Two games that differ in one secret alone look, sound and answer the same to everybody else."""
    own: Any = hooks(game.id)
    rng = Random(seed)
    chances = [
        (state, entry)
        for state in play(game, rng, 150).states
        for entry in game.awaiting(state)
        if entry.type in own.SECRET_TYPES
    ]
    for before, entry in rng.sample(chances, min(len(chances), SECRETS_PER_GAME)):
        one, other = (answer(game, before, entry, rng) for _ in range(2))
        if one != other:
            pair = game.apply(before, one), game.apply(before, other)
            if own.secret_holds(game.view(pair[0]), entry.player):
                assert game.view(pair[0], entry.player) != game.view(pair[1], entry.player)
            stay_alike(game, pair, entry.player, rng)


def stay_alike(game: Game[Any], pair: tuple[Any, Any], keeper: str, rng: Random) -> None:
    """Let the others act in both games for as long as the secret of ``keeper`` holds."""
    own: Any = hooks(game.id)
    others = [None, *(player for player in pair[0].players if player != keeper)]
    for _ in range(12):
        holds = [own.secret_holds(game.view(state), keeper) for state in pair]
        if not any(holds):
            return
        assert all(holds), "the moment at which a secret is opened depends on it"
        for seat in others:
            assert game.view(pair[0], seat) == game.view(pair[1], seat)
        assert pair[0].events == pair[1].events
        assert game.prompt(pair[0]) == game.prompt(pair[1])
        turns = [entry for entry in game.awaiting(pair[0]) if entry.player != keeper]
        if not turns:
            return
        entry = rng.choice(turns)
        action = answer(game, pair[0], entry, rng)
        for wrong in ({**action, "surplus": True}, {**action, "player": keeper}, {"type": entry.type}):
            assert refusal(game, pair[0], wrong) == refusal(game, pair[1], wrong)
        pair = game.apply(pair[0], action), game.apply(pair[1], action)
