"""Vigo's Favor, row by row of its phases."""

from typing import Any

import pytest

from host.games.protocol import JsonObject
from tests.games.vigos_sitting import (
    FIVE,
    FOUR,
    GAME,
    a_roll,
    awaits,
    decide,
    mercy,
    play,
    raised,
    refused,
    roll,
    rolls,
    shows,
    stake,
)


def test_worked_example() -> None:
    """Two survivors, one who rolls on, and a challenge that the Vigo wins."""
    actions = [stake("V", 1), roll("V", "red")]
    state = play(FIVE, *actions)
    shows(state, pot=4, favor="red", in_favor=["P1", "P2", "P3", "P4"], to_roll=["P1", "P2", "P3", "P4"])
    actions += rolls(P1="red", P2="blue", P3="blue", P4="red")
    state = play(FIVE, *actions)
    shows(state, pot=6, in_favor=["P1", "P4"], phase="decide")
    actions += [decide("P1", "split"), decide("P4", "roll")]
    shows(play(FIVE, *actions), phase="seek", to_roll=["P1", "P4"], pot=6, favor="red")
    actions += rolls(P1="red", P4="blue")
    state = play(FIVE, *actions)
    shows(state, phase="decide", pot=6, in_favor=["P1"])
    awaits(state, {"type": "decide", "player": "P1", "choices": ["claim", "challenge"]})
    actions += [decide("P1", "challenge"), raised("V", 1)]
    shows(play(FIVE, *actions), pot=8, stake=1)
    actions += [roll("V", "red"), roll("P1", "blue")]
    shows(
        play(FIVE, *actions),
        phase="stake",
        round=2,
        vigo="P1",
        pot=0,
        stake=None,
        favor=None,
        in_favor=["P2", "P3", "P4", "V"],
        last_round={"round": 1, "vigo": "V", "outcome": "challenge-lost", "paid": {"V": 8}},
        # The Vigo paid 2 for survivors and 1 in the challenge, and took 8; P1 paid 1 and 1.
        balances={"V": 5, "P1": -2, "P2": -1, "P3": -1, "P4": -1},
    )


def test_opening() -> None:
    state = play(FOUR)
    assert GAME.view(state) == {
        "game": "vigos-favor",
        "players": ["V", "A", "B", "C"],
        "options": {"rounds": 4, "vigo": "V", "house_vigo": False, "rising_stakes": 0, "mercy": False},
        "phase": "stake",
        "awaiting": [{"type": "stake", "player": "V"}],
        "winners": None,
        "round": 1,
        "vigo": "V",
        "stake": None,
        "favor": None,
        "pot": 0,
        "in_favor": ["A", "B", "C"],
        "to_roll": [],
        "splitting": [],
        "balances": {"V": 0, "A": 0, "B": 0, "C": 0},
        "last_round": None,
    }


def test_row_stake() -> None:
    state = play(FOUR, stake("V", 3))
    shows(state, phase="favor", stake=3, pot=0)
    awaits(state, a_roll("V"))


@pytest.mark.parametrize("amount", [0, -1, 1.0, True, "1", None, 1_000_000_001, [1], 1.5, float("inf")])
def test_row_stake_refuses_what_is_no_amount(amount: Any) -> None:
    assert refused(play(FOUR), stake("V", amount)) == "bad-amount"


def test_row_stake_takes_a_thousand_million() -> None:
    shows(play(FOUR, stake("V", 1_000_000_000)), stake=1_000_000_000)


def test_row_favor() -> None:
    """Every other player pays at once; the Vigo pays nothing."""
    state = play(FOUR, stake("V", 3), roll("V", "blue"))
    shows(state, phase="seek", favor="blue", pot=9, balances={"V": 0, "A": -3, "B": -3, "C": -3})
    shows(state, in_favor=["A", "B", "C"], to_roll=["A", "B", "C"])
    awaits(state, a_roll("A"))


def test_row_favor_takes_a_cube_of_the_face_s_colour() -> None:
    state = play(FOUR, stake("V", 3))
    die = {"kind": "chance-cube", "face": "blue"}
    for body in ("blue", None):
        GAME.apply(state, {"type": "roll", "player": "V", "dice": [{**die, "body": body}]})
    assert refused(state, {"type": "roll", "player": "V", "dice": [{**die, "body": "red"}]}) == "wrong-face"
    assert refused(state, {"type": "roll", "player": "V", "dice": [{**die, "body": "green"}]}) == "wrong-body"
    assert refused(state, {"type": "roll", "player": "V", "dice": [{"kind": "pip-die", "face": "1"}]}) == "wrong-kind"
    assert refused(state, {"type": "roll", "player": "V", "dice": [die, die]}) == "wrong-number-of-dice"
    assert refused(state, {"type": "roll", "player": "V", "dice": [{**die, "face": "green"}]}) == "wrong-face"


def test_row_seek() -> None:
    """Clockwise from the Vigo's left, wrapping round; a match stays in, a miss is out at once."""
    state = play(FOUR, stake("B", 1), roll("B", "red"), vigo="B")
    shows(state, in_favor=["C", "V", "A"], to_roll=["C", "V", "A"])
    assert refused(state, roll("V", "red")) == "not-awaited"
    state = GAME.apply(state, roll("C", "red"))
    shows(state, in_favor=["C", "V", "A"], to_roll=["V", "A"])
    state = GAME.apply(state, roll("V", "blue"))
    shows(state, in_favor=["C", "A"], to_roll=["A"], phase="seek")
    awaits(state, a_roll("A"))


def test_row_mercy_bought() -> None:
    """Mercy goes straight to the Vigo's balance, and the player stays in favor for this pass."""
    state = play(FOUR, stake("V", 2), *rolls(V="red", A="blue"), mercy=True)
    shows(state, phase="mercy", in_favor=["A", "B", "C"], to_roll=["B", "C"], pot=6)
    awaits(state, {"type": "mercy", "player": "A", "choices": [True, False]})
    state = GAME.apply(state, mercy("A", True))
    shows(state, phase="seek", in_favor=["A", "B", "C"], to_roll=["B", "C"], pot=6)
    shows(state, balances={"V": 2, "A": -4, "B": -2, "C": -2})
    awaits(state, a_roll("B"))


def test_row_mercy_declined() -> None:
    state = play(FOUR, stake("V", 2), *rolls(V="red", A="blue"), mercy("A", False), mercy=True)
    shows(state, phase="seek", in_favor=["B", "C"], to_roll=["B", "C"], pot=6)
    shows(state, balances={"V": 0, "A": -2, "B": -2, "C": -2})


@pytest.mark.parametrize("buy", [1, 0, "true", None, [True]])
def test_row_mercy_refuses_what_is_neither_true_nor_false(buy: Any) -> None:
    state = play(FOUR, stake("V", 2), *rolls(V="red", A="blue"), mercy=True)
    assert refused(state, mercy("A", buy)) == "not-a-choice"


def test_row_mercy_by_the_last_of_a_pass_ends_the_pass() -> None:
    start = (stake("V", 1), *rolls(V="red", A="blue"))
    state = play(("V", "A"), *start, mercy=True)
    shows(state, phase="mercy", in_favor=["A"], to_roll=[])
    shows(GAME.apply(state, mercy("A", True)), phase="decide", in_favor=["A"])
    state = GAME.apply(state, mercy("A", False))
    shows(state, last_round={"round": 1, "vigo": "V", "outcome": "vigo", "paid": {"V": 1}})


def test_row_mercy_is_asked_again_in_the_next_pass() -> None:
    """Mercy holds for one pass, at the stake of the pass in which it is bought."""
    one_pass = (*rolls(A="blue"), mercy("A", True), *rolls(B="red"))
    state = play(
        ("V", "A", "B"),
        stake("V", 1),
        roll("V", "red"),
        *one_pass,
        decide("A", "roll"),
        *one_pass,
        mercy=True,
        rising_stakes=4,
    )
    # A: stake 1, mercy 1, mercy 5. V: gets 1 and 5, pays 2 x 1 and 2 x 5 for the survivors.
    shows(state, balances={"V": -6, "A": -7, "B": -1}, pot=14, phase="decide", stake=5)


def test_without_mercy_a_miss_is_never_asked() -> None:
    shows(play(FOUR, stake("V", 2), *rolls(V="red", A="blue")), phase="seek", in_favor=["B", "C"])


def test_row_decide_one_left_claims() -> None:
    """One survivor costs the Vigo nothing; claim takes the pot."""
    state = play(FOUR, stake("V", 2), *rolls(V="red", A="blue", B="red", C="blue"))
    shows(state, phase="decide", pot=6, in_favor=["B"], to_roll=[])
    assert refused(state, decide("B", "split")) == "not-a-choice"
    assert refused(state, decide("A", "claim")) == "not-awaited"
    state = GAME.apply(state, decide("B", "claim"))
    shows(state, phase="stake", round=2, vigo="A", balances={"V": 0, "A": -2, "B": 4, "C": -2})
    shows(state, last_round={"round": 1, "vigo": "V", "outcome": "claim", "paid": {"B": 6}})


def challenge(amount: int = 5) -> list[JsonObject]:
    """A in favor alone, who challenges; the Vigo names ``amount``."""
    return [
        stake("V", 2),
        *rolls(V="red", A="red", B="blue", C="blue"),
        decide("A", "challenge"),
        raised("V", amount),
    ]


def test_row_decide_one_left_challenges() -> None:
    state = play(FOUR, *challenge()[:-1])
    shows(state, phase="raise", pot=6, in_favor=["A"])
    awaits(state, {"type": "raise", "player": "V"})


def test_row_raise() -> None:
    """Both pay into the pot, and the stake stays what it was."""
    state = play(FOUR, *challenge(5))
    shows(state, phase="challenge-favor", pot=16, stake=2, balances={"V": -5, "A": -7, "B": -2, "C": -2})
    awaits(state, a_roll("V"))


@pytest.mark.parametrize("amount", [0, -5, 1.0, False, 1_000_000_001, "5"])
def test_row_raise_refuses_what_is_no_amount(amount: Any) -> None:
    assert refused(play(FOUR, *challenge()[:-1]), raised("V", amount)) == "bad-amount"


def test_row_challenge_favor() -> None:
    state = play(FOUR, *challenge(), roll("V", "blue"))
    shows(state, phase="challenge-roll", favor="blue", pot=16, in_favor=["A"])
    awaits(state, a_roll("A"))


def test_row_challenge_roll_match() -> None:
    state = play(FOUR, *challenge(), *rolls(V="blue", A="blue"))
    shows(state, last_round={"round": 1, "vigo": "V", "outcome": "challenge-won", "paid": {"A": 16}})
    shows(state, balances={"V": -5, "A": 9, "B": -2, "C": -2}, phase="stake", vigo="A")


def test_row_challenge_roll_miss() -> None:
    """No mercy in a challenge, whatever the option says."""
    state = play(FOUR, *challenge(), *rolls(V="blue", A="red"))
    shows(state, last_round={"round": 1, "vigo": "V", "outcome": "challenge-lost", "paid": {"V": 16}})
    with_mercy = [stake("V", 2), *rolls(V="red", A="red"), decide("A", "challenge"), raised("V", 1)]
    state = play(("V", "A"), *with_mercy, *rolls(V="blue", A="red"), mercy=True, rounds=1)
    shows(state, phase="over", in_favor=["A"], balances={"V": 3, "A": -3}, winners=["V"])
