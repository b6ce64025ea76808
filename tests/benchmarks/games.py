"""How fast the games are: ``python -m tests.benchmarks games``.

Figures of different machines compare by the ratios: the reference is ``json.dumps`` and ``json.loads`` of the public
views of the same states, measured in the same run. Each figure is the best of five.
"""

import json
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from host.games.protocol import Game, JsonObject
from host.games.registry import games
from tests.games.lawful import Played, lawful_action, random_players

ACTIONS = 1_000
LONG_GAMES: dict[str, dict[str, Any]] = {"vigos-favor": {"rounds": 1000}, "val-des": {"sets": 1000}}
"""Options that let one game last. The others take several games for as many actions, if they must."""


def play_long(game: Game[Any], seed: int, most_actions: int) -> Played:
    """A random game that ends only where every one of some answers would end it."""
    rng = Random(seed)
    players = random_players(game, rng, 4)
    options = LONG_GAMES.get(game.id, {})
    states = [game.open(players, options)]
    actions: list[JsonObject] = []
    while states[-1].phase != "over" and len(actions) < most_actions:
        for _ in range(30):
            action = lawful_action(game, states[-1], rng)
            state = game.apply(states[-1], action)
            if state.phase != "over":
                break
        actions.append(action)
        states.append(state)
    return Played(game, players, options, tuple(actions), tuple(states))


def log_of(game: Game[Any]) -> list[Played]:
    """Games that together have ``ACTIONS`` actions."""
    played: list[Played] = []
    while missing := ACTIONS - sum(len(one.actions) for one in played):
        played.append(play_long(game, len(played), missing))
    return played


def seconds(work: Callable[[], object]) -> float:
    """The best of five."""
    best = float("inf")
    for _ in range(5):
        started = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - started)
    return best


def replay(played: Played) -> Any:
    """Open a game again and feed it its actions; returns the last state."""
    state = played.game.open(played.players, played.options)
    for action in played.actions:
        state = played.game.apply(state, action)
    return state


def measure(game: Game[Any]) -> str:
    """A game's row."""
    log = log_of(game)
    states = [state for played in log for state in played.states[1:]]
    views = [game.view(state) for state in states]
    applying = seconds(lambda: [replay(played) for played in log]) / ACTIONS
    viewing = seconds(lambda: [game.view(state) for state in states]) / ACTIONS
    reference = seconds(lambda: [json.loads(json.dumps(view)) for view in views]) / ACTIONS
    return (
        f"| {game.id} | {1 / applying:.0f} | {applying / reference:.2f} | {viewing * 1e6:.1f} "
        f"| {viewing / reference:.2f} | {reference * 1e6:.1f} | {applying * ACTIONS * 1e3:.1f} in {len(log)} |"
    )


def lengthening(game: Game[Any]) -> Iterator[str]:
    """What a view costs as a game goes on."""
    longest = max(log_of(game), key=lambda played: len(played.actions))
    for length in sorted({round(len(longest.actions) * part) for part in (0.02, 0.1, 0.5, 1)}):
        state = longest.states[length]
        shown_kb = len(json.dumps(game.view(state))) / 1024
        cost_us = seconds(lambda state=state: [game.view(state) for _ in range(50)]) / 50 * 1e6  # type: ignore[misc]
        yield f"| {game.id} | {length} | {cost_us:.1f} | {shown_kb:.1f} | {cost_us / shown_kb:.1f} |"


def main(short: bool) -> str:
    """Every game's figures as Markdown; ``short`` leaves out how a view grows with its game."""
    lines = [
        f"{ACTIONS} actions of random lawful play. An action and a view are also given as multiples of",
        "`json.dumps` and `json.loads` of the same view. Each figure is the best of five.",
        "",
        "| game | actions a second | an action / json | a view, µs | a view / json | json | replay, ms in games |",
        "|---|---|---|---|---|---|---|",
        *(measure(game) for game in games()),
    ]
    if not short:
        lines += ["", "| game | after actions | a view, µs | its size, kB | µs a kB |", "|---|---|---|---|---|"]
        lines += [line for game in games() for line in lengthening(game)]
    return "\n".join(lines)


if __name__ == "__main__":
    print(main(short=False))
