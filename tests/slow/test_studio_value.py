"""The bar beside the board: who is ahead, in both themes, whichever way the board is turned."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.shared.browser import LONG, barriers, needs_browser, picture, play, played
from tests.shared.studio import Open

pytestmark = needs_browser


def heights(page: Page) -> list[float]:
    """How high the parts of the bar are, from above."""
    parts = page.locator(".value .part")
    boxes = [parts.nth(i).bounding_box() for i in range(2)]
    return [box["height"] for box in boxes if box is not None]


def settled(page: Page) -> None:
    """Wait for the end of what moves."""
    parts = "document.querySelector('.value').getAnimations({ subtree: true })"
    while page.evaluate(f"{parts}.some((a) => a.playState === 'running')"):
        page.wait_for_timeout(20)


def test_a_bar_tells_who_is_ahead_and_turns_with_the_board(open_page: Open) -> None:
    page = open_page("tictactoe")
    for site in ("b2", "a1", "b3", "a2"):  # cross takes b1 and wins
        play(page, site)
        played(page, site)
    page.locator("#tab-understand").click()
    bar = page.locator(".value")
    expect(bar).to_have_attribute("aria-label", re.compile("not known here"))
    page.get_by_role("button", name="Best moves").click()
    expect(bar).to_have_attribute("aria-label", re.compile("Cross 100, Nought 0"), timeout=LONG)
    settled(page)
    upper, lower = heights(page)
    assert lower > 5 * upper
    assert barriers(page) == []
    page.get_by_role("button", name="Light or dark").click()
    assert barriers(page) == []
    picture(page, "studio-value")
    page.locator("#tab-play").click()
    expect(bar).to_have_count(0)
    page.get_by_role("button", name="Turn the board").click()
    page.locator("#tab-understand").click()
    settled(page)
    upper, lower = heights(page)
    assert upper > 5 * lower
    page.get_by_role("button", name="Show my mistakes").click()
    expect(page.locator(".mistakes li").first).to_be_visible(timeout=LONG)
    page.locator(".mistakes button").first.click()
    expect(bar).not_to_have_attribute("aria-label", re.compile("Cross 100"), timeout=LONG)
