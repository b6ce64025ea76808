"""What each phone decides for itself: its language, sound, a screen kept awake; and what a reload does not forget."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.host.phones import Owner, Phone
from tests.host.running import RunningHost
from tests.views import PHONE, TV

pytestmark = pytest.mark.browser

LISTEN = """
    window.said = []; window.tones = 0;
    speechSynthesis.speak = (words) => window.said.push([words.lang, words.text]);
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };
"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A phone that speaks German and notes what it would say aloud."""
    context = browser.new_context(viewport=PHONE, locale="de", has_touch=True)
    context.add_init_script(LISTEN)
    yield context.new_page()
    context.close()


def seated(host: RunningHost, page: Page) -> tuple[str, dict[str, Phone]]:
    """Vigo's Favor with a phone for each; the page is Ana's."""
    players = ("Ana", "Bo", "Chen")
    table, phones = Owner(host).seated(*players)
    page.context.add_cookies([{"name": "croupier-phone", "value": str(phones[0].cookie), "url": host.address}])
    page.goto(f"{host.address}/tables/{table}")
    return table, dict(zip(players, phones, strict=True))


def settings(page: Page) -> None:
    page.get_by_text("Sprache, Ton, Bildschirm").click()


def test_a_language_is_chosen_without_a_script(shared_host: RunningHost, browser: Browser) -> None:
    context = browser.new_context(viewport=PHONE, locale="de", java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{shared_host.address}/claim")
    settings(page)
    page.get_by_role("button", name="Español").click()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    assert page.url == f"{shared_host.address}/claim"
    context.close()


def test_the_caller_and_cues_are_off_until_switched_on_and_are_remembered(
    shared_host: RunningHost, page: Page
) -> None:
    table, phones = seated(shared_host, page)
    assert phones["Ana"].act(table, "stake", "Ana", amount=2).status == 200
    expect(page.locator("#headline")).to_have_text("Ana würfelt um die Gunst.")
    assert page.evaluate("[window.said.length, window.tones]") == [0, 0]
    settings(page)
    page.get_by_label("Eine Stimme sagt, worauf gewartet wird").check()
    page.get_by_label("Töne für Würfe und Züge").check()
    roll = [{"kind": "chance-cube", "face": "red"}]
    assert phones["Ana"].act(table, "roll", "Ana", dice=roll).status == 200
    expect(page.locator("#headline")).to_have_text("Bo würfelt und braucht rot.")
    said = page.evaluate("window.said")
    assert said[0] == ["de", "Ana würfelt um die Gunst."] and said[-1] == ["de", "Bo würfelt und braucht rot."]
    page.reload()
    settings(page)
    expect(page.get_by_label("Eine Stimme sagt, worauf gewartet wird")).to_be_checked()


def test_a_screen_is_kept_awake_by_a_video_where_there_is_no_lock(shared_host: RunningHost, page: Page) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'wakeLock', { value: undefined })")
    page.goto(f"{shared_host.address}/claim")
    settings(page)
    page.get_by_label("Diesen Bildschirm wach halten").check()
    page.wait_for_function("() => document.querySelector('video.awake')?.currentTime > 0")
    page.get_by_label("Diesen Bildschirm wach halten").uncheck()
    expect(page.locator("video.awake")).to_have_count(0)


def test_what_was_refused_is_still_said_after_a_reload(shared_host: RunningHost, page: Page) -> None:
    seated(shared_host, page)
    page.route("**/actions", lambda route: route.fulfill(status=422, json={"slug": "refused", "detail": "So nicht."}))
    page.locator("#controls [data-preset]").first.tap()
    page.locator("#controls .send").first.tap()
    expect(page.get_by_text("So nicht.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("So nicht.")).to_be_visible()


def test_what_was_not_answered_is_sent_again_after_a_reload(shared_host: RunningHost, page: Page) -> None:
    seated(shared_host, page)
    page.route("**/actions", lambda route: route.abort())
    page.locator("#controls [data-preset]").first.tap()
    page.locator("#controls .send").first.tap()
    expect(page.locator("#controls .sentence:visible")).to_contain_text("Wird noch einmal gesendet")
    page.unroute("**/actions")
    page.reload()
    expect(page.locator("#headline")).to_have_text("Ana würfelt um die Gunst.")


def test_the_tv_moves_on_to_a_newer_table(own_host: RunningHost, browser: Browser) -> None:
    context = browser.new_context(viewport=TV)
    page = context.new_page()
    own_host.open("Ana", "Bo", "Chen")
    page.goto(f"{own_host.address}/tv")
    expect(page.locator("h1")).to_have_text("Vigo's Favor")
    own_host.open("Ana", "Bo", "Chen", game="val-des")
    expect(page.locator("h1")).to_have_text("Val-Des")
    assert page.url.endswith("/tv")
    context.close()
