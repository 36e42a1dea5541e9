"""Games of one player and of more than two in a browser: everybody has a chair."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.shared.browser import LONG, barriers, begin, needs_browser, play, resign
from tests.shared.studio import Open

pytestmark = needs_browser
COMPUTER = "search@nodes=100"


def test_a_person_plays_chinese_checkers_against_two_computers(open_page: Open) -> None:
    page = open_page("chinesecheckers")
    page.get_by_role("button", name="New game").click()
    page.locator("dialog select").first.select_option(COMPUTER)
    page.locator("dialog [data-option='seats'] input").fill("3")
    page.locator("dialog button", has_text="Start").click()
    chairs = page.locator(".player select")
    expect(chairs).to_have_count(3, timeout=LONG)
    assert sorted(select.input_value() for select in chairs.all()) == ["human", COMPUTER, COMPUTER]

    play(page, "k4", "k5")
    expect(page.locator(".moves .move")).to_have_count(3, timeout=LONG)  # both others have answered
    expect(page.locator(".verdict")).to_contain_text("Your turn")
    expect(page.locator(".moves li")).to_have_count(1)
    assert barriers(page) == []

    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".verdict")).to_contain_text("Your turn", timeout=LONG)
    page.locator("#tab-understand").click()
    expect(page.get_by_role("button", name="Show my mistakes")).to_have_count(0)
    page.get_by_role("button", name="Best moves").click()
    expect(page.locator(".told-verdict")).to_contain_text("Best moves for Red", timeout=LONG)


def test_a_game_of_six_ends_and_its_rematch_begins(open_page: Open) -> None:
    page = open_page("chinesecheckers")
    begin(page, seats="6", limit="6")
    people = page.locator(".player select")
    expect(people).to_have_count(6, timeout=LONG)
    for select in people.all()[:5]:  # all others; the own one is the last
        select.select_option("random")
    play(page, "k4", "k5")
    expect(page.locator(".result h2")).to_have_text("A draw", timeout=LONG)
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".result")).to_have_count(0, timeout=LONG)
    expect(page.locator(".verdict")).to_contain_text("Your turn", timeout=LONG)  # the others began
    expect(page.locator(".player.ours")).to_contain_text("Purple")
    resign(page)
    winners = "Red and Orange and Yellow and Blue and Green win"
    expect(page.locator(".result h2")).to_have_text(winners, timeout=LONG)


def test_a_piece_that_is_held_stays_so_while_a_chair_changes(open_page: Open) -> None:
    page = open_page("chinesecheckers")
    expect(page.locator(".player select").first).to_be_visible(timeout=LONG)
    play(page, "k4")
    expect(page.locator(".site.clicked")).to_have_count(1)
    page.locator(".player select").first.select_option("random")
    page.wait_for_timeout(500)  # the answer to that shows the same board again
    expect(page.locator(".site.clicked")).to_have_count(1)


def test_one_person_plays_sokoban(open_page: Open) -> None:
    page = open_page("sokoban")
    expect(page.locator(".player select")).to_have_count(1, timeout=LONG)
    page.get_by_role("button", name="New game").click()
    expect(page.locator("dialog select")).to_have_count(0)
    page.get_by_role("button", name="Cancel").click()
