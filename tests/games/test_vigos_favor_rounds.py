"""Vigo's Favor: every ending of a round and of the game, and every option."""

import pytest

from host.games.protocol import JsonObject
from host.games.sentence import BadSetup
from tests.games.vigos_sitting import (
    FOUR,
    GAME,
    awaits,
    decide,
    play,
    raised,
    refused,
    roll,
    rolls,
    shows,
    stake,
)


def test_nobody_left() -> None:
    """The Vigo takes the pot."""
    state = play(FOUR, stake("V", 2), *rolls(V="red", A="blue", B="blue", C="blue"))
    shows(state, phase="stake", round=2, vigo="A", balances={"V": 6, "A": -2, "B": -2, "C": -2}, pot=0)
    shows(state, last_round={"round": 1, "vigo": "V", "outcome": "vigo", "paid": {"V": 6}})


def test_two_left_decide_in_any_order() -> None:
    """The Vigo first pays one stake per survivor; then each is awaited, in seat order, until they have spoken."""
    state = play(FOUR, stake("B", 2), *rolls(B="red", C="red", V="red", A="blue"), vigo="B")
    shows(state, phase="decide", pot=10, in_favor=["C", "V"], balances={"V": -2, "A": -2, "B": -4, "C": -2})
    of_v = {"type": "decide", "player": "V", "choices": ["split", "roll"]}
    of_c = {"type": "decide", "player": "C", "choices": ["split", "roll"]}
    awaits(state, of_v, of_c)
    assert refused(state, decide("C", "claim")) == "not-a-choice"
    state = GAME.apply(state, decide("C", "split"))
    awaits(state, of_v)
    assert refused(state, decide("C", "roll")) == "not-awaited"
    shows(GAME.apply(state, decide("V", "roll")), phase="seek", to_roll=["C", "V"], pot=10)


def test_first_roll_settles_it() -> None:
    state = play(FOUR, stake("V", 2), *rolls(V="red", A="red", B="red", C="red"), decide("B", "roll"))
    shows(state, phase="seek", favor="red", stake=2, pot=12, to_roll=["A", "B", "C"], in_favor=["A", "B", "C"])


def test_all_split_equally() -> None:
    state = play(
        FOUR, stake("V", 2), *rolls(V="red", A="red", B="red", C="blue"), decide("B", "split"), decide("A", "split")
    )
    shows(state, balances={"V": -4, "A": 3, "B": 3, "C": -2}, phase="stake", vigo="A", round=2)
    shows(state, last_round={"round": 1, "vigo": "V", "outcome": "split", "paid": {"A": 5, "B": 5}})


def test_odd_credits_go_clockwise_from_the_vigos_left() -> None:
    """A pot of 4 + 3 = 7 for three survivors, the Vigo in the middle of the seats: E and V come before A."""
    players = ("V", "A", "B", "D", "E")
    state = play(
        players,
        stake("B", 1),
        *rolls(B="red", D="blue", E="red", V="red", A="red"),
        decide("A", "split"),
        decide("V", "split"),
        decide("E", "split"),
        vigo="B",
    )
    shows(state, last_round={"round": 1, "vigo": "B", "outcome": "split", "paid": {"E": 3, "V": 2, "A": 2}})


def test_survivors_are_paid_for_after_every_pass() -> None:
    everyone = rolls(A="red", B="red")
    state = play(("V", "A", "B"), stake("V", 1), roll("V", "red"), *everyone, decide("A", "roll"), *everyone)
    shows(state, phase="decide", pot=6, balances={"V": -4, "A": -1, "B": -1})


def test_option_rising_stakes_acts_when_survivors_roll_on() -> None:
    everyone = rolls(A="red", B="red")
    start = [stake("V", 1), roll("V", "red"), *everyone]
    state = play(("V", "A", "B"), *start, decide("A", "roll"), rising_stakes=3)
    shows(state, stake=4, pot=4)
    state = play(("V", "A", "B"), *start, decide("A", "roll"), *everyone, rising_stakes=3)
    shows(state, stake=4, pot=12)
    alone = [stake("V", 1), *rolls(V="red", A="red", B="blue"), decide("A", "challenge"), raised("V", 1)]
    shows(play(("V", "A", "B"), *alone, rising_stakes=3), stake=1, pot=4)


def quick_round(vigo: str, other: str) -> list[JsonObject]:
    return [stake(vigo, 1), roll(vigo, "red"), roll(other, "blue")]


def test_option_house_vigo() -> None:
    state = play(("V", "A"), *quick_round("V", "A"), house_vigo=True)
    shows(state, round=2, vigo="V", in_favor=["A"])
    state = play(("V", "A"), *quick_round("V", "A"))
    shows(state, round=2, vigo="A", in_favor=["V"])


def test_option_vigo_starts_and_the_title_wraps_round() -> None:
    state = play(FOUR, stake("C", 1), *rolls(C="red", V="blue", A="blue", B="blue"), vigo="C")
    shows(state, vigo="V", round=2)


def test_option_rounds_defaults_to_the_number_of_players_and_ends_the_game() -> None:
    state = play(("V", "A"), *quick_round("V", "A"), *quick_round("A", "V"))
    shows(
        state,
        phase="over",
        awaiting=[],
        winners=["V", "A"],
        round=2,
        vigo="A",
        stake=1,
        favor="red",
        pot=0,
        in_favor=[],
        to_roll=[],
        balances={"V": 0, "A": 0},
    )
    assert GAME.prompt(state) == ()
    assert refused(state, stake("V", 1)) == "game-over"


def test_winners_are_all_with_the_highest_balance_in_seat_order() -> None:
    actions = [stake("C", 1), *rolls(C="red", V="red", A="red", B="blue"), decide("V", "split"), decide("A", "split")]
    state = play(FOUR, *actions, vigo="C", rounds=1)
    shows(state, phase="over", balances={"V": 2, "A": 1, "B": -1, "C": -2}, winners=["V"])
    actions[0] = stake("C", 2)
    shows(play(FOUR, *actions, vigo="C", rounds=1), balances={"V": 3, "A": 3, "B": -2, "C": -4}, winners=["V", "A"])


@pytest.mark.parametrize(
    "options",
    [
        {"rounds": 0},
        {"rounds": 1001},
        {"rounds": 1.0},
        {"rounds": True},
        {"rounds": None},
        {"vigo": "X"},
        {"vigo": None},
        {"vigo": ["V"]},
        {"house_vigo": 1},
        {"mercy": "true"},
        {"mercy": None},
        {"rising_stakes": -1},
        {"rising_stakes": 1_000_000_001},
        {"rising_stakes": False},
        {"stakes": 1},
    ],
)
def test_bad_options(options: JsonObject) -> None:
    with pytest.raises(BadSetup):
        GAME.open(FOUR, options)


@pytest.mark.parametrize("count", [0, 1, 13])
def test_wrong_number_of_players(count: int) -> None:
    with pytest.raises(BadSetup, match="2 to 12 players"):
        GAME.open([f"P{i}" for i in range(count)])


def test_twelve_players() -> None:
    state = GAME.open([f"P{i}" for i in range(12)])
    assert GAME.view(state)["options"]["rounds"] == 12


def test_every_phase_says_who_does_what() -> None:
    assert GAME.prompt(play(FOUR))[0].english() == "V names the stake."
    assert GAME.prompt(play(FOUR, stake("V", 1), roll("V", "red")))[0].english() == "A rolls and needs red."


def test_events_say_what_happened() -> None:
    state = play(FOUR, stake("V", 1), *rolls(V="red", A="blue"))
    assert [event.english() for event in state.events] == ["A misses: blue against red, and is out."]
    state = play(FOUR, stake("V", 1), *rolls(V="red", A="blue", B="blue", C="blue"))
    assert [event.english() for event in state.events] == [
        "C misses: blue against red, and is out.",
        "Nobody is left in favor: V takes the pot of 3.",
        "Round 2 begins, and A is the Vigo.",
    ]
