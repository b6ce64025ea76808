"""RIG in browsers, from the first roll to the sixth component."""

import pytest

from tests.browser.conftest import Gathers
from tests.browser.ending import assert_shows
from tests.browser.playing import play
from tests.browser.script import script

pytestmark = pytest.mark.browser

DECISIONS = {
    "act extra",
    "act extra nothing",
    "act flip die",
    "act flip nothing",
    "act flip token",
    "act steal",
    "collect",
    "place",
    "set-aside",
}
"""What people decide in this game. Its throws are left to the camera."""


def test_it_is_played_to_its_end(gather: Gathers) -> None:
    written = script("rig")
    assert written.decisions == DECISIONS | {"roll"}
    party = gather(written.game, *((player,) for player in written.players), **written.options)
    play(party, written)
    assert_shows(party, written.ends)
