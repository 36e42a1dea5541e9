"""Mistakes, best moves and hints of one position say the same, and a mistake is refuted."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.shared.browser import LONG, more, needs_browser
from tests.shared.studio import Open

pytestmark = needs_browser


def test_a_deeper_search_settles_what_was_better(open_page: Open) -> None:
    """The list of mistakes once named another decision than the best moves beside it."""
    page = open_page("connect4")
    for number, move in enumerate("44357566", 1):
        more(page).locator("label:has-text('Move') input").fill(move)
        page.locator(".typed button").click()
        expect(page.locator(".moves .move")).to_have_count(number, timeout=LONG)
    page.locator("#tab-understand").click()
    page.get_by_role("button", name="Show my mistakes").click()
    expect(page.get_by_role("button", name="Show my mistakes")).to_be_enabled(timeout=LONG)
    blunder = page.locator(".mistakes li", has_text="Yellow 6")
    expect(blunder).to_contain_text("After it:")
    expect(blunder).to_contain_text("moves ahead")
    blunder.get_by_role("button").click()
    page.locator("label:has-text('seconds') input:visible").fill("1")
    page.get_by_role("button", name="Best moves").click()
    expect(page.locator(".candidates .move").first).to_be_visible(timeout=LONG)
    expect(page.get_by_role("button", name="Best moves")).to_be_enabled(timeout=LONG)
    best = page.locator(".candidates .move").first.inner_text()
    text = blunder.inner_text() if blunder.count() else f"{best} was better"
    assert f"{best} was better" in text or "further than the best moves" in text
