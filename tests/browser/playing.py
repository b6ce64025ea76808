"""A written game is played: every decision by a thumb on the awaited phone, every throw by the camera or by hand."""

import json
from typing import Any

from playwright.sync_api import Page, expect

from host.games.protocol import JsonObject
from tests.browser.party import PHONE, Party
from tests.browser.script import Script, decision_of
from tests.browser.thumbs import fill_in, take_up, too_small
from tests.host.running import die


def play(party: Party, script: Script, *, by_hand: bool = False) -> None:
    """Play the whole game; ``by_hand``: there is no camera, and dice are tapped in by those who rolled them."""
    for number, action in enumerate(script.actions):
        look_around(party, number, action)
        if action["type"] == "roll" and not by_hand:
            read(party, action)
        else:
            tap(party, number, action, by_coin=script.game == "vigos-favor" and number % 2 == 1)
    for page in party.everybody:
        expect(page.locator(".prompt.over")).to_be_attached()
        expect(page.locator("#controls form")).to_have_count(0)
        party.picture("over", page)


def read(party: Party, action: JsonObject) -> None:
    """The camera sees the dice."""
    answer = party.host.read(*(die(one["kind"], one["face"], one.get("body")) for one in action["dice"]))
    assert answer.json["status"] == "applied", answer.json


def tap(party: Party, number: int, action: JsonObject, by_coin: bool = False) -> None:
    """Whoever is awaited taps the action in; ``by_coin``: with a coin in place of the cube."""
    page = up_to_date(party.pages[action["player"]], number)
    take_up(page, action["player"])
    button = fill_in(page, action, by_coin)
    party.picture(f"{decision_of(action).replace(' ', '-')}-filled", page)
    with page.expect_response("**/actions") as answered:
        button.tap()
    assert answered.value.status == 200, answered.value.text()
    sent = json.loads(answered.value.request.post_data or "")["action"]
    assert without_bodies(sent) == without_bodies(action), sent


def look_around(party: Party, number: int, action: JsonObject) -> None:
    """What each screen shows the first time that something of this kind is asked for."""
    name = decision_of(action).replace(" ", "-")
    if name in party.looked_at:
        return
    party.looked_at.add(name)
    player, state = action["player"], party.seen()["state"]
    awaited = {entry["player"] for entry in state["awaiting"]}
    for page in party.everybody if party.game == "vigos-favor" else ():
        for figure in ("pot", "stake"):
            shown = page.locator(".figure", has=page.get_by_text(figure.title(), exact=True)).locator("dd")
            expect(shown).to_have_text("–" if state[figure] is None else str(state[figure]))
    for other, page in party.pages.items():
        up_to_date(page, number)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], "wider than the phone"
        expect(page.locator("#headline")).not_to_be_empty()
        if other == player:
            take_up(page, player)
            expect(page.locator(f"#controls form[data-control='{action['type']}']")).to_be_visible()
            small = too_small(page)
            assert small == [], small
            party.picture(name, page)
        elif other not in awaited and page is not party.pages[player]:
            # Whoever waits is told in a sentence for whom, and has nothing to tap.
            expect(page.locator("#headline")).to_contain_text(player)
            expect(page.locator("#controls form")).to_have_count(0)
            party.picture(f"{name}-waiting", page)
    party.picture(name, party.tv)


def up_to_date(page: Page, number: int) -> Page:
    """The page, once it shows the controls of the state of this number."""
    expect(page.locator(f"#controls [data-number='{number}']")).to_have_count(1)
    return page


def without_bodies(action: JsonObject) -> dict[str, Any]:
    """An action whose dice are as far as their kinds and faces, and whose unused ``double`` is left out."""
    dice = (
        [{"kind": one["kind"], "face": one["face"]} for one in action["dice"]] if action["type"] == "roll" else None
    )
    return {**action, "dice": dice} if dice is not None else {**action}
