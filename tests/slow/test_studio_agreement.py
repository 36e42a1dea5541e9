"""Mistakes, best moves and hints of one position say the same, and a mistake is refuted."""

from __future__ import annotations

from collections.abc import Iterable

from playwright.sync_api import Page, expect

from tests.shared.browser import LONG, more, needs_browser
from tests.shared.studio import Open

pytestmark = needs_browser


def type_moves(page: Page, moves: Iterable[str]) -> None:
    """Type the moves of a game one after the other."""
    for number, move in enumerate(moves, 1):
        more(page).locator("label:has-text('Move') input").fill(move)
        page.locator(".typed button").click()
        expect(page.locator(".moves .move")).to_have_count(number, timeout=LONG)


def show_mistakes(page: Page) -> None:
    page.locator("#tab-understand").click()
    page.get_by_role("button", name="Show my mistakes").click()
    expect(page.get_by_role("button", name="Show my mistakes")).to_be_enabled(timeout=LONG)


def test_a_deeper_search_settles_what_was_better(open_page: Open) -> None:
    """The list of mistakes once named another decision than the best moves beside it."""
    page = open_page("connect4")
    type_moves(page, "44357566")
    show_mistakes(page)
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
    assert f"{best} was better" in text


def test_the_move_of_the_computer_is_the_one_that_is_explained(open_page: Open) -> None:
    """By one node it plays another move than it would by its own limits."""
    page = open_page("connect4")
    type_moves(page, "44444")
    page.keyboard.press("Escape")
    seat = page.locator("[data-chair='1'] select")
    seat.evaluate("(s) => s.add(new Option('counter@nodes=1', 'counter@nodes=1'))")
    seat.select_option("counter@nodes=1")
    expect(page.locator(".moves .move")).to_have_count(6, timeout=LONG)
    expect(page.locator(".moves .now")).to_have_text("4")
    page.locator("button[aria-label='one back']").click()
    page.locator("#tab-understand").click()
    page.get_by_role("combobox", name="personality").select_option("counter")
    page.get_by_role("button", name="Explain", exact=True).click()
    expect(page.locator(".explained")).to_contain_text("counter plays 4", timeout=LONG)
    expect(page.locator(".explained")).to_contain_text("has played 4 here")


def test_a_mistake_in_chess_is_refuted(open_page: Open) -> None:
    page = open_page("chess")
    type_moves(page, ("e2e4", "e7e5", "g1f3", "d8g5", "f3g5"))
    show_mistakes(page)
    blunder = page.locator(".mistakes li", has_text="a blunder")
    expect(blunder).to_contain_text(" was better. After it: Nxg5")
    expect(page.locator(".verdict")).to_contain_text("last: Nxg5")  # as the list of moves has it
