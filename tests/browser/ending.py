"""How a game came out, as the phones, the TV and the referee say."""

from playwright.sync_api import expect

from host.games.protocol import JsonObject
from tests.browser.party import Party


def assert_shows(party: Party, ends: JsonObject) -> None:
    """The table's state is the referee's, and every screen shows its winners and everybody's score."""
    assert party.seen()["state"] == ends
    scores = scores_of(ends)
    for page in party.everybody:
        expect(page.locator(".seat.winner .name")).to_have_text(list(ends["winners"]))
        expect(page.locator("#headline")).to_contain_text("win")
        shown = dict(
            zip(
                page.locator(".seat .name").all_inner_texts(),
                page.locator(".seat .score").all_text_contents(),
                strict=True,
            )
        )
        assert {player: whole(text) for player, text in shown.items()} == scores


def scores_of(ends: JsonObject) -> dict[str, int]:
    """What stands beside each player's name: credits, points, health or components."""
    if ends["game"] == "rig":
        return {player: len(set(rig)) for player, rig in ends["rigs"].items()}
    scores: dict[str, int] = next(ends[key] for key in ("points", "health", "balances") if key in ends)
    return scores


def whole(text: str) -> int:
    """The number with which a text begins.

    >>> whole("−1,200 credits"), whole("+3 points"), whole("5 of 6")
    (-1200, 3, 5)
    """
    return int(text.split()[0].replace(",", "").replace("−", "-"))
