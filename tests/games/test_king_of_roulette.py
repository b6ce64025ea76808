"""King of Roulette: the vote, bets and rules, double bonuses and garnets, and what a view may show."""

import pytest

from host.games.sentence import BadSetup
from tests.games.roulette_sitting import PLAYERS, RULE, Sitting, crowned, named, settle, sit


def vote(table: Sitting, votes: str) -> Sitting:
    """A ballot: the players' votes in seat order."""
    for player, candidate in zip(PLAYERS, votes, strict=True):
        table.act("vote", player, **{"for": candidate})
    return table


def test_opening_state_has_every_key() -> None:
    everyone = list(PLAYERS)
    assert sit().view() == {
        "game": "king-of-roulette",
        "players": everyone,
        "options": {"garnets": 3},
        "phase": "vote",
        "awaiting": [{"type": "vote", "player": p, "choices": everyone} for p in PLAYERS],
        "winners": None,
        "round": 0,
        "king": None,
        "committed": [],
        "points": dict.fromkeys(PLAYERS, 0),
        "garnets": dict.fromkeys(PLAYERS, 3),
        "doubles": dict.fromkeys(PLAYERS, 0),
        "double_price": dict.fromkeys(PLAYERS, 2),
        "candidates": everyone,
        "history": [],
        "tokens": None,
        "elimination_candidate": None,
    }
    assert sit().view("C") == {**sit().view(), "mine": None}


@pytest.mark.parametrize("garnets", [-1, 1_000_000_001, 2.0, "3", None, True])
def test_option_garnets_refuses_what_is_no_amount(garnets: object) -> None:
    with pytest.raises(BadSetup):
        sit(garnets=garnets)


def test_option_garnets_is_what_everyone_starts_with() -> None:
    assert set(sit(garnets=0).view()["garnets"].values()) == {0}
    assert set(sit(garnets=1_000_000_000).view()["garnets"].values()) == {1_000_000_000}


@pytest.mark.parametrize("count", [6, 8])
def test_exactly_seven_players(count: int) -> None:
    with pytest.raises(BadSetup):
        Sitting(sit().game, tuple("ABCDEFGH")[:count])


# The vote


def test_phase_vote_in_any_order_and_most_votes_is_king() -> None:
    table = sit()
    for player in "GBDFA":
        table.act("vote", player, **{"for": "C"})
    assert table.view()["committed"] == ["A", "B", "D", "F", "G"]
    assert table.awaited() == [("C", "vote"), ("E", "vote")]
    table.act("vote", "E", **{"for": "E"})  # for oneself
    table.act("vote", "C", **{"for": "D"})
    view = table.view()
    assert (view["phase"], view["round"], view["king"]) == ("bets", 1, "C")
    assert (view["committed"], view["candidates"]) == ([], None)
    assert "E votes for E." in table.events()
    assert table.events()[-1] == "Round 1: C is king."


def test_phase_vote_refusals() -> None:
    table = sit().act("vote", "A", **{"for": "B"})
    assert table.refused("vote", "A", **{"for": "C"}).slug == "not-awaited"
    assert table.refused("vote", "B", **{"for": "Z"}).slug == "not-a-choice"
    assert table.refused("vote", "B", **{"for": ["A"]}).slug == "not-a-choice"
    assert table.refused("vote", "B").slug == "missing-key"
    assert table.refused("vote", "Z", **{"for": "A"}).slug == "unknown-player"
    assert table.refused("bet", "B", space="1").slug == "not-awaited"
    assert table.refused("buy-double", "B").slug == "not-awaited"


def test_votes_are_secret_until_all_are_in() -> None:
    seen = set()
    for candidate in PLAYERS:
        table = sit().act("vote", "C", **{"for": candidate})
        assert table.view("C")["mine"] == {"for": candidate}
        seen.add(repr(([table.view(p) for p in (None, *"ABDEFG")], table.events(), table.prompts())))
    assert len(seen) == 1
    assert table.events() == ["C has voted."]


def test_a_tied_vote_is_voted_again_for_the_tied_alone_as_often_as_it_ties() -> None:
    table = vote(sit(), "BBCCDDA")
    view = table.view("A")
    assert (view["phase"], view["candidates"]) == ("vote", ["B", "C", "D"])
    assert (view["committed"], view["mine"], view["king"]) == ([], None, None)
    assert [entry["choices"] for entry in view["awaiting"]] == [["B", "C", "D"]] * 7
    assert table.refused("vote", "A", **{"for": "A"}).slug == "not-a-choice"
    vote(table, "BBBCCCD")
    assert (table.view()["phase"], table.view()["candidates"]) == ("vote", ["B", "C"])
    assert table.refused("vote", "A", **{"for": "D"}).slug == "not-a-choice"
    assert vote(table, "CCCCBBB").view()["king"] == "C"


# Bets and the rule


def test_phase_bets_awaits_everyone_and_what_they_can_pay() -> None:
    table = crowned("C", garnets=2)
    expected = [entry for p in PLAYERS for entry in ((p, "buy-double"), (p, "rule" if p == "C" else "bet"))]
    assert table.awaited() == sorted(expected)
    assert all(set(entry) == {"type", "player"} for entry in table.view()["awaiting"])
    assert crowned("C", garnets=1).awaited() == [(p, "rule" if p == "C" else "bet") for p in PLAYERS]


@pytest.mark.parametrize("space", ["0", "7", "King", "", 1, None, True, ["1"], {}])
def test_a_bet_is_on_one_to_six_or_king(space: object) -> None:
    table = crowned()
    assert table.refused("bet", "B", space=space).slug == "king-of-roulette/bad-space"
    for lawful in ("1", "2", "3", "4", "5", "6", "king"):
        assert crowned().act("bet", "B", space=lawful).view("B")["mine"] == {"space": lawful}


def test_a_king_rules_and_does_not_bet() -> None:
    table = crowned("C")
    assert table.refused("bet", "C", space="1").slug == "not-awaited"
    assert table.refused("rule", "A", **RULE).slug == "not-awaited"


@pytest.mark.parametrize(
    ("change", "slug"),
    [
        ({"one": ["1", "1"]}, "bad-one"),
        ({"one": ["1"]}, "bad-one"),
        ({"one": ["1", "2", "4"]}, "bad-one"),
        ({"one": "12"}, "bad-one"),
        ({"one": {"1": 0, "2": 0}}, "bad-one"),
        ({"one": ["1", "king"]}, "bad-one"),
        ({"one": [1, 2]}, "bad-one"),
        ({"one": [["1"], ["2"]]}, "bad-one"),
        ({"two": "1"}, "bad-two"),
        ({"two": "2"}, "bad-two"),
        ({"two": "king"}, "bad-two"),
        ({"two": 3}, "bad-two"),
        ({"two": ["3"]}, "bad-two"),
        ({"guess": "1"}, "bad-guess"),
        ({"guess": "5-6"}, "bad-guess"),
        ({"guess": 6}, "bad-guess"),
        ({"guess": None}, "bad-guess"),
        ({"double": 1}, "bad-double"),
        ({"double": None}, "bad-double"),
        ({"double": True}, "no-double"),
    ],
)
def test_a_rule_is_three_different_spaces_and_a_guess(change: dict[str, object], slug: str) -> None:
    refusal = crowned().refused("rule", "A", **{**RULE, **change})
    assert refusal.slug == f"king-of-roulette/{slug}"


@pytest.mark.parametrize("missing", ["one", "two", "guess"])
def test_a_rule_needs_all_its_parts(missing: str) -> None:
    rule = {key: value for key, value in RULE.items() if key != missing}
    assert crowned().refused("rule", "A", **rule).slug == "missing-key"
    assert crowned().refused("rule", "A", **RULE, space="1").slug == "unknown-key"
    assert crowned().refused("bet", "B", space="1", guess="6").slug == "unknown-key"


def test_bets_and_rules_are_secret_until_all_are_in() -> None:
    bets, rules = set(), set()
    for space in ("1", "6", "king"):
        for double in ({}, {"double": False}, {"double": True}):
            table = crowned().act("buy-double", "B").act("bet", "B", space=space, **double)
            assert table.view("B")["mine"] == {"space": space, **double}
            bets.add(repr(([table.view(p) for p in (None, *"ACDEFG")], table.events(), table.prompts())))
            rule = {"one": ["5", "4"], "two": space if space != "king" else "2", "guess": "0-1", **double}
            table = crowned().act("buy-double", "A").act("rule", "A", **rule)
            assert table.view("A")["mine"] == rule
            rules.add(repr(([table.view(p) for p in (None, *"BCDEFG")], table.events(), table.prompts())))
    assert (len(bets), len(rules)) == (1, 1)


def test_nobodys_mine_is_in_the_public_view() -> None:
    table = crowned().act("bet", "B", space="1")
    assert "mine" not in table.view()
    assert table.view("C")["mine"] is None


def test_committed_is_in_seat_order_and_what_is_in_stays() -> None:
    table = crowned("C").act("bet", "F", space="1").act("rule", "C", **RULE).act("bet", "A", space="2")
    assert table.view()["committed"] == ["A", "C", "F"]
    assert table.refused("bet", "F", space="2").slug == "not-awaited"
    assert table.refused("rule", "C", **RULE).slug == "not-awaited"
    assert table.prompts() == ["Everybody but C bets in secret on a space; still to bet: B, D, E, G."]


def test_one_earns_1_two_earns_2_and_everything_is_public_afterwards() -> None:
    table = settle(crowned(), "4-5", B="1", C="2", D="3", E="king", F="4")
    view = table.view("B")
    assert view["points"] == {"A": 0, "B": 1, "C": 1, "D": 2, "E": 0, "F": 0, "G": 0}
    assert view["history"] == [
        {
            "round": 1,
            "king": "A",
            "bets": {"B": "1", "C": "2", "D": "3", "E": "king", "F": "4", "G": "6"},
            "rule": {"one": ["1", "2"], "two": "3", "guess": "4-5"},
            "doubled": [],
            "earned": {"A": 0, "B": 1, "C": 1, "D": 2, "E": 0, "F": 0, "G": 0},
        }
    ]
    assert (view["committed"], view["mine"]) == ([], None)
    assert "D bet on 3 and earns 2." in table.events()
    assert "E bet on becoming king." in table.events()
    assert "A's rule: 1 and 2 earn 1, 3 earns 2, and 4-5 will earn." in table.events()


def test_rule_one_is_as_given() -> None:
    table = crowned().act("rule", "A", one=["6", "2"], two="5", guess="6")
    assert table.view("A")["mine"]["one"] == ["6", "2"]
    for player in "BCDEFG":
        table.act("bet", player, space="1")
    assert table.view()["history"][0]["rule"] == {"one": ["6", "2"], "two": "5", "guess": "6"}


@pytest.mark.parametrize(
    ("earning", "right", "points"),
    [(0, "0-1", 4), (1, "0-1", 4), (2, "2-3", 3), (3, "2-3", 3), (4, "4-5", 2), (5, "4-5", 2), (6, "6", 1)],
)
def test_a_right_guess_earns_the_king_4_3_2_or_1(earning: int, right: str, points: int) -> None:
    spaces = dict.fromkeys("BCDEFG"[:earning], "3")
    for guess in ("0-1", "2-3", "4-5", "6"):
        earned = settle(crowned(), guess, **spaces).view()["history"][0]["earned"]
        assert earned["A"] == (points if guess == right else 0)
        assert set(earned) == set(PLAYERS)


# Double bonuses and garnets


def test_a_double_bonus_costs_2_and_1_more_with_each_that_the_same_player_buys() -> None:
    table = crowned(garnets=9)
    assert table.act("buy-double", "B").events() == ["B buys a double bonus for 2 garnets."]
    assert (table.view()["garnets"]["B"], table.view()["double_price"]["B"]) == (7, 3)
    table.act("buy-double", "B").act("buy-double", "B")
    view = table.view("E")  # purchases are public at once
    assert (view["garnets"]["B"], view["double_price"]["B"], view["doubles"]["B"]) == (0, 5, 3)
    assert view["double_price"]["C"] == 2
    assert ("B", "buy-double") not in table.awaited()
    assert ("B", "bet") in table.awaited()
    assert table.refused("buy-double", "B").slug == "not-awaited"
    assert view["committed"] == []


def test_who_has_committed_cannot_buy() -> None:
    table = crowned(garnets=9).act("bet", "B", space="1")
    assert ("B", "buy-double") not in table.awaited()
    assert table.refused("buy-double", "B").slug == "not-awaited"


def test_buy_double_takes_nothing_else() -> None:
    assert crowned().refused("buy-double", "B", count=2).slug == "unknown-key"


def test_using_a_double_bonus_doubles_the_rounds_points_and_spends_it() -> None:
    table = crowned().act("buy-double", "D").act("buy-double", "B")
    settle(table, "2-3", doubled="BD", B="3", C="3")
    view = table.view()
    assert view["points"] == {"A": 3, "B": 4, "C": 2, "D": 0, "E": 0, "F": 0, "G": 0}
    assert view["history"][0]["doubled"] == ["B", "D"]
    assert view["history"][0]["earned"]["B"] == 4
    assert (view["doubles"]["B"], view["doubles"]["D"]) == (0, 0)  # spent whatever it doubled
    assert view["double_price"]["B"] == 3
    assert "B bet on 3 and earns 4, doubled." in table.events()


def test_at_most_one_double_bonus_a_round() -> None:
    table = crowned(garnets=9).act("buy-double", "B").act("buy-double", "B")
    settle(table, doubled="B", B="3")
    assert (table.view()["points"]["B"], table.view()["doubles"]["B"]) == (4, 1)


def test_a_king_may_double_the_guess() -> None:
    table = settle(crowned().act("buy-double", "A"), "0-1", doubled="A")
    assert table.view()["points"]["A"] == 8
    assert table.view()["history"][0]["doubled"] == ["A"]


def test_a_double_bonus_kept_can_be_used_later() -> None:
    table = named(settle(crowned().act("buy-double", "B")))
    assert table.view()["doubles"]["B"] == 1
    assert settle(table, doubled="B", B="3").view()["points"]["B"] == 4


def test_only_an_owned_double_bonus_can_be_used() -> None:
    table = crowned()
    refusal = table.refused("bet", "B", space="1", double=True)
    assert refusal.slug == "king-of-roulette/no-double"
    assert table.refused("bet", "B", space="1", double="true").slug == "king-of-roulette/bad-double"
    assert table.act("bet", "B", space="1", double=False).view("B")["mine"] == {"space": "1", "double": False}


def test_a_double_put_to_use_still_counts_as_owned_until_the_round_is_settled() -> None:
    table = crowned().act("buy-double", "B").act("bet", "B", space="1", double=True)
    assert table.view()["doubles"]["B"] == 1


def test_a_garnet_for_each_multiple_of_5_newly_reached() -> None:
    table = named(settle(crowned(), "0-1"))
    assert (table.view()["points"]["A"], table.view()["garnets"]["A"]) == (4, 3)
    table.act("buy-double", "A")
    settle(table, "0-1", doubled="A")
    assert (table.view()["points"]["A"], table.view()["garnets"]["A"]) == (12, 3)  # 5 and 10: two for the two paid
    assert "A reaches 12 points: 2 garnets." in table.events()
    settle(named(table), "2-3", B="1", C="1")
    assert (table.view()["points"]["A"], table.view()["garnets"]["A"]) == (15, 4)  # 15 itself counts
    settle(named(table), "6")
    assert table.view()["garnets"]["A"] == 4


# The next king


def test_the_only_bettor_on_king_is_the_next_king() -> None:
    table = settle(crowned(), D="king")
    view = table.view()
    assert (view["phase"], view["round"], view["king"], view["candidates"]) == ("bets", 2, "D", None)
    assert table.events()[-1] == "Round 2: D is king."


def test_of_several_bettors_on_king_the_one_with_fewest_points() -> None:
    table = named(settle(crowned(), B="3", C="1", D="3"))
    assert settle(table, B="king", C="king", D="king").view()["king"] == "C"


def test_points_of_the_round_itself_count_for_the_next_king() -> None:
    table = named(settle(crowned(), B="1"), "G")
    # Before this round A has 0 and B 1; both bet on king and earn nothing, so A it is.
    assert settle(table, A="king", B="king").view()["king"] == "A"


def test_phase_succession_among_those_who_tie_for_fewest() -> None:
    table = named(settle(crowned(), B="3"))
    settle(table, B="king", C="king", E="king")
    view = table.view()
    assert (view["phase"], view["round"], view["king"]) == ("succession", 2, "A")
    assert view["candidates"] == ["C", "E"]
    assert view["awaiting"] == [{"type": "name-king", "player": "A", "choices": ["C", "E"]}]
    assert view["committed"] == []
    assert len(view["history"]) == 2
    assert table.refused("name-king", "A", king="B").slug == "not-a-choice"
    assert table.refused("name-king", "A", king="A").slug == "not-a-choice"
    assert table.refused("name-king", "C", king="C").slug == "not-awaited"
    assert table.refused("buy-double", "C").slug == "not-awaited"
    assert table.prompts() == ["A names the next king, among C, E."]
    assert named(table, "E").view()["king"] == "E"
    assert table.view()["round"] == 3
    assert table.events() == ["A names E.", "Round 3: E is king."]


def test_phase_succession_with_nobody_on_king_is_among_everybody() -> None:
    table = settle(crowned("D"))
    assert table.view()["candidates"] == list(PLAYERS)
    assert table.view()["awaiting"] == [{"type": "name-king", "player": "D", "choices": list(PLAYERS)}]
    assert named(table, "D").view()["king"] == "D"  # themselves included
