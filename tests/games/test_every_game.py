"""What holds for every game of the registry, seen in random lawful play."""

import copy
import importlib
import json
from random import Random
from typing import Any

import pytest

from host.games.protocol import Game, JsonObject
from host.games.registry import games
from host.games.sentence import BadSetup, Refused, Sentence
from tests.games.lawful import lawful_action, play
from tests.games.rig_sitting import tokens_in_play
from tests.games.seeds import seeds
from tests.games.sixth_game import sixth_game

every_game = pytest.mark.parametrize("game", (*games(), sixth_game()), ids=lambda game: game.id)


def all_views(game: Game[Any], state: Any) -> list[JsonObject]:
    return [game.view(state, seat) for seat in (None, *state.players)]


def to_the_byte(game: Game[Any], state: Any) -> str:
    return json.dumps([all_views(game, state), [s.english() for s in (*state.events, *game.prompt(state))]])


@every_game
@seeds(60)
def test_play_ends_or_goes_on(game: Game[Any], seed: int) -> None:
    played = play(game, Random(seed))
    for state in played.states:
        view = game.view(state)
        assert (view["phase"] == "over") == (view["awaiting"] == []) == (view["winners"] is not None)
        assert (view["phase"] == "over") == (game.prompt(state) == ())
        assert set(view["winners"] or ()) <= set(played.players)


@every_game
@seeds(30)
def test_views_are_json_with_the_shared_keys(game: Game[Any], seed: int) -> None:
    played = play(game, Random(seed), 200)
    for state in played.states:
        for view in all_views(game, state):
            assert json.loads(json.dumps(view, allow_nan=False)) == view
            assert view["game"] == game.id
            assert view["players"] == list(played.players)
            assert list(view["options"]) == [option.name for option in game.options]
            assert played.options.items() <= view["options"].items()


@every_game
@seeds(30)
def test_awaiting_is_ordered_and_complete(game: Game[Any], seed: int) -> None:
    """By seat, then by type; one entry for each; dice where a roll is awaited; the same in everybody's view."""
    for state in play(game, Random(seed), 200).states:
        views = all_views(game, state)
        awaiting = views[0]["awaiting"]
        assert all(view["awaiting"] == awaiting for view in views)
        order = [(state.players.index(entry["player"]), entry["type"]) for entry in awaiting]
        assert order == sorted(set(order))
        for entry in awaiting:
            assert ("dice" in entry) == (entry["type"] == "roll")
            assert entry.keys() <= {"type", "player", "dice", "choices"}
            for group in entry.get("dice", ()):
                assert group.keys() == {"kind", "body", "count"}
                assert group["kind"] in game.kinds


@every_game
@seeds(30)
def test_only_awaited_players_can_act(game: Game[Any], seed: int) -> None:
    played = play(game, Random(seed), 150)
    for state, action in zip(played.states, (*played.actions, None), strict=True):
        if action is None:
            continue
        able = {entry.player for entry in game.awaiting(state) if entry.type == action["type"]}
        for player in {*played.players, "Nobody"} - able:
            with pytest.raises(Refused):
                game.apply(state, {**action, "player": player})


@every_game
@seeds(30)
def test_money_and_tokens_are_conserved(game: Game[Any], seed: int) -> None:
    for state in play(game, Random(seed)).states:
        view = game.view(state)
        if "balances" in view:
            assert sum(view["balances"].values()) + view["pot"] == 0
        if "salvage" in view:
            assert set(tokens_in_play(view).values()) == {view["options"]["tokens_per_color"]}


@every_game
@seeds(30)
def test_replay_and_undo(game: Game[Any], seed: int) -> None:
    """Feeding the stored actions again gives every state again, so dropping the last gives the one before."""
    played = play(game, Random(seed), 200)
    state = game.open(played.players, json.loads(json.dumps(played.options)))
    assert state == played.states[0]
    for action, expected in zip(json.loads(json.dumps(played.actions)), played.states[1:], strict=True):
        state = game.apply(state, action)
        assert state == expected
        assert to_the_byte(game, state) == to_the_byte(game, expected)


@every_game
@seeds(8)
def test_states_and_actions_are_never_written_to(game: Game[Any], seed: int) -> None:
    played = play(game, Random(seed), 80)
    state = game.open(played.players, played.options)
    for action in played.actions:
        before, kept = to_the_byte(game, state), copy.deepcopy(action)
        after = game.apply(state, action)
        assert action == kept
        assert to_the_byte(game, state) == before
        seen = to_the_byte(game, after)
        for view in all_views(game, after):
            scribble(view)
        assert to_the_byte(game, after) == seen
        state = after


def scribble(value: Any) -> None:
    """Write into every list and object of a view."""
    children = list(value.values()) if isinstance(value, dict) else list(value) if isinstance(value, list) else []
    for child in children:
        scribble(child)
    if isinstance(value, dict):
        value["scribble"] = True
    elif isinstance(value, list):
        value.append("scribble")


@every_game
@seeds(60)
def test_a_second_reckoning_agrees(game: Game[Any], seed: int) -> None:
    reckoning = importlib.import_module(f"tests.games.reckoning_{game.id.replace('-', '_')}")
    played = play(game, Random(seed), 1000)
    if played.is_over:
        final = game.view(played.states[-1])
        expected = reckoning.reckon(list(played.players), played.options, list(played.actions))
        assert {key: final[key] for key in expected} == expected


@every_game
def test_most_random_games_end(game: Game[Any]) -> None:
    """So that the second reckoning has something to agree with."""
    assert sum(play(game, Random(seed), 1000).is_over for seed in range(30)) >= 20


@every_game
@seeds(30)
def test_every_moment_has_its_sentence(game: Game[Any], seed: int) -> None:
    """A sentence for what is awaited and for what has happened; one template for each slug."""
    templates: dict[str, str] = {}
    for state in play(game, Random(seed), 200).states[1:]:
        assert state.events, "an action without a word to the log"
        for sentence in (*state.events, *game.prompt(state)):
            said(sentence, templates)


def said(sentence: Sentence, templates: dict[str, str]) -> None:
    assert templates.setdefault(sentence.slug, sentence.template) == sentence.template
    assert sentence.english().strip()
    assert all(type(value) in (str, int) for value in sentence.values.values())


@every_game
def test_cards(game: Game[Any]) -> None:
    """What the phones show before a game: its name, credit, summary and options."""
    assert game.name and game.credit
    assert game.summary.english().endswith(".")
    assert game.summary.slug.startswith(game.id)
    assert all(option.title for option in game.options)


@every_game
def test_bad_setups(game: Game[Any]) -> None:
    names = [f"P{i}" for i in range(13)]
    right = names[: game.fewest_players]
    for players in ([], names[: game.fewest_players - 1], names[: game.most_players + 1]):
        with pytest.raises(BadSetup):
            game.open(players)
    for name in ("", "x" * 25, right[1], "a\nb", "\ud800", " "):
        with pytest.raises(BadSetup):
            game.open([name, *right[1:]])
    for name in ("no such option", *(option.name for option in game.options)):
        with pytest.raises(BadSetup):
            game.open(right, {name: {"bad": []}})
    with pytest.raises(BadSetup):
        game.view(game.open(right), "Nobody")
    assert game.view(game.open(["x" * 24, *right[1:]]))["players"][0] == "x" * 24


def test_lawful_action_is_found_from_what_is_awaited() -> None:
    for game in games():
        state = game.open([f"P{i}" for i in range(game.fewest_players)])
        assert game.apply(state, lawful_action(game, state, Random(1))) != state
