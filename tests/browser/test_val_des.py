"""Val-Des in browsers, from the first cup to an extra set."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Gathers
from tests.browser.ending import assert_shows
from tests.browser.playing import play
from tests.browser.script import script

pytestmark = pytest.mark.browser

DECISIONS = {
    "call des",
    "call val",
    "set",
}
"""What people decide in this game. Its throws are left to the camera."""


def test_it_is_played_to_its_end(gather: Gathers) -> None:
    written = script("val-des")
    assert written.decisions == DECISIONS | {"roll"}
    party = gather(written.game, *((player,) for player in written.players), **written.options)
    play(party, written)
    assert_shows(party, written.ends)
    assert written.ends["leaders"] is not None and max(written.ends["bonus"].values()) == 2, (
        "an extra set and a bonus"
    )
    for page in party.everybody:
        expect(page.locator(".result")).to_contain_text("15")
