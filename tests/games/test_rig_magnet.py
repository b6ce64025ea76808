"""RIG's magnet: what it catches, from when until when, and how what is caught is placed."""

from typing import Any

import pytest

from tests.games.rig_sitting import BLACKS, EARLY_BLACKS, LATE_REDS, RigSitting, tokens_in_play


def placed(table: RigSitting, player: str, *sides: str) -> RigSitting:
    return table.do("place", player, sides=list(sides))


def test_executed_tokens_of_the_opponent_are_caught_one_step_at_a_time() -> None:
    table = RigSitting().dealt("magnet", "sabotage extra").both_roll().collect("Ann", "rotor")
    # Ben's sabotage has taken the rotor from Ann, who does not catch what she discards herself.
    view = table.view()
    assert (view["phase"], view["awaiting"]) == ("place", [{"type": "place", "player": "Ann"}])
    assert (table.caught(), table.resolving()) == ([("Ann", "red")], "extra")
    assert (table.queue("Ann"), view["salvage"]["red"]) == ("", 4)
    placed(table, "Ann", "component")
    assert (table.queue("Ann"), table.caught(), table.awaited()) == ("rotor", [], [("Ben", "act")])
    table.do("act", "Ben", extra=None)
    assert (table.caught(), table.resolving()) == ([("Ann", "black")], "")
    placed(table, "Ann", "action")
    assert (table.queue("Ann"), table.awaited()) == ("rotor extra", [("Ben", "collect")])


def test_a_token_executed_without_a_target_is_caught_too() -> None:
    table = RigSitting().dealt("magnet", "steal").both_roll().collect("Ann")
    assert table.caught() == [("Ann", "gold")]


def test_a_magnet_works_from_when_it_is_resolved() -> None:
    table = RigSitting().dealt("sabotage magnet", "rotor gears gyro").both_roll()
    assert (table.view()["phase"], table.queue("Ben")) == ("collect", "gyro")
    table = RigSitting().dealt("magnet sabotage", "rotor gears gyro").both_roll()
    assert (table.view()["phase"], table.caught()) == ("place", [("Ann", "red"), ("Ann", "purple")])
    assert table.view()["salvage"]["red"] == 4 + 1 - 1


def test_tokens_lost_to_sabotage_are_placed_in_the_order_in_which_they_were_discarded() -> None:
    for queue, expected in (("fifo", "rotor flip"), ("lifo", "flip rotor")):
        anns, bens = ("magnet sabotage", "rotor gears gyro")
        if queue == "lifo":
            anns, bens = ("sabotage magnet", "gyro gears rotor")
        table = RigSitting(queue=queue).dealt(anns, bens).both_roll()
        placed(table, "Ann", "component", "action")
        assert table.queue("Ann") == expected


def test_ones_own_discards_are_not_caught() -> None:
    table = RigSitting().dealt("magnet flip").both_roll().do("act", "Ann", flip=None)
    assert (table.awaited(), table.view()["salvage"]["purple"]) == ([("Ann", "collect")], 5)


def test_a_magnet_expires_after_collecting_at_the_end_of_the_opponents_next_turn() -> None:
    table = RigSitting().dealt("magnet").both_roll().collect("Ann")
    assert table.view()["active"]["Ann"] == ["magnet"]
    table.collect("Ben")
    assert (table.view()["round"], table.view()["active"]["Ann"], table.view()["salvage"]["green"]) == (2, [], 5)
    assert "Ann's magnet expires." in table.events()


def test_the_magnet_of_who_goes_second_lasts_through_the_next_roll() -> None:
    table = RigSitting().dealt("rotor", "magnet").both_roll().collect("Ann").collect("Ben")
    assert table.view()["active"]["Ben"] == ["magnet"]
    table.both_roll(LATE_REDS, EARLY_BLACKS).collect("Ben")
    assert table.view()["active"]["Ben"] == ["magnet"]
    table.collect("Ann")
    assert (table.view()["active"]["Ben"], table.view()["salvage"]["green"]) == ([], 5)


def with_boost_against_magnet(**options: Any) -> RigSitting:
    """Ann's boost and Ben's magnet are active, and round 2 is about to be rolled."""
    table = RigSitting(**options).dealt("boost", "magnet").both_roll().collect("Ann").collect("Ben")
    assert table.view()["active"] == {"Ann": ["boost"], "Ben": ["magnet"]}
    return table


def test_boosts_are_caught_after_the_roll_when_tally_and_order_are_known() -> None:
    table = with_boost_against_magnet().both_roll("red+ red- red+ red-", BLACKS)
    view = table.view()
    assert (view["phase"], view["awaiting"]) == ("place", [{"type": "place", "player": "Ben"}])
    assert (view["first"], view["tally"]) == ("Ann", {"Ann": 2, "Ben": -4})
    assert (view["active"]["Ann"], table.caught(), view["turn"]) == ([], [("Ben", "blue")], None)
    placed(table, "Ben", "component")
    assert (table.queue("Ben"), table.awaited()) == ("boiler", [("Ann", "collect")])


def test_a_boost_that_is_caught_can_be_taken_in_the_turn_that_follows() -> None:
    table = with_boost_against_magnet().both_roll(LATE_REDS, EARLY_BLACKS)
    assert table.view()["first"] == "Ben"
    placed(table, "Ben", "component")
    assert (table.view()["rigs"]["Ben"], table.queue("Ben")) == (["blue"], "")


def test_several_boosts_are_one_step() -> None:
    table = RigSitting(per_die=True).both_roll("blue blue red+ red+", "green- red- red- red-")
    table.collect("Ann", "boost boost").collect("Ben", "magnet")
    table.both_roll().collect("Ann").collect("Ben").both_roll("gold gold gold gold", BLACKS)
    assert table.view()["tally"] == {"Ann": 4, "Ben": -4}
    assert table.caught() == [("Ben", "blue"), ("Ben", "blue")]
    assert placed(table, "Ben", "action", "component").queue("Ben") == "boost boiler"


def test_ones_own_boost_goes_to_salvage_under_ones_own_magnet() -> None:
    table = RigSitting().dealt("rotor", "boost magnet").both_roll().collect("Ann").collect("Ben").both_roll()
    assert table.view()["tally"] == {"Ann": 4, "Ben": -2}
    assert (table.view()["phase"], table.view()["salvage"]["blue"]) == ("collect", 5)


def with_two_magnets() -> RigSitting:
    """Ben's magnet is active, and Ann resolves a magnet, then sabotage."""
    table = RigSitting().dealt("pipes gears magnet sabotage", "magnet boiler pipes gyro")
    table.both_roll().collect("Ann").collect("Ben").both_roll()
    assert table.view()["active"] == {"Ann": ["magnet"], "Ben": ["magnet"]}
    return table


def test_if_both_catch_in_one_step_whoever_caught_first_places_first() -> None:
    table = with_two_magnets()
    assert table.caught() == [("Ann", "gold"), ("Ann", "black"), ("Ben", "red")]
    assert table.awaited() == [("Ann", "place")]
    assert (table.resolving(), table.queue("Ben")) == ("", "")
    placed(table, "Ann", "component", "action")
    assert (table.caught(), table.awaited()) == ([("Ben", "red")], [("Ben", "place")])
    assert (table.queue("Ann"), table.queue("Ben")) == ("pipes extra", "")
    placed(table, "Ben", "component")
    assert (table.queue("Ben"), table.awaited()) == ("rotor", [("Ann", "collect")])


def test_an_expired_magnet_is_caught_by_the_opponents() -> None:
    table = with_two_magnets()
    placed(placed(table, "Ann", "component", "action"), "Ben", "component").collect("Ann", "rotor")
    assert table.view()["active"] == {"Ann": ["magnet"], "Ben": []}
    assert (table.caught(), table.awaited(), table.view()["turn"]) == ([("Ann", "green")], [("Ann", "place")], "Ann")
    placed(table, "Ann", "action")
    assert table.queue("Ann") == "pipes extra rotor magnet"
    assert table.view()["rigs"]["Ben"] == ["blue", "red"]
    # Ann's own expires at the end of Ben's turn, and nobody catches it.
    table.collect("Ben")
    assert table.view()["active"] == {"Ann": [], "Ben": []}
    assert (table.view()["round"], table.view()["salvage"]["green"]) == (3, 4)


def test_each_magnet_that_expires_is_a_step_of_its_own() -> None:
    table = RigSitting(per_die=True).both_roll("green+ green+ red+ red+", "green- red- red- red-")
    table.collect("Ann", "magnet magnet").collect("Ben", "magnet")
    table.both_roll().collect("Ann").collect("Ben")
    assert table.view()["active"] == {"Ann": ["magnet"], "Ben": ["magnet"]}
    assert table.caught() == [("Ben", "green")]
    placed(table, "Ben", "component")
    assert table.view()["active"] == {"Ann": [], "Ben": ["magnet"]}
    assert table.caught() == [("Ben", "green")]
    placed(table, "Ben", "action")
    assert (table.queue("Ben"), table.view()["round"]) == ("frame magnet", 2)


@pytest.mark.parametrize(
    ("sides", "slug"),
    [
        ([], "rig/wrong-number-of-sides"),
        (["component"], "rig/wrong-number-of-sides"),
        (["component", "action", "action"], "rig/wrong-number-of-sides"),
        ("ab", "rig/wrong-number-of-sides"),
        (None, "rig/wrong-number-of-sides"),
        (["component", "up"], "rig/not-a-side"),
        (["component", True], "rig/not-a-side"),
        (["component", ["action"]], "rig/not-a-side"),
    ],
)
def test_sides_that_cannot_be_placed(sides: Any, slug: str) -> None:
    table = with_two_magnets()
    assert table.refused("place", "Ann", sides=sides).slug == slug
    assert table.refused("place", "Ben", sides=["component"]).slug == "not-awaited"
    assert table.refused("collect", "Ann", tokens=[]).slug == "not-awaited"


def test_no_token_is_lost_while_both_wait_to_place() -> None:
    assert set(tokens_in_play(with_two_magnets().view()).values()) == {5}
