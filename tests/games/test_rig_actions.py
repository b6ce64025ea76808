"""RIG's actions: sabotage, boost, magnet, flip, extra and steal, and what none of them can be aimed at."""

from typing import Any

import pytest

from tests.games.rig_sitting import (
    EARLY_BLACKS,
    LATE_REDS,
    REDS,
    RigSitting,
    faces,
    tokens,
)

A_DIE = {"die": {"player": "Ann", "index": 0}}


def test_sabotage_discards_the_top_two_of_the_opponents_queue() -> None:
    table = RigSitting().dealt("sabotage", "rotor gyro pipes").both_roll()
    assert table.queue("Ben") == "pipes"
    assert table.view()["salvage"] == {"blue": 5, "gold": 4, "black": 5, "red": 5, "green": 5, "purple": 5}


@pytest.mark.parametrize("bens", ["rotor", ""])
def test_sabotage_of_a_short_or_empty_queue(bens: str) -> None:
    table = RigSitting().dealt("sabotage", bens).both_roll()
    assert table.queue("Ben") == ""
    assert set(table.view()["salvage"].values()) == {5}
    assert table.awaited() == [("Ann", "collect")]


def test_boost_and_magnet_become_active_by_themselves() -> None:
    table = RigSitting().dealt("magnet boost").both_roll()
    assert table.view()["active"] == {"Ann": ["magnet", "boost"], "Ben": []}
    assert (table.view()["salvage"]["blue"], table.view()["salvage"]["green"]) == (4, 4)


def test_the_token_that_is_executed_is_still_resolving_while_its_act_is_awaited() -> None:
    table = RigSitting().dealt("flip extra").both_roll()
    assert (table.view()["phase"], table.awaited()) == ("act", [("Ann", "act")])
    assert table.resolving() == "flip extra"
    table.do("act", "Ann", flip=None)
    assert (table.awaited(), table.resolving()) == ([("Ann", "act")], "extra")
    assert table.view()["salvage"]["purple"] == 5


def test_flip_turns_a_die_to_the_opposite_color_with_the_same_symbol() -> None:
    for owner, before, after in (("Ann", "red", "black"), ("Ben", "black", "red")):
        table = RigSitting().dealt("flip").both_roll()
        symbol = "+" if owner == "Ann" else "-"
        assert table.view()["dice"][owner][2] == {"color": before, "symbol": symbol, "out": False}
        table.do("act", "Ann", flip={"die": {"player": owner, "index": 2}})
        assert table.view()["dice"][owner][2] == {"color": after, "symbol": symbol, "out": False}
        # Neither cancelling nor the order of play is reopened.
        assert table.view()["tally"] == {"Ann": 4, "Ben": -4}
        assert table.out("Ann") == table.out("Ben") == []


@pytest.mark.parametrize(
    ("rolled", "flipped"),
    [
        ("blue blank", "gold blank"),
        ("gold blank", "blue blank"),
        ("black -", "red -"),
        ("red +", "black +"),
        ("green +", "purple +"),
        ("purple -", "green -"),
    ],
)
def test_opposite_faces(rolled: str, flipped: str) -> None:
    # Ben's dice are of colours that do not meet Ann's; he may go first.
    table = RigSitting().dealt("flip").act("roll", "Ann", dice=[{"kind": "rig-die", "face": rolled}] * 4)
    table.act("roll", "Ben", dice=faces("red+ red+ red+ black+" if "blank" in rolled else "blue gold blue gold"))
    if table.awaited() == [("Ben", "collect")]:
        table.collect("Ben")
    table.act("act", "Ann", flip={"die": {"player": "Ann", "index": 3}})
    die = table.view()["dice"]["Ann"][3]
    assert f"{die['color']} {die['symbol']}" == flipped


def test_a_flipped_die_counts_as_its_new_color_when_collecting() -> None:
    table = RigSitting().dealt("flip").both_roll().do("act", "Ann", flip=A_DIE)
    assert table.view()["can_take"] == {"black": 1, "red": 1}
    assert table.collect("Ann", "gyro rotor").queue("Ann") == "gyro rotor"


def test_flip_turns_a_token_of_either_queue() -> None:
    table = RigSitting().dealt("flip", "pipes frame").both_roll()
    table.do("act", "Ann", flip={"token": {"player": "Ben", "index": 1}})
    assert table.queue("Ben") == "pipes magnet"
    table = RigSitting().dealt("flip rotor gyro").both_roll()
    table.do("act", "Ann", flip={"token": {"player": "Ann", "index": 0}})
    assert table.queue("Ann") == "extra"


def test_extra_takes_a_token_from_salvage_to_ones_own_queue() -> None:
    for queue, expected in (("fifo", "boiler frame"), ("lifo", "frame boiler")):
        order = "extra rotor boiler" if queue == "fifo" else "boiler rotor extra"
        table = RigSitting(queue=queue).dealt(order).both_roll()
        table.do("act", "Ann", extra={"color": "green", "side": "component"})
        assert table.queue("Ann") == expected
        assert (table.view()["salvage"]["green"], table.view()["salvage"]["black"]) == (4, 5)


def test_extra_cannot_take_the_token_that_is_being_executed() -> None:
    table = RigSitting(tokens_per_color=1).dealt("extra").both_roll()
    assert table.refused("act", "Ann", extra={"color": "black", "side": "action"}).slug == "rig/not-in-stock"
    assert table.do("act", "Ann", extra=None).view()["salvage"]["black"] == 1


def with_steal() -> RigSitting:
    """Ben goes first and has black, red, black in his rig; then Ann resolves steal."""
    table = RigSitting(per_die=True).both_roll("gold red+ red+ blue", "black- red- black- black-")
    table.collect("Ann", "steal").collect("Ben", "gyro rotor gyro")
    table.both_roll("gold red- red- blue", "black+ black+ black+ black+").collect("Ben")
    table.do("act", "Ann", steal=None).collect("Ann", "steal").both_roll("gold red- red- blue", "black+ " * 4)
    assert table.view()["rigs"]["Ben"] == ["black", "red", "black"]
    return table.collect("Ben")


def test_steal_gives_up_a_die_for_the_oldest_component_of_its_color() -> None:
    table = with_steal()
    assert table.awaited() == [("Ann", "act")]
    before = table.view()["tally"]
    table.do("act", "Ann", steal={"die": 1, "color": "black", "side": "action"})
    assert table.view()["rigs"]["Ben"] == ["red", "black"]
    assert table.queue("Ann") == "extra"
    assert table.out("Ann") == [1]
    assert table.view()["tally"] == before
    assert table.view()["can_take"] == {"blue": 1, "gold": 1, "red": 1}
    assert table.view()["salvage"]["gold"] == 5


@pytest.mark.parametrize(
    ("steal", "slug"),
    [
        ({"die": 4, "color": "red", "side": "action"}, "rig/no-such-die"),
        ({"die": True, "color": "red", "side": "action"}, "rig/no-such-die"),
        ({"die": None, "color": "red", "side": "action"}, "rig/no-such-die"),
        ({"die": 0, "color": "blue", "side": "action"}, "rig/not-in-rig"),
        ({"die": 0, "color": "pink", "side": "action"}, "rig/not-a-color"),
        ({"die": 0, "color": ["red"], "side": "action"}, "rig/not-a-color"),
        ({"die": 0, "color": "red", "side": "up"}, "rig/not-a-side"),
        ({"die": 0, "color": "red", "side": {}}, "rig/not-a-side"),
        ({"die": 0, "color": "red"}, "rig/not-a-target"),
        ({"die": 0, "color": "red", "side": "action", "player": "Ben"}, "rig/not-a-target"),
        (False, "rig/not-a-target"),
        ([], "rig/not-a-target"),
    ],
)
def test_what_cannot_be_stolen(steal: Any, slug: str) -> None:
    assert with_steal().refused("act", "Ann", steal=steal).slug == slug


def test_a_die_given_up_cannot_be_given_up_flipped_or_collected_for_again() -> None:
    table = RigSitting(per_die=True).both_roll("gold gold purple+ red+", "black- black- red- red-")
    table.collect("Ann", "steal flip").collect("Ben", "gyro rotor")
    table.both_roll("gold red- red- blue", "black+ " * 4).collect("Ben")
    table.do("act", "Ann", steal={"die": 0, "color": "black", "side": "component"})
    assert table.refused("act", "Ann", flip=A_DIE).slug == "rig/die-is-out"
    table.do("act", "Ann", flip={"token": {"player": "Ann", "index": 0}})
    assert table.queue("Ann") == "extra"
    assert table.refused("collect", "Ann", tokens=tokens("pipes")).slug == "rig/color-not-rolled"


@pytest.mark.parametrize(
    ("flip", "slug"),
    [
        ({"die": {"player": "Ann", "index": 4}}, "rig/no-such-die"),
        ({"die": {"player": "Ann", "index": -1}}, "rig/no-such-die"),
        ({"die": {"player": "Ann", "index": True}}, "rig/no-such-die"),
        ({"die": {"player": "Ann", "index": 1.0}}, "rig/no-such-die"),
        ({"die": {"player": "Ann", "index": 3}}, "rig/die-is-out"),
        ({"die": {"player": "Cleo", "index": 0}}, "rig/unknown-owner"),
        ({"die": {"player": ["Ann"], "index": 0}}, "rig/unknown-owner"),
        ({"die": {"player": "Ann"}}, "rig/not-a-target"),
        ({"die": {"player": "Ann", "index": 0, "face": "red +"}}, "rig/not-a-target"),
        ({"die": 0}, "rig/not-a-target"),
        ({"die": None}, "rig/not-a-target"),
        ({"token": {"player": "Ann", "index": 1}}, "rig/no-such-token"),
        ({"token": {"player": "Ben", "index": 0}}, "rig/no-such-token"),
        ({"token": {"player": "Ann", "index": -1}}, "rig/no-such-token"),
        ({"token": {"player": "Ann", "index": False}}, "rig/no-such-token"),
        ({**A_DIE, "token": {"player": "Ann", "index": 0}}, "rig/not-a-target"),
        ({}, "rig/not-a-target"),
        (0, "rig/not-a-target"),
        ("die", "rig/not-a-target"),
    ],
)
def test_what_cannot_be_flipped(flip: Any, slug: str) -> None:
    table = RigSitting().dealt("flip rotor gyro").both_roll("red+ red+ red+ gold", "black- black- black- gold")
    assert table.refused("act", "Ann", flip=flip).slug == slug


@pytest.mark.parametrize(
    ("extra", "slug"),
    [
        ({"color": "black", "side": "action"}, "rig/not-in-stock"),
        ({"color": "Red", "side": "action"}, "rig/not-a-color"),
        ({"color": None, "side": "action"}, "rig/not-a-color"),
        ({"color": "red", "side": "Action"}, "rig/not-a-side"),
        ({"color": "red", "side": None}, "rig/not-a-side"),
        ({"color": "red"}, "rig/not-a-target"),
        ({"color": "red", "side": "action", "count": 1}, "rig/not-a-target"),
        ("red", "rig/not-a-target"),
    ],
)
def test_what_cannot_be_taken_as_an_extra(extra: Any, slug: str) -> None:
    table = RigSitting(tokens_per_color=1).dealt("extra").both_roll()
    assert table.refused("act", "Ann", extra=extra).slug == slug


def test_an_act_answers_the_action_that_is_resolved_and_no_other() -> None:
    table = RigSitting().dealt("flip").both_roll()
    assert table.refused("act", "Ann").slug == "missing-key"
    assert table.refused("act", "Ann", extra=None).slug == "unknown-key"
    assert table.refused("act", "Ann", flip=None, extra=None).slug == "unknown-key"
    assert table.refused("act", "Ben", flip=None).slug == "not-awaited"
    assert table.refused("collect", "Ann", tokens=[]).slug == "not-awaited"


# Actions without a target are executed without asking -------------------------------------------------------------


def test_flip_without_a_die_that_is_in_or_a_token_in_a_queue() -> None:
    table = RigSitting().dealt("flip").both_roll(REDS, REDS)
    assert "Ann has nothing to flip." in table.events()
    assert (table.view()["phase"], table.view()["salvage"]["purple"]) == ("roll", 5)


def test_steal_from_an_empty_rig() -> None:
    table = RigSitting().dealt("steal").both_roll()
    assert (table.awaited(), table.view()["salvage"]["gold"]) == ([("Ann", "collect")], 5)


def test_steal_without_a_die_that_is_in() -> None:
    table = RigSitting().dealt("steal gyro", "rotor gears").both_roll(LATE_REDS, EARLY_BLACKS)
    assert table.collect("Ben").awaited() == [("Ann", "act")]
    # The same where all dice have cancelled out; Ben went second before, and so goes first on a tie.
    table = RigSitting().dealt("steal gyro", "rotor gears").both_roll(REDS, REDS)
    assert (table.view()["rigs"]["Ben"], table.view()["phase"]) == (["red", "purple"], "roll")
    assert "Ann has nothing to steal." in table.events()
    assert table.view()["salvage"]["gold"] == 5


def test_extra_from_an_empty_salvage_pile() -> None:
    table = RigSitting(tokens_per_color=1).both_roll("black+ red+ gold blue", "purple- green- green- green-")
    table.collect("Ann", "extra rotor pipes boiler").collect("Ben", "gears frame")
    assert set(table.view()["salvage"].values()) == {0}
    table.both_roll()
    assert "Ann has nothing extra to take." in table.events()
    assert table.view()["salvage"]["black"] == 1
    assert table.view()["rigs"]["Ann"] == ["red"]
