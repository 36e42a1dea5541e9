"""Home: all games as positions, and what one does first with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from rulewright.app.studio.levels import levels_measured
from tests.shared.browser import LONG, barriers, listen, needs_browser, play
from tests.shared.places import RULESETS
from tests.shared.studio import Studio
from tests.shared.tiny import RULES

pytestmark = needs_browser
COLUMNS = {390: 2, 820: 2, 1280: 4, 1920: 5}
SOWING = sum('family "Sowing"' in look.read_text("utf-8") for look in RULESETS.glob("*/*.look"))


@pytest.fixture(scope="module")
def all_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio that was started without a game."""
    studio = Studio(tmp_path_factory.mktemp("home"), "")
    yield studio
    assert studio.stop() in (0, 130)


@pytest.fixture
def page(browser: Browser, all_games: Studio) -> Iterator[Page]:
    """Home in a window of its own."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    faults = listen(page)
    page.goto(all_games.address)
    expect(page.locator(".home")).to_be_visible(timeout=LONG)
    yield page
    page.close()
    assert faults == []


def card(page: Page, name: str, button: str) -> None:
    page.locator(f".game[data-game='{name}']").get_by_role("button", name=button).click()


def shown(page: Page, name: str) -> None:
    expect(page.locator(f"svg.board[aria-label='the board of {name}']")).to_be_visible(timeout=LONG)


@pytest.mark.parametrize("width", COLUMNS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_games_are_there_at_any_width(
    browser: Browser, all_games: Studio, width: int, theme: str
) -> None:
    size = {"width": width, "height": 800 if width == 1280 else 1080}
    page = browser.new_page(viewport=size, color_scheme=theme, is_mobile=width < 820)  # type: ignore[arg-type]
    page.goto(all_games.address)
    expect(page.locator(".game").first).to_be_visible(timeout=LONG)
    pictures = page.locator(".game img")
    expect(pictures).to_have_count(page.locator(".game").count(), timeout=LONG)
    assert pictures.count() >= 20
    boxes = [box for game in page.locator(".game").all() if (box := game.bounding_box())]
    first = [box for box in boxes if box["y"] == boxes[0]["y"]]
    assert len(first) == COLUMNS[width]
    assert max(box["y"] + box["height"] for box in first) <= size["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert barriers(page) == []
    page.close()


def test_a_game_is_looked_for_by_its_name_and_its_line(page: Page) -> None:
    field = page.get_by_role("searchbox", name="Search games")
    expect(page.locator(".game[data-game='spanit'] h3")).to_have_text("Span-It!", timeout=LONG)
    field.fill("SPAN")
    expect(page.locator(".game")).to_have_count(1)
    field.fill("hexagonal tiddlywinks")
    expect(page.locator(".no-game")).to_contain_text("No game is called “hexagonal tiddlywinks”.")
    page.get_by_role("button", name="Show all games").click()
    expect(page.locator(".game[data-game='chess']")).to_be_visible()


def test_play_begins_at_once_and_the_computer_answers(page: Page) -> None:
    card(page, "tictactoe", "Play")
    shown(page, "tictactoe")
    play(page, "b2")
    expect(page.locator(".moves .move")).to_have_count(2, timeout=LONG)
    ladder = [level.player for level in levels_measured()["tictactoe"]]
    middle = ladder[(len(ladder) - 1) // 2]
    expect(page.locator("[data-chair='1'] select")).to_have_value(middle)


def test_levels_say_what_they_are_worth(page: Page) -> None:
    card(page, "chess", "Two people")
    shown(page, "chess")
    page.get_by_role("button", name="New game").click()
    dialog, weakest = page.get_by_role("dialog"), levels_measured()["chess"][0]
    dialog.get_by_label("Against").select_option(weakest.player)
    said = f"wins {weakest.wins} of {weakest.wins + weakest.draws + weakest.losses}"
    expect(dialog.locator(".worth")).to_contain_text(f"Measured: {said}")
    expect(dialog.locator(".worth")).to_contain_text("against chance")
    dialog.get_by_label("Against").select_option("human")
    expect(dialog.locator(".worth")).to_have_count(0)


def test_a_level_that_nobody_measured_says_so(page: Page) -> None:
    card(page, "mutorere", "Play")
    shown(page, "mutorere")
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_role("dialog").locator(".worth")).to_contain_text("was not measured")


def test_a_game_left_open_is_gone_back_to(page: Page) -> None:
    card(page, "tictactoe", "Two people")
    shown(page, "tictactoe")
    play(page, "b2")
    expect(page.locator(".moves .move")).to_have_count(1, timeout=LONG)
    page.get_by_role("button", name="All games").click()
    back = page.get_by_role("button", name="Go back to your game of Noughts and Crosses, move 1")
    expect(back).to_be_visible()
    card(page, "hex", "Two people")
    shown(page, "hex")
    page.reload()
    shown(page, "hex")  # who has sat down is not sent home
    page.get_by_role("button", name="All games").click()
    back.click()
    shown(page, "tictactoe")
    expect(page.locator(".moves .move")).to_have_count(1, timeout=LONG)


def test_a_family_is_shown_alone(page: Page) -> None:
    expect(page.locator(".families")).to_be_visible(timeout=LONG)
    family = page.get_by_role("button", name="Sowing")
    family.click()
    expect(page.locator(".game")).to_have_count(SOWING)
    expect(family).to_have_attribute("aria-pressed", "true")
    page.locator(".families").get_by_role("button", name="All").click()
    expect(page.locator(".game[data-game='chess']")).to_be_visible()


@pytest.mark.parametrize("width", COLUMNS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_game_is_learnt_at_any_width(
    browser: Browser, all_games: Studio, width: int, theme: str
) -> None:
    size = {"width": width, "height": 800}
    page = browser.new_page(viewport=size, color_scheme=theme, is_mobile=width < 820)  # type: ignore[arg-type]
    faults = listen(page)
    page.goto(all_games.address)
    card(page, "connect4", "Learn")
    expect(page.locator(".lessons li img")).to_have_count(3, timeout=LONG)
    expect(page.locator(".puzzle h3")).to_have_text("A puzzle")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert barriers(page) == []
    page.close()
    assert faults == []


def test_what_is_learnt_has_its_title_before_its_pictures(
    browser: Browser, all_games: Studio
) -> None:
    """It was called as its file is until its pictures were drawn."""
    page = browser.new_page()

    def without_lessons(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda text: None if '"learn"' in str(text) else server.send(text))

    page.route_web_socket(re.compile(""), without_lessons)
    page.goto(all_games.address)
    expect(page.locator(".game[data-game='spanit'] h3")).to_have_text("Span-It!", timeout=LONG)
    card(page, "spanit", "Learn")
    expect(page.locator(".learn h2")).to_have_text("Learn Span-It!")
    expect(page.locator(".lessons img")).to_have_count(0)
    page.close()


def test_a_puzzle_is_tried_and_solved(page: Page) -> None:
    card(page, "connect4", "Learn")
    page.get_by_role("button", name="Show me").click(timeout=LONG)
    expect(page.locator(".puzzle .answer")).to_have_text("It is 4.")
    page.get_by_role("button", name="Try it").click()
    shown(page, "connect4")
    note = page.locator(".puzzled")
    expect(note).to_contain_text("Complete the four.")
    play(page, "a6")
    expect(note).to_contain_text("Not that one.", timeout=LONG)
    page.get_by_role("button", name="Take back").click()
    expect(note).to_contain_text("Complete the four.", timeout=LONG)
    note.get_by_role("button", name="Show me").click()
    expect(page.locator("svg.board .hint")).to_have_count(1)
    play(page, "d6")
    expect(page.locator("svg.board .hint")).to_have_count(0)
    expect(note).to_contain_text("That is it.", timeout=LONG)


def test_a_new_game_can_be_learnt_first(page: Page) -> None:
    card(page, "tictactoe", "Two people")
    shown(page, "tictactoe")
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Learn Noughts and Crosses").click()
    expect(page.locator(".learn h2")).to_have_text("Learn Noughts and Crosses")
    expect(page.locator(".lessons li")).to_have_count(3, timeout=LONG)


def test_a_text_is_read(page: Page) -> None:
    card(page, "hex", "Learn")
    page.get_by_role("button", name="Read the text").click(timeout=LONG)
    expect(page.locator(".editor")).to_contain_text("game hex", timeout=LONG)
    expect(page.locator("#tab-author")).to_have_attribute("aria-selected", "true")


def test_pictures_follow_the_theme_of_the_page(page: Page) -> None:
    picture = page.locator(".game[data-game='tictactoe'] img")
    picture.scroll_into_view_if_needed()
    light = picture.screenshot()
    page.get_by_role("button", name="Light or dark").click()
    assert picture.screenshot() != light


def test_own_games_stand_first(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "mine.rules").write_text(RULES)
    (tmp_path / "wrong.rules").write_text("format 1\ngame wrong\n")
    studio = Studio(tmp_path, str(tmp_path))
    page = browser.new_page()
    page.goto(studio.address)
    page.get_by_role("button", name="All games").click()
    games = page.locator(".game")
    expect(games.nth(0)).to_have_attribute("data-game", "mine.rules", timeout=LONG)
    expect(games.nth(0).locator("img")).to_have_count(1, timeout=LONG)
    expect(games.nth(1).locator(".letter")).to_have_text("w")
    page.close()
    studio.stop()
