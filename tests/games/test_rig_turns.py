"""RIG's turns: resolving tokens, collecting, and winning."""

from typing import Any

import pytest

from tests.games.rig_sitting import (
    BLACKS,
    REDS,
    RigSitting,
    tokens,
    tokens_in_play,
)

# Resolving ------------------------------------------------------------------------------------------------------


def test_the_top_two_tokens_of_the_queue_are_resolved_in_order() -> None:
    table = RigSitting().dealt("gyro rotor frame").both_roll()
    assert table.view()["rigs"] == {"Ann": ["black", "red"], "Ben": []}
    assert table.queue("Ann") == "frame"
    assert table.view()["turn"] == "Ann"


def test_a_queue_with_fewer_tokens_gives_what_it_has() -> None:
    table = RigSitting().dealt("gyro").both_roll()
    assert (table.view()["rigs"]["Ann"], table.queue("Ann"), table.resolving()) == (["black"], "", "")


def test_what_is_collected_enters_after_the_turns_tokens_were_taken() -> None:
    table = RigSitting(queue="lifo").dealt("gyro").both_roll().collect("Ann", "rotor").collect("Ben")
    assert table.queue("Ann") == "rotor"


def test_first_players_whole_turn_comes_before_the_seconds() -> None:
    table = RigSitting().dealt("rotor", "gyro").both_roll()
    assert table.awaited() == [("Ann", "collect")]
    assert table.view()["rigs"] == {"Ann": ["red"], "Ben": []}
    table.collect("Ann")
    assert table.awaited() == [("Ben", "collect")]
    assert table.view()["rigs"] == {"Ann": ["red"], "Ben": ["black"]}


def test_a_rig_may_hold_a_component_twice() -> None:
    table = RigSitting(per_die=True).both_roll().collect("Ann", "rotor rotor").collect("Ben").both_roll()
    assert table.view()["rigs"]["Ann"] == ["red", "red"]


def played_two_rounds(boiler_and: str, later: str) -> RigSitting:
    """Ann has four components in her rig, and in her queue the boiler, another token, and later ones."""
    table = RigSitting().dealt("rotor gears gyro pipes")
    table.both_roll("blue green+ red+ gold", BLACKS).collect("Ann", f"boiler {boiler_and}").collect("Ben")
    table.both_roll("red+ red+ green+ green+", BLACKS).collect("Ann", later).collect("Ben")
    assert table.view()["rigs"]["Ann"] == ["red", "purple", "black", "gold"]
    assert table.view()["winners"] is None
    return table


def test_the_game_is_won_at_once_by_the_component_that_completes_the_rig() -> None:
    table = played_two_rounds("frame", "").both_roll()
    view = table.view()
    assert (view["phase"], view["awaiting"], view["winners"]) == ("over", [], ["Ann"])
    assert view["rigs"]["Ann"] == ["red", "purple", "black", "gold", "blue", "green"]
    assert (view["first"], view["tally"], view["resolving"]) == ("Ann", {"Ann": 4, "Ben": -4}, [])
    assert table.events()[-1] == "Ann has all six components and wins."
    assert table.prompts() == []
    assert table.refused("roll", "Ann", dice=[]).slug == "game-over"


def test_after_a_win_by_the_first_token_the_second_stays_in_resolving() -> None:
    table = played_two_rounds("rotor", "frame sabotage").both_roll().collect("Ann").collect("Ben").both_roll()
    assert table.view()["winners"] == ["Ann"]
    assert (table.resolving(), table.queue("Ann")) == ("sabotage", "")
    assert set(tokens_in_play(table.view()).values()) == {5}


# Collecting -----------------------------------------------------------------------------------------------------


def test_collect_one_for_each_color_among_the_dice_still_in() -> None:
    table = RigSitting().dealt().both_roll("red+ red+ blue gold", "gold black- black- black-")
    assert table.view()["can_take"] == {"blue": 1, "red": 1}
    for names, slug in (
        ("rotor rotor", "rig/too-many-tokens"),
        ("pipes", "rig/color-not-rolled"),
        ("frame", "rig/color-not-rolled"),
    ):
        assert table.refused("collect", "Ann", tokens=tokens(names)).slug == slug
    assert table.collect("Ann", "boost rotor").queue("Ann") == "boost rotor"


def test_option_per_die_collects_one_for_each_die() -> None:
    table = RigSitting(per_die=True).dealt().both_roll("red+ red+ blue gold", "gold black- black- black-")
    assert table.refused("collect", "Ann", tokens=tokens("rotor rotor sabotage")).slug == "rig/too-many-tokens"
    assert table.collect("Ann", "rotor boost sabotage").queue("Ann") == "rotor boost sabotage"


def test_only_colors_in_stock_can_be_collected() -> None:
    table = RigSitting(tokens_per_color=2, per_die=True).both_roll("red+ red+ red+ blue", "red- blue blue blue")
    assert table.refused("collect", "Ann", tokens=tokens("rotor rotor rotor")).slug == "rig/not-in-stock"
    table.collect("Ann", "rotor rotor")
    assert table.refused("collect", "Ben", tokens=tokens("rotor")).slug == "rig/not-in-stock"
    assert table.view()["can_take"] == {"blue": 2}


def test_collect_is_not_awaited_where_nothing_is_in_stock() -> None:
    table = RigSitting(tokens_per_color=1).both_roll("red+ red+ red+ red+", "red- red- red- red-")
    table.collect("Ann", "rotor")
    assert (table.view()["phase"], table.view()["round"]) == ("roll", 1)


def test_collect_is_not_awaited_where_no_die_is_in() -> None:
    table = RigSitting().dealt().both_roll(REDS, REDS)
    assert (table.view()["phase"], table.view()["round"]) == ("roll", 2)


def test_collecting_nothing_is_lawful() -> None:
    assert RigSitting().dealt().both_roll().collect("Ann").queue("Ann") == ""


@pytest.mark.parametrize(
    ("collected", "slug"),
    [
        (None, "rig/tokens-not-a-list"),
        ({}, "rig/tokens-not-a-list"),
        (["red"], "rig/not-a-target"),
        ([{"color": "red"}], "rig/not-a-target"),
        ([{"color": "red", "side": "action", "count": 2}], "rig/not-a-target"),
        ([{"color": {}, "side": "action"}], "rig/not-a-color"),
        ([{"color": "red", "side": True}], "rig/not-a-side"),
    ],
)
def test_what_cannot_be_collected(collected: Any, slug: str) -> None:
    assert RigSitting().dealt().both_roll().refused("collect", "Ann", tokens=collected).slug == slug
