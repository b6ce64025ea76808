"""Victim!: every face of every action die, what it does to the totals, and outright wins."""

import pytest

from tests.games.victim_sitting import BODY, battle, seated, support


@pytest.mark.parametrize("die", ["support", "sabotage", "neutral"])
def test_phase_support_awaits_the_chosen_action_die_by_its_body(die: str) -> None:
    table = battle(seated(), "12", "34", die=die)
    assert table.view()["awaiting"] == [
        {"type": "roll", "player": "B", "dice": [{"kind": "action-die", "body": BODY[die], "count": 1}]}
    ]
    for body in set(BODY.values()) - {BODY[die]}:
        dice = [{"kind": "action-die", "face": "white", "body": body}]
        assert table.refused("roll", "B", dice=dice).slug == "wrong-body"
    assert support(table, "white", die=die).view()["turn"] == 2


def test_a_green_neutral_face_is_refused_even_without_a_body() -> None:
    table = battle(seated(), "12", "34", die="neutral")
    for extra in ({}, {"body": None}, {"body": "black"}):
        dice = [{"kind": "action-die", "face": "green", **extra}]
        assert table.refused("roll", "B", dice=dice).slug == "wrong-face"


@pytest.mark.parametrize("die", ["support", "sabotage"])
@pytest.mark.parametrize("face", ["green", "red"])
def test_phase_support_number_follows_green_or_red(die: str, face: str) -> None:
    table = support(battle(seated(), "12", "34", die=die), face, die=die)
    view = table.view()
    assert view["phase"] == "support-number"
    assert view["awaiting"] == [
        {"type": "roll", "player": "B", "dice": [{"kind": "number-die", "body": None, "count": 1}]}
    ]
    assert table.refused("roll", "B", dice=[{"kind": "number-die", "face": "13"}]).slug == "wrong-face"
    assert table.refused("roll", "B", dice=[{"kind": "number-die", "face": "0"}]).slug == "wrong-face"
    assert table.roll("B", "number-die", "12", body="sea green").view()["turn"] == 2


@pytest.mark.parametrize(
    ("face", "target", "number", "totals"),
    [
        ("green", "right", "7", {"attacker": 10, "victim": 7}),  # half of 7, rounded down, to A
        ("green", "left", "7", {"attacker": 7, "victim": 10}),  # … to C
        ("red", "right", "7", {"attacker": 3, "victim": 7}),  # half of 7, rounded up, off A
        ("red", "left", "7", {"attacker": 7, "victim": 3}),
        ("green", "right", "1", {"attacker": 7, "victim": 7}),
        ("red", "right", "1", {"attacker": 6, "victim": 7}),
        ("green", "left", "12", {"attacker": 7, "victim": 13}),
        ("red", "left", "12", {"attacker": 7, "victim": 1}),
    ],
)
def test_green_adds_half_rounded_down_and_red_takes_half_rounded_up(
    face: str, target: str, number: str, totals: dict[str, int]
) -> None:
    table = support(battle(seated(), "16", "34", target=target), face, number)
    assert table.view()["totals"] == totals
    assert table.view()["last_turn"]["outcome"] == ("attacker" if totals["attacker"] > totals["victim"] else "victim")


def test_a_total_may_fall_below_zero() -> None:
    assert support(battle(seated(), "12", "34"), "red", "12").view()["totals"] == {"attacker": -3, "victim": 7}


def test_white_does_nothing() -> None:
    table = support(battle(seated(), "12", "34"), "white")
    assert table.view()["totals"] == {"attacker": 3, "victim": 7}
    assert table.view()["last_turn"]["action_faces"] == ["white"]
    assert table.view()["last_turn"]["number"] is None


def test_the_attacker_needs_strictly_more() -> None:
    assert support(battle(seated(), "34", "34"), "white").view()["health"] == {"A": 5, "B": 5, "C": 5}
    assert support(battle(seated(), "35", "34"), "white").view()["health"] == {"A": 5, "B": 5, "C": 4}


def test_last_turn_tells_everything() -> None:
    table = support(battle(seated(), "16", "34"), "green", "3")
    assert table.view()["last_turn"] == {
        "turn": 1,
        "roles": {"attacker": "A", "supporter": "B", "victim": "C"},
        "battle": {"attacker": [1, 6], "victim": [3, 4]},
        "intent": {"target": "right", "die": "support"},
        "action_faces": ["green"],
        "number": 3,
        "totals": {"attacker": 8, "victim": 7},
        "outcome": "attacker",
        "damage": {"C": 1},
    }
    assert table.events() == [
        "B rolls 3: A gains 1.",
        "A wins the battle, 8 to 7: C loses 1 health.",
        "Turn 2: B attacks C, and A supports.",
    ]
    assert table.view()["battle"] == {"attacker": None, "victim": None}
    assert table.view()["intent"] is None


def test_phase_neutral_again_follows_a_red_face_and_changes_no_total() -> None:
    table = support(battle(seated(), "12", "34", die="neutral"), "red", die="neutral")
    assert table.view()["phase"] == "neutral-again"
    assert table.view()["awaiting"] == [
        {"type": "roll", "player": "B", "dice": [{"kind": "action-die", "body": "black", "count": 1}]}
    ]
    support(table, "white", die="neutral")
    assert table.view()["last_turn"]["action_faces"] == ["red", "white"]
    assert table.view()["last_turn"]["damage"] == {}
    assert table.view()["totals"] == {"attacker": 3, "victim": 7}


def test_two_neutral_reds_cost_the_supporter_a_health() -> None:
    table = support(battle(seated(), "35", "34", die="neutral"), "red", die="neutral")
    support(table, "red", die="neutral")
    assert table.view()["last_turn"]["action_faces"] == ["red", "red"]
    assert table.view()["last_turn"]["damage"] == {"B": 1, "C": 1}
    assert table.view()["health"] == {"A": 5, "B": 4, "C": 4}
    # The neutral damage is told before the battle's.
    assert table.events()[:2] == [
        "B rolls red again and loses 1 health.",
        "A wins the battle, 8 to 7: C loses 1 health.",
    ]


def test_two_neutral_reds_never_cost_the_last_health() -> None:
    table = seated()
    while table.view()["health"][table.view()["roles"]["supporter"]] > 1:
        battle(table, "12", "34", die="neutral")
        support(support(table, "red", die="neutral"), "red", die="neutral")
    supporter = table.view()["roles"]["supporter"]
    battle(table, "12", "34", die="neutral")
    support(support(table, "red", die="neutral"), "red", die="neutral")
    assert table.view()["health"][supporter] == 1
    assert table.view()["last_turn"]["damage"] == {}
    assert table.events()[0] == f"{supporter} rolls red again, but keeps the last health."


@pytest.mark.parametrize("die", ["support", "sabotage"])
@pytest.mark.parametrize(
    ("attack", "defence", "damage"), [("66", "66", 1), ("12", "11", 1), ("66", "11", 2), ("11", "11", 1)]
)
def test_an_outright_win_rolls_no_support_or_sabotage_die(die: str, attack: str, defence: str, damage: int) -> None:
    table = battle(seated(), attack, defence, die=die, target="left")
    view = table.view()
    assert (view["phase"], view["turn"], view["intent"]) == ("planning", 2, None)
    assert view["last_turn"]["intent"] == {"target": "left", "die": die}
    assert view["last_turn"]["action_faces"] == []
    assert view["last_turn"]["number"] is None
    assert view["last_turn"]["outcome"] == "attacker"
    assert view["last_turn"]["damage"] == {"C": damage}
    assert view["health"]["C"] == 5 - damage
    # The totals of an outright win are the plain sums.
    assert view["totals"] == {"attacker": sum(map(int, attack)), "victim": sum(map(int, defence))}
    assert f"B chose the {die} die, for C." in table.events()


@pytest.mark.parametrize(("attack", "defence"), [("11", "34"), ("12", "66"), ("56", "66")])
def test_other_doubles_win_nothing_outright(attack: str, defence: str) -> None:
    assert battle(seated(), attack, defence).view()["phase"] == "support"


def test_an_outright_win_still_rolls_a_neutral_die() -> None:
    table = battle(seated(), "66", "11", die="neutral")
    view = table.view()
    assert (view["phase"], view["intent"]) == ("support", {"target": "right", "die": "neutral"})
    support(support(table, "red", die="neutral"), "red", die="neutral")
    assert table.view()["last_turn"]["damage"] == {"B": 1, "C": 2}
    assert table.view()["totals"] == {"attacker": 12, "victim": 2}
    assert table.view()["health"] == {"A": 5, "B": 4, "C": 3}
