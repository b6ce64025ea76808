"""King of Roulette in browsers, from the first vote to the tokens of life."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Gathers
from tests.browser.ending import assert_shows
from tests.browser.playing import play
from tests.browser.script import script

pytestmark = pytest.mark.browser

DECISIONS = {
    "bet",
    "bet doubled",
    "bet on king",
    "buy-double",
    "condemn",
    "name-king",
    "rule",
    "rule doubled",
    "vote",
}
"""What people decide in this game."""


def test_it_is_played_to_its_end(gather: Gathers) -> None:
    written = script("king-of-roulette")
    assert written.decisions == DECISIONS
    party = gather(written.game, *((player,) for player in written.players), **written.options)
    play(party, written)
    assert_shows(party, written.ends)
    tokens, condemned = written.ends["tokens"], written.ends["elimination_candidate"]
    for page in party.everybody:
        for player, count in tokens.items():
            seat = page.locator(".seat", has=page.get_by_text(player, exact=True))
            expect(seat.get_by_text(f"{count} tokens of life")).to_have_count(1 if count == 2 else 0)
            expect(seat.get_by_text("elimination candidate")).to_have_count(1 if player == condemned else 0)
        expect(page.locator(".rounds-played li")).to_have_count(7)
