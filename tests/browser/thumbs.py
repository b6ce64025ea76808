"""Thumbs: an action is carried out by tapping it into the control that the page shows for it."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

WHAT_IT_HOLDS = """form => ({
    parts: [...form.querySelectorAll('.part')].map(part => ({
        kind: part.dataset.kind,
        path: part.dataset.path.split('.'),
        count: Number(part.dataset.count ?? 1),
        isMany: 'many' in part.dataset,
        values: [...part.querySelectorAll('.tile')].map(tile => JSON.parse(
            tile.dataset.add ?? tile.dataset.preset ?? tile.querySelector('input').value)),
    })),
    buttons: [...form.querySelectorAll('.send')].map(button => ({
        fields: JSON.parse(button.dataset.fields), isAlone: 'alone' in button.dataset,
    })),
})"""

SMALLEST_PX = 44
"""Anything that is to be hit by a thumb is at least as high and as wide (the guideline of WCAG 2.5.5)."""


def take_up(page: Page, player: str) -> None:
    """Say who is looking, where the phone has several seats."""
    seat = page.locator(f"[data-look-as='{player}']")
    if not seat.count():
        return
    if seat.get_attribute("aria-pressed") == "false":
        seat.tap()
    expect(seat).to_have_attribute("aria-pressed", "true")


def fill_in(page: Page, action: dict[str, Any], by_coin: bool = False) -> Locator:
    """Tap an action into its control; the button that sends it. ``by_coin``: a coin's side stands for the cube's."""
    form = page.locator(f"#controls form[data-control='{action['type']}']")
    held = form.evaluate(WHAT_IT_HOLDS)
    place, button = max(
        ((place, each) for place, each in enumerate(held["buttons"]) if each["fields"].items() <= action.items()),
        key=lambda each: len(each[1]["fields"]),
    )
    waiting: dict[tuple[str, ...], list[Any]] = {}
    for number, part in enumerate([] if button["isAlone"] else held["parts"]):
        if by_coin and part["path"] == ["dice"]:
            part["values"] = [None, None, *part["values"][2:]]  # the cube's own two faces come first
        tap_part(form.locator(".part").nth(number), part, action, waiting)
    assert not any(waiting.values()), f"the control holds no place for {waiting}"
    return form.locator(".send").nth(place)


def tap_part(
    place: Locator, part: dict[str, Any], action: dict[str, Any], waiting: dict[tuple[str, ...], Any]
) -> None:
    """Fill in one part. ``waiting`` are the values of a list that its parts have not taken yet."""
    path = tuple(part["path"])
    tiles = place.locator(".tile")
    match part["kind"]:
        case "tick":
            if field_of(action, path):
                place.tap()
        case "amount":
            amount = field_of(action, path)
            if amount in part["values"]:
                tiles.nth(part["values"].index(amount)).tap()
            else:
                place.locator("input").fill(str(amount))
        case "ordered":
            for value in field_of(action, path):
                tiles.nth(index_of(value, part["values"])).tap()
        case "pick" if part["isMany"]:
            values = waiting.setdefault(path, list(field_of(action, path)))
            for _ in range(part["count"]):
                tiles.nth(index_of(values.pop(0), part["values"])).tap()
        case "pick":
            tiles.nth(index_of(field_of(action, path), part["values"])).tap()


def field_of(action: dict[str, Any], path: tuple[str, ...]) -> Any:
    """What stands in an action under these keys; None where nothing does."""
    value: Any = action
    for name in path:
        value = value.get(name)
    return value


def index_of(value: Any, values: list[Any]) -> int:
    """The place of a value among those offered; of a die by its kind and face."""
    return [bodiless(each) for each in values].index(bodiless(value))


def bodiless(value: Any) -> Any:
    """A die without its body; anything else as it is."""
    return {"kind": value["kind"], "face": value["face"]} if isinstance(value, dict) and "face" in value else value


def too_small(page: Page) -> list[str]:
    """What on the page is to be tapped and is too small for a thumb."""
    found: list[str] = page.evaluate(
        """smallest => [...document.querySelectorAll('a, button, summary, .tile, .tick, .stepper input')]
            .filter(one => one.getClientRects().length)
            .filter(one => one.offsetHeight < smallest || one.offsetWidth < smallest)
            .map(one => `${one.textContent.trim() || one.tagName} ${one.offsetWidth}x${one.offsetHeight}`)""",
        SMALLEST_PX,
    )
    return found
