"""What people do most: each in two clicks at most, with a server and in a page without one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.shared.browser import LONG, listen, needs_browser, play
from tests.shared.builds import site_of_all_games
from tests.shared.engines import NODE, PYODIDE
from tests.shared.studio import Studio
from tests.shared.web_host import host

pytestmark = needs_browser
MOST = 2


@pytest.fixture(scope="module", params=["server", "page"])
def address(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """A studio of each kind that begins with all games."""
    folder = tmp_path_factory.mktemp("acts")
    if request.param == "server":
        studio = Studio(folder, "")
        yield studio.address
        assert studio.stop() in (0, 130)
        return
    if not NODE or not PYODIDE.exists():
        pytest.skip("a page without a server needs node and Pyodide")
    with host(site_of_all_games(tmp_path_factory)) as site:
        yield site


class Hand:
    """A hand that counts its clicks."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0

    def button(self, name: str, within: str = "body") -> None:
        self.click(self.page.locator(within).get_by_role("button", name=name).first)

    def click(self, where: Locator) -> None:
        self.clicks += 1
        assert self.clicks <= MOST
        where.click()

    def begins(self) -> None:
        """Another act begins here."""
        self.clicks = 0


@pytest.fixture
def hand(browser: Browser, address: str) -> Iterator[Hand]:
    """A new visitor at home."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    faults = listen(page)
    page.goto(address)
    expect(page.locator(".game").first).to_be_visible(timeout=LONG)
    yield Hand(page)
    context.close()
    assert faults == []


def board(page: Page, name: str) -> None:
    shown = page.locator(f"svg.board[aria-label='the board of {name}']")
    expect(shown).to_be_visible(timeout=LONG)


def moves(page: Page, count: int) -> None:
    expect(page.locator(".moves .move")).to_have_count(count, timeout=LONG)


def sit(hand: Hand, name: str, how: str) -> None:
    hand.button(how, f".game[data-game='{name}']")
    board(hand.page, name)
    hand.begins()


def test_chess_is_played_at_a_chosen_strength(hand: Hand) -> None:
    hand.button("Plays a little")
    hand.button("Play", ".game[data-game='chess']")
    board(hand.page, "chess")
    play(hand.page, "e2", "e4")
    moves(hand.page, 2)
    seat = hand.page.locator("[data-chair='1'] select option:checked")
    expect(seat).to_contain_text("a little")


def test_a_move_is_taken_back_hinted_and_the_board_turned(hand: Hand) -> None:
    sit(hand, "breakthrough", "Two people")
    play(hand.page, "a2", "a3")
    moves(hand.page, 1)
    hand.button("Take back")
    expect(hand.page.locator(".moves .now")).to_have_count(0, timeout=LONG)
    hand.begins()
    hand.button("Hint")
    expect(hand.page.locator("svg.board .marks .hint").first).to_be_visible(timeout=LONG)
    hand.begins()
    site = hand.page.locator("svg.board [data-site='0']")
    before = site.bounding_box()
    hand.button("Turn the board")
    expect(site).to_be_visible()
    assert site.bounding_box() != before


def test_a_game_is_played_again(hand: Hand) -> None:
    sit(hand, "tictactoe", "Two people")
    for site in ("a1", "b1", "a2", "b2", "a3"):
        play(hand.page, site)
    expect(hand.page.locator(".result")).to_be_visible(timeout=LONG)
    hand.button("Rematch")
    moves(hand.page, 0)


def test_it_is_seen_why_a_move_was_bad(hand: Hand) -> None:
    sit(hand, "tictactoe", "Two people")
    for site in ("b2", "a1", "c1", "b1"):
        play(hand.page, site)
    moves(hand.page, 4)
    hand.click(hand.page.locator("#tab-understand"))
    hand.button("Show my mistakes")
    mistakes = hand.page.locator(".course")
    expect(mistakes).to_contain_text("blunder", ignore_case=True, timeout=LONG)
    expect(mistakes).to_contain_text("was better")


def test_a_rule_is_changed_and_the_board_follows(hand: Hand) -> None:
    sit(hand, "tictactoe", "Two people")
    hand.click(hand.page.locator("#tab-author"))
    line = hand.page.locator(".editor .cm-line", has_text="option width = 3")
    expect(line).to_be_visible(timeout=LONG)
    hand.click(line)
    hand.page.keyboard.press("Home")
    hand.page.keyboard.press("Shift+End")
    hand.page.keyboard.type("option width = 4 in 1..20")
    expect(hand.page.locator("svg.board [data-site]")).to_have_count(16, timeout=LONG)


def test_a_game_is_begun_from_a_template(hand: Hand) -> None:
    hand.button("A game of your own")
    hand.button("Begin", ".newtext")
    expect(hand.page.locator("button.file.now")).to_contain_text("mine.rules", timeout=LONG)
    board(hand.page, "mine")


def test_two_computers_are_watched(hand: Hand) -> None:
    sit(hand, "tictactoe", "Two people")
    hand.button("New game", "header")
    hand.button("Watch two computers")
    expect(hand.page.locator(".moves .move").nth(2)).to_be_visible(timeout=LONG)


def test_a_game_file_is_opened(hand: Hand, tmp_path: Path) -> None:
    saved = tmp_path / "saved.txt"
    sit(hand, "tictactoe", "Two people")
    play(hand.page, "b2")
    moves(hand.page, 1)
    hand.button("More")
    hand.page.get_by_label("as which kind of file").select_option("txt")
    with hand.page.expect_download() as answer:
        hand.button("Save")
    answer.value.save_as(saved)
    hand.page.get_by_role("button", name="More").click()
    play(hand.page, "a1")
    moves(hand.page, 2)
    hand.begins()
    hand.button("More")
    with hand.page.expect_file_chooser() as chooser:
        hand.click(hand.page.locator(".more label.file"))
    chooser.value.set_files(saved)
    moves(hand.page, 1)


def test_a_game_is_sent(hand: Hand) -> None:
    """As a link by a page without a server, and as a file by one with a server."""
    sit(hand, "tictactoe", "Two people")
    play(hand.page, "b2")
    moves(hand.page, 1)
    hand.button("Share", "header")
    linked = hand.page.get_by_role("button", name="Link to this game")
    if linked.count():
        hand.page.wait_for_url("**#share=*")
        return
    with hand.page.expect_download() as answer:
        hand.button("This game as a file")
    assert answer.value.path().stat().st_size > 0


def test_the_theme_is_switched(hand: Hand) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    before = hand.page.evaluate(ground)
    hand.button("Light or dark")
    assert hand.page.evaluate(ground) != before
