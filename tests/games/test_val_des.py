"""Val-Des: every phase, every option, extra sets, the bonus, and what a view shows."""

import pytest

from host.games.sentence import BadSetup
from host.games.val_des import ValDes
from tests.games.sitting import Sitting

CUBE = "chance-cube"
RED = [{"kind": CUBE, "face": "red"}]


def sit(*players: str, **options: object) -> Sitting:
    return Sitting(ValDes(), players or ("A", "B", "C"), **options)


def play_set(table: Sitting, face: str, **calls: str) -> Sitting:
    """One whole set; ``calls`` by player, in any order."""
    caster = table.view()["caster"]
    table.act("set", caster)
    for player in table.view()["calling"]:
        table.act("call", player, call=calls[player])
    return table.roll(caster, CUBE, face)


def test_opening_state_has_every_key() -> None:
    assert sit(ante=5).view() == {
        "game": "val-des",
        "players": ["A", "B", "C"],
        "options": {"sets": 7, "ante": 5, "scorekeeper": "A"},
        "phase": "set",
        "awaiting": [{"type": "set", "player": "B"}],
        "winners": None,
        "set": 1,
        "caster": "B",
        "calling": ["C", "A", "B"],
        "calls": {},
        "points": {"A": 0, "B": 0, "C": 0},
        "bonus": {"A": 0, "B": 0, "C": 0},
        "streak": {"A": 0, "B": 0, "C": 0},
        "leaders": None,
        "pot": 15,
        "balances": {"A": -5, "B": -5, "C": -5},
        "history": [],
    }


def test_option_scorekeeper_seats_the_first_caster_to_their_left() -> None:
    assert sit().view()["caster"] == "B"
    assert sit(scorekeeper="B").view()["caster"] == "C"
    assert sit(scorekeeper="C").view()["caster"] == "A"


@pytest.mark.parametrize(
    "options",
    [
        {"sets": 0},
        {"sets": 1001},
        {"sets": 7.0},
        {"sets": True},
        {"ante": -1},
        {"ante": 1_000_000_001},
        {"ante": None},
        {"scorekeeper": "Z"},
        {"scorekeeper": None},
        {"rounds": 3},
    ],
)
def test_bad_options_are_refused_in_one_line(options: dict[str, object]) -> None:
    with pytest.raises(BadSetup) as refusal:
        sit(**options)
    assert "\n" not in str(refusal.value)


def test_two_to_twelve_players() -> None:
    with pytest.raises(BadSetup):
        sit("A")
    assert len(sit(*"ABCDEFGHIJKL").view()["players"]) == 12
    with pytest.raises(BadSetup):
        sit(*"ABCDEFGHIJKLM")


def test_largest_options() -> None:
    assert sit(sets=1000, ante=1_000_000_000).view()["pot"] == 3_000_000_000


def test_phase_set_awaits_the_caster_alone() -> None:
    table = sit()
    assert table.awaited() == [("B", "set")]
    assert table.refused("set", "A").slug == "not-awaited"
    assert table.refused("call", "C", call="val").slug == "not-awaited"
    assert table.refused("set", "B", dice=RED).slug == "unknown-key"
    assert table.prompts() == ["B rolls the cube under the cup and puts the cup down."]
    assert table.act("set", "B").events() == ["B has the cube under the cup."]


def test_phase_call_goes_from_the_casters_left_to_the_caster() -> None:
    table = sit().act("set", "B")
    assert table.view()["awaiting"] == [{"type": "call", "player": "C", "choices": ["val", "des"]}]
    assert table.refused("call", "A", call="val").slug == "not-awaited"
    assert table.refused("call", "C", call="red").slug == "not-a-choice"
    assert table.refused("call", "C").slug == "missing-key"
    assert table.act("call", "C", call="val").events() == ["C calls val."]
    assert table.view()["calling"] == ["A", "B"]
    table.act("call", "A", call="des")
    assert table.awaited() == [("B", "call")]
    assert table.act("call", "B", call="val").view()["phase"] == "reveal"


def test_calls_are_public_and_name_only_those_who_have_called() -> None:
    table = sit().act("set", "B")
    assert table.view()["calls"] == {}
    table.act("call", "C", call="val")
    assert [table.view(p)["calls"] for p in (None, "A", "B", "C")] == [{"C": "val"}] * 4


def test_calling_is_the_full_list_during_set() -> None:
    assert sit().view()["calling"] == ["C", "A", "B"]
    table = play_set(sit(), "red", A="val", B="val", C="val")
    assert table.view()["phase"] == "set"
    assert table.view()["calling"] == ["A", "B", "C"]
    assert table.view()["calls"] == {}


@pytest.mark.parametrize("calls_in", [0, 1, 2])
def test_a_cube_seen_before_every_call_is_in_is_refused_and_changes_nothing(calls_in: int) -> None:
    table = sit().act("set", "B")
    for player in table.view()["calling"][:calls_in]:
        table.act("call", player, call="des")
    refusal = table.refused("roll", "B", dice=RED)
    assert refusal.slug == "not-awaited"
    assert "calls val (red) or des (blue)" in str(refusal)


def test_phase_reveal_awaits_one_chance_cube_from_the_caster() -> None:
    table = sit().act("set", "B")
    for player in ("C", "A", "B"):
        table.act("call", player, call="val")
    assert table.view()["awaiting"] == [
        {"type": "roll", "player": "B", "dice": [{"kind": CUBE, "body": None, "count": 1}]}
    ]
    assert table.view()["calling"] == []
    assert table.refused("roll", "A", dice=RED).slug == "not-awaited"
    assert table.refused("roll", "B", dice=RED * 2).slug == "wrong-number-of-dice"
    assert table.refused("roll", "B", dice=[{"kind": CUBE, "face": "green"}]).slug == "wrong-face"
    assert table.refused("roll", "B", dice=[{"kind": CUBE, "face": "red", "body": "blue"}]).slug == "wrong-face"
    assert table.refused("roll", "B", dice=[{"kind": "pip-die", "face": "1"}]).slug == "wrong-kind"
    assert table.prompts() == ["B lifts the cup."]


def test_val_is_red_and_des_is_blue() -> None:
    table = play_set(sit(), "red", A="val", B="des", C="val")
    assert table.view()["points"] == {"A": 1, "B": 0, "C": 1}
    assert table.events() == ["B lifts the cup: red, val.", "A point each for A, C."]
    play_set(table, "blue", A="val", B="des", C="val")
    assert table.view()["points"] == {"A": 1, "B": 1, "C": 1}
    assert play_set(table, "blue", A="val", B="val", C="val").events()[1] == "Nobody called it."


def test_the_cup_passes_left_after_every_set() -> None:
    table, casters = sit(), []
    for _ in range(4):
        casters.append(table.view()["caster"])
        play_set(table, "red", A="val", B="val", C="val")
    assert casters == ["B", "C", "A", "B"]


def test_history_lists_every_set() -> None:
    table = play_set(sit(), "blue", A="val", B="des", C="des")
    play_set(table, "red", A="val", B="val", C="des")
    assert table.view()["history"] == [
        {"set": 1, "caster": "B", "result": "blue", "calls": {"A": "val", "B": "des", "C": "des"}},
        {"set": 2, "caster": "C", "result": "red", "calls": {"A": "val", "B": "val", "C": "des"}},
    ]


def test_streak_is_the_current_run() -> None:
    table = sit()
    for face in ("red", "red", "blue", "red"):
        play_set(table, face, A="val", B="des", C="val")
    assert table.view()["streak"] == {"A": 1, "B": 0, "C": 1}


def test_bonus_is_awarded_once_after_the_last_set() -> None:
    table = sit(sets=7)
    for _ in range(6):
        play_set(table, "red", A="val", B="des", C="des")
    assert table.view()["bonus"] == {"A": 0, "B": 0, "C": 0}
    play_set(table, "red", A="des", B="des", C="des")
    assert table.view()["bonus"] == {"A": 2, "B": 0, "C": 0}
    assert table.view()["points"] == {"A": 8, "B": 0, "C": 0}
    assert table.events()[2:] == ["A was right three times in a row: 2 bonus points.", "A wins with 8 points."]


def test_no_bonus_with_fewer_than_three_sets() -> None:
    table = sit(sets=2)
    for _ in range(2):
        play_set(table, "red", A="val", B="des", C="des")
    assert table.view()["bonus"] == {"A": 0, "B": 0, "C": 0}
    assert table.view()["winners"] == ["A"]


def test_the_bonus_counts_before_the_leaders_are_found() -> None:
    table = sit("A", "B", sets=5)
    for a, b in ("val", "val"), ("val", "val"), ("val", "des"), ("des", "val"), ("des", "val"):
        play_set(table, "red", A=a, B=b)
    # A was right three times, in a row; B four times, but never three in a row.
    assert table.view()["points"] == {"A": 5, "B": 4}
    assert table.view()["winners"] == ["A"]


def test_the_winner_takes_the_pot() -> None:
    table = play_set(sit(sets=1, ante=5), "red", A="val", B="des", C="des")
    view = table.view()
    assert (view["phase"], view["winners"], view["pot"]) == ("over", ["A"], 0)
    assert view["balances"] == {"A": 10, "B": -5, "C": -5}
    assert table.events()[-1] == "A wins with 1 points and takes the pot of 15."


def test_when_over_fields_keep_their_last_values() -> None:
    view = play_set(sit(sets=1), "red", A="val", B="des", C="des").view()
    assert view["awaiting"] == []
    assert (view["set"], view["caster"], view["calling"], view["leaders"]) == (1, "B", [], None)
    assert view["calls"] == {"A": "val", "B": "des", "C": "des"}


def test_after_the_end_everything_is_refused() -> None:
    table = play_set(sit(sets=1), "red", A="val", B="des", C="des")
    assert table.refused("set", "C").slug == "game-over"
    assert table.prompts() == []


def test_extra_sets_are_for_the_tied_leaders() -> None:
    table = play_set(sit("A", "B", "C", "D", sets=1, ante=1), "red", A="val", B="des", C="val", D="val")
    view = table.view()
    assert (view["set"], view["caster"], view["phase"]) == (2, "C", "set")
    assert view["leaders"] == ["A", "C", "D"]
    assert view["calling"] == ["D", "A", "C"]  # from the caster's left; the caster, a leader, calls last
    assert table.events()[-1] == "A, C, D lead with 1 points each and call again."
    play_set(table, "red", A="val", C="des", D="val")
    view = table.view()
    assert (view["leaders"], view["caster"], view["calling"]) == (["A", "D"], "D", ["A", "D"])
    play_set(table, "red", A="val", D="val")
    # The cup goes on round everyone: A is next, then B, who does not call.
    assert table.view()["caster"] == "A"
    play_set(table, "blue", A="val", D="val")
    view = table.view()
    assert (view["caster"], view["calling"], view["leaders"]) == ("B", ["D", "A"], ["A", "D"])
    assert table.awaited() == [("B", "set")]
    play_set(table, "blue", A="val", D="des")
    view = table.view()
    assert (view["winners"], view["phase"], view["set"]) == (["D"], "over", 5)
    assert view["points"] == {"A": 3, "B": 0, "C": 1, "D": 4}
    assert view["leaders"] == ["A", "D"]
    assert view["balances"] == {"A": -1, "B": -1, "C": -1, "D": 3}
    assert view["history"][-1] == {"set": 5, "caster": "B", "result": "blue", "calls": {"A": "val", "D": "des"}}


def test_who_does_not_lead_is_not_awaited_in_an_extra_set() -> None:
    table = play_set(sit(sets=1), "red", A="val", B="des", C="val")
    table.act("set", "C")
    assert table.awaited() == [("A", "call")]
    assert table.refused("call", "B", call="val").slug == "not-awaited"


def test_streaks_go_on_in_extra_sets_for_those_who_call_and_give_no_bonus() -> None:
    table = sit(sets=2)
    play_set(table, "red", A="val", B="des", C="val")
    play_set(table, "red", A="val", B="val", C="val")
    assert table.view()["streak"] == {"A": 2, "B": 1, "C": 2}
    play_set(table, "red", A="val", C="val")
    assert table.view()["streak"] == {"A": 3, "B": 1, "C": 3}
    play_set(table, "red", A="val", C="des")
    assert table.view()["streak"] == {"A": 4, "B": 1, "C": 0}
    assert table.view()["bonus"] == {"A": 0, "B": 0, "C": 0}
    assert table.view()["points"] == {"A": 4, "B": 1, "C": 3}


def test_a_tie_of_nobody_right_goes_to_everybody() -> None:
    table = play_set(sit(sets=1), "blue", A="val", B="val", C="val")
    assert table.view()["leaders"] == ["A", "B", "C"]


def test_money_sums_to_zero_at_every_step() -> None:
    table = sit(ante=3, sets=1)
    play_set(table, "blue", A="val", B="val", C="val")
    assert sum(table.view()["balances"].values()) + table.view()["pot"] == 0
    play_set(table, "blue", A="val", B="des", C="val")
    assert sum(table.view()["balances"].values()) + table.view()["pot"] == 0
