"""Games with secrets in a browser: each person sees the own part, and so does the network."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from tests.shared.browser import LONG, barriers, needs_browser, play
from tests.shared.studio import Open

pytestmark = needs_browser


def heard(page: Page) -> list[str]:
    """All that the page is sent from its next load on."""
    texts = list[str]()
    page.on(
        "websocket", lambda line: line.on("framereceived", lambda text: texts.append(str(text)))
    )
    page.reload()
    expect(page.locator("svg.board .site").first).to_be_visible(timeout=LONG)
    return texts


def pieces(text: str) -> list[str]:
    """The sites of pieces in a table that was sent; only those that changed are."""
    scene = json.loads(text).get("result", {})
    scene = scene.get("scene", {}) if isinstance(scene, dict) else {}
    return [spot["name"] for spot in scene.get("spots", []) if spot.get("piece")]


def test_two_people_hand_the_screen_over(open_page: Open) -> None:
    page = open_page("darkhex")
    texts = heard(page)
    play(page, "d4")
    hand_over = page.get_by_role("button", name="Give the screen to Blue")
    expect(hand_over).to_be_visible(timeout=LONG)
    for name in ("Take back", "one back"):
        expect(page.get_by_role("button", name=name)).to_be_disabled()
    hand_over.click()
    expect(page.locator("svg.board")).not_to_be_visible()
    assert barriers(page) == []

    del texts[:]
    page.get_by_role("button", name="Show what Blue sees").click()
    expect(page.locator(".moves .move")).to_have_text(["?"], timeout=LONG)
    expect(page.locator("svg.board .piece")).to_have_count(0)
    assert texts
    assert "d4" not in "".join(name for text in texts for name in pieces(text))

    play(page, "d4")  # what is met there is seen, and another site is chosen
    expect(page.locator(".moves .move")).to_have_text(["?", "d4"], timeout=LONG)
    expect(page.locator(".player.ours")).to_contain_text("met: d4")


def test_a_computer_s_card_is_not_sent(open_page: Open) -> None:
    page = open_page("kuhn")
    page.locator("[data-chair='1'] select").select_option("random")
    page.get_by_role("button", name="New game").click()
    page.locator("dialog select").first.select_option("random")
    page.locator("dialog button", has_text="Start").click()
    expect(page.get_by_role("button", name="Bet")).to_be_visible(timeout=LONG)
    texts = heard(page)
    page.locator("#tab-understand").click()
    expect(page.get_by_role("button", name="Show my mistakes")).to_have_count(0)
    sent = {site for text in texts for site in pieces(text)}
    assert sent == {"a1"}
    page.locator("#tab-play").click()
    page.get_by_role("button", name="Bet").click()
    expect(page.locator(".result")).to_be_visible(timeout=LONG)
    assert {site for text in texts for site in pieces(text)} == {"a1", "b1"}
