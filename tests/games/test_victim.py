"""Victim!: every phase, the secret intent, every face of every action die, outright wins, and how roles pass."""

import pytest

from host.games.sentence import BadSetup
from host.games.victim import Victim
from tests.games.sitting import Sitting

BODY = {"support": "blue", "sabotage": "red", "neutral": "black"}


def sit(**options: object) -> Sitting:
    return Sitting(Victim(), ("A", "B", "C"), **options)


def seated(**options: object) -> Sitting:
    """Turn 1: A attacks C, and B supports. C sits left of B, A sits right of B."""
    table = sit(**options)
    for player, pips in ("A", "6"), ("B", "1"), ("C", "2"):
        table.roll(player, "pip-die", pips, body="yellow")
    return table


def battle(table: Sitting, attack: str, defence: str, die: str = "support", target: str = "right") -> Sitting:
    """A turn up to the second battle roll; ``attack`` and ``defence`` are two digits each."""
    roles = table.view()["roles"]
    table.act("intent", roles["supporter"], target=target, die=die)
    table.roll(roles["attacker"], "pip-die", *attack, body="white")
    return table.roll(roles["victim"], "pip-die", *defence, body="white")


def support(table: Sitting, face: str, number: str | None = None, die: str = "support") -> Sitting:
    """The supporter's die, and the number-die where there is one."""
    supporter = table.view()["roles"]["supporter"]
    table.roll(supporter, "action-die", face, body=BODY[die])
    return table if number is None else table.roll(supporter, "number-die", number)


def attacker_wins(table: Sitting) -> Sitting:
    """A whole turn that costs the victim 1 health."""
    return support(battle(table, "65", "12"), "white")


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
