"""The home of a page without a server: there before Python, which comes with the first game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.shared.browser import LONG, barriers, listen, needs_browser, play
from tests.shared.builds import site_of_all_games
from tests.shared.engines import needs_node, needs_pyodide
from tests.shared.web_host import host

pytestmark = [needs_browser, needs_pyodide, needs_node]
HOME = 1_500_000
"""Bytes of the page and of all that its home shows."""
OF_PYTHON = ("pyodide", "library", "memory", "worker", "files.json", "offline")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an exported studio that begins with all games."""
    with host(site_of_all_games(tmp_path_factory)) as address:
        yield address


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A window that was never there."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    faults = listen(page)
    yield page
    context.close()
    assert faults == []


def button(page: Page, game: str, name: str) -> None:
    page.locator(f".game[data-game='{game}']").get_by_role("button", name=name).click()


def test_home_and_lessons_are_there_without_python(page: Page, site: str) -> None:
    asked = dict[str, int]()
    page.on("response", lambda answer: asked.update({answer.url: len(answer.body())}))
    page.goto(site)
    games = page.locator(".game")
    expect(games.first).to_be_visible(timeout=LONG)
    games.last.scroll_into_view_if_needed()
    last = games.last.locator("img")
    expect(last).to_have_js_property("complete", True)
    assert last.evaluate("picture => picture.naturalWidth") > 0
    page.wait_for_load_state("networkidle")
    assert sum(asked.values()) < HOME
    assert barriers(page) == []
    button(page, "connect4", "Learn")
    expect(page.locator(".lessons img")).to_have_count(3)
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".puzzle .answer")).to_have_text("It is 4.")
    assert not [name for name in asked if any(part in name for part in OF_PYTHON)]
    assert f"{site}de.json" not in asked  # nobody has chosen it


def test_home_speaks_the_language_of_the_browser_until_another_is_chosen(
    browser: Browser, site: str
) -> None:
    context = browser.new_context(locale="de-AT")
    page = context.new_page()
    page.goto(site)
    heading = page.locator(".home h2")
    german = "Spiel ein Spiel, lies seine Regeln, ändere eine Zeile."
    expect(heading).to_have_text(german, timeout=LONG)
    expect(page.locator(".game[data-game='chess'] h3")).to_have_text("Schach")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.locator("input[type=search]").fill("mühle")
    expect(page.locator(".game")).to_have_count(1)
    page.get_by_role("button", name="English").click()
    expect(heading).to_have_text("Play a game, read its rules, change a line.", timeout=LONG)
    page.reload()
    expect(page.get_by_role("button", name="Deutsch")).to_be_visible(timeout=LONG)
    context.close()


def test_python_comes_with_the_first_game(page: Page, site: str) -> None:
    page.goto(site)
    button(page, "breakthrough", "Play")
    board = page.locator("svg.board[aria-label='the board of breakthrough']")
    expect(board).to_be_visible()
    expect(page.locator(".message")).to_contain_text("Python is being loaded")
    play(page, "a2", "a3")  # it can be clicked, and is answered when Python is there
    expect(page.locator(".moves .move")).to_have_count(2, timeout=LONG)
    page.reload()
    expect(page.locator(".moves .move")).to_have_count(2, timeout=LONG)
    page.get_by_role("button", name="All games").click()
    expect(page.locator(".resume")).to_contain_text("Breakthrough, move 2")


def test_a_puzzle_is_tried_in_a_page_that_was_asleep(page: Page, site: str) -> None:
    page.goto(site)
    button(page, "connect4", "Learn")
    page.get_by_role("button", name="Try it").click()
    expect(page.locator(".puzzled")).to_contain_text("Complete the four.", timeout=LONG)
    play(page, "d6")
    expect(page.locator(".puzzled")).to_contain_text("That is it.", timeout=LONG)


def test_a_view_wakes_the_page(page: Page, site: str) -> None:
    page.goto(site)
    page.locator("#tab-author").click()
    expect(page.locator(".editor .cm-content")).to_contain_text("game tictactoe", timeout=LONG)
