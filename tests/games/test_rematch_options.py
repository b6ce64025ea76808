"""What a game carries on into a rematch."""

from random import Random

import pytest

from host.games.protocol import Game
from host.games.registry import GAMES, games
from tests.games.lawful import lawful_action, random_players


def last_state(game: Game, seed: int, **options):  # type: ignore[no-untyped-def, type-arg]
    """A game played at random to its end; its last state."""
    rng = Random(seed)
    state = game.open(random_players(game, rng, 4), options)
    while state.phase != "over":
        state = game.apply(state, lawful_action(game, state, rng))
    return state


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_a_rematch_can_be_opened_with_what_is_carried_on(game: Game) -> None:  # type: ignore[type-arg]
    state = last_state(game, 1)
    again = game.open(state.players, game.rematch_options(state))
    assert set(again.options) == set(state.options)


@pytest.mark.parametrize(("house", "next_seat"), [(False, 1), (True, 0)])
def test_the_title_passes_on_unless_it_stays(house: bool, next_seat: int) -> None:
    game = GAMES.game("vigos-favor")
    state = last_state(game, 2, rounds=3, house_vigo=house)
    seat = state.players.index(state.vigo)
    carried = game.rematch_options(state)
    assert carried["vigo"] == state.players[(seat + next_seat) % len(state.players)]
    assert {**carried, "vigo": state.options["vigo"]} == state.options


def test_the_last_victim_starts_with_more_health() -> None:
    game = GAMES.game("victim")
    state = last_state(game, 3)
    (beaten,) = (player for player, health in state.health.items() if health == 0)
    carried = game.rematch_options(state)
    assert carried == {"last_victim": beaten}
    assert game.view(game.open(state.players, carried))["health"][beaten] == 6


def test_a_game_that_was_stopped_is_played_again_as_it_was() -> None:
    for game_id in ("vigos-favor", "victim"):
        game = GAMES.game(game_id)
        state = game.open(("Ana", "Bo", "Cy"))
        assert game.rematch_options(state) == state.options
