"""RIG: how it opens, its options, rolls, cancelling, the order of play, and random games reckoned twice."""

from random import Random

import pytest

from host.games.rig import Rig
from host.games.sentence import BadSetup
from tests.games.lawful import play
from tests.games.reckoning_rig import reckon
from tests.games.rig_sitting import BLACKS, EARLY_BLACKS, LATE_REDS, REDS, RigSitting, faces, tokens_in_play

FOUR = {"kind": "rig-die", "count": 4}


def test_opening_state_has_every_key() -> None:
    assert RigSitting().view() == {
        "game": "rig",
        "players": ["Ann", "Ben"],
        "options": {
            "tokens_per_color": 5,
            "dice": {"Ann": "black", "Ben": "white"},
            "queue": "fifo",
            "per_die": False,
        },
        "phase": "roll",
        "awaiting": [
            {"type": "roll", "player": "Ann", "dice": [{**FOUR, "body": "black"}]},
            {"type": "roll", "player": "Ben", "dice": [{**FOUR, "body": "white"}]},
        ],
        "winners": None,
        "round": 0,
        "first": None,
        "turn": None,
        "dice": {"Ann": None, "Ben": None},
        "tally": {"Ann": None, "Ben": None},
        "salvage": {"blue": 5, "gold": 5, "black": 5, "red": 5, "green": 5, "purple": 5},
        "queues": {"Ann": [], "Ben": []},
        "rigs": {"Ann": [], "Ben": []},
        "active": {"Ann": [], "Ben": []},
        "resolving": [],
        "caught": [],
        "to_set_aside": None,
        "can_take": {},
    }


# Options --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"tokens_per_color": 0},
        {"tokens_per_color": 1001},
        {"tokens_per_color": True},
        {"tokens_per_color": 5.0},
        {"dice": "black"},
        {"dice": {"Ann": "black"}},
        {"dice": {"Ann": "black", "Ben": "red"}},
        {"dice": {"Ann": "black", "Ben": ["white"]}},
        {"dice": {"Ann": "black", "Ben": "white", "Cleo": "white"}},
        {"queue": "random"},
        {"queue": None},
        {"per_die": 1},
        {"tokens": 5},
    ],
)
def test_options_that_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(BadSetup):
        RigSitting(**options)


@pytest.mark.parametrize("players", [["Ann"], ["Ann", "Ben", "Cleo"]])
def test_exactly_two_players(players: list[str]) -> None:
    with pytest.raises(BadSetup):
        Rig().open(players)


def test_option_dice_says_which_body_is_awaited_of_whom() -> None:
    table = RigSitting(dice={"Ann": "white", "Ben": "white"})
    assert [entry["dice"][0]["body"] for entry in table.view()["awaiting"]] == ["white", "white"]
    black = [{**die, "body": "black"} for die in faces(REDS)]
    white = [{**die, "body": "white"} for die in faces(REDS)]
    assert table.refused("roll", "Ann", dice=black).slug == "wrong-body"
    assert table.do("roll", "Ann", dice=white).awaited() == [("Ben", "roll")]


def test_option_tokens_per_color_fills_the_salvage_pile() -> None:
    assert set(RigSitting(tokens_per_color=2).view()["salvage"].values()) == {2}


def test_option_queue_says_whether_new_tokens_go_underneath_or_on_top() -> None:
    assert RigSitting().dealt("rotor flip steal").queue("Ann") == "rotor flip steal"
    assert RigSitting(queue="lifo").dealt("rotor flip steal").queue("Ann") == "steal flip rotor"


# Round 0 --------------------------------------------------------------------------------------------------------


def test_round_0_the_higher_tally_goes_first_and_no_dice_cancel() -> None:
    table = RigSitting().do("roll", "Ben", dice=faces("red+ red+ blue gold"))
    assert table.awaited() == [("Ann", "roll")]
    assert (table.view()["first"], table.view()["tally"]) == (None, {"Ann": None, "Ben": None})
    table.do("roll", "Ann", dice=faces("red+ red- blue gold"))
    view = table.view()
    assert (view["first"], view["tally"], view["phase"]) == ("Ben", {"Ann": 0, "Ben": 2}, "collect")
    assert table.out("Ann") == table.out("Ben") == []
    assert view["dice"]["Ann"][1] == {"color": "red", "symbol": "-", "out": False}
    assert table.awaited() == [("Ben", "collect")]
    assert table.collect("Ben", "rotor").awaited() == [("Ann", "collect")]
    assert table.collect("Ann", "sabotage").awaited() == [("Ann", "roll"), ("Ben", "roll")]


def test_round_0_a_tie_is_rolled_again_by_both() -> None:
    table = RigSitting().both_roll("red+ blue blue blue", "gold gold black+ blue")
    assert table.awaited() == [("Ann", "roll"), ("Ben", "roll")]
    assert table.view()["dice"] == {"Ann": None, "Ben": None}
    assert (table.view()["round"], table.view()["first"]) == (0, None)
    assert table.view()["tally"] == {"Ann": None, "Ben": None}
    assert "1 against 1: both roll again." in table.events()
    assert table.both_roll().view()["first"] == "Ann"


def test_round_1_begins_with_dice_tally_and_order_unknown() -> None:
    view = RigSitting().dealt("rotor", "rotor").view()
    assert (view["round"], view["phase"], view["first"]) == (1, "roll", None)
    assert view["dice"] == view["tally"] == {"Ann": None, "Ben": None}


# Cancelling -----------------------------------------------------------------------------------------------------


def test_equal_numbers_of_a_color_cancel_out() -> None:
    table = RigSitting().dealt().both_roll("red+ blue red+ green+", "gold red- black- red-")
    assert (table.out("Ann"), table.out("Ben")) == ([0, 2], [1, 3])
    assert table.view()["tally"] == {"Ann": 1, "Ben": -1}


def test_where_the_symbols_are_alike_the_lowest_indexes_go_by_themselves() -> None:
    table = RigSitting().dealt().both_roll("gold red+ red+ red+", "red+ black- red- black-")
    assert table.view()["phase"] != "set-aside"
    assert (table.out("Ann"), table.out("Ben")) == ([1, 2], [0, 2])


def test_blue_and_gold_are_always_alike() -> None:
    table = RigSitting().dealt().both_roll("gold gold blue blue", "blue green+ green+ gold")
    assert (table.out("Ann"), table.out("Ben")) == ([0, 2], [0, 3])


def test_who_has_more_of_a_color_in_different_symbols_chooses_which_to_put_aside() -> None:
    table = RigSitting().dealt().both_roll("red+ blue red- red+", "blue green- red- red-")
    view = table.view()
    assert (view["phase"], view["awaiting"]) == ("set-aside", [{"type": "set-aside", "player": "Ann"}])
    assert view["to_set_aside"] == {"color": "red", "count": 2}
    assert (view["first"], view["tally"]) == (None, {"Ann": None, "Ben": None})
    # Blue has cancelled out; red has not for either, nor has any later colour.
    assert (table.out("Ann"), table.out("Ben")) == ([1], [0])
    table.do("set-aside", "Ann", color="red", dice=[3, 2])
    assert (table.out("Ann"), table.out("Ben")) == ([1, 2, 3], [0, 2, 3])
    assert table.view()["tally"] == {"Ann": 1, "Ben": -1}


def test_colors_are_settled_in_their_order_and_both_players_may_have_to_choose() -> None:
    table = RigSitting().dealt().both_roll("purple+ red- red+ black+", "red+ black+ black- purple-")
    assert table.awaited() == [("Ben", "set-aside")]
    assert table.view()["to_set_aside"] == {"color": "black", "count": 1}
    assert table.out("Ann") == table.out("Ben") == []
    table.do("set-aside", "Ben", color="black", dice=[2])
    assert table.awaited() == [("Ann", "set-aside")]
    assert table.view()["to_set_aside"] == {"color": "red", "count": 1}
    assert (table.out("Ann"), table.out("Ben")) == ([3], [2])
    table.do("set-aside", "Ann", color="red", dice=[1])
    # Purple, the last, went by itself.
    assert (table.out("Ann"), table.out("Ben")) == ([0, 1, 3], [0, 2, 3])


def test_a_color_that_the_opponent_lacks_asks_for_no_choice() -> None:
    table = RigSitting().dealt().both_roll("red+ red- red+ red-", BLACKS)
    assert table.view()["phase"] == "collect"
    assert table.out("Ann") == []


@pytest.mark.parametrize(
    ("fields", "slug"),
    [
        ({"color": "black", "dice": [0, 2]}, "rig/wrong-color"),
        ({"color": ["red"], "dice": [0, 2]}, "rig/wrong-color"),
        ({"color": "red", "dice": 0}, "rig/indexes-not-a-list"),
        ({"color": "red", "dice": {"0": 2}}, "rig/indexes-not-a-list"),
        ({"color": "red", "dice": []}, "rig/wrong-count"),
        ({"color": "red", "dice": [0]}, "rig/wrong-count"),
        ({"color": "red", "dice": [0, 0]}, "rig/wrong-count"),
        ({"color": "red", "dice": [0, 2, 3]}, "rig/wrong-count"),
        ({"color": "red", "dice": [0, 1]}, "rig/die-of-other-color"),
        ({"color": "red", "dice": [0, 4]}, "rig/no-such-die"),
        ({"color": "red", "dice": [0, -1]}, "rig/no-such-die"),
        ({"color": "red", "dice": [False, 2]}, "rig/no-such-die"),
        ({"color": "red", "dice": [0.0, 2]}, "rig/no-such-die"),
        ({"color": "red", "dice": ["0", 2]}, "rig/no-such-die"),
        ({"color": "red", "dice": [[0], 2]}, "rig/no-such-die"),
        ({"color": "red"}, "missing-key"),
        ({"color": "red", "dice": [0, 2], "side": "action"}, "unknown-key"),
    ],
)
def test_what_cannot_be_put_aside(fields: dict[str, object], slug: str) -> None:
    table = RigSitting().dealt().both_roll("red+ blue red- red+", "blue green- red- red-")
    assert table.refused("set-aside", "Ann", **fields).slug == slug
    assert table.refused("set-aside", "Ben", color="red", dice=[2, 3]).slug == "not-awaited"


# The order of play ----------------------------------------------------------------------------------------------


def test_a_tie_goes_to_whoever_went_second_in_the_round_before() -> None:
    table = RigSitting().dealt()
    for first in ("Ben", "Ann", "Ben"):
        table.both_roll("red+ red- red+ red-", "black+ black- black+ black-")
        assert table.view()["first"] == first
        second = "Ann" if first == "Ben" else "Ben"
        table.collect(first).collect(second)


def test_a_tie_after_the_same_player_went_first_twice() -> None:
    table = RigSitting().dealt()
    for _ in range(2):
        assert table.both_roll(LATE_REDS, EARLY_BLACKS).view()["first"] == "Ben"
        table.collect("Ben").collect("Ann")
    assert table.both_roll("blue blue blue blue", "gold gold gold gold").view()["first"] == "Ann"


def test_each_active_boost_adds_2_to_the_tally_and_is_then_discarded() -> None:
    table = RigSitting(tokens_per_color=2).dealt("boost", "boost")
    table.both_roll().collect("Ann").collect("Ben")
    assert table.view()["active"] == {"Ann": ["boost"], "Ben": ["boost"]}
    assert table.view()["salvage"]["blue"] == 0
    table.both_roll("red+ red- gold gold", "black+ black+ black- green-")
    assert table.view()["tally"] == {"Ann": 2, "Ben": 2}
    assert table.view()["active"] == {"Ann": [], "Ben": []}
    assert table.view()["salvage"]["blue"] == 2


# Random games ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(25))
def test_random_games_agree_with_the_naive_reckoning_at_every_step(seed: int) -> None:
    played = play(Rig(), Random(seed), most_actions=120)
    per_color = played.states[0].options["tokens_per_color"]
    for count, state in enumerate(played.states):
        view = played.game.view(state)
        reckoned = reckon(played.players, played.options, played.actions[:count])
        assert {key: view[key] for key in reckoned} == reckoned
        assert set(tokens_in_play(view).values()) == {per_color}
