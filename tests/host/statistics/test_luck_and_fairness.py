"""Luck and fairness, reckoned from dice that are known."""

from collections import Counter

import pytest

from host.games.registry import GAMES
from host.records import Entry, SeatedTable
from host.statistics.fairness import Counts, even_shares, fairness
from host.statistics.luck import FAVOR, luck_of, overall, tally
from host.statistics.thrown import throws
from host.table import Table
from vision.dice import KINDS

NOW = "2026-05-04T20:15:00.000Z"


def table_of(game: str, *players: str) -> Table:
    """A table in memory."""
    return Table(SeatedTable("k3f9", game, players, {}, NOW), GAMES.game(game))


def act(table: Table, kind: str, player: str, **fields: object) -> None:
    """Carry out an action."""
    action = {"type": kind, "player": player, **fields}
    table.append(Entry("k3f9", table.number + 1, "action", action, "owner", NOW))


def cube(face: str) -> list[dict[str, str]]:
    return [{"kind": "chance-cube", "face": face}]


def test_who_matches_the_favor_is_lucky_and_who_names_it_is_not() -> None:
    table = table_of("vigos-favor", "Vera", "Ana", "Bo")
    act(table, "stake", "Vera", amount=1)
    act(table, "roll", "Vera", dice=cube("red"))
    act(table, "roll", "Ana", dice=cube("red"))
    act(table, "roll", "Bo", dice=cube("blue"))
    counted = tally(table)
    assert counted == Counter({("Ana", "favor", 1): 1, ("Bo", "favor", 0): 1})
    (luck,) = luck_of(counted, "Ana")
    assert (luck.measure, luck.dice, luck.total) == (FAVOR, 1, 1)
    assert overall(luck_of(counted, "Vera")) == (0, 0.0)
    assert overall(luck_of(counted, "Bo")) == (1, -1.0)


def test_what_was_taken_back_does_not_count() -> None:
    table = table_of("vigos-favor", "Vera", "Ana", "Bo")
    act(table, "stake", "Vera", amount=1)
    act(table, "roll", "Vera", dice=cube("red"))
    table.append(Entry("k3f9", 3, "undo", None, "owner", NOW))
    assert list(throws(table)) == []


def test_a_corrected_roll_counts_as_corrected() -> None:
    table = table_of("vigos-favor", "Vera", "Ana", "Bo")
    act(table, "stake", "Vera", amount=1)
    act(table, "roll", "Vera", dice=cube("red"))
    table.append(Entry("k3f9", 3, "amend", {"of": 2, "dice": cube("blue"), "drop": None}, "owner", NOW))
    (throw,) = throws(table)
    assert [(die.face, die.by_hand) for die in throw.dice] == [("blue", True)]


def test_a_die_is_known_by_the_body_that_was_awaited() -> None:
    table = table_of("victim", "Ana", "Bo", "Cy")
    act(table, "roll", "Ana", dice=[{"kind": "pip-die", "face": "6"}])
    (throw,) = throws(table)
    assert [die.body for die in throw.dice] == ["yellow"]


@pytest.mark.parametrize("kind", KINDS)
def test_shares_of_even_dice_add_up(kind: str) -> None:
    for body in (*KINDS[kind].bodies, None):
        shares = even_shares(kind, body)
        assert shares is None or sum(shares.values()) == pytest.approx(1)


def test_even_dice_are_usual_loaded_ones_are_not_and_few_say_nothing() -> None:
    def white(*counts: int) -> Counter[tuple[str, str | None, str]]:
        return Counter({("pip-die", "white", str(face)): count for face, count in enumerate(counts, 1)})

    (even,) = fairness(white(18, 22, 21, 19, 20, 20), {})
    (loaded,) = fairness(white(10, 10, 10, 10, 10, 70), {("pip-die", "white"): 3})
    (few,) = fairness(white(5, 5, 5, 5, 5, 4), {})
    assert [test.verdict for test in (even, loaded, few)] == ["usual", "unusual", "too-few"]
    assert (few.rolls, few.rolls_needed, loaded.by_hand) == (29, 30, 3)
    (six,) = (face for face in loaded.faces if face.face == "6")
    assert six.expected == pytest.approx(20) and six.interval[0] > 1 / 6


def test_many_tests_together_are_harder_on_each() -> None:
    odd: Counts = Counter(
        {("pip-die", "white", str(face)): count for face, count in enumerate((15, 22, 18, 20, 12, 33), 1)}
    )
    other: Counts = Counter({("number-die", str(body), str(face)): 10 for body in range(5) for face in range(1, 13)})
    (alone,) = fairness(odd, {})
    among = {test.id: test for test in fairness(odd + other, {})}["pip-die.white"]
    assert alone.p == among.p and alone.verdict == "unusual" and among.verdict == "usual"
