"""Games by rules that are written and not saved, how a board lies, what a refusal says first."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.shared.browser import LONG, begin, needs_browser, play, played
from tests.shared.places import RULESETS
from tests.shared.studio import Open

pytestmark = needs_browser


def write_behind(page: Page, line: str, text: str) -> None:
    """Type at the end of a line of the editor."""
    page.locator("#tab-author").click()
    page.locator(".editor .cm-line", has_text=line).first.click()
    page.keyboard.press("End")
    page.keyboard.type(text)
    page.keyboard.press("Escape")
    page.locator("#tab-play").click()
    expect(page.locator(".changed")).to_be_visible(timeout=LONG)


def sit(page: Page, chair: int, player: str) -> None:
    page.locator(f".player[data-chair='{chair}'] select").select_option(player)


def test_new_games_go_by_the_changed_rules_until_they_are_left(open_page: Open) -> None:
    """A rematch and a new game once went back to what was saved, beside the changed text."""
    page = open_page("tictactoe")
    page.on("dialog", lambda dialog: dialog.accept())
    write_behind(page, "turn place", "\nlose when count own = 2")
    play(page, "a1")  # else a computer is offered as the other player
    rematch = page.get_by_role("button", name="Rematch")
    for ended in (False, True):
        rematch.click() if ended else begin(page)
        expect(page.locator(".moves .move")).to_have_count(0, timeout=LONG)
        for site in ("a1", "b1", "a2"):
            play(page, site)
        expect(page.locator(".result")).to_be_visible(timeout=LONG)
    page.locator("#tab-author").click()
    page.locator("button.file[title$='.look']").first.click()
    page.locator("#tab-play").click()
    expect(page.locator(".changed")).to_have_count(0, timeout=LONG)


def test_who_leaves_changed_rules_leaves_decisions_that_they_alone_allow(open_page: Open) -> None:
    """The board once stayed with the changed rules, which nothing showed any more."""
    page = open_page("tictactoe")
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("#tab-author").click()
    page.locator(".editor .cm-line", has_text="choose cell in empty").click()
    page.keyboard.press("End")
    page.keyboard.type(" or enemy")
    page.keyboard.press("Escape")
    page.locator("#tab-play").click()
    expect(page.locator(".changed")).to_be_visible(timeout=LONG)
    for count in (1, 2):
        play(page, "a1")
        expect(page.locator(".moves .move")).to_have_count(count, timeout=LONG)
    page.locator("#tab-author").click()
    page.locator("button.file[title$='.look']").first.click()
    page.locator("#tab-play").click()
    expect(page.locator(".changed")).to_have_count(0, timeout=LONG)
    expect(page.locator(".moves .move")).to_have_count(0)


def test_a_computer_goes_on_where_changed_rules_open_a_game_again(open_page: Open) -> None:
    page = open_page("tictactoe")
    for site in ("a1", "b1", "a2", "b2", "a3"):
        play(page, site)
    expect(page.locator(".result")).to_be_visible(timeout=LONG)
    sit(page, 1, "random")
    page.locator("#tab-author").click()
    text = (RULESETS / "tictactoe" / "tictactoe.rules").read_text("utf-8")
    page.locator(".editor .cm-line", has_text="turn place").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(re.sub("^win when", "# win when", text, flags=re.MULTILINE))
    page.locator("#tab-play").click()
    expect(page.locator(".moves .move")).to_have_count(6, timeout=LONG)


def bottom(page: Page, site: str) -> float:
    box = page.locator(f"svg.board .site:has(title:text-matches('^{site}(:|$)'))").bounding_box()
    assert box is not None
    return box["y"]


def test_who_plays_black_has_the_own_pieces_below(open_page: Open) -> None:
    """The board is turned, its labels stay in their corners; the next game lies as it should."""
    page = open_page("chess")
    page.get_by_role("button", name="New game").click()
    page.get_by_label("You play").select_option("1")
    page.locator("dialog button", has_text="Start").click()
    expect(page.locator(".moves .move").first).to_be_visible(timeout=LONG)
    assert bottom(page, "a8") > bottom(page, "a1")
    frame = page.locator("svg.board").bounding_box()
    assert frame is not None
    labels = page.locator("svg.board .coordinates text")
    assert "".join(labels.all_text_contents()).endswith("hgfedcba")
    for label in labels.all():
        box = label.bounding_box()
        assert box is not None
        assert frame["y"] <= box["y"], label.text_content()
        assert box["x"] + box["width"] <= frame["x"] + frame["width"], label.text_content()
    page.locator("header select").select_option("breakthrough")
    expect(page.locator("svg.board[aria-label='the board of breakthrough']")).to_be_visible(
        timeout=LONG
    )
    assert bottom(page, "a8") < bottom(page, "a1")


def test_a_refusal_says_first_what_a_player_needs(open_page: Open) -> None:
    page = open_page("tictactoe")
    play(page, "b2")
    played(page, "b2")
    play(page, "b2")
    message = page.locator(".message.bad")
    expect(message).to_be_visible(timeout=LONG)
    expect(message).not_to_contain_text("need")
    message.get_by_role("button", name="Which rule?").click()
    expect(message).to_contain_text("tictactoe.rules")
