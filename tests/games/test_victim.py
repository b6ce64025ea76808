"""Victim!: the opening, every phase, the secret intent, how roles pass, and the end."""

import pytest

from host.games.sentence import BadSetup
from host.games.victim import Victim
from tests.games.sitting import Sitting
from tests.games.victim_sitting import BODY, attacker_wins, battle, seated, sit, support


def test_opening_state_has_every_key() -> None:
    assert sit().view() == {
        "game": "victim",
        "players": ["A", "B", "C"],
        "options": {"last_victim": None},
        "phase": "first-roll",
        "awaiting": [
            {"type": "roll", "player": p, "dice": [{"kind": "pip-die", "body": "yellow", "count": 1}]} for p in "ABC"
        ],
        "winners": None,
        "turn": 0,
        "health": {"A": 5, "B": 5, "C": 5},
        "roles": None,
        "first_rolls": {},
        "battle": {"attacker": None, "victim": None},
        "intent": None,
        "totals": None,
        "last_turn": None,
        "losers": None,
    }


def test_option_last_victim_starts_with_six() -> None:
    assert sit(last_victim="B").view()["health"] == {"A": 5, "B": 6, "C": 5}
    for bad in ("Z", 1, False, ["A"]):
        with pytest.raises(BadSetup):
            sit(last_victim=bad)


@pytest.mark.parametrize("players", [(), ("A",), ("A", "B"), ("A", "B", "C", "D")])
def test_exactly_three_players(players: tuple[str, ...]) -> None:
    with pytest.raises(BadSetup):
        Sitting(Victim(), players)


def test_phase_first_roll_is_in_any_order_and_the_highest_attacks() -> None:
    table = sit().roll("C", "pip-die", "2").roll("A", "pip-die", "4", body="yellow")
    assert table.view()["first_rolls"] == {"C": 2, "A": 4}
    assert table.awaited() == [("B", "roll")]
    assert table.refused("roll", "A", dice=[{"kind": "pip-die", "face": "6"}]).slug == "not-awaited"
    table.roll("B", "pip-die", "5")
    view = table.view()
    assert (view["phase"], view["turn"]) == ("planning", 1)
    assert view["roles"] == {"attacker": "B", "supporter": "C", "victim": "A"}
    assert table.events() == ["B rolls 5.", "Turn 1: B attacks A, and C supports."]


def test_first_roll_takes_one_yellow_pip_die() -> None:
    table = sit()
    for dice, slug in (
        ([{"kind": "pip-die", "face": "3", "body": "white"}], "wrong-body"),
        ([{"kind": "pip-die", "face": "7"}], "wrong-face"),
        ([{"kind": "pip-die", "face": 3}], "not-a-die"),
        ([{"kind": "number-die", "face": "3"}], "wrong-kind"),
        ([{"kind": "pip-die", "face": "3"}] * 2, "wrong-number-of-dice"),
        ([], "wrong-number-of-dice"),
    ):
        assert table.refused("roll", "A", dice=dice).slug == slug


def test_first_roll_ties_are_rolled_again_by_the_tied_alone() -> None:
    table = sit().roll("A", "pip-die", "5").roll("B", "pip-die", "3").roll("C", "pip-die", "5")
    view = table.view()
    assert (view["phase"], view["turn"], view["roles"], view["first_rolls"]) == ("first-roll", 0, None, {})
    assert table.awaited() == [("A", "roll"), ("C", "roll")]
    assert table.events()[-1] == "A, C tie for the highest and roll again."
    table.roll("C", "pip-die", "1").roll("A", "pip-die", "1")
    assert table.awaited() == [("A", "roll"), ("C", "roll")]
    table.roll("C", "pip-die", "2").roll("A", "pip-die", "1")
    assert table.view()["roles"] == {"attacker": "C", "supporter": "A", "victim": "B"}
    assert table.view()["first_rolls"] == {"A": 1, "C": 2}


def test_first_roll_of_three_alike_is_rolled_again_by_everybody() -> None:
    table = sit().roll("A", "pip-die", "5").roll("B", "pip-die", "5").roll("C", "pip-die", "5")
    assert table.awaited() == [("A", "roll"), ("B", "roll"), ("C", "roll")]


def test_first_rolls_are_kept_after_their_phase() -> None:
    assert attacker_wins(seated()).view()["first_rolls"] == {"A": 6, "B": 1, "C": 2}


def test_phase_planning_awaits_the_supporters_intent() -> None:
    table = seated()
    assert table.view()["awaiting"] == [{"type": "intent", "player": "B"}]
    for fields, slug in (
        ({"target": "A", "die": "support"}, "victim/bad-target"),
        ({"target": ["left"], "die": "support"}, "victim/bad-target"),
        ({"target": "left", "die": "blue"}, "victim/bad-die"),
        ({"target": "left", "die": {}}, "victim/bad-die"),
        ({"target": "left"}, "missing-key"),
        ({"target": "left", "die": "support", "why": 1}, "unknown-key"),
    ):
        assert table.refused("intent", "B", **fields).slug == slug
    assert table.refused("intent", "A", target="left", die="support").slug == "not-awaited"
    assert table.prompts() == ["B secretly chooses an action die and whom it is for."]


def test_intent_is_null_before_and_hidden_to_others_while_secret() -> None:
    table = seated()
    assert [table.view(p)["intent"] for p in (None, "A", "B", "C")] == [None] * 4
    table.act("intent", "B", target="left", die="sabotage")
    mine = {"target": "left", "die": "sabotage"}
    assert [table.view(p)["intent"] for p in (None, "A", "B", "C")] == ["hidden", "hidden", mine, "hidden"]
    table.roll("A", "pip-die", "1", "2")
    assert [table.view(p)["intent"] for p in (None, "A", "B", "C")] == ["hidden", "hidden", mine, "hidden"]
    table.roll("C", "pip-die", "3", "4")
    assert table.view()["phase"] == "support"
    assert [table.view(p)["intent"] for p in (None, "A", "B", "C")] == [mine] * 4


@pytest.mark.parametrize("rolls_in", [0, 1])
def test_nothing_that_others_see_tells_a_secret_intent(rolls_in: int) -> None:
    seen = set()
    for target in ("left", "right"):
        for die in BODY:
            table = seated().act("intent", "B", target=target, die=die)
            events = table.events()
            if rolls_in:
                table.roll("C", "pip-die", "1", "1")
                events += table.events()
            refusal = str(table.refused("roll", "B", dice=[]))
            views = [table.view(p) for p in (None, "A", "C")]
            seen.add(repr((views, events, table.prompts(), refusal)))
    assert len(seen) == 1


def test_phase_battle_awaits_two_white_dice_each_in_any_order() -> None:
    table = seated().act("intent", "B", target="left", die="support")
    dice = [{"kind": "pip-die", "body": "white", "count": 2}]
    assert table.view()["awaiting"] == [
        {"type": "roll", "player": "A", "dice": dice},
        {"type": "roll", "player": "C", "dice": dice},
    ]
    assert table.prompts() == ["A rolls two white dice for the attack.", "C rolls two white dice for the defence."]
    assert table.refused("roll", "B", dice=[{"kind": "pip-die", "face": "1"}] * 2).slug == "not-awaited"
    assert (
        table.refused("roll", "A", dice=[{"kind": "pip-die", "face": "1", "body": "yellow"}] * 2).slug == "wrong-body"
    )
    table.roll("C", "pip-die", "4", "1")
    assert table.view()["battle"] == {"attacker": None, "victim": [4, 1]}
    assert table.awaited() == [("A", "roll")]
    table.roll("A", "pip-die", "2", "6")
    assert table.view()["battle"] == {"attacker": [2, 6], "victim": [4, 1]}


def test_roles_pass_left_after_victim_and_supporter_swap() -> None:
    table, roles = seated(), []
    for _ in range(7):
        roles.append("".join(table.view()["roles"][role] for role in ("attacker", "supporter", "victim")))
        support(battle(table, "12", "34"), "white")
    assert roles == ["ABC", "BAC", "CAB", "ACB", "BCA", "CBA", "ABC"]


def test_left_and_right_are_the_seats_beside_the_supporter() -> None:
    table = support(battle(seated(), "12", "34"), "white")  # B attacks C, A supports: B sits left of A, C right
    support(battle(table, "12", "34", target="left"), "green", "4")
    assert table.view()["totals"] == {"attacker": 5, "victim": 7}


def test_awaiting_in_battle_is_in_seat_order() -> None:
    table = seated()
    support(battle(table, "12", "34"), "white")
    support(battle(table, "12", "34"), "white")  # now C attacks B, and A supports
    table.act("intent", "A", target="left", die="neutral")
    assert table.awaited() == [("B", "roll"), ("C", "roll")]


def brought_to(table: Sitting, health: int) -> Sitting:
    """Let the attacker win until a turn begins in which the victim has ``health`` left."""
    while table.view()["health"][table.view()["roles"]["victim"]] > health:
        attacker_wins(table)
    return table


def test_an_attacker_who_brings_the_victim_to_zero_wins() -> None:
    table = brought_to(seated(), 1)
    roles = table.view()["roles"]
    turn = table.view()["turn"]
    attacker_wins(table)
    view = table.view()
    assert (view["phase"], view["awaiting"], view["turn"]) == ("over", [], turn)
    assert view["winners"] == [roles["attacker"]]
    assert view["losers"] == sorted({roles["supporter"], roles["victim"]})
    assert view["health"][roles["victim"]] == 0
    # Fields keep their last values, and the intent stays shown.
    assert view["roles"] == roles
    assert view["battle"] == {"attacker": [6, 5], "victim": [1, 2]}
    assert view["intent"] == {"target": "right", "die": "support"}
    assert view["last_turn"]["turn"] == turn
    assert table.refused("intent", "A", target="left", die="support").slug == "game-over"
    assert table.prompts() == []


def test_health_stops_at_zero_and_damage_is_told_as_inflicted() -> None:
    table = brought_to(seated(), 1)
    victim = table.view()["roles"]["victim"]
    battle(table, "66", "11")
    assert table.view()["phase"] == "over"
    assert table.view()["health"][victim] == 0
    assert table.view()["last_turn"]["damage"] == {victim: 2}
    assert table.view()["intent"] == {"target": "right", "die": "support"}
