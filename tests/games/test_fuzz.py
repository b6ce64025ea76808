"""Whatever is sent at whatever moment: a refusal, and nothing has changed; or it was lawful after all."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from host.games.protocol import Game
from host.games.registry import games
from host.games.sentence import Refused
from tests.games.lawful import answer, play
from tests.games.seeds import seeds
from tests.games.sixth_game import sixth_game
from tests.games.unlawful import SPOILS, spoilt

every_game = pytest.mark.parametrize("game", (*games(), sixth_game()), ids=lambda game: game.id)

WORDS = ("type", "player", "dice", "kind", "face", "body", "roll", "Ann", "Ben", "amount", "choice")
any_json = st.recursive(
    st.sampled_from(SPOILS) | st.sampled_from(WORDS) | st.integers() | st.floats() | st.text(max_size=8),
    lambda inside: (
        st.lists(inside, max_size=5)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=5), inside, max_size=6)
    ),
    max_leaves=20,
)


def moments(game: Game[Any], rng: Random) -> list[Any]:
    """A state of every phase that a random game came through."""
    by_phase: dict[str, list[Any]] = {}
    for state in play(game, rng, 300).states:
        by_phase.setdefault(state.phase, []).append(state)
    return [rng.choice(states) for states in by_phase.values()]


def views(game: Game[Any], state: Any) -> str:
    return json.dumps([game.view(state, seat) for seat in (None, *state.players)])


def throw(game: Game[Any], state: Any, action: Any) -> str:
    """Send an action and see that the state stays; returns the refusal's slug, or ``lawful``."""
    before = views(game, state)
    try:
        game.apply(state, action)
    except Refused as refused:
        assert str(refused).isprintable(), "a refusal is one line that can be written"
        for sentence in game.prompt(state):
            assert sentence.english() in str(refused), "a refusal says what is awaited instead"
        slug = refused.slug
    else:
        slug = "lawful"
    assert views(game, state) == before
    return slug


@every_game
@seeds(25)
def test_spoilt_actions_at_every_phase(game: Game[Any], seed: int) -> None:
    rng = Random(seed)
    for state in moments(game, rng):
        for entry in game.awaiting(state):
            for _ in range(8):
                throw(game, state, spoilt(answer(game, state, entry, rng), rng))


@every_game
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(seed=st.integers(0, 20), thrown=st.lists(any_json, min_size=1, max_size=8))
def test_any_json_at_every_phase(game: Game[Any], seed: int, thrown: list[Any]) -> None:
    for state in moments(game, Random(seed)):
        for value in thrown:
            assert throw(game, state, value) != "lawful"
        for entry in game.awaiting(state)[:2]:
            for value in thrown:
                # The right type and player, anything in the other keys.
                keys = (*entry.fields, *entry.optional, *(("dice",) if entry.dice else ()))
                throw(game, state, {"type": entry.type, "player": entry.player, **dict.fromkeys(keys, value)})


def test_a_slug_has_one_template_over_all_games() -> None:
    """What was said in any refusal, event or prompt can be looked up in one table of translations."""
    templates: dict[str, str] = {}
    for game in games():
        for seed in range(12):
            rng = Random(seed)
            for state in moments(game, rng):
                said = [*state.events, *game.prompt(state)]
                for entry in game.awaiting(state):
                    for _ in range(6):
                        try:
                            game.apply(state, spoilt(answer(game, state, entry, rng), rng))
                        except Refused as refused:
                            said.append(refused.wrong)
                for sentence in said:
                    assert templates.setdefault(sentence.slug, sentence.template) == sentence.template, sentence.slug


@every_game
def test_every_phase_is_reached(game: Game[Any]) -> None:
    """So that the throws above leave none out: all phases from the opening one to ``over`` come up."""
    reached = {state.phase for seed in range(40) for state in play(game, Random(seed), 400).states}
    assert reached == PHASES[game.id]


PHASES = {
    "vigos-favor": {
        "stake",
        "favor",
        "seek",
        "mercy",
        "decide",
        "raise",
        "challenge-favor",
        "challenge-roll",
        "over",
    },
    "val-des": {"set", "call", "reveal", "over"},
    "victim": {"first-roll", "planning", "battle", "support", "support-number", "neutral-again", "over"},
    "king-of-roulette": {"vote", "bets", "succession", "condemn", "over"},
    "rig": {"roll", "set-aside", "act", "place", "collect", "over"},
    "odds-and-evens": {"call", "roll", "over"},
}
