"""Pieces in hand on the studio's page: shown beside their player, clicked, dragged and heard."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.shared.browser import LONG, barriers, more, needs_browser, play, played
from tests.shared.studio import Open

pytestmark = needs_browser


def taken(open_page: Open) -> Page:
    """A game in which each side has a pawn in hand."""
    page = open_page("crazyhouse")
    more(page).locator("label:has-text('Move') input").fill("e2e4 d7d5 e4d5 d8d5")
    page.locator(".typed button").click()
    played(page, "d8d5")
    page.keyboard.press("Escape")  # the menu lies over the seats
    return page


def in_hand(page: Page, chair: int) -> Locator:
    return page.locator(f"[data-chair='{chair}'] .in-hand")


def test_a_piece_in_hand_is_clicked_and_put(open_page: Open) -> None:
    page = taken(open_page)
    own, theirs = in_hand(page, 0), in_hand(page, 1)
    expect(own).to_have_attribute("aria-label", "1 pawn in hand", timeout=LONG)
    expect(own.locator("svg use, svg path").first).to_be_attached()
    assert theirs.evaluate("element => element.tagName") == "SPAN"  # it is not their turn
    own.click()
    expect(own).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".targets .may").first).to_be_visible()
    assert page.locator(".site.open:has(title:text-matches('^[a-h][18](:|$)'))").count() == 0
    assert barriers(page) == []
    page.keyboard.press("Tab")
    own.press("Enter")  # and it is let go again
    expect(own).to_have_attribute("aria-pressed", "false")
    own.press("Enter")
    play(page, "e4")
    played(page, "pawn@e4")
    expect(own).to_have_count(0)
    expect(theirs).to_have_attribute("aria-label", "1 pawn in hand")


def test_a_piece_in_hand_is_dragged(open_page: Open) -> None:
    page = taken(open_page)
    boxes = [
        in_hand(page, 0).bounding_box(),
        page.locator(".site:has(title:text-matches('^f4(:|$)'))").bounding_box(),
    ]
    (x, y), (to_x, to_y) = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes if b]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(to_x, to_y, steps=4)
    page.mouse.up()
    played(page, "pawn@f4")


def test_a_piece_in_hand_is_let_go_for_one_on_the_board(open_page: Open) -> None:
    page = taken(open_page)
    in_hand(page, 0).click()
    play(page, "b1", "c3")
    played(page, "b1c3")
