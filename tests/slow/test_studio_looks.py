"""What a game's look says, on the studio's page: written, read by players, clicked."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.shared.browser import LONG, barriers, needs_browser, play, played
from tests.shared.places import RULESETS
from tests.shared.studio import Open

pytestmark = needs_browser


def test_the_board_follows_a_look_that_is_written(open_page: Open, tmp_path: Path) -> None:
    for name in ("tictactoe.rules", "tictactoe.look"):
        text = (RULESETS / "tictactoe" / name).read_text("utf-8")
        (tmp_path / name).write_text(text)
    page = open_page(str(tmp_path / "tictactoe.rules"))
    play(page, "b2")
    played(page, "b2")
    page.locator("#tab-author").click()
    page.locator("button.file[title='tictactoe.look']").click()
    expect(page.locator(".editor .cm-content")).to_contain_text("look tictactoe", timeout=LONG)
    page.locator(".editor .cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\npiece mark as letter\n")
    symbol = page.locator("svg.board defs text")
    expect(symbol.first).to_have_count(1, timeout=LONG)
    expect(page.locator(".verdict")).to_contain_text("last: b2")  # the game goes on
    page.keyboard.press("Control+s")
    expect(page.locator(".message")).to_contain_text("tictactoe.look is saved", timeout=LONG)
    page.reload()
    expect(symbol.first).to_have_count(1, timeout=LONG)


def test_players_read_what_the_look_calls_things(open_page: Open) -> None:
    page = open_page("spanit")
    assert page.locator(".switcher select option:checked").inner_text() == "Span-It!"
    expect(page.locator("[data-chair='0'] .who small")).to_have_text("Red, top to bottom")
    expect(page.locator("[data-chair='1'] .who small")).to_have_text("Blue, left to right")


def test_a_button_says_what_it_does(open_page: Open) -> None:
    page = open_page("twixt")
    assert page.locator(".switcher select option:checked").inner_text() == "TwixT"
    play(page, "l12")
    played(page, "l12")
    swap = page.locator(".exchange button", has_text="Take red's peg")
    expect(swap).to_contain_text("You play red from here, and the other plays blue.")
    swap.click()
    played(page, "swap")


def test_an_exchange_of_sides_is_two_cards(open_page: Open) -> None:
    page = open_page("twixt")
    play(page, "l12")
    played(page, "l12")
    expect(page.locator(".exchange button")).to_have_count(2)
    keep = page.locator(".exchange button", has_text="Keep Blue")
    assert barriers(page) == []
    keep.click()
    expect(page.locator(".exchange")).to_have_count(0)
    expect(page.locator(".spoken button", has_text="Take red's peg")).to_be_visible()  # still legal
    play(page, "p13")
    played(page, "p13")
    expect(page.locator(".spoken button", has_text="Take red's peg")).to_have_count(0)


def test_values_stand_beside_their_players(open_page: Open) -> None:
    page = open_page("conniption")
    flips = [page.locator(f"[data-chair='{chair}'] .beside") for chair in (0, 1)]
    expect(flips[0]).to_contain_text("flips left")
    tokens = flips[0].locator("i")
    before = tokens.count()
    page.locator(".spoken button", has_text="Turn the board over").click()
    played(page, "!")
    expect(tokens).to_have_count(before - 1)
    expect(flips[1].locator("i")).to_have_count(before)


def test_a_click_anywhere_in_a_column_drops_a_disc(open_page: Open) -> None:
    page = open_page("connect4")
    site = page.locator("svg.board .site[aria-label]:has(title:text-matches('^c6(:|$)'))")
    site.hover()
    ghost = page.locator("svg.board .ghost use")
    site_box, ghost_box = site.bounding_box(), ghost.bounding_box()
    assert site_box is not None
    assert ghost_box is not None
    assert ghost_box["y"] > site_box["y"] + site_box["height"]  # it is where the disc comes to lie
    play(page, "c6")
    played(page, "3")
    play(page, "c6")
    expect(page.locator(".moves .move")).to_have_text(["3", "3"], timeout=LONG)


def test_a_hint_is_an_outline_or_an_arrow(open_page: Open) -> None:
    page = open_page("tictactoe")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("svg.board .hint.outline")).to_have_count(1, timeout=LONG)
    expect(page.locator("svg.board .arrow")).to_have_count(0)
    page = open_page("chess")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("svg.board .marks .hint")).to_have_count(1, timeout=LONG)
    assert page.locator("svg.board .marks .hint").get_attribute("class") == "hint"


def test_a_player_reads_why_a_click_is_forbidden(open_page: Open) -> None:
    page = open_page("chess")
    play(page, "e2", "e5")
    told = page.locator("[role=status].message")
    expect(told).to_contain_text("A pawn goes one square straight ahead", timeout=LONG)
