"""What holds on every view, in every language, on a phone and on a TV, in a real browser."""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Browser, Page

from host.languages import LANGUAGES
from tests.catalogs import catalog_of
from tests.views import PHONE, SCREENS, Views

pytestmark = pytest.mark.browser

GRAVE = ("serious", "critical")

FIRST_VIEW_BYTES = 150_000

RUN_AXE = """hasColours => axe.run({
    resultTypes: ["violations"],
    rules: { "color-contrast": { enabled: hasColours } },
}).then(({ violations }) => violations.map(
    ({ id, impact, nodes }) => ({ id, impact, where: nodes.slice(0, 3).map((node) => node.html.slice(0, 160)) })))"""

READ_TEXTS = """() => {
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    const found = new Set();
    while (walker.nextNode()) {
        const node = walker.currentNode;
        if (!node.parentElement.closest("script, style, bdi, [lang=en]:not(html)")) found.add(node.data.trim());
    }
    for (const name of ["aria-label", "placeholder", "title", "alt"]) {
        for (const one of document.querySelectorAll(`[${name}]`)) found.add(one.getAttribute(name).trim());
    }
    return [...found];
}"""


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Views]:
    made = Views(tmp_path_factory.mktemp("views") / "data")
    yield made
    made.close()


def english_texts(language: str) -> re.Pattern[str]:
    """What a text looks like that was left in English: one that this language says in other words."""
    patterns = []
    for message in catalog_of(language):
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        patterns += [
            re.sub(r"(%\\\(\w+\\\)[sd]|\\\{\w+(:,)?\\\})", ".+", re.escape(one))
            for one, other in zip(ids, strings, strict=False)
            if one and one != other and _is_telling(one)
        ]
    return re.compile("|".join(patterns))


def _is_telling(text: str) -> bool:
    """Whether only English would say it so: of a text with fields, two words are left without them."""
    bare = re.sub(r"%\(\w+\)[sd]|\{\w+(:,)?\}", " ", text)
    return len(re.findall(r"[A-Za-z]{2,}", bare)) >= (1 if bare == text else 2)


def faults(page: Page, *, has_colours: bool) -> list[dict[str, object]]:
    """What axe finds on a page that is serious or critical; its colours take it longest."""
    page.evaluate(AXE_FILE_PATH.read_text(encoding="utf-8"))
    return [fault for fault in page.evaluate(RUN_AXE, has_colours) if fault["impact"] in GRAVE]


@pytest.mark.parametrize(
    ("screen", "language"), [("tv", "en"), *(("phone", language) for language in LANGUAGES)], ids=str
)
def test_no_view_shuts_anybody_out_or_speaks_another_language(
    views: Views, browser: Browser, screen: str, language: str
) -> None:
    wrong: list[tuple[str, object]] = []
    english = english_texts(language) if language != "en" else None
    with views.screen(browser, SCREENS[screen], language) as looking:
        for view in views.all():
            if screen == "tv" and view.who != "nobody":
                continue  # nobody holds a TV
            page = looking.look(view)
            assert page.locator("html").get_attribute("lang") == language
            wrong += [(view.name, fault) for fault in faults(page, has_colours=language == "en")]
            if english is not None:
                wrong += [(view.name, text) for text in page.evaluate(READ_TEXTS) if text and english.fullmatch(text)]
    assert wrong == []


@pytest.mark.parametrize("name", ["victim", "vigos-favor-player", "king-of-roulette-player", "join", "lobby-player"])
def test_the_first_view_is_small(views: Views, browser: Browser, name: str) -> None:
    sizes: list[int] = []
    view = next(view for view in views.all() if view.name == name)
    with views.screen(browser, PHONE, "en") as looking:
        page = looking._pages[view.who]
        page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
        looking.look(view)
        page.wait_for_load_state("load")
        page.evaluate("document.fonts.ready")
    print(f"{name}: {sum(sizes)} bytes in {len(sizes)} requests")
    assert sum(sizes) < FIRST_VIEW_BYTES
