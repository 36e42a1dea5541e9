"""The page as it is laid out: at four widths, in both themes, with what one does in a game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.shared.browser import LONG, barriers, begin, needs_browser, play, played
from tests.shared.studio import Open, Studio

pytestmark = needs_browser
SIZES = ((300, 500), (390, 844), (820, 1180), (1280, 800), (1920, 1080))
BOARD = {390: 390, 1280: 712, 1920: 992}
"""How wide the board of a game is, by the width of the window."""
SMALLEST = """least => [...document.querySelectorAll(
  'button, select, summary, input[type=range]'
)].filter(part => {
  const { width, height } = part.getBoundingClientRect();
  return width > 1 && (height < least || width < 30);
}).map(part => part.outerHTML)"""


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_nothing_is_cut_at_any_width_and_the_board_is_large(
    browser: Browser, bundled: Studio, width: int, height: int
) -> None:
    page = browser.new_page(
        viewport={"width": width, "height": height}, has_touch=width < 900, is_mobile=width < 820
    )
    page.set_default_timeout(LONG)
    page.goto(bundled.address)
    board = page.locator("svg.board")
    expect(board).to_be_visible(timeout=LONG)
    play(page, "b2")
    played(page, "b2")
    for view in ("play", "understand", "author", "measure"):
        page.locator(f"#tab-{view}").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view
        if view == "play" and width in BOARD:
            box = board.bounding_box()
            assert box is not None
            assert round(box["width"]) == BOARD[width]
            assert box["y"] + box["height"] <= height
        if width < 900:
            assert page.evaluate(SMALLEST, 44) == [], view
        if width > 300:  # the theme changes colours alone
            assert barriers(page) == [], view
            page.get_by_role("button", name="Light or dark").click()
            assert barriers(page, "color-contrast") == [], view
            page.get_by_role("button", name="Light or dark").click()
    page.close()


def test_values_of_players_keep_their_places_on_a_phone(browser: Browser, bundled: Studio) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.set_default_timeout(LONG)
    page.goto(bundled.address)
    page.locator("header select").select_option("pig")
    expect(page.locator("svg.board[aria-label='the board of pig']")).to_be_visible(timeout=LONG)
    for strip in page.locator(".player").all():
        outer, value = strip.bounding_box(), strip.locator(".beside").bounding_box()
        assert outer is not None
        assert value is not None
        assert outer["y"] <= value["y"]
        assert value["y"] + value["height"] <= outer["y"] + outer["height"] < outer["y"] + 80
    page.close()


def test_both_themes_keep_nobody_out_and_are_remembered(open_page: Open) -> None:
    page = open_page("chess")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Light or dark").click()
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    expect(page.locator("svg.board .site").first).to_be_visible(timeout=LONG)
    assert page.evaluate(ground) == dark
    assert barriers(page) == []
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate(ground) == light


def test_a_move_is_taken_back_with_its_answer(open_page: Open) -> None:
    page = open_page("tictactoe")
    page.locator("[data-chair='1'] select").select_option("random")
    for count in (2, 4):
        page.locator("svg.board .site.open").first.click()
        expect(page.locator(".moves .move")).to_have_count(count, timeout=LONG)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".looking")).to_have_count(0)
    answer = page.locator(".moves .move").nth(1).inner_text()
    expect(page.locator(".moves .move.now")).to_have_text(answer, timeout=LONG)


def test_a_game_ends_in_words_and_is_played_again_with_the_other_side_first(
    open_page: Open,
) -> None:
    page = open_page("tictactoe")
    for site in ("b2", "a1", "b1", "a2", "b3"):
        play(page, site)
        played(page, site)
    result = page.locator(".result")
    expect(result.locator("h2")).to_have_text("Cross wins", timeout=LONG)
    expect(result).to_contain_text("5 moves")
    result.get_by_role("button", name="Rematch").click()
    expect(page.locator(".moves .move")).to_have_count(0, timeout=LONG)
    expect(page.locator(".verdict")).to_contain_text("Cross to move")


def test_a_board_is_turned_and_quiet_until_a_piece_is_held(open_page: Open) -> None:
    page = open_page("chess")
    site = page.locator("svg.board .site[aria-label^='e2']")
    before = site.bounding_box()
    page.get_by_role("button", name="Turn the board").click()
    after = site.bounding_box()
    assert before is not None
    assert after is not None
    assert after["y"] < before["y"]
    expect(page.locator("svg.board .may")).to_have_count(0)
    play(page, "e2")
    expect(page.locator("svg.board .may")).to_have_count(2, timeout=LONG)
    play(page, "e4")
    played(page, "e2e4")


def test_a_new_game_asks_in_sentences(open_page: Open) -> None:
    page = open_page("hex")
    begin(page, size="5")
    expect(page.locator("svg.board .site")).to_have_count(25, timeout=LONG)

    page.get_by_role("button", name="New game").click()
    expect(page.locator("dialog [data-option='pie']")).to_contain_text("The second player may")
    page.keyboard.press("Escape")
