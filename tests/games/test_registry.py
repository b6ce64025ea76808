"""The registry, and a sixth game that is added without touching anything else.

The shared tests (``test_every_game``, ``test_secrets``, ``test_fuzz``) play the sixth game, too.
"""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from host.commands.referee import referee_command
from host.games.registry import GAMES, game, games
from host.games.sentence import BadSetup
from tests.games.sixth_game import sixth_game, sixth_registry

DOCS = Path(__file__).parents[2] / "docs"


def test_the_five_games() -> None:
    assert [one.id for one in games()] == ["vigos-favor", "val-des", "victim", "king-of-roulette", "rig"]
    assert all(game(one.id) is one for one in games())


def test_unknown_game() -> None:
    with pytest.raises(BadSetup, match="no game is called 'poker'; there is vigos-favor, val-des"):
        game("poker")


def test_a_registry_with_one_more_leaves_the_first_as_it_is() -> None:
    assert sixth_registry().game("odds-and-evens") is sixth_game()
    with pytest.raises(BadSetup):
        GAMES.game("odds-and-evens")


def test_a_game_without_an_id_of_its_own_is_not_taken() -> None:
    with pytest.raises(ValueError, match="rig"):
        GAMES.with_game(GAMES.game("rig"))


def test_the_sixth_game_through_the_referee() -> None:
    actions = [
        {"type": "call", "player": "Ann", "call": "odd"},
        {"type": "call", "player": "Ann", "call": "even"},
        {"type": "call", "player": "Ben", "call": "even"},
        {"type": "roll", "player": "Ann", "dice": [{"kind": "pip-die", "face": "5"}]},
    ]
    done = CliRunner().invoke(
        referee_command(sixth_registry()),
        ["odds-and-evens", "--players", "Ann,Ben", "--option", "rounds=1", "--as", "Ann"],
        input="\n".join(json.dumps(action) for action in actions),
    )
    assert done.exit_code == 0
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, True, False, True, True]
    assert answers[1]["state"]["mine"] == "odd"
    assert answers[2]["error"] == "Ann is not awaited to call now. Ben calls odd or even."
    assert answers[-1]["state"]["winners"] == ["Ann"]
    assert answers[-1]["state"]["points"] == {"Ann": 1, "Ben": 0}


def test_every_game_is_credited() -> None:
    """The page of games names every game and its options; no game goes without a credit."""
    page = (DOCS / "games.md").read_text("utf-8")
    for one in games():
        assert f"`{one.id}`" in page
        assert one.name in page
        assert all(f"`{option.name}`" in page for option in one.options)
