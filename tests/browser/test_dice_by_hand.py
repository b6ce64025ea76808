"""Where there is no camera: whole games on one phone that is handed round, every die tapped in by who rolled it."""

import pytest

from tests.browser.conftest import Gathers
from tests.browser.ending import assert_shows
from tests.browser.playing import play
from tests.browser.script import script

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", ["vigos-favor", "victim"])
def test_a_game_is_played_to_its_end_without_a_camera(gather: Gathers, name: str) -> None:
    written = script(name)
    party = gather(written.game, written.players, **written.options)
    play(party, written, by_hand=True)
    assert_shows(party, written.ends)
    assert party.seen()["reading"] is None, "nothing was read by a camera"
