"""Games played on a running host, action by action."""

from random import Random
from typing import Any

from host.games.registry import GAMES
from tests.games.lawful import lawful_action
from tests.host.running import OpenTable, RunningHost


def play(
    host: RunningHost, game_id: str, players: tuple[str, ...], seed: int = 1, actions: int = 10_000
) -> OpenTable:
    """A table at which random lawful actions were made: to the end of the game, or so many."""
    game, rng = GAMES.game(game_id), Random(seed)
    table = host.open(*players, game=game_id)
    state = game.open(players)
    for _ in range(actions):
        if state.phase == "over":
            break
        action = lawful_action(game, state, rng)
        state = game.apply(state, action)
        assert act(table, action) == 200
    return table


def act(table: OpenTable, action: dict[str, Any]) -> int:
    """Send an action as it is; the status."""
    fields = {key: value for key, value in action.items() if key not in ("type", "player")}
    return table.act(action["type"], action["player"], **fields).status
