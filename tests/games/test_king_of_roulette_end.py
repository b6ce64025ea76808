"""King of Roulette: after round 7, tokens of life, the elimination candidate, and how ties for last are broken."""

import pytest

from tests.games.roulette_sitting import PLAYERS, Sitting, all_rounds, crowned, named, settle

ZERO = dict.fromkeys(PLAYERS, 0)


def two_leaders() -> Sitting:
    """B and C lead, and A (the last king), D, E, F and G are tied for last."""
    return all_rounds(crowned(), B="3", C="3")


def condemn(table: Sitting, **candidates: str) -> Sitting:
    for player, candidate in candidates.items():
        table.act("condemn", player, candidate=candidate)
    return table


def test_there_is_no_succession_after_round_7() -> None:
    table = crowned()
    for _ in range(6):
        settle(table, "0-1", B="3", C="1", D="1", E="1", F="1", G="1")
        named(table)
    settle(table, B="king", C="3")
    view = table.view()
    assert (view["phase"], view["round"], view["king"]) == ("over", 7, "A")
    assert len(view["history"]) == 7


def test_all_equal_gives_no_tokens_and_the_last_king_is_the_candidate() -> None:
    table = all_rounds(crowned())
    view = table.view()
    assert (view["phase"], view["winners"], view["tokens"]) == ("over", [], ZERO)
    assert view["elimination_candidate"] == "A"
    assert table.events()[-2:] == ["All have 0 points, and nobody wins.", "A is the elimination candidate."]


@pytest.mark.parametrize(("leaders", "each"), [("B", 2), ("BC", 1), ("BCD", 1), ("BCDE", 0), ("BCDEF", 0)])
def test_tokens_of_life_by_how_many_lead(leaders: str, each: int) -> None:
    others = [p for p in "BCDEFG" if p not in leaders]
    table = all_rounds(crowned(), **dict.fromkeys(leaders, "3"), **dict.fromkeys(others, "1"))
    view = table.view()
    assert view["phase"] == "over"
    assert view["winners"] == list(leaders)
    assert view["tokens"] == {**ZERO, **dict.fromkeys(leaders, each)}
    # The king never guessed right, and is last alone: nobody has to condemn anyone.
    assert view["elimination_candidate"] == "A"


def test_phase_condemn_awaits_each_top_scorer_in_any_order() -> None:
    table = two_leaders()
    view = table.view()
    assert (view["phase"], view["round"], view["king"]) == ("condemn", 7, "A")
    assert view["candidates"] == ["A", "D", "E", "F", "G"]
    assert view["awaiting"] == [
        {"type": "condemn", "player": p, "choices": ["A", "D", "E", "F", "G"]} for p in ("B", "C")
    ]
    assert (view["tokens"], view["winners"], view["elimination_candidate"]) == (None, None, None)
    assert table.refused("condemn", "A", candidate="D").slug == "not-awaited"
    assert table.refused("condemn", "B", candidate="C").slug == "not-a-choice"
    assert table.prompts() == ["The leaders condemn in secret one of A, D, E, F, G; still to choose: B, C."]
    condemn(table, C="F")
    assert table.view()["committed"] == ["C"]
    assert table.awaited() == [("B", "condemn")]
    assert table.refused("condemn", "C", candidate="D").slug == "not-awaited"


def test_most_votes_decides_and_the_end_empties_what_is_secret() -> None:
    table = condemn(two_leaders(), C="F", B="F")
    view = table.view("B")
    assert (view["phase"], view["awaiting"]) == ("over", [])
    assert view["elimination_candidate"] == "F"
    assert view["winners"] == ["B", "C"]
    assert view["tokens"] == {**ZERO, "B": 1, "C": 1}
    assert (view["committed"], view["candidates"], view["mine"]) == ([], None, None)
    assert (view["round"], view["king"]) == (7, "A")  # fields keep their last values
    assert "B condemns F." in table.events()
    assert table.refused("condemn", "B", candidate="D").slug == "game-over"
    assert table.prompts() == []


def test_condemnations_are_secret_until_all_are_in() -> None:
    table = two_leaders()
    before, seen = table.state, set()
    for candidate in ("A", "D", "E", "F", "G"):
        table.state = before
        condemn(table, B=candidate)
        assert table.view("B")["mine"] == {"candidate": candidate}
        seen.add(repr(([table.view(p) for p in (None, *"ACDEFG")], table.events(), table.prompts())))
    assert len(seen) == 1


def test_a_tied_condemnation_is_voted_again_once_for_the_tied_alone() -> None:
    table = condemn(two_leaders(), B="D", C="E")
    view = table.view("B")
    assert (view["phase"], view["candidates"], view["committed"]) == ("condemn", ["D", "E"], [])
    assert view["mine"] is None
    assert view["awaiting"] == [{"type": "condemn", "player": p, "choices": ["D", "E"]} for p in ("B", "C")]
    assert table.refused("condemn", "B", candidate="F").slug == "not-a-choice"
    assert condemn(table, B="E", C="E").view()["elimination_candidate"] == "E"


def test_a_second_tie_leaves_the_last_king_alone_to_choose() -> None:
    table = condemn(two_leaders(), B="D", C="E")
    condemn(table, B="D", C="E")
    view = table.view()
    assert (view["phase"], view["candidates"], view["committed"]) == ("condemn", ["D", "E"], [])
    assert view["awaiting"] == [{"type": "condemn", "player": "A", "choices": ["D", "E"]}]
    assert table.refused("condemn", "B", candidate="D").slug == "not-awaited"
    assert table.refused("condemn", "A", candidate="A").slug == "not-a-choice"
    assert table.prompts() == ["The leaders are divided: A condemns one of D, E."]
    assert condemn(table, A="D").view()["elimination_candidate"] == "D"
    assert table.view()["winners"] == ["B", "C"]


def test_a_second_tie_can_be_narrower_than_the_first() -> None:
    table = all_rounds(crowned(), B="3", C="3", D="3", E="3")  # A, F and G are last; four lead
    condemn(table, B="A", C="F", D="F", E="A")
    assert table.view()["candidates"] == ["A", "F"]
    condemn(table, B="A", C="F", D="F", E="A")
    assert table.awaited() == [("A", "condemn")]
    view = condemn(table, A="A").view()  # the last king may be one of the tied, and choose themselves
    assert view["elimination_candidate"] == "A"
    assert view["tokens"] == ZERO
    assert view["winners"] == ["B", "C", "D", "E"]


def test_a_lone_leader_condemns_alone() -> None:
    table = all_rounds(crowned(), B="3", C="1", D="1", E="1")
    assert table.view()["candidates"] == ["A", "F", "G"]
    assert table.awaited() == [("B", "condemn")]
    view = condemn(table, B="A").view()
    assert (view["elimination_candidate"], view["tokens"]["B"], view["phase"]) == ("A", 2, "over")


def test_a_leader_who_is_king_condemns_too() -> None:
    table = crowned()
    for number in range(1, 8):
        settle(table, "0-1")
        if number < 7:
            named(table)
    assert table.awaited() == [("A", "condemn")]
    assert table.view()["candidates"] == ["B", "C", "D", "E", "F", "G"]
    assert condemn(table, A="G").view()["tokens"] == {**ZERO, "A": 2}
