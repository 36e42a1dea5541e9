"""What moves on the studio's board: as the look says, until a click, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.shared.browser import LONG, listen, more, needs_browser, play, played
from tests.shared.studio import Studio

pytestmark = needs_browser
WATCH = """
window.moved = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  window.moved.push({ frames, timing, at: this.dataset.at });
  const duration = timing.duration && (window.slow || timing.duration);
  return animate.call(this, frames, { ...timing, duration });
};
"""


@pytest.fixture(params=["no-preference", "reduce"])
def page(browser: Browser, bundled: Studio, request: pytest.FixtureRequest) -> Iterator[Page]:
    page = browser.new_page(reduced_motion=request.param)
    page.add_init_script(WATCH)
    faults = listen(page)
    page.goto(bundled.address)
    yield page
    page.close()
    assert faults == []


def still(page: Page) -> bool:
    return bool(page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches"))


def opened(page: Page, game: str, *moves: str) -> None:
    page.locator("header select").select_option(game)
    board = page.locator(f"svg.board[aria-label='the board of {game}']")
    expect(board).to_be_visible(timeout=LONG)
    for move in moves:
        typed(page, move)


def typed(page: Page, move: str) -> None:
    """Play a decision in words."""
    count = page.locator(".moves .move").count()
    more(page).locator("label:has-text('Move') input").fill(move)
    page.evaluate("window.moved = []")
    page.locator(".typed button").click()
    expect(page.locator(".moves .move")).not_to_have_count(count, timeout=LONG)


def motions(page: Page) -> list[dict[str, Any]]:
    """What has moved since the last decision; nothing lasts where no motion is wanted."""
    moved: list[dict[str, Any]] = page.evaluate("window.moved")
    if still(page):
        assert [move["timing"]["duration"] for move in moved] == [0] * len(moved)
        assert page.locator(".lights .piece").count() == 0
    return moved


def test_a_knight_leaps_and_a_pawn_slides(page: Page) -> None:
    opened(page, "chess", "e2e4")
    (slide,) = motions(page)
    assert len(slide["frames"]) == 2
    typed(page, "g8f6")
    (hop,) = motions(page)
    assert "scale(1.15)" in hop["frames"][1]["transform"]


def test_what_is_taken_away_fades(page: Page) -> None:
    opened(page, "morris", "a7", "b6", "d7", "d6", "g7", "xb6")
    vanished = [move for move in motions(page) if move["frames"][-1].get("opacity") == 0]
    assert len(vanished) == (0 if still(page) else 1)
    expect(page.locator(".lights .piece")).to_have_count(0, timeout=LONG)


def test_discs_turn_over(page: Page) -> None:
    opened(page, "othello", "d3")
    turned = [move for move in motions(page) if move["frames"][0]["transform"] == "scaleX(0)"]
    assert len(turned) == 1


def test_a_quarter_of_the_board_is_turned(page: Page) -> None:
    opened(page, "pentago", "a1", "b2+")
    (turn,) = motions(page)
    assert len(turn["frames"]) == 9


def test_a_board_is_turned_over_and_then_discs_fall(page: Page) -> None:
    opened(page, "conniption", "1", "1")
    typed(page, "!")
    moved = motions(page)
    overturned = [m for m in moved if "scaleY(-1)" in m["frames"][-1]["transform"]]
    assert len(overturned) == (0 if still(page) else 1)
    falls = [m for m in moved if m["timing"]["delay"] == (0 if still(page) else 520)]
    assert len(falls) == 2


def test_a_click_ends_what_moves(page: Page) -> None:
    opened(page, "chess", "e2e4")
    page.evaluate("window.slow = 100000")
    typed(page, "g8f6")
    running = "document.querySelector('svg.board .pieces').getAnimations({ subtree: true }).length"
    assert page.evaluate(running) == (0 if still(page) else 1)
    play(page, "d2")
    assert page.evaluate(running) == 0
    play(page, "d4")
    played(page, "d2d4")


def test_parts_of_a_turn_have_numbers(page: Page) -> None:
    opened(page, "connect6", "j10", "k11")
    expect(page.locator(".marks .part")).to_have_text(["1"])
    page.locator(".site:has(title:text-matches('^l12(:|$)'))").hover()
    expect(page.locator(".ghost .part")).to_have_text("2")
    play(page, "l12")
    played(page, "k11 l12")
    expect(page.locator(".marks .part")).to_have_count(0)  # the turn is over
